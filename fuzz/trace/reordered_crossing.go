package trace

import (
	"fmt"

	"stealproof/ref"
)

// crossing is two processes each of which stores, then loads what the other one
// stores, and neither load sees the other's store.
type crossing struct {
	own, load     *ref.Event // of the one
	store, theirs *ref.Event // of the other
}

// crossed finds, to a read and the write that it missed, a write that its
// process made before, and a later read of the other process that missed that.
func (r *reordering) crossed(ev, missed *ref.Event) (own, theirs *ref.Event) {
	for _, b := range r.events[missed.Step:] {
		if b.Process != missed.Process || b.Kind == ref.Store || b.Kind == ref.Fence || b.Location == missed.Location {
			continue
		}
		for i := ev.Step - 2; i >= 0; i-- {
			a := r.events[i]
			if a.Process == ev.Process && a.Writes() && a.Location == b.Location && a.Step > b.Source && a.Process != b.Process {
				return a, b
			}
		}
	}
	return nil, nil
}

// crossing blames the process that has no full fence between its two accesses.
func (r *reordering) crossing(c crossing) string {
	if r.fullFence(c.own, c.load) && !r.fullFence(c.store, c.theirs) {
		c = crossing{own: c.store, load: c.theirs, store: c.own, theirs: c.load}
	}
	return fmt.Sprintf("%s took effect before %s, its earlier one: it missed step %d of %s, whose later %s of %s (step %d) missed step %d",
		r.name(c.load), r.short(c.own), c.store.Step, r.who(c.store), noun(c.theirs.Kind), r.execution.Setup.Space.Name(c.theirs.Location), c.theirs.Step, c.own.Step)
}

// fullFence says whether an sc fence stands between two accesses of a process, or, on a
// memory where that is as good, an atomic, or a store of order sc.
func (r *reordering) fullFence(a, b *ref.Event) bool {
	drains := r.execution.Setup.Subject.Memory().Structure == ref.MemoryTSO
	for i := range r.execution.Trace {
		ev := &r.execution.Trace[i]
		if ev.Process != a.Process || ev.Step < a.Step || ev.Step > b.Step || ev.Step == b.Step && ev.Kind == ref.Fence && !ev.Silent {
			continue
		}
		switch {
		case ev.Kind == ref.Fence:
			if ev.Access.Order == ref.SC && ev.Step < b.Step {
				return true
			}
		case drains && (ev.Kind != ref.Load && ev.Kind != ref.Store || ev.Kind == ref.Store && ev.Step < b.Step && ev.Access.Order == ref.SC):
			return true
		}
	}
	return false
}
