package testkit

import (
	"stealproof/model"
)

// Coarsen has times counted in ticks, so that they tie.
func Coarsen(h *model.History, tick uint64) {
	for i := range h.Ops {
		o := &h.Ops[i]
		o.Call, o.Return = o.Call/tick, o.Return/tick
	}
}

// Spoil makes the last steal or take that came back with something claim to
// have found nothing, and so does another one, long after everything.
func Spoil(h *model.History) {
	for i := len(h.Ops) - 1; i >= 0; i-- {
		if o := &h.Ops[i]; o.TakesOut() && o.Op != model.Pop {
			o.Result = model.Empty
			h.Ops = append(h.Ops, model.Operation{Op: o.Op, Result: model.Empty, Process: 1 << 20, Call: 1 << 50, Return: 1<<50 + 1})
			return
		}
	}
}

// Crowded has so many processes put a value in at the same time.
func Crowded(k model.Kind, processes, capacity int) *model.History {
	h := &model.History{Kind: k, Params: model.Params{Capacity: uint64(capacity)}}
	for p := range processes {
		h.Ops = append(h.Ops, model.Operation{Op: k.Ops()[0], Result: model.OK, Value: uint64(p), Process: uint32(p), Call: 0, Return: 100})
	}
	return h
}
