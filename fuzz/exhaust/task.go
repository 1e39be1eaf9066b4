package exhaust

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"stealproof/fuzz"
	"stealproof/model"
	"stealproof/ref"
)

// task is a part of a search: the executions that begin with some choices, and
// have not been made. Tasks stand in a list, in the order in which one search
// alone would come to them. What they do does not depend on who does it when,
// so neither do their sums.
type task struct {
	program *exhausting
	// choices lead to the next execution. Nodes below root belong to others;
	// saved are those from root on.
	choices    []model.Choice
	saved      []savedNode
	root, base int

	executed, cut int
	since         int // executions since part of it was given away
	state         taskState
	failure       *fuzz.Failure
	cancelled     atomic.Bool
	prev, next    *task
}

type taskState uint8

const (
	taskWaits taskState = iota
	taskRuns
	taskPaused // with something left
	taskDone
)

// savedNode is what a node must remember between two executions: all else
// comes back when its choices are made again.
type savedNode struct {
	sleep []sleeper
	todo  []model.Choice
}

// load makes the search go on with a task.
func (s *search) load(t *task) {
	s.free = append(s.free, s.stack...)
	s.stack = s.stack[:0]
	for i, c := range t.choices {
		n := s.empty()
		n.chosen = c
		if i >= t.root {
			n.sleep = append(n.sleep, t.saved[i-t.root].sleep...)
			n.todo = append(n.todo, t.saved[i-t.root].todo...)
		}
		s.stack = append(s.stack, n)
	}
	s.root, s.base, s.fresh, s.bare = t.root, t.base, 0, len(s.stack)
}

// save puts what is left into the task.
func (s *search) save(t *task) {
	t.choices, t.saved, t.root, t.base = t.choices[:0], t.saved[:0], s.root, s.base
	for i, n := range s.stack {
		t.choices = append(t.choices, n.chosen)
		if i >= s.root {
			t.saved = append(t.saved, savedNode{slices.Clone(n.sleep), slices.Clone(n.todo)})
		}
	}
}

// splitAfter is the number of executions after which a task gives a part away.
const splitAfter = 4096

// split gives away what is left at the first state of the search that has
// anything left: every choice that is not asleep there becomes a task, whether
// the search has found a reason to try it or not. So nobody needs to tell it of
// reasons that turn up later.
func (x *explorer) split(t *task) []*task {
	s := x.search
	for s.base < len(s.stack)-1 {
		at := s.base
		s.base++
		s.root = s.base
		if parts := x.partsAt(at, t); len(parts) > 0 {
			return parts
		}
	}
	return nil
}

func (x *explorer) partsAt(at int, t *task) []*task {
	n := x.search.stack[at]
	sleep := append(slices.Clone(n.sleep), sleeper{n.chosen, n.event})
	var parts []*task
	for _, c := range n.left() {
		part := &task{program: t.program, root: at, base: at + 1}
		for _, m := range x.search.stack[:at] {
			part.choices = append(part.choices, m.chosen)
		}
		part.choices = append(part.choices, c)
		part.saved = []savedNode{{slices.Clone(sleep), []model.Choice{c}}}
		parts = append(parts, part)
		sleep = append(sleep, sleeper{c, x.peek(at, c)})
	}
	return parts
}

// left are the choices that were not made, and are not asleep.
func (n *node) left() []model.Choice {
	var left []model.Choice
	add := func(c model.Choice) {
		if c != n.chosen && !n.sleeps(c) && !slices.Contains(left, c) {
			left = append(left, c)
		}
	}
	for able := n.enabled; able != 0; able &= able - 1 {
		add(choose(bits.TrailingZeros64(able)))
	}
	for _, c := range n.todo {
		add(c)
	}
	return left
}

// peek finds out which access a choice makes, by making it.
func (x *explorer) peek(at int, c model.Choice) access {
	s := x.search
	choices := make([]model.Choice, 0, at+1)
	before := int32(-1)
	for i, n := range s.stack[:at] {
		choices = append(choices, n.chosen)
		if n.chosen.Process == c.Process {
			before = int32(i)
		}
	}
	e := x.sim.Run(&prefix{choices: append(choices, c)})
	for i := range e.Trace {
		if ev := &e.Trace[i]; ev.Step == at+1 && ev.Kind != ref.Fence {
			a := describe(ev)
			a.guard = s.guard(before)
			return a
		}
	}
	return access{process: int(c.Process), none: true}
}

// prefix makes some choices and stops.
type prefix struct {
	choices []model.Choice
	pick    int
}

func (p *prefix) Next(v *ref.View) int {
	if v.Step == len(p.choices) {
		return ref.Stop
	}
	p.pick = int(p.choices[v.Step].Pick)
	return int(p.choices[v.Step].Process)
}

func (p *prefix) Pick(*ref.View, int) int { return p.pick }
