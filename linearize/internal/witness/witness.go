// Package witness looks for the order that proves a small history right, the quick
// way: most histories have one that is found at the first try.
package witness

import (
	"math/bits"

	"stealproof/model"
)

// Bounds of one search. What is beyond them is left to the general search.
const (
	mostOperations = 64 // a set of them is a word
	mostTries      = 1000
)

// Found says whether an order of the operations was found that keeps to their times
// and explains every result. It is then right. False says nothing: there may be no
// order, or none that is found in a few tries, or an operation never came back.
func Found(h *model.History) bool {
	if len(h.Ops) == 0 {
		return true
	}
	if len(h.Ops) > mostOperations {
		return false
	}
	for i := range h.Ops {
		if h.Ops[i].Object != h.Ops[0].Object {
			return foundEach(h)
		}
	}
	s := &search{history: h, left: mostTries}
	return s.precede() && s.extend(^uint64(0)>>(64-len(h.Ops)), model.NewState(h.Kind, h.Params))
}

// foundEach looks at objects one by one, which is enough: see docs/theory.md.
func foundEach(h *model.History) bool {
	for _, part := range h.Objects() {
		if !Found(part) {
			return false
		}
	}
	return true
}

type search struct {
	history *model.History
	before  [mostOperations]uint64 // the operations that each one comes behind
	left    int                    // tries
}

// precede works out what comes before what. It reports false where that is not a
// matter of times alone: for one that never came back, and for one that was called
// at the moment at which another one of its process returned.
func (s *search) precede() bool {
	ops := s.history.Ops
	for i := range ops {
		if ops[i].Pending() || ops[i].Result == model.Unknown {
			return false
		}
		for j := range ops {
			switch {
			case ops[j].Return < ops[i].Call:
				s.before[i] |= 1 << j
			case i != j && ops[j].Return == ops[i].Call && ops[j].Process == ops[i].Process:
				return false
			}
		}
	}
	return true
}

// extend goes on with an order: these operations are not in it yet, and state is
// what those in it have led to. It may change the state.
func (s *search) extend(rest uint64, state model.State) bool {
	if rest == 0 {
		return true
	}
	for set := rest; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		o := &s.history.Ops[i]
		if o.Result != model.OK && s.before[i]&rest == 0 && state.Apply(o) {
			return s.extend(rest&^(1<<i), state) // what has no effect may as well come at once
		}
	}
	var next model.State
	for set := rest; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if s.before[i]&rest != 0 {
			continue
		}
		if s.left--; s.left < 0 {
			return false
		}
		if next == nil {
			next = state.Clone()
		}
		if next.Apply(&s.history.Ops[i]) {
			if s.extend(rest&^(1<<i), next) {
				return true
			}
			next = nil
		}
	}
	return false
}
