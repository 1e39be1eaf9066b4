package testkit

import (
	"math/rand/v2"

	"stealproof/model"
)

// Tiny makes random tiny histories: by one third legal by construction,
// by one third legal ones with one thing changed, by one third arbitrary.
// Stamps tie often, and operations that never came back are frequent.
type Tiny struct {
	*rand.Rand
	kind model.Kind
}

// NewTiny draws histories of a kind, the same ones for a seed.
func NewTiny(k model.Kind, seed uint64) *Tiny {
	return &Tiny{rand.New(rand.NewPCG(seed, uint64(k))), k}
}

// Next is a valid history of at most so many operations.
func (r *Tiny) Next(maxOps int) *model.History {
	for {
		h := r.shape(1 + r.IntN(maxOps))
		switch r.IntN(3) {
		case 0:
			r.legal(h)
		case 1:
			r.legal(h)
			r.change(h)
		default:
			for i := range h.Ops {
				r.arbitrary(h, &h.Ops[i])
			}
		}
		r.leavePending(h)
		if len(h.Ops) > 0 && h.Validate() == nil {
			return h
		}
	}
}

// shape settles who does what, when. What comes back is left open.
func (r *Tiny) shape(n int) *model.History {
	h := &model.History{Kind: r.kind}
	if r.IntN(2) == 0 {
		h.Params.Capacity = uint64(1 + r.IntN(3))
	}
	h.Params.Shared = r.kind == model.Range && r.IntN(3) == 0
	processes := 1 + r.IntN(4)
	clocks := make([]uint64, processes)
	for i := range n {
		p := r.IntN(processes)
		var op model.Op
		for op == 0 || h.Kind.OwnerOnly(op, h.Params) && p != 0 {
			op = h.Kind.Ops()[r.IntN(len(h.Kind.Ops()))]
		}
		call := clocks[p] + uint64(r.IntN(3))/2
		back := call + uint64(r.IntN(4))
		clocks[p] = back
		h.Ops = append(h.Ops, model.Operation{Op: op, Process: uint32(p), Call: call, Return: back, Line: uint32(i + 2)})
	}
	return h
}

// legal lets the operations happen in some order that real time allows, and
// writes down what came of them.
func (r *Tiny) legal(h *model.History) {
	s := model.NewState(h.Kind, h.Params)
	done := make([]bool, len(h.Ops))
	for range h.Ops {
		i := r.IntN(len(h.Ops))
		for done[i] || !mayBeNext(h, done, i) {
			i = r.IntN(len(h.Ops))
		}
		done[i] = true
		o := &h.Ops[i]
		o.Value = uint64(100 + i)
		r.comeBack(h, o, s)
	}
}

func (r *Tiny) comeBack(h *model.History, o *model.Operation, s model.State) {
	o.Size = 0
	if h.Kind == model.Range && o.Op.Removes() {
		o.Size = uint64(1 + r.IntN(3))
	}
	if o.Op.Puts() {
		for range 20 {
			if h.Kind == model.Range {
				r.interval(o)
			}
			o.Result = model.OK
			if s.Apply(o) {
				return
			}
		}
		o.Result = model.Full
		return
	}
	outcomes := s.Outcomes(o)
	switch {
	case r.IntN(6) == 0 && h.Kind.Allows(o.Op, model.Abort):
		o.Result, o.Value = model.Abort, model.NoValue
	case len(outcomes) == 0:
		o.Result, o.Value = model.Empty, model.NoValue
	default:
		*o = outcomes[r.IntN(len(outcomes))]
		s.Apply(o)
	}
}

func (r *Tiny) interval(o *model.Operation) {
	o.Value = uint64(r.IntN(6))
	o.To = o.Value + 1 + uint64(r.IntN(3))
}

func (r *Tiny) change(h *model.History) {
	i, j := r.IntN(len(h.Ops)), r.IntN(len(h.Ops))
	a, b := &h.Ops[i], &h.Ops[j]
	switch r.IntN(3) {
	case 0:
		a.Value, b.Value = b.Value, a.Value
		a.To, b.To = b.To, a.To
	case 1:
		r.arbitrary(h, a)
	default:
		h.Ops = append(h.Ops[:i], h.Ops[i+1:]...)
	}
}

func (r *Tiny) arbitrary(h *model.History, o *model.Operation) {
	results := h.Kind.Results(o.Op)
	o.Result = results[r.IntN(len(results))]
	o.Value, o.To, o.Size = uint64(1+r.IntN(3)), 0, 0
	if h.Kind == model.Range {
		r.interval(o)
		if o.Op.Removes() {
			o.Size = uint64(1 + r.IntN(4))
		}
	}
	if o.Op.Removes() && o.Result != model.OK || o.Result == model.Full && r.IntN(3) == 0 {
		o.Value, o.To = model.NoValue, 0
	}
}

// leavePending lets the last operation of some processes never come back; of
// some of these it is known what they did.
func (r *Tiny) leavePending(h *model.History) {
	order := h.ByProcess()
	for k, i := range order {
		o := &h.Ops[i]
		last := k+1 == len(order) || h.Ops[order[k+1]].Process != o.Process
		if !last || r.IntN(4) > 0 {
			continue
		}
		o.Return = model.Never
		if r.IntN(3) == 0 {
			continue
		}
		if o.Op.Removes() {
			o.Value, o.To = model.NoValue, 0
		} else if o.Value == model.NoValue {
			r.arbitrary(h, o)
		}
		if o.Op.Puts() && o.Value == model.NoValue {
			o.Value, o.To = 9, 0
			if h.Kind == model.Range {
				r.interval(o)
			}
		}
		o.Result = model.Unknown
	}
}
