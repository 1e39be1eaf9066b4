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

// fullFence says whether an sc fence stands between two accesses of a process.
func (r *reordering) fullFence(a, b *ref.Event) bool {
	for _, ev := range r.events[a.Step : b.Step-1] {
		if ev.Process == a.Process && ev.Kind == ref.Fence && ev.Access.Order == ref.SC {
			return true
		}
	}
	return false
}
