package monitor

import (
	"cmp"
	"slices"
)

// mostUrgent sorts as many as are asked for, up to a number, to the front.
func (b *boundedState) mostUrgent(ops []uint32, wanted, most int) []uint32 {
	switch {
	case len(ops) < 2:
	case wanted == 1:
		k := 0
		for i := range ops {
			if b.moreUrgent(ops[i], ops[k]) < 0 {
				k = i
			}
		}
		ops[0], ops[k] = ops[k], ops[0]
	default:
		slices.SortFunc(ops, b.moreUrgent)
	}
	return ops[:min(len(ops), most)]
}

func (b *boundedState) moreUrgent(x, y uint32) int {
	return cmp.Or(cmp.Compare(b.urgency(x), b.urgency(y)), cmp.Compare(x, y))
}

// urgency is by when an operation should happen. Values go into a queue in the
// order in which they seem to have done so; what stays goes in last.
func (b *boundedState) urgency(op uint32) uint64 {
	o := &b.ops[op]
	n := b.item[op]
	if n == absent || !o.Op.Puts() {
		return b.Of(o.Return)
	}
	it := &b.items[n]
	if !b.named(n) {
		return b.Far() + b.Of(o.Return)/4
	}
	take := &b.ops[it.take]
	if b.mood&2 != 0 {
		return b.Of(o.Return)
	}
	if b.bag {
		return min(b.Of(o.Return), b.Of(take.Return))
	}
	return it.call/4 + b.Of(o.Return)/4 + it.out/4 + b.Of(take.Return)/4
}
