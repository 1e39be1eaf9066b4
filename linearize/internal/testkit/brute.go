package testkit

import (
	"stealproof/model"
)

// BruteForce decides a tiny history straight from the definition: it tries
// every order that respects real time and the order of each process, and for
// an operation that never came back every effect, none included. It shares
// nothing with the checkers but the sequential meaning.
func BruteForce(h *model.History) bool {
	return bruteFrom(h, model.NewState(h.Kind, h.Params), make([]bool, len(h.Ops)))
}

func bruteFrom(h *model.History, s model.State, done []bool) bool {
	finished := true
	for i := range h.Ops {
		if !done[i] && h.Ops[i].Result != model.Unknown {
			finished = false
		}
	}
	if finished {
		return true
	}
	for i := range h.Ops {
		if done[i] || !mayBeNext(h, done, i) {
			continue
		}
		done[i] = true
		for _, effect := range bruteEffects(s, &h.Ops[i]) {
			next := s.Clone()
			if next.Apply(&effect) && bruteFrom(h, next, done) {
				done[i] = false
				return true
			}
		}
		done[i] = false
	}
	return false
}

// bruteEffects is what an operation may have done. One without effect need
// not happen at all, so that stands in no list.
func bruteEffects(s model.State, o *model.Operation) []model.Operation {
	if o.Result == model.Unknown {
		return s.Outcomes(o)
	}
	return []model.Operation{*o}
}

func mayBeNext(h *model.History, done []bool, i int) bool {
	for j := range h.Ops {
		if !done[j] && j != i && brutePrecedes(h, j, i) {
			return false
		}
	}
	return true
}

func brutePrecedes(h *model.History, i, j int) bool {
	a, b := &h.Ops[i], &h.Ops[j]
	if a.Process != b.Process {
		return a.Return < b.Call
	}
	if a.Call != b.Call {
		return a.Call < b.Call
	}
	if a.Return != b.Return {
		return a.Return < b.Return
	}
	return i < j
}
