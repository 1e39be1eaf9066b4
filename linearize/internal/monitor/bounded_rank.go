package monitor

import "sort"

// ranks say which value may be the r-th to go into a queue, if that has room for
// so many. They follow from counting alone, whatever the order:
//   - When r + room puts have returned, r values have left. So the removal of
//     the r-th was called by then.
//   - When something was full, at most as many values had gone in as puts were
//     called, and all but room of these had left. So the removal of the r-th
//     returned after the call of any full until whose return fewer than r + room
//     puts were called.
//
// The search would find out by itself, but only when the values leave.
type ranks struct {
	*ledger
	room int
	// By number of puts: the latest call of a full until whose return no more
	// were called.
	full []uint64
}

// newRanks takes words of the calls of puts and of fulls.
func newRanks(l *ledger, room int, puts, fulls []uint64) *ranks {
	r := &ranks{ledger: l, room: room}
	if len(fulls) == 0 {
		return r
	}
	r.full = make([]uint64, len(puts)+1)
	for _, word := range fulls {
		ret := l.Of(l.ops[l.Index(word)].Return)
		called := sort.Search(len(puts), func(k int) bool { return l.Stamp(puts[k]) > ret })
		r.full[called] = max(r.full[called], l.Stamp(word))
	}
	for k := 1; k < len(r.full); k++ {
		r.full[k] = max(r.full[k], r.full[k-1])
	}
	return r
}

// allow says whether the value may go in after so many others.
func (r *ranks) allow(n uint32, before int) bool {
	if !r.named(n) {
		return true
	}
	it := &r.items[n]
	if k := before + r.room; k < len(r.puts) && it.out > r.Stamp(r.puts[k]) {
		return false
	}
	if len(r.full) == 0 {
		return true
	}
	return r.Of(r.ops[it.take].Return) >= r.full[min(before+r.room, len(r.full)-1)]
}
