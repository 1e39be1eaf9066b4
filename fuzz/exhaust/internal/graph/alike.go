package graph

import (
	"slices"

	"stealproof/ref"
)

// Alike are the processes that differ in nothing but their numbers, and in the values
// that they put in: of each process, those before it that do the same. A graph in which
// two of them change places is a graph as well, and one of the two is enough.
//
// The one that is made has this order: as long as two of them have made the same events,
// the first of them makes the next one, and the other one comes behind. Two events are
// the same if they write nothing and read the same write of somebody else, or if each is a
// store to a location of its own, such as the node of its value. What comes behind is in
// the prefix of an event, as if the program said so; it orders nothing in the memory.
//
// Where they part, the first one reads the older write, if that is a question of age: if
// the one comes before the other both in coherence and in what was needed to make it. And
// of two stores to one location the first one's comes first.
//
// Nothing is lost. Take any graph, and make its events one by one, each read as soon as
// its write is there. Where some processes have made the same events until now, those that
// read the same write next do so side by side; of others, that one first whose write was
// first; and stores to one location, which all of them make next, in the order of
// coherence. Number the processes by who parts first from the others: then the events
// stand as they are made here. And what the search does needs no more of a memory than
// holds of this one: what an event comes behind, and whether it is allowed, is a question
// of its prefix; and what an event does at first, to read the last write and to come last,
// is always allowed. (Some graphs still come about twice: where there is no question of
// age.)
//
// That processes are alike is what a structure says of itself. If two of them have made the
// same events, and then make different accesses, it is not so, and all graphs are made.
type Alike [][]int

// alikeness is what the processes that are alike have made so far.
type alikeness struct {
	before Alike
	made   [][]int16 // of each process, its events
	same   []uint64  // of each process, those before it with which it has the same events, as bits
	broken bool      // two do not do the same
}

// MostAlike is how many processes a set of them holds.
const MostAlike = 64

func (a *alikeness) begin(before Alike) {
	a.before, a.broken = before, false
	for len(a.made) < len(before) {
		a.made, a.same = append(a.made, nil), append(a.same, 0)
	}
	for p, list := range before {
		a.made[p], a.same[p] = a.made[p][:0], 0
		for _, q := range list {
			a.same[p] |= 1 << q
		}
	}
}

// waits says whether a process comes behind one that has not gone on yet.
func (a *alikeness) waits(p int, v *ref.View) bool {
	if p >= len(a.before) {
		return false
	}
	for _, q := range a.before[p] {
		if a.same[p]>>q&1 != 0 && len(a.made[q]) <= len(a.made[p]) {
			a.broken = a.broken || !v.GoesOn(q) // where the other one does
			return true
		}
	}
	return false
}

// behind puts what the next event of a process comes behind before it.
func (a *alikeness) behind(p int, f *facts) {
	if p >= len(a.before) || a.same[p] == 0 {
		return
	}
	row := f.row()
	copy(row, f.last[p])
	for _, q := range a.before[p] {
		if a.same[p]>>q&1 != 0 {
			f.events[a.made[q][len(a.made[p])]].joins(row)
		}
	}
	f.last[p] = row
}

// allows says whether the next event of a process may be this one: whether it has not the
// number of one from which it parts.
func (a *alikeness) allows(p int, e event, location ref.Location, f *facts, g Graph) bool {
	if p >= len(a.before) || a.same[p] == 0 {
		return true
	}
	n := len(a.made[p])
	for _, q := range a.before[p] {
		if a.same[p]>>q&1 == 0 {
			continue
		}
		first := a.made[q][n]
		x := &f.events[first]
		switch {
		case x.location != location:
		case x.writes && !x.reads && e.place == first:
			return false
		case x.writes && !x.reads && e.place >= 0 && slices.Index(f.order[location], e.place) <= slices.Index(f.order[location], first):
			return false
		case x.reads && a.older(e.source, g[first].source, p, q, location, f, g):
			return false
		}
	}
	return true
}

// older says whether of two writes, neither of which is of process p or q, the one is
// older than the other.
func (a *alikeness) older(one, other int16, p, q int, location ref.Location, f *facts, g Graph) bool {
	own := func(w int16) bool { return w >= 0 && (int(g[w].process) == p || int(g[w].process) == q) }
	if other < 0 || one == other || own(one) || own(other) {
		return false
	}
	if one < 0 {
		return true
	}
	order := f.order[location]
	return within(f.events[other].prefix, g[one].process, f.events[one].number) && slices.Index(order, one) < slices.Index(order, other)
}

// add notes that a process has made an event.
func (a *alikeness) add(p int, i int16, f *facts, g Graph) {
	if p >= len(a.before) {
		return
	}
	n := len(a.made[p])
	a.made[p] = append(a.made[p], i)
	for _, q := range a.before[p] {
		if a.same[p]>>q&1 == 0 {
			continue
		}
		j := a.made[q][n]
		x, y := &f.events[i], &f.events[j]
		stores := x.writes && y.writes && !x.reads && !y.reads && x.location != y.location
		if x.kind != y.kind || x.site != y.site || x.location != y.location && !stores {
			a.broken = true
		}
		from := g[i].source
		others := from < 0 || int(g[from].process) != p && int(g[from].process) != q
		if !stores && (x.writes || y.writes || from != g[j].source || !others) {
			a.same[p] &^= 1 << q
		}
	}
}
