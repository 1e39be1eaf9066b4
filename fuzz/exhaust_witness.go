package fuzz

import (
	"stealproof/linearize"
	"stealproof/model"
)

// witnesses judges small histories, many of which have the same operations and
// results and differ only in their times. An order in which the operations can
// happen one at a time is legal for all of these, and a witness for each whose
// times allow it.
type witnesses struct {
	known   map[historyKey]*[][]uint8 // orders, by the operations and results
	current *[][]uint8
	order   []uint8
	tries   int
	total   int // tries of all histories
}

// Bounds of memory and of a single search. Whatever is beyond them is left to
// the general checker.
const (
	mostOutcomes    = 1 << 12
	mostOrders      = 64
	mostSearchTries = 4000
)

// begin turns to histories with the same operations and results.
func (w *witnesses) begin(outcome historyKey) {
	if w.known == nil || len(w.known) >= mostOutcomes {
		w.known = map[historyKey]*[][]uint8{}
	}
	if w.known[outcome] == nil {
		w.known[outcome] = &[][]uint8{}
	}
	w.current = w.known[outcome]
}

// prove says whether there is an order that is a witness whichever operations
// precede which, as far as that is still open: pre has for each operation those
// that may precede it.
func (w *witnesses) prove(pre *[maxExhaustedOps]uint64) bool {
next:
	for _, order := range *w.current {
		placed := uint64(0)
		for _, i := range order {
			if pre[i]&^placed != 0 {
				continue next
			}
			placed |= 1 << i
		}
		return true
	}
	return false
}

// holds says whether a history is linearizable, all of whose operations have
// returned.
func (w *witnesses) holds(h *model.History) bool {
	for _, order := range *w.current {
		if allows(h, order) {
			return true
		}
	}
	w.order, w.tries = w.order[:0], 0
	if len(h.Ops) > maxExhaustedOps || !oneObject(h) || !w.search(h, 0, model.NewState(h.Kind, h.Params)) {
		return linearize.CheckSmall(h)
	}
	w.keep()
	return true
}

func (w *witnesses) keep() {
	if len(*w.current) == mostOrders {
		*w.current = (*w.current)[1:]
	}
	*w.current = append(*w.current, append([]uint8(nil), w.order...))
}

// allows says whether no operation stands behind one that was called after it
// had returned.
func allows(h *model.History, order []uint8) bool {
	called := uint64(0)
	for _, i := range order {
		o := &h.Ops[i]
		if o.Return < called {
			return false
		}
		called = max(called, o.Call)
	}
	return true
}

func oneObject(h *model.History) bool {
	for i := range h.Ops {
		if h.Ops[i].Object != h.Ops[0].Object {
			return false
		}
	}
	return true
}

// search appends operations to the order, as their times and results allow, and
// goes back where none fits.
func (w *witnesses) search(h *model.History, done uint64, state model.State) bool {
	if len(w.order) == len(h.Ops) {
		return true
	}
	first := uint64(model.Never)
	for i := range h.Ops {
		if done&(1<<uint(i)) == 0 {
			first = min(first, h.Ops[i].Return)
		}
	}
	for i := range h.Ops {
		if done&(1<<uint(i)) != 0 || h.Ops[i].Call > first {
			continue
		}
		w.total++
		if w.tries++; w.tries > mostSearchTries {
			return false
		}
		next := state.Clone()
		if !next.Apply(&h.Ops[i]) {
			continue
		}
		w.order = append(w.order, uint8(i))
		if w.search(h, done|1<<uint(i), next) {
			return true
		}
		w.order = w.order[:len(w.order)-1]
	}
	return false
}
