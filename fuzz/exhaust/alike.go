package exhaust

import (
	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/ref"
)

// alikeOf has of each process those before it that do the same; nil if there are none.
func alikeOf(setup *ref.Setup) (all graph.Alike) {
	some := false
	for p := range setup.Processes() {
		var same []int
		for q := range min(p, graph.MostAlike) {
			if setup.Alike(q, p) {
				same, some = append(same, q), true
			}
		}
		all = append(all, same)
	}
	if !some {
		return nil
	}
	return all
}

// alikeness is what processes that are alike have done in an execution on the
// sequentially consistent memory; see graph.Alike. As long as two have seen the same, the
// second one goes behind the first one, which counts for the order of their accesses as
// if the program said so. There is no question of age there: who goes behind reads what
// is there later.
type alikeness struct {
	before graph.Alike
	made   [][]int32 // of each process, its accesses
	same   []uint64  // of each process, those before it that have seen the same, as bits
	wrote  []int32   // of each location, the last access that wrote there
	broken bool      // two do not do the same
}

const nobodyWrote = -1

func newAlikeness(before graph.Alike, locations int) *alikeness {
	if before == nil {
		return nil
	}
	return &alikeness{before: before, made: make([][]int32, len(before)), same: make([]uint64, len(before)), wrote: make([]int32, locations)}
}

// begin begins with the accesses that the stack has.
func (a *alikeness) begin(stack []*node) {
	if a == nil {
		return
	}
	a.broken = false
	for l := range a.wrote {
		a.wrote[l] = nobodyWrote
	}
	for p, list := range a.before {
		a.made[p], a.same[p] = a.made[p][:0], 0
		for _, q := range list {
			a.same[p] |= bitOf(q)
		}
	}
	for i := range stack {
		a.add(stack, i)
	}
}

// waits says whether a process comes behind one that has not gone on yet.
func (a *alikeness) waits(p int, v *ref.View) bool {
	if a == nil {
		return false
	}
	for _, q := range a.before[p] {
		if a.same[p]&bitOf(q) != 0 && len(a.made[q]) <= len(a.made[p]) {
			a.broken = a.broken || !v.GoesOn(q) // where the other one does
			return true
		}
	}
	return false
}

// behind adds the steps behind which the next access of a process comes.
func (a *alikeness) behind(p int, steps []int) []int {
	if a == nil {
		return steps
	}
	for _, q := range a.before[p] {
		if a.same[p]&bitOf(q) != 0 {
			steps = append(steps, int(a.made[q][len(a.made[p])])+1)
		}
	}
	return steps
}

// add notes access i.
func (a *alikeness) add(stack []*node, i int) {
	if a == nil {
		return
	}
	x := stack[i]
	p := x.event.process
	n := len(a.made[p])
	a.made[p] = append(a.made[p], int32(i))
	if x.source = nobodyWrote; !x.event.none {
		x.source = a.wrote[x.event.location]
	}
	if x.event.writes {
		a.wrote[x.event.location] = int32(i)
	}
	for _, q := range a.before[p] {
		if a.same[p]&bitOf(q) == 0 {
			continue
		}
		y := stack[a.made[q][n]]
		stores := x.saw.Kind == ref.Store && y.saw.Kind == ref.Store && x.event.location != y.event.location
		if x.event.none != y.event.none || x.saw.Kind != y.saw.Kind || x.saw.Site != y.saw.Site || x.event.location != y.event.location && !stores {
			a.broken = true
		}
		own := x.source >= 0 && (stack[x.source].event.process == p || stack[x.source].event.process == q)
		if !stores && (x.event.writes || y.event.writes || x.source != y.source || own) {
			a.same[p] &^= bitOf(q)
		}
	}
}
