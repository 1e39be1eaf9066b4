// Package search decides bounded queues and bags, and shared ranges, where no
// order can be read off a history. Operations happen one at a time, depth first,
// and what led nowhere is taken back.
package search

import (
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// absent stands where there is no operation or item.
const absent = timing.Absent

// moves are what can happen to an object, one operation at a time.
type moves interface {
	// choice is the k-th of the operations that may come next, the most promising
	// one first; absent if there are no more.
	choice(k int) uint32
	// marks are the operations that may say what the object just is, full or
	// empty; nil if there can be none. It is so says holds.
	marks() *line
	holds(mark uint32) bool
	// happen changes the object, and takeBack undoes what happened last.
	happen(op uint32)
	takeBack(op uint32)
	// state names what the object has become, if it depends on more than on the
	// set of the operations that have happened.
	state() fingerprint
}

// tactics say how to go on where a search is stuck.
type tactics interface {
	// deeper is told that a step was made.
	deeper(s *progress)
	// stuck changes what is tried first, and says how many steps to keep: from
	// there on all begins anew.
	stuck(s *progress) (keep int)
	// exact says whether nothing was left out, so that a search that led nowhere
	// shows that there is no order.
	exact() bool
}

// search goes through the orders that a history may have. It leaves nothing out
// but what its moves and tactics leave out, so if these are exact, so is it.
//
// What makes it quick on histories that have an order is how the choices are
// tried: the most promising first; and if that gets stuck, only some of the last
// steps are taken back, and the same is tried otherwise.
type search[M moves, T tactics] struct {
	patience *timing.Patience
	past     *past
	moves    M
	tactics  T
	progress
}

// progress is where a search stands.
type progress struct {
	steps   []step
	deepest int // how many steps were ever made
	floor   int // so many steps are not taken back
	grace   int // steps until the search counts as stuck
	left    int // steps that may still be made
	stale   int // the choices of so many steps were made in another order, and say nothing
	// failed are the states from which nothing led to the end.
	failed map[fingerprint]struct{}
	states int // so many of them are remembered
}

// step is how much had happened before it, and how many choices were tried
// after it.
type step struct{ happened, choices uint32 }

// effort is how many steps a search may make, how many more for every operation,
// and how many states it remembers. To forget them costs time only.
type effort struct{ steps, each, states int }

func (e effort) of(operations int) int { return e.steps + e.each*operations }

const (
	// mostCleared is up to what size it is cheaper to clear a map than to begin a
	// new one.
	mostCleared = 1 << 12
	// lookedAStep: so many operations to look at, ahead, cost as much as a step.
	lookedAStep = 64
	// patienceOfAStep is what a step counts where others count what they look at.
	patienceOfAStep = 16
)

func newSearch[M moves, T tactics](patience *timing.Patience, p *past, m M, t T, e effort) *search[M, T] {
	s := &search[M, T]{patience: patience, past: p, moves: m, tactics: t}
	s.left, s.states = e.of(len(p.ops)), e.states
	s.failed = map[fingerprint]struct{}{}
	s.steps = make([]step, 0, len(p.ops)+1) // as many as it may need: to grow would take twice the room
	return s
}

// run says whether there is an order, which then is the past's trail. It is
// undecided when it has made all the steps that it may.
func (s *search[M, T]) run() model.Verdict {
	s.settle()
	s.steps = append(s.steps, step{})
	for !s.past.finished() {
		if over := s.spend(); over || s.left < 0 {
			return model.Undecided
		}
		switch {
		case s.grace < 0:
			s.tryOtherwise()
		case s.forward():
			s.tactics.deeper(&s.progress)
		default:
			s.remember()
			switch {
			case len(s.steps)-1 > s.floor:
				s.takeBackStep()
			case s.floor == 0 && s.tactics.exact():
				return model.Violation
			default:
				s.tryOtherwise()
			}
		}
	}
	return model.Linearizable
}

// spend counts a step, and what it took to look around in the one before. It says
// whether nobody waits for the search any more.
func (s *search[M, T]) spend() (over bool) {
	steps := 1 + s.past.looked/lookedAStep
	s.left -= steps
	s.past.looked = 0
	s.grace--
	return s.patience.Step(steps * patienceOfAStep)
}

// forward makes the next step that was not tried here yet.
func (s *search[M, T]) forward() bool {
	last := len(s.steps) - 1
	top := &s.steps[last]
	if last < s.stale {
		top.choices, s.stale = 0, last
	}
	if top.choices == 0 {
		if _, known := s.failed[s.fingerprint()]; known {
			return false
		}
	}
	op := s.moves.choice(int(top.choices))
	if op == absent {
		return false
	}
	top.choices++
	s.steps = append(s.steps, step{happened: uint32(len(s.past.trail))})
	s.happen(op)
	s.settle()
	return true
}

func (s *search[M, T]) happen(op uint32) {
	s.past.happen(op)
	s.moves.happen(op)
}

// settle lets what found the object full or empty happen as soon as it can, since
// it changes nothing.
func (s *search[M, T]) settle() {
	marks := s.moves.marks()
	if marks == nil {
		return
	}
	for again := true; again; {
		again = false
		for op := range marks.called(s.past.limit()) {
			if s.moves.holds(op) {
				s.happen(op)
				again = true
			} else {
				s.past.looked++
			}
		}
	}
}

func (s *search[M, T]) takeBackStep() {
	last := len(s.steps) - 1
	for len(s.past.trail) > int(s.steps[last].happened) {
		s.moves.takeBack(s.past.last())
		s.past.takeBack()
	}
	s.steps = s.steps[:last]
}

// tryOtherwise takes steps back and begins there anew.
func (s *search[M, T]) tryOtherwise() {
	for keep := s.tactics.stuck(&s.progress); len(s.steps) > keep; {
		s.takeBackStep()
	}
	s.beginAnew()
}

// fingerprint names the state: what happened, and what that led to.
func (s *search[M, T]) fingerprint() fingerprint { return s.past.set.and(s.moves.state()) }

func (s *search[M, T]) remember() {
	if len(s.failed) >= s.states {
		s.forget()
	}
	s.failed[s.fingerprint()] = struct{}{}
}

// forget drops what was found out.
func (p *progress) forget() {
	if len(p.failed) > mostCleared {
		p.failed = map[fingerprint]struct{}{}
		return
	}
	clear(p.failed)
}

// beginAnew has all choices so far tried once more, in another order.
func (p *progress) beginAnew() { p.stale = len(p.steps) }
