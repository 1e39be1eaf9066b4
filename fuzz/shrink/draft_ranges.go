package shrink

import (
	"slices"

	"stealproof/model"
)

// smallerSizes asks a range for less, first for 1.
func (d draft) smallerSizes(yield func(draft) bool) {
	for _, s := range d.spots(false) {
		for i, call := range d.processes[s.process][s.piece].calls {
			for _, less := range fewer(call.Size) {
				c := d.clone()
				pc := &c.processes[s.process][s.piece]
				pc.calls = slices.Clone(pc.calls)
				pc.calls[i].Size -= less
				if !yield(c) {
					return
				}
			}
		}
	}
}

// fewer lists by how much a number above 1 may become less: to 1, by half, by 1.
func fewer(n uint64) []uint64 {
	if n <= 1 {
		return nil
	}
	return slices.Compact([]uint64{n - 1, n / 2, 1})
}

// closerIntervals takes indices out of the world: those above move down, so that
// intervals that adjoin still do.
func (d draft) closerIntervals(yield func(draft) bool) {
	below := uint64(0)
	for _, b := range d.bounds() {
		if !d.covers(below) && b > below { // a gap may close
			if !yield(d.withoutIndices(below, b)) {
				return
			}
		}
		for _, less := range fewer(b - below) {
			if !yield(d.withoutIndices(below, below+less)) {
				return
			}
		}
		below = b
	}
}

// bounds lists the bounds of all intervals in ascending order.
func (d draft) bounds() []uint64 {
	var all []uint64
	d.eachCall(func(c *model.Call) {
		if c.To > 0 {
			all = append(all, c.Value, c.To)
		}
	})
	slices.Sort(all)
	return slices.Compact(all)
}

// covers says whether an index lies in one of the intervals.
func (d draft) covers(index uint64) (covered bool) {
	d.eachCall(func(c *model.Call) { covered = covered || c.To > 0 && c.Value <= index && index < c.To })
	return covered
}

func (d draft) withoutIndices(from, to uint64) draft {
	move := func(i uint64) uint64 {
		switch {
		case i >= to:
			return i - (to - from)
		case i > from:
			return from
		}
		return i
	}
	return d.eachCall(func(c *model.Call) {
		if c.To > 0 {
			c.Value, c.To = move(c.Value), move(c.To)
		}
	})
}
