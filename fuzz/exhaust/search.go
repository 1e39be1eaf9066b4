package exhaust

import (
	"errors"
	"math/bits"
	"slices"

	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/fuzz/exhaust/internal/rounds"
	"stealproof/ref"
)

// search is a depth-first search over choices, and the scheduler of each
// execution. Its stack has a node for every access of the current execution.
// Nodes below root belong to others; those from base on may get more to try.
type search struct {
	setup      *ref.Setup
	stack      []*node
	free       []*node
	root, base int
	fresh      int // first access of the current execution that is new
	bare       int // nodes that were read from a task, and have only choices yet
	noted      int // accesses of the current execution that are described
	pick       int // outcome of the coming access

	asleep bool  // the current execution is equivalent to one that was made
	vigil  bool  // lanes wait together
	failed bool  // nobody is left who has not made a failed round, or spins
	stuck  bool  // and nobody will ever write what they look at
	broken error // the structure did not do the same again

	latest   []int32 // last access of each process
	counts   []int32
	between  []*node
	initials []int
	probe    *probe
	pulse    pulse

	prunes  bool // executions with failed rounds are left out
	sim     *ref.Sim
	book    *rounds.Book
	ends    map[rounds.Local]bool // of operations that the book knows
	matters bool                  // a failed round has turned out to make a difference
	alike   *alikeness            // nil if all processes are told apart
}

func newSearch(p *exhausting, sim *ref.Sim, prunes bool) *search {
	n := p.setup.Threads()
	return &search{
		setup: p.setup, counts: make([]int32, n), latest: make([]int32, n), probe: newProbe(p.setup),
		prunes: prunes && p.setup.Lanes() == 1, sim: sim, book: p.book, ends: map[rounds.Local]bool{},
		alike: newAlikeness(p.alike, p.setup.Space.Len()),
	}
}

// leftOut says whether what was left out makes a difference.
func (s *search) leftOut() bool { return s.matters || s.unlike() }

// unlike says whether processes that were said to be alike are not.
func (s *search) unlike() bool { return s.alike != nil && s.alike.broken }

func (s *search) close() { s.probe.close() }

// begin prepares for an execution that follows the stack and goes on from its
// end.
func (s *search) begin() {
	s.asleep, s.failed, s.stuck, s.vigil, s.noted = false, false, false, false, s.fresh
	for p := range s.latest {
		s.latest[p] = -1
	}
	for i, n := range s.stack[:s.fresh] {
		s.latest[n.chosen.Process] = int32(i)
	}
	s.alike.begin(s.stack[:s.fresh])
	s.pulse.beat()
}

// Next follows the stack, and beyond its end tries the first process that is
// not asleep.
func (s *search) Next(v *ref.View) int {
	if v.Step > s.fresh {
		s.made(v)
		if s.vigil {
			return ref.Stop
		}
	}
	if v.Step < len(s.stack) {
		return s.again(v)
	}
	n := s.grow(v)
	if n.enabled == 0 {
		s.failed, s.stuck = true, s.endless(v)
		return s.stop(n)
	}
	for able := n.enabled; able != 0; able &= able - 1 {
		c := choose(bits.TrailingZeros64(able))
		if !n.sleeps(c) {
			n.chosen, s.pick = c, 0
			n.try(c)
			s.pulse.beat()
			return int(c.Process)
		}
	}
	s.asleep = true
	return s.stop(n)
}

// Pick returns the outcome of the choice. What else was possible at a new
// access is to be tried as well.
func (s *search) Pick(v *ref.View, n int) int {
	if v.Step >= s.root {
		for pick := 1; pick < n; pick++ {
			c := s.stack[v.Step].chosen
			c.Pick = uint16(pick)
			s.stack[v.Step].try(c)
		}
	}
	return s.pick
}

// stop gives the last node back, from which nobody goes on.
func (s *search) stop(n *node) int {
	s.stack = s.stack[:len(s.stack)-1]
	s.free = append(s.free, n)
	return ref.Stop
}

var errNotRepeatable = errors.New("the structure did not do the same again after the same choices: it keeps something outside of the shared memory that it was given")

// again makes the choice that the stack holds.
func (s *search) again(v *ref.View) int {
	n := s.stack[v.Step]
	p := int(n.chosen.Process)
	if v.Step < s.bare {
		s.look(n, v)
	}
	e := v.Coming(p)
	switch {
	case !slices.Contains(v.Enabled, p),
		v.Step < s.fresh && !n.event.none && (e.Location != n.saw.Location || e.Kind != n.saw.Kind):
		s.broken = errNotRepeatable
		return ref.Stop
	}
	s.pick = int(n.chosen.Pick)
	return p
}

// grow adds the state that was reached to the stack.
func (s *search) grow(v *ref.View) *node {
	n := s.empty()
	s.look(n, v)
	if len(s.stack) > 0 {
		n.inherit(s.stack[len(s.stack)-1])
	}
	s.stack = append(s.stack, n)
	return n
}

func (s *search) empty() *node {
	k := len(s.free)
	if k == 0 {
		return &node{clock: make([]int32, len(s.counts))}
	}
	n := s.free[k-1]
	s.free = s.free[:k-1]
	n.todo, n.sleep = n.todo[:0], n.sleep[:0]
	return n
}

// made describes the access before, of a node that is new.
func (s *search) made(v *ref.View) {
	e := v.LastEvent()
	if e != nil && e.Step != v.Step {
		e = nil // an operation took place without an access
	}
	s.note(v.Step-1, e)
	p := int(s.stack[v.Step-1].chosen.Process)
	s.latest[p] = int32(v.Step - 1)
	s.stack[v.Step-1].cycle = s.cycleOf(v, p)
	s.endRound(v, p)
	s.vigil = s.stack[v.Step-1].vigil > graph.LongestVigil
}

// note describes access i.
func (s *search) note(i int, e *ref.Event) {
	n := s.stack[i]
	p := int(n.chosen.Process)
	n.before, n.cycle, n.behind = s.latest[p], 0, n.behind[:0]
	n.round, n.over = 0, false
	if e != nil {
		n.behind = append(n.behind, e.Behind...)
	}
	n.behind = s.alike.behind(p, n.behind)
	if e == nil || e.Kind == ref.Fence {
		n.event, n.saw = access{process: p, none: true}, rounds.Sight{}
	} else {
		n.event, n.saw = describe(e), rounds.Of(e, false)
		n.event.awaits = s.setup.Sync(e.Location)
		n.event.guard = s.guard(n.before)
	}
	n.local = s.localOf(n, e)
	n.vigil = 0
	if !n.first && idle(&n.saw) && !n.event.none {
		if n.vigil = s.stack[n.before].vigil; len(e.Behind) > 0 {
			n.vigil++
		}
	}
	s.placeOf(n, e)
	s.noted = i + 1
	s.alike.add(s.stack, i)
}

// finish describes the last access, after which nobody chose.
func (s *search) finish(e *ref.Execution) {
	if s.asleep || s.failed || s.noted >= len(s.stack) || s.noted >= e.Steps {
		return
	}
	for i := len(e.Trace) - 1; i >= 0 && e.Trace[i].Step == e.Steps; i-- {
		if !e.Trace[i].Silent {
			s.note(s.noted, &e.Trace[i])
			if e.Ending == ref.Complete {
				s.ended(int32(s.noted - 1))
			}
			return
		}
	}
	s.note(s.noted, nil)
}

// backtrack goes back to the last state with something left to try, and
// chooses it. It returns false when there is none.
func (s *search) backtrack() bool {
	for len(s.stack) > s.root {
		n := s.stack[len(s.stack)-1]
		n.sleep = append(n.sleep, sleeper{n.chosen, n.event})
		for _, c := range n.todo {
			if !n.sleeps(c) {
				n.chosen = c
				s.fresh, s.bare = len(s.stack)-1, 0
				return true
			}
		}
		s.stack = s.stack[:len(s.stack)-1]
		s.free = append(s.free, n)
	}
	return false
}
