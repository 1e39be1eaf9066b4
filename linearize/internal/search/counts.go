package search

import (
	"sort"

	"stealproof/model"
)

// counts say which value may be the r-th to go into a queue, if that has room for
// so many. They follow from counting alone, whatever the order:
//   - When r + room puts have returned, r values have left. So the removal of
//     the r-th was called by then.
//   - When something was full, at most as many values had gone in as puts were
//     called, and all but room of these had left. So the removal of the r-th
//     returned after the call of any full until whose return fewer than r + room
//     puts were called.
//
// The search would find out by itself, but only when the values leave.
type counts struct {
	values *Values
	room   int
	// By number of puts: the latest call of a full until whose return no more
	// were called.
	full []uint64
}

// newCounts takes words of the calls of puts and of fulls.
func newCounts(v *Values, room int, puts, fulls []uint64) *counts {
	c := &counts{values: v, room: room}
	if len(fulls) == 0 {
		return c
	}
	c.full = make([]uint64, len(puts)+1)
	for _, word := range fulls {
		ret := v.Of(v.History.Ops[v.Index(word)].Return)
		called := sort.Search(len(puts), func(k int) bool { return v.Stamp(puts[k]) > ret })
		c.full[called] = max(c.full[called], v.Stamp(word))
	}
	for k := 1; k < len(c.full); k++ {
		c.full[k] = max(c.full[k], c.full[k-1])
	}
	return c
}

// allow says whether the value may go in after so many others.
func (c *counts) allow(n uint32, before int) bool {
	v := c.values
	it := &v.Items[n]
	if it.Take == absent || v.History.Ops[it.Take].Result != model.OK {
		return true
	}
	if k := before + c.room; k < len(v.Returns) && it.Out > v.Stamp(v.Returns[k]) {
		return false
	}
	if len(c.full) == 0 {
		return true
	}
	return v.Of(v.History.Ops[it.Take].Return) >= c.full[min(before+c.room, len(c.full)-1)]
}
