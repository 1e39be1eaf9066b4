// Package certify confirms orders by replaying them. It shares nothing with those who
// find them.
package certify

import (
	"fmt"

	"stealproof/model"
)

// Replay confirms a linearization of one object independently of whoever
// found it: order holds places in h.Ops. Operations that never came back and
// say nothing may be left out; in the order they take effect, and take what
// no other operation says to have taken.
func Replay(h *model.History, order []int) error {
	const out = -1
	place := make([]int, len(h.Ops))
	for i := range place {
		place[i] = out
	}
	latest := uint64(0)
	state := model.NewState(h.Kind, h.Params)
	claims := claimed(h)
	for k, i := range order {
		if i < 0 || i >= len(h.Ops) || place[i] != out {
			return fmt.Errorf("step %d: %d is no operation, or comes twice", k, i)
		}
		place[i] = k
		o := &h.Ops[i]
		if o.Return < latest {
			return fmt.Errorf("step %d: operation %d returned at %d, before one called at %d", k, i, o.Return, latest)
		}
		latest = max(latest, o.Call)
		if o.Result == model.Unknown {
			var ok bool
			if o, ok = completion(state, o, claims); !ok {
				return fmt.Errorf("step %d: operation %d finds nothing to do in %v", k, i, state)
			}
		}
		if !state.Apply(o) {
			return fmt.Errorf("step %d: operation %d (%v %v %d) is impossible in %v", k, i, o.Op, o.Result, o.Value, state)
		}
		claims.happened(o)
	}
	return confirmProcesses(h, place, out)
}

// confirmProcesses looks for operations left out, and for processes whose
// operations changed places.
func confirmProcesses(h *model.History, place []int, out int) error {
	byProcess := h.ByProcess()
	for k, i := range byProcess {
		if place[i] == out && h.Ops[i].Result != model.Unknown {
			return fmt.Errorf("operation %d is left out", i)
		}
		if k == 0 || place[i] == out {
			continue
		}
		if j := byProcess[k-1]; h.Ops[i].Process == h.Ops[j].Process && place[j] > place[i] {
			return fmt.Errorf("operation %d comes before operation %d of the same process", i, j)
		}
	}
	return nil
}
