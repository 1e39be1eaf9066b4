package exhaust

import (
	"stealproof/linearize"
	"stealproof/model"
)

// witnesses judges small histories, many of which have the same operations and
// results and differ only in their times. An order in which the operations can
// happen one at a time is legal for all of these, and a witness for each whose
// times allow it.
type witnesses struct {
	known   map[HistoryKey]*[]witness // orders, by the operations and results
	current *[]witness
	order   []uint8
	aborted uint64 // operations that claim nothing
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

// witness is an order of the operations but those that aborted, which fit in
// anywhere. Neighbours without effect may change places: with has, for each
// operation, all with which it may.
type witness struct {
	order []uint8
	with  [maxExhaustedOps]uint64
}

// begin turns to histories with the same operations and results as h.
func (w *witnesses) begin(outcome HistoryKey, h *model.History) {
	w.aborted = 0
	for i := range h.Ops {
		if h.Ops[i].Result == model.Abort {
			w.aborted |= 1 << uint(i)
		}
	}
	if w.known == nil || len(w.known) >= mostOutcomes {
		w.known = map[HistoryKey]*[]witness{}
	}
	if w.known[outcome] == nil {
		w.known[outcome] = &[]witness{}
	}
	w.current = w.known[outcome]
}

// prove says whether there is an order that is a witness whichever operations
// precede which, as far as that is still open: pre has for each operation those
// that may precede it.
func (w *witnesses) prove(pre *[maxExhaustedOps]uint64) bool {
	for i := range *w.current {
		if w.respects(&(*w.current)[i], pre) {
			return true
		}
	}
	return false
}

// respects says whether an order puts nothing behind what these sets put before.
func (w *witnesses) respects(known *witness, pre *[maxExhaustedOps]uint64) bool {
	placed := w.aborted
	for _, i := range known.order {
		if pre[i]&^(placed|known.with[i]) != 0 {
			return false
		}
		placed |= 1 << i
	}
	return true
}

// holds says whether a history is linearizable, all of whose operations have
// returned.
func (w *witnesses) holds(h *model.History) bool {
	for i := range *w.current {
		if allows(h, (*w.current)[i].order) {
			return true
		}
	}
	if len(h.Ops) > maxExhaustedOps || !oneObject(h) {
		return linearize.CheckSmall(h)
	}
	if found, _ := w.find(h, timed(h)); !found {
		return linearize.CheckSmall(h)
	}
	w.keep(h)
	return true
}

// keep remembers the order that was found.
func (w *witnesses) keep(h *model.History) {
	if len(*w.current) == mostOrders {
		*w.current = (*w.current)[1:]
	}
	known := witness{order: append([]uint8(nil), w.order...)}
	for i := 0; i < len(known.order); {
		group, j := uint64(0), i
		for ; j < len(known.order) && h.Ops[known.order[j]].Result != model.OK; j++ {
			group |= 1 << known.order[j]
		}
		for _, k := range known.order[i:j] {
			known.with[k] = group
		}
		i = max(j, i+1)
	}
	*w.current = append(*w.current, known)
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

// allOf are all operations, as bits.
func allOf(h *model.History) uint64 { return ^uint64(0) >> uint(64-len(h.Ops)) }

func oneObject(h *model.History) bool {
	for i := range h.Ops {
		if h.Ops[i].Object != h.Ops[0].Object {
			return false
		}
	}
	return true
}

// timed is what precedes what in one history, by its times.
func timed(h *model.History) *relation {
	var p relation
	for i := range h.Ops {
		for j := range h.Ops {
			if h.Ops[j].Return < h.Ops[i].Call {
				p.forced[i] |= 1 << uint(j)
			}
		}
	}
	p.possible = p.forced
	return &p
}
