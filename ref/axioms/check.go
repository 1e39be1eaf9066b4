package axioms

import (
	"fmt"
	"strings"
)

// Step is an edge of a cycle.
type Step struct {
	From, To int
	Relation string
}

// Forbidden says why a model does not allow an execution.
type Forbidden struct {
	Model Model
	Axiom string
	Cycle []Step // each step begins where the one before ended
}

// Check says which axiom forbids the execution, and shows a cycle; nil if none
// does. A graph that is unfinished is allowed if nothing that it holds so far
// is forbidden; see Open. The graph must be valid (Graph.Validate).
func Check(m Model, g *Graph) *Forbidden {
	x := NewExecution(m, g)
	x.Update()
	return x.Explain()
}

// Allowed says whether no axiom forbids the execution as it was last updated.
func (x *Execution) Allowed() bool { return x.violated() < 0 }

func (x *Execution) violated() int {
	mark := x.s.mark()
	defer x.s.release(mark)
	for i, a := range x.Model.Axioms() {
		if !a.holds(x) {
			return i
		}
	}
	return -1
}

// Explain is Allowed, with the reason: nil, or the axiom violated that has the
// shortest cycle.
func (x *Execution) Explain() *Forbidden {
	defer x.s.release(x.s.mark())
	contradictory := !x.co.irreflexive()
	if contradictory { // then show what was chosen, not all that follows from a cycle
		defer func(co, fr Rel) { x.co, x.fr = co, fr }(x.co, x.fr)
		x.co = x.ChosenCO()
		x.fr = x.rf.inverse().then(x.co)
	}
	var best *Forbidden
	for _, a := range x.Model.Axioms() {
		if a.holds(x) && !(contradictory && a.ordersWrites) {
			continue
		}
		f := &Forbidden{x.Model, a.Name, a.cycle(x)}
		if best == nil || len(f.Cycle) < len(best.Cycle) {
			best = f
		}
	}
	return best
}

// Open lists what an execution leaves undecided: reads without a write that
// they read, writes and fences that must be ordered and are not. It is empty
// for a finished one.
func (x *Execution) Open() []string {
	var open []string
	events := x.Graph.Events
	sources := x.rf.inverse()
	for i := range events {
		if events[i].Kind == Read && len(Rel{x.s, sources.bits}.of(i)) == 0 {
			open = append(open, fmt.Sprintf("event %d (%s) reads from no write", i, &events[i]))
		}
		for j := range i {
			if x.MustOrder(j, i) && !x.co.Has(i, j) && !x.co.Has(j, i) {
				open = append(open, fmt.Sprintf("writes %d and %d must be ordered", j, i))
			}
			if x.MustOrderFences(j, i) && !x.fenceOrder.Has(i, j) && !x.fenceOrder.Has(j, i) {
				open = append(open, fmt.Sprintf("sc fences %d and %d must be ordered", j, i))
			}
		}
	}
	return open
}

// of lists what event i is related to.
func (r Rel) of(i int) []int {
	var all []int
	r.each(i, func(j int) { all = append(all, j) })
	return all
}

func (f *Forbidden) Error() string { return f.String() }

func (f *Forbidden) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "forbidden by axiom %q of %s: ", f.Axiom, f.Model)
	for i, s := range f.Cycle {
		if i == 0 {
			fmt.Fprint(&b, s.From)
		}
		fmt.Fprintf(&b, " -%s-> %d", s.Relation, s.To)
	}
	return b.String()
}
