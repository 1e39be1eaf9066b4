package search

import (
	"cmp"
	"slices"
)

// mostUrgent sorts as many as are asked for to the front, of no more than are tried.
func (q *queue) mostUrgent(ops []uint32, wanted int) []uint32 {
	switch {
	case len(ops) < 2:
	case wanted == 1:
		k := 0
		for i := range ops {
			if q.moreUrgent(ops[i], ops[k]) < 0 {
				k = i
			}
		}
		ops[0], ops[k] = ops[k], ops[0]
	default:
		slices.SortFunc(ops, q.moreUrgent)
	}
	return ops[:min(len(ops), q.width)]
}

func (q *queue) moreUrgent(x, y uint32) int {
	return cmp.Or(cmp.Compare(q.urgency(x), q.urgency(y)), cmp.Compare(x, y))
}

// urgency is by when an operation should happen. Values go into a queue in the
// order in which they seem to have done so; what stays goes in last.
func (q *queue) urgency(op uint32) uint64 {
	o := &q.ops[op]
	n := q.item[op]
	if n == absent || !o.Op.Puts() {
		return q.Of(o.Return)
	}
	it := &q.items[n]
	if !q.named(n) {
		return q.Far() + q.Of(o.Return)/4
	}
	take := &q.ops[it.Take]
	if q.liking&likesReturns != 0 {
		return q.Of(o.Return)
	}
	if q.bag {
		return min(q.Of(o.Return), q.Of(take.Return))
	}
	return it.Call/4 + q.Of(o.Return)/4 + it.Out/4 + q.Of(take.Return)/4
}
