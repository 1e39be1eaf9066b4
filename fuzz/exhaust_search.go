package fuzz

import (
	"slices"

	"stealproof/ref"
)

// search is the depth-first search over choices, and the scheduler of each
// execution. Its stack has a node for every access of the current execution.
type search struct {
	ref.Newest
	stack  []*node
	free   []*node
	seen   map[historyKey]bool
	asleep bool // the current execution is equivalent to one that was made
	fresh  int  // first access of the current execution that is new

	counts   []int32 // accesses of each process
	between  []*node
	initials []int
}

func newSearch(processes int) *search {
	return &search{seen: map[historyKey]bool{}, counts: make([]int32, processes)}
}

// node is a state of the execution: who could go on, who did, and who must
// still be tried.
type node struct {
	chosen    int
	event     access // of the one chosen, once it was made
	enabled   []int
	waiting   []int // those who could go on but would only spin
	backtrack []int // to be tried, tried ones included
	// sleep holds processes whose next access was explored from here or before,
	// and has met nothing since that it depends on.
	sleep []access
	// clock says of each process how many accesses the event follows; index is
	// its number among those of its own process.
	clock []int32
	index int32
	phase int
}

// access is what matters of an access for the question of dependence.
type access struct {
	process     int
	location    ref.Location
	writes      bool
	first, last bool // of its operation
}

func (a *access) depends(b *access) bool {
	if a.location == b.location && (a.writes || b.writes) {
		return true
	}
	return a.last && b.first || a.first && b.last
}

// begin prepares for an execution that follows the stack and goes on from its
// end.
func (s *search) begin() { s.asleep = false }

// Next follows the stack, and beyond its end tries the first process that is
// not asleep.
func (s *search) Next(v *ref.View) int {
	if v.Step > 0 {
		s.made(v)
	}
	if v.Step < len(s.stack) {
		return s.stack[v.Step].chosen
	}
	n := s.node(v)
	s.stack = append(s.stack, n)
	for _, p := range n.enabled {
		if !n.sleeps(p) {
			n.chosen = p
			n.backtrack = append(n.backtrack, p)
			return p
		}
	}
	s.asleep = true
	s.stack = s.stack[:len(s.stack)-1]
	s.free = append(s.free, n)
	return ref.Stop
}

// made notes what the access before did.
func (s *search) made(v *ref.View) {
	n := s.stack[v.Step-1]
	n.event = describe(v.LastEvent())
	n.event.last = !slices.Contains(v.Enabled, n.chosen) || v.Begins(n.chosen)
}

func describe(e *ref.Event) access {
	writes := e.Kind == ref.Store || e.Kind == ref.FetchAdd || e.Kind == ref.CompareAndSwap && e.Before == e.Expected
	return access{process: e.Process, location: e.Location, writes: writes, first: e.First}
}

// node is the state at the end of the stack. Of those asleep before, the ones
// stay asleep that do not depend on the access that led here.
func (s *search) node(v *ref.View) *node {
	var n *node
	if k := len(s.free); k > 0 {
		n, s.free = s.free[k-1], s.free[:k-1]
	} else {
		n = &node{clock: make([]int32, len(s.counts))}
	}
	n.enabled, n.waiting = n.enabled[:0], n.waiting[:0]
	for _, p := range v.Enabled {
		if v.Waits(p) {
			n.waiting = append(n.waiting, p)
		} else {
			n.enabled = append(n.enabled, p)
		}
	}
	if len(n.enabled) == 0 { // all spin: that is for the simulation to notice
		n.enabled = append(n.enabled, n.waiting[(v.Last+1)%len(n.waiting)])
	}
	n.backtrack, n.sleep, n.phase = n.backtrack[:0], n.sleep[:0], v.Phase
	if len(s.stack) == 0 {
		return n
	}
	before := s.stack[len(s.stack)-1]
	for i := range before.sleep {
		if a := &before.sleep[i]; a.process != before.chosen && !a.depends(&before.event) {
			n.sleep = append(n.sleep, *a)
		}
	}
	return n
}

func (n *node) sleeps(process int) bool {
	for i := range n.sleep {
		if n.sleep[i].process == process {
			return true
		}
	}
	return false
}

// backtrack goes back to the last state with something left to try, and
// chooses it. It returns false when there is none.
func (s *search) backtrack() bool {
	for len(s.stack) > 0 {
		n := s.stack[len(s.stack)-1]
		n.sleep = append(n.sleep, n.event)
		for _, p := range n.backtrack {
			if !n.sleeps(p) {
				n.chosen = p
				s.fresh = len(s.stack) - 1
				return true
			}
		}
		s.stack = s.stack[:len(s.stack)-1]
		s.free = append(s.free, n)
	}
	return false
}
