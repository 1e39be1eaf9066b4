package monitor

import (
	"context"
	"math/bits"

	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// rangeSearch lets the operations of a shared range happen one at a time, depth
// first, and takes back what led nowhere. It is exact. The order that it finds is
// one: each operation was called by the first return that was still to come, and
// waited for the one that it ties with. It misses none: at each state all that
// may come next is tried, but for
//   - states from which something can no longer return in time (rangeAhead);
//   - of operations that do the same, those that return later (withoutTwins);
//   - states that are remembered to lead nowhere, which is said of one only when
//     all that may come next, in one and the same order, led nowhere.
//
// What found the range full or empty changes nothing, so it comes as soon as it can.
//
// When it is stuck it does not try all that was possible near a dead end, which
// may be much: it goes some steps back, tries the same in another order, and
// prefers what it often came too late for. What is known to lead nowhere stays
// known meanwhile.
type rangeSearch struct {
	*rangeChoices
	ctx     context.Context
	frames  []rangeFrame
	failed  map[fingerprint128]struct{}
	steps   int // that may still be made
	spell   int // steps until it is tried in another order
	deepest int // how many steps were ever made
	tries   int // at the present trouble
	order   uint32
}

// rangeFrame is one step: how much had happened before it, how many choices were
// made after it, and in which order these were.
type rangeFrame struct{ trail, choices, order uint32 }

// RefutedBySearch says whether an excerpt of a shared range has no order. What is
// optional in it may never happen, and else at any time from its call on.
func RefutedBySearch(ctx context.Context, e general.Excerpt) bool {
	if e.History.HasLost() {
		return false
	}
	for i := range e.Ops {
		if e.IsOptional(i) {
			e.Ops[i].Return = model.Never
		}
	}
	q := &question{ctx: ctx, h: e.History, look: timing.NewSurvey(e.Ops), optional: e.Optional}
	s := newRangeSearch(ctx, newRangeChoices(q))
	s.steps = effort{60_000, 16}.of(len(e.Ops)) // there are others to ask
	return s.run() == model.Violation
}

const (
	rangeSpell     = 400
	lookedAStep    = 64 // so many operations to look at cost as much as a step
	mostRemembered = 1 << 20
)

func newRangeSearch(ctx context.Context, r *rangeChoices) *rangeSearch {
	n := len(r.ops)
	s := &rangeSearch{rangeChoices: r, ctx: ctx, failed: map[fingerprint128]struct{}{}, steps: longEffort.of(n), spell: rangeSpell}
	s.frames = make([]rangeFrame, 0, n+1) // as many as it may need: to grow would take twice the room
	return s
}

// run says whether there is an order, which then is the trail. It is undecided
// when it has made all the steps that it may.
func (s *rangeSearch) run() model.Verdict {
	s.settleMarks()
	s.frames = append(s.frames, rangeFrame{})
	for !s.finished() {
		s.steps -= 1 + s.looked/lookedAStep
		s.spell--
		s.looked = 0
		switch {
		case s.steps < 0 || s.ctx.Err() != nil:
			return model.Undecided
		case s.spell < 0:
			s.tryAnew()
		case s.forward():
			s.noteProgress()
		default:
			s.remember()
			if len(s.frames) == 1 {
				return model.Violation
			}
			s.takeBackStep()
		}
	}
	return model.Linearizable
}

// remember notes that the present state leads nowhere. To forget costs time only.
func (s *rangeSearch) remember() {
	if len(s.failed) >= mostRemembered {
		s.failed = map[fingerprint128]struct{}{}
	}
	s.failed[s.fingerprint()] = struct{}{}
}

// forward makes the next step that was not tried at this place yet.
func (s *rangeSearch) forward() bool {
	f := &s.frames[len(s.frames)-1]
	if f.order != s.order {
		f.choices, f.order = 0, s.order // those of another order say nothing
	}
	if f.choices == 0 {
		if _, known := s.failed[s.fingerprint()]; known {
			return false
		}
	}
	op := s.choice(int(f.choices))
	if op == absent {
		return false
	}
	f.choices++
	s.frames = append(s.frames, rangeFrame{trail: uint32(s.happened()), order: s.order})
	s.happen(op)
	s.settleMarks()
	return true
}

func (s *rangeSearch) takeBackStep() {
	last := len(s.frames) - 1
	for s.happened() > int(s.frames[last].trail) {
		s.takeBack()
	}
	s.frames = s.frames[:last]
}

// noteProgress goes back to the usual order where the trouble lies behind.
func (s *rangeSearch) noteProgress() {
	depth := len(s.frames)
	if depth <= s.deepest || s.tries > 0 && depth < s.deepest+behindTrouble {
		return
	}
	s.deepest = depth
	s.spell = rangeSpell
	if s.tries > 0 {
		s.tries = 0
		s.order++
		s.usualOrder()
	}
}

// tryAnew takes steps back and goes on in another order.
func (s *rangeSearch) tryAnew() {
	s.tries++
	s.order++
	s.anotherOrder(uint64(s.order))
	back := 16 << min(bits.TrailingZeros64(scramble(uint64(s.order))), 20)
	s.spell = rangeSpell*luby(s.tries) + back
	for len(s.frames) > 1 && len(s.frames) > s.deepest-back {
		s.takeBackStep()
	}
}

// luby is the sequence 1 1 2 1 1 2 4 1 1 2 ..., which wastes little whatever the
// right length of a try is.
func luby(n int) int {
	for {
		k := bits.Len(uint(n))
		if n == 1<<k-1 {
			return 1 << (k - 1)
		}
		n -= 1<<(k-1) - 1
	}
}
