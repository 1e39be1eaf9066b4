package certify

import (
	"slices"

	"stealproof/model"
)

// Effective is an order that says of each operation that never came back whether
// it took effect: a search that knows no more than the set of operations leaves
// that open. It is not known where neither all effects that are possible, nor
// none of removals, explain the rest.
func Effective(h *model.History, order []int) (effective []int, known bool) {
	effective = withEffect(h, order)
	if !h.HasLost() || Replay(h, effective) == nil {
		return effective, true
	}
	effective = slices.DeleteFunc(effective, func(i int) bool { return h.Ops[i].Lost() })
	return effective, Replay(h, effective) == nil
}

// withEffect leaves out operations that never came back and, where they stand
// in the order, have nothing to do.
func withEffect(h *model.History, order []int) []int {
	var some []int
	state, claims := model.NewState(h.Kind, h.Params), claimed(h)
	for _, i := range order {
		o := &h.Ops[i]
		if o.Result == model.Unknown {
			var can bool
			if o, can = completion(state, o, claims); !can {
				continue
			}
		}
		if state.Apply(o) || h.Ops[i].Result != model.Unknown {
			some = append(some, i)
			claims.happened(o)
		}
	}
	return some
}
