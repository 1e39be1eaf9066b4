package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/testkit"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// The tests of this file go through an order that is known, as the histories were
// drawn with it, and let the searches look at every state of it: no rule may
// call one hopeless, or forbid what comes next. So rules are tried out on what
// small histories never have, such as ranks far apart, and each step counts.

// knownOrder draws a history whose operations stand in an order that they have.
func knownOrder(seed uint64, draw func(r *rand.Rand, processes, n int) *model.History) *model.History {
	r := rand.New(rand.NewPCG(seed, 31))
	h := draw(r, 2+r.IntN(1<<(1+r.IntN(6))), 4+r.IntN(1<<(3+r.IntN(7))))
	testkit.Coarsen(h, []uint64{1, 4, 16, 100, 300}[r.IntN(5)])
	return h
}

func knownOrders() uint64 {
	return uint64(testkit.Amount(testing.Short(), 300, 1_500, 3_000))
}

func TestKnownOrdersOfBoundedQueues(t *testing.T) {
	loads := []string{"full", "busy", "balanced", "empty"}
	for seed := range knownOrders() {
		h := knownOrder(seed, func(r *rand.Rand, processes, n int) *model.History {
			h := testkit.Drawn(r, model.FIFO, processes, loads[r.IntN(4)], n, []uint64{1, 2, 3, 5, 8, 20, 64, 256}[r.IntN(8)])
			loseReturns(r, h)
			return h
		})
		for _, byRanks := range []bool{false, true} {
			require.NoError(t, walkQueue(h, byRanks), "seed %d, by ranks: %v", seed, byRanks)
		}
	}
}

// loseReturns lets some last operations of their processes never come back:
// puts of what comes out, and removals.
func loseReturns(r *rand.Rand, h *model.History) {
	comesOut, later := map[uint64]bool{}, map[uint32]bool{}
	for i := len(h.Ops) - 1; i >= 0; i-- {
		o := &h.Ops[i]
		last := !later[o.Process]
		later[o.Process] = true
		switch {
		case last && r.IntN(4) == 0 && o.PutsIn() && comesOut[o.Value]:
			o.Result, o.Return = model.Unknown, model.Never
		case last && r.IntN(4) == 0 && o.TakesOut():
			o.Result, o.Value, o.Return = model.Unknown, model.NoValue, model.Never
		case o.TakesOut():
			comesOut[o.Value] = true
		}
	}
}

func walkQueue(h *model.History, byRanks bool) error {
	q := newQueue(valuesOf(h))
	if byRanks {
		if q.counts, q.ranks = nil, newRanks(timing.NewPatience(context.Background()), q); !q.ranks.possible {
			return fmt.Errorf("no rank for all values")
		}
	}
	s := newSearch(timing.NewPatience(context.Background()), q.past, q, newWidening(q), effort{})
	s.settle()
	for i := 0; i < len(q.ops) && !q.finished(); i++ {
		if err := walkQueueStep(s, uint32(i)); err != nil {
			return fmt.Errorf("operation %d (%v): %w", i, q.ops[i], err)
		}
		s.settle()
	}
	if !q.finished() {
		return fmt.Errorf("not all could happen")
	}
	return nil
}

func walkQueueStep(s *search[*queue, *widening], op uint32) error {
	q := s.moves
	switch limit := q.limit(); q.claim(op) {
	case findsFull, findsEmpty:
		if !q.over[op] {
			return fmt.Errorf("it is so, and it does not come")
		}
	case putsValue:
		if !slices.Contains(q.putsNow(limit), op) {
			return fmt.Errorf("not among the puts that may come next")
		}
		if q.ranks != nil && !q.ranks.foresees(q.item[op]) {
			return fmt.Errorf("foreseen to lead nowhere")
		}
		s.happen(op)
	case takesValue:
		if !slices.Contains(q.takesNow(limit), op) {
			return fmt.Errorf("not among the removals that may come next")
		}
		s.happen(op)
	case takesUnnamed: // lost removals take what is left in their own order
		now := q.takesNow(limit)
		if len(now) == 0 {
			return fmt.Errorf("nothing may take it")
		}
		s.happen(now[0])
	}
	return nil
}

func TestKnownOrdersOfSharedRanges(t *testing.T) {
	every := testkit.EverySharedLoad()
	for seed := range knownOrders() {
		h := knownOrder(seed, func(r *rand.Rand, processes, n int) *model.History {
			return testkit.Shared(r, every[r.IntN(len(every))], processes, n)
		})
		for _, noise := range []uint64{0, 7} {
			require.NoError(t, walkRange(h, noise), "seed %d, noise %d", seed, noise)
		}
	}
}

func walkRange(h *model.History, noise uint64) error {
	r, _ := newSharedRange(h, timing.NewSurvey(h.Ops), nil)
	r.noise = noise
	s := newSearch(timing.NewPatience(context.Background()), r.past, r, &restarting{shared: r}, effort{})
	s.settle()
	instead := map[uint32]uint32{} // of twins, those that were exchanged
	for i := 0; i < len(r.ops) && !r.finished(); i++ {
		op := uint32(i)
		if r.isMark(op) {
			if !r.over[op] {
				return fmt.Errorf("operation %d (%v): it is so, and it does not come", i, r.ops[i])
			}
			continue
		}
		if o := &r.ops[op]; !o.PutsIn() && !o.TakesOut() {
			continue
		}
		for other, is := instead[op]; is; other, is = instead[op] {
			op = other
		}
		if r.choice(0) == absent {
			return fmt.Errorf("operation %d (%v): foreseen to lead nowhere", i, r.ops[i])
		}
		next := r.twinOf(op)
		if next == absent {
			return fmt.Errorf("operation %d (%v): not among those that may come next", i, r.ops[i])
		}
		if next != op {
			instead[next] = op
		}
		s.happen(next)
		s.settle()
	}
	if !r.finished() {
		return fmt.Errorf("not all could happen")
	}
	return nil
}

// twinOf is the candidate that is the operation, or does the same and returns no
// later.
func (r *sharedRange) twinOf(op uint32) uint32 {
	if slices.Contains(r.candidates, op) {
		return op
	}
	o := &r.ops[op]
	for _, c := range r.candidates {
		if t := &r.ops[c]; t.Value == o.Value && t.To == o.To && t.Op == o.Op && t.Return <= o.Return {
			return c
		}
	}
	return absent
}
