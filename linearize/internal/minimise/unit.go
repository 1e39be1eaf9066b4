package minimise

import (
	"cmp"
	"slices"

	"stealproof/linearize/internal/general"
	"stealproof/model"
)

// unit is what a minimiser leaves out or keeps as one: a value with all its
// operations, a piece of a range with all that touch it, or an operation that
// moves nothing.
type unit struct {
	places   []int
	from, to uint64 // the indices of a piece of a range
	full     bool   // a full that claims something
}

// unitsOf lists the units of a history: those that move nothing first, since
// it is the full among them that keep others from going.
func unitsOf(h *model.History) []unit {
	var units []unit
	values := map[uint64]int{}
	for i := range h.Ops {
		o := &h.Ops[i]
		switch {
		case o.Lost() || o.PutsIn() || o.TakesOut():
		default:
			full := o.Result == model.Full && h.Params.Capacity > 0 && h.Kind != model.WSDeque
			units = append(units, unit{places: []int{i}, full: full})
		}
	}
	if h.Kind == model.Range {
		return append(units, pieces(h)...)
	}
	for i := range h.Ops {
		o := &h.Ops[i]
		if !o.PutsIn() && !o.TakesOut() {
			continue
		}
		at, seen := values[o.Value]
		if !seen {
			at = len(units)
			values[o.Value] = at
			units = append(units, unit{})
		}
		units[at].places = append(units[at].places, i)
	}
	return units
}

// pieces cuts the indices that a history moves wherever an interval ends.
func pieces(h *model.History) []unit {
	var cuts []uint64
	for i := range h.Ops {
		if o := &h.Ops[i]; o.PutsIn() || o.TakesOut() {
			cuts = append(cuts, o.Value, o.To)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	units := make([]unit, len(cuts))
	for k := 1; k < len(cuts); k++ {
		units[k] = unit{from: cuts[k-1], to: cuts[k]}
	}
	for i := range h.Ops {
		o := &h.Ops[i]
		if !o.PutsIn() && !o.TakesOut() {
			continue
		}
		first, _ := slices.BinarySearch(cuts, o.Value)
		for k := first + 1; k < len(cuts) && cuts[k] <= o.To; k++ {
			units[k].places = append(units[k].places, i)
		}
	}
	return slices.DeleteFunc(units, func(u unit) bool { return len(u.places) == 0 })
}

// droppable says whether leaving out these units, keeping the rest, is sound
// for every full that stays.
func (m *minimiser) droppable(out, rest []unit) bool {
	for _, f := range rest {
		if !f.full {
			continue
		}
		for _, u := range out {
			if m.mayBeInside(u, &m.history.Ops[f.places[0]]) {
				return false
			}
		}
	}
	return true
}

// mayBeInside says whether a unit's value was possibly inside at some moment
// of f. Of a range every index counts, since a full may also mean that the
// push did not fit where the range began.
func (m *minimiser) mayBeInside(u unit, f *model.Operation) bool {
	if m.history.Kind == model.Range {
		return u.to > 0
	}
	inside, later := 0, true
	for _, i := range u.places {
		o := &m.history.Ops[i]
		switch {
		case o.PutsIn():
			inside++
			later = later && f.Precedes(o)
		case o.TakesOut() && o.Precedes(f):
			inside--
		case !o.TakesOut():
			return false // an operation that moves nothing
		}
	}
	return inside > 0 && !later
}

// shrink cuts the operations of a range down to the pieces that are kept, and
// moves what is above a piece left out down to close the gap. An interval
// with indices left out is an interval of the others, next to each other, so
// every push, pop and steal of a legal history stays legal.
func shrink(h *model.History, whole, units []unit, keep view) (general.Excerpt, []int) {
	gone := gaps(whole, units)
	if len(gone) == 0 {
		return keep.pick(h)
	}
	moved := h.With(slices.Clone(h.Ops))
	for i := range moved.Ops {
		if o := &moved.Ops[i]; o.Value != model.NoValue {
			o.Value, o.To = down(gone, o.Value), down(gone, o.To)
			if o.Value == o.To {
				keep.present[i] = false
			}
		}
	}
	return keep.pick(moved)
}

// gap is a row of indices that are left out, with their number up to its end.
type gap struct{ from, to, sum uint64 }

func gaps(whole, kept []unit) []gap {
	stay := map[uint64]bool{}
	for _, u := range kept {
		if u.to > 0 {
			stay[u.from] = true
		}
	}
	var gone []gap
	sum := uint64(0)
	for _, u := range whole {
		if !stay[u.from] {
			sum += u.to - u.from
			gone = append(gone, gap{u.from, u.to, sum})
		}
	}
	return gone
}

// down is where an index is when the gaps are closed.
func down(gone []gap, at uint64) uint64 {
	k, _ := slices.BinarySearchFunc(gone, at, func(g gap, at uint64) int { return cmp.Compare(g.from, at) })
	if k == 0 {
		return at
	}
	g := gone[k-1]
	return max(g.to, at) - g.sum
}
