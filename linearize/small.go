package linearize

import (
	"stealproof/linearize/internal/causal"
	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/minimise"
	"stealproof/linearize/internal/witness"
	"stealproof/model"
)

// CheckSmall decides a small history that is known to be valid, with no limits
// and no words: the fast path of campaigns. False is no proof of a violation
// where a removal that never came back may have had too many effects to follow;
// Check says so.
func CheckSmall(h *model.History) bool { return witness.Found(h) || general.Small(h) }

// ShortestPrefix finds the operation whose return made a history impossible:
// up to the return before, what had happened still had an order. It is for
// small histories, and reports false for one that has an order.
func ShortestPrefix(h *model.History) (opIndex int, ok bool) {
	opIndex = -1
	for _, o := range split(h) {
		last, none := minimise.FirstImpossible(o.History)
		if !none {
			continue
		}
		last = o.global([]int{last})[0]
		if opIndex < 0 || h.Ops[last].Return < h.Ops[opIndex].Return {
			opIndex = last
		}
	}
	return opIndex, opIndex >= 0
}

// CheckCausal decides a small history in which a precedence takes the place of
// the times: whether there is an order of its operations, all of them completed,
// that keeps to the precedence and explains every result.
func CheckCausal(h *model.History, before model.Precedence) bool { return causal.Check(h, before) }

// ExplainCausal makes a violation of a history that CheckCausal rejects. Its
// operations are rejected by themselves, and leaving out any value of theirs, or
// any removal that found nothing, mends it.
func ExplainCausal(h *model.History, before model.Precedence) *Violation {
	found := causal.Explain(h, before)
	v := &Violation{Object: h.Ops[0].Object, Kind: found.Kind, Explanation: found.Explanation, Ops: found.Ops}
	if len(v.Ops) > 0 {
		v.Object = h.Ops[v.Ops[0]].Object
	}
	return v
}
