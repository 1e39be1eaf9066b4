package linearize

import (
	"cmp"
	"slices"
)

// rows are orders in which values may go in and out of a queue, for
// capacityRows: the one that was found, and others that relation (1) of
// fifoMonitor allows, by when values go in.
func (q *queueOrder) rows(try func(in, out []uint32) bool) bool {
	if try(q.inAndOut()) {
		return true
	}
	for _, when := range q.timesOfItems() {
		other := &queueOrder{ledger: q.ledger, roots: q.itemsBy(when)}
		if other.sort() == nil && try(other.inAndOut()) {
			return true
		}
	}
	return false
}

// timesOfItems are ways to say when a value goes in: when it must, in the
// middle of the time that its put took, or in the middle of all its times.
func (l *ledger) timesOfItems() []func(n uint32) uint64 {
	ret := func(n uint32) uint64 { return l.of(l.ops[l.items[n].put].Return) }
	middle := func(n uint32) uint64 { return l.items[n].call/2 + ret(n)/2 }
	left := func(n uint32) uint64 {
		it := &l.items[n]
		if it.take == absent {
			return l.far()
		}
		return it.out/2 + l.of(l.ops[it.take].Return)/2
	}
	return []func(n uint32) uint64{
		middle, ret, left,
		func(n uint32) uint64 { return middle(n)/2 + left(n)/2 },
	}
}

// itemsBy are the items by a time.
func (l *ledger) itemsBy(when func(n uint32) uint64) []uint32 {
	var items []uint32
	for _, word := range l.puts {
		items = append(items, l.index(word))
	}
	slices.SortStableFunc(items, func(a, b uint32) int { return cmp.Compare(when(a), when(b)) })
	return items
}

// inAndOut are the values in their order, and those of them that leave.
func (q *queueOrder) inAndOut() (in, out []uint32) {
	for _, n := range q.order {
		if n&emptyNode != 0 {
			continue
		}
		in = append(in, n)
		if q.items[n].take != absent {
			out = append(out, n)
		}
	}
	return in, out
}

// rows are orders in which values may go in and out of a bag: by times when
// they do.
func (b *bagOrder) rows(try func(in, out []uint32) bool) bool {
	l := b.l
	times := l.timesOfItems()
	leaves := func(when func(n uint32) uint64) []uint32 {
		return slices.DeleteFunc(l.itemsBy(when), func(n uint32) bool { return l.items[n].take == absent })
	}
	for _, in := range [][]uint32{l.itemsBy(times[0]), l.itemsBy(times[1])} {
		for _, out := range [][]uint32{leaves(times[2]), leaves(l.takenBy)} {
			if try(in, out) {
				return true
			}
		}
	}
	return false
}

// takenBy is when a value must be out.
func (l *ledger) takenBy(n uint32) uint64 {
	if take := l.items[n].take; take != absent {
		return l.of(l.ops[take].Return)
	}
	return l.far()
}
