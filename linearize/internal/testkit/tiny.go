// Package testkit draws histories for tests, and decides tiny ones by brute force.
package testkit

import (
	"math/rand/v2"

	"stealproof/model"
)

// Random draws a small history of one object: correct by construction,
// a correct one with a fault, or an arbitrary one. Times are few, so that they
// tie often.
func Random(r *rand.Rand, k model.Kind) *model.History {
	for {
		g := &Maker{Rand: r, Kind: k}
		h := g.Make()
		if h.Validate() == nil && len(h.Ops) > 0 {
			return h
		}
	}
}

// Maker draws small histories, and damages them.
type Maker struct {
	*rand.Rand
	Kind      model.Kind
	Params    model.Params
	processes int
	next      uint64 // value to put in
	times     uint64
}

// Make draws one, which need not be valid.
func (g *Maker) Make() *model.History {
	g.processes = 1 + g.IntN(5)
	g.times = 1 + g.Uint64N(uint64(2+g.IntN(20)))
	if g.IntN(4) == 0 {
		g.Params.Capacity = 1 + g.Uint64N(4)
	}
	g.next = g.Uint64N(3)
	count := 1 + g.IntN(12)
	var ops []model.Operation
	style := g.IntN(8)
	if style == 0 {
		ops = g.arbitrary(count)
	} else {
		ops = g.correct(count)
	}
	h := &model.History{Kind: g.Kind, Params: g.Params, Ops: ops}
	if style >= 4 {
		for range 1 + g.IntN(2) {
			g.Damage(h)
		}
	}
	g.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
	return h
}

// correct lets random operations happen one at a time, and then draws times
// around the moments at which they did.
func (g *Maker) correct(count int) []model.Operation {
	state := model.NewState(g.Kind, g.Params)
	var ops []model.Operation
	var points []uint64
	at := uint64(0)
	busy := map[uint32]bool{} // with an operation that never comes back
	emptyRate := g.IntN(3)
	for range count {
		o := g.operation(state, emptyRate)
		if busy[o.Process] {
			continue
		}
		if g.IntN(2) == 0 {
			at += g.Uint64N(1 + g.times/uint64(count) + 1)
		}
		o.Return = 0
		if g.IntN(12) == 0 {
			o.Return = model.Never
			busy[o.Process] = true
			if g.IntN(3) == 0 && o.Result != model.Unknown {
				if g.IntN(2) == 0 && !(o.Result == model.OK && !o.Op.Puts() && g.Kind != model.Range) {
					state = g.undo(ops)
				}
				if o.Result == model.OK || g.IntN(2) == 0 {
					o.Result = model.Unknown
				}
			} else if g.IntN(2) == 0 {
				o.Result = model.Unknown
			}
		}
		ops, points = append(ops, o), append(points, at)
	}
	g.intervals(ops, points)
	return ops
}

// undo is the state before the last operation; those that never came back
// took effect or not, which is drawn when they happen, so this one is dropped
// by replaying the known ones as far as they go.
func (g *Maker) undo(ops []model.Operation) model.State {
	s := model.NewState(g.Kind, g.Params)
	for i := range ops {
		if ops[i].Result != model.Unknown {
			s.Apply(&ops[i])
		}
	}
	return s
}

// intervals draws calls and returns around the points at which operations
// happened, so that the operations of a process don't overlap.
func (g *Maker) intervals(ops []model.Operation, points []uint64) {
	tight := g.IntN(3)
	for i := range ops {
		floor, ceiling := uint64(0), points[len(points)-1]+3
		for j := i - 1; j >= 0; j-- {
			if ops[j].Process == ops[i].Process {
				floor = ops[j].Return
				break
			}
		}
		for j := i + 1; j < len(ops); j++ {
			if ops[j].Process == ops[i].Process {
				ceiling = points[j]
				break
			}
		}
		if tight > 0 && floor+uint64(tight) < points[i] {
			floor = points[i] - uint64(tight)
		}
		ops[i].Call = floor + g.Uint64N(points[i]-floor+1)
		if ops[i].Return != model.Never {
			if tight > 0 {
				ceiling = min(ceiling, points[i]+uint64(tight))
			}
			ops[i].Return = points[i] + g.Uint64N(ceiling-points[i]+1)
		}
	}
}

// operation draws one that can happen in the state, and lets it.
func (g *Maker) operation(s model.State, emptyRate int) model.Operation {
	kinds := g.Kind.Ops()
	for {
		o := model.Operation{Op: kinds[g.IntN(len(kinds))], Process: uint32(g.IntN(g.processes))}
		if g.Kind.OwnerOnly(o.Op, g.Params) {
			o.Process = 0
		}
		switch {
		case g.Kind == model.Range && o.Op.Puts() && g.Params.Capacity > 0 && g.IntN(3) == 0:
			next := g.next
			g.fill(&o, s)
			o.Result, g.next = model.Full, next
		case g.IntN(12) == 0:
			o.Result = model.Abort
			if o.Op.Puts() {
				o.Result = model.Full
				o.Value = model.NoValue
			}
			if !g.Kind.Allows(o.Op, o.Result) {
				continue
			}
		case o.Op.Puts():
			g.fill(&o, s)
		default:
			o.Size = 1 + g.Uint64N(4)
			outcomes := s.Outcomes(&o)
			if len(outcomes) == 0 {
				if g.IntN(3) > emptyRate {
					continue
				}
				o.Result = model.Empty
			} else {
				o = outcomes[g.IntN(len(outcomes))]
			}
		}
		if s.Apply(&o) {
			return o
		}
	}
}

// fill gives a put what it brings.
func (g *Maker) fill(o *model.Operation, s model.State) {
	o.Result, o.Value = model.OK, g.next
	if g.Kind != model.Range {
		g.next += 1 + g.Uint64N(2)
		return
	}
	n := 1 + g.Uint64N(3)
	one := model.Operation{Op: model.Pop, Size: 1}
	if low := s.Outcomes(&one); len(low) > 0 {
		o.To = low[0].Value
		o.Value = o.To - min(n, o.To)
		return
	}
	o.Value = 40 + g.Uint64N(4)*8*g.Uint64N(2) + g.next*20
	g.next++
	o.To = o.Value + n
	if g.IntN(10) == 0 {
		o.Value, o.To = 5, 5+n
	}
}

// arbitrary draws everything without regard to the others.
func (g *Maker) arbitrary(count int) []model.Operation {
	var ops []model.Operation
	kinds := g.Kind.Ops()
	clock := make([]uint64, g.processes)
	for range min(count, 9) {
		o := model.Operation{Op: kinds[g.IntN(len(kinds))], Process: uint32(g.IntN(g.processes))}
		if g.Kind.OwnerOnly(o.Op, g.Params) {
			o.Process = 0
		}
		p := o.Process
		if clock[p] == model.Never {
			continue
		}
		results := g.Kind.Results(o.Op)
		o.Result = results[0]
		if g.IntN(3) == 0 {
			o.Result = results[g.IntN(len(results))]
		}
		o.Call = clock[p] + g.Uint64N(3)
		o.Return = o.Call + g.Uint64N(4)
		if g.IntN(15) == 0 {
			o.Return = model.Never
			if g.IntN(2) == 0 {
				o.Result = model.Unknown
			}
		}
		clock[p] = o.Return
		o.Size = 1 + g.Uint64N(4)
		o.Value = g.Uint64N(4)
		if o.Op.Puts() {
			o.Value = g.next
			g.next++
		}
		if g.Kind == model.Range {
			o.Value = 10 + g.Uint64N(6)
			if o.Op.Puts() {
				o.Value = 20 - g.next
			}
			o.To = o.Value + 1 + g.Uint64N(2)*g.Uint64N(3)
		}
		ops = append(ops, o)
	}
	return ops
}

// Damage changes one thing, which often makes the history illegal.
func (g *Maker) Damage(h *model.History) {
	if len(h.Ops) == 0 {
		return
	}
	i, j := g.IntN(len(h.Ops)), g.IntN(len(h.Ops))
	a, b := &h.Ops[i], &h.Ops[j]
	switch g.IntN(6) {
	case 0: // swap what two removals took
		if a.TakesOut() && b.TakesOut() {
			a.Value, b.Value, a.To, b.To = b.Value, a.Value, b.To, a.To
		}
	case 1: // swap what two puts brought
		if a.PutsIn() && b.PutsIn() {
			a.Value, b.Value, a.To, b.To = b.Value, a.Value, b.To, a.To
		}
	case 2:
		if a.Op.Removes() && a.Result != model.Unknown {
			a.Result = model.Empty
		}
	case 3: // shorten
		if !a.Pending() {
			a.Call += g.Uint64N(a.Return - a.Call + 1)
			a.Return = a.Call + g.Uint64N(a.Return-a.Call+1)
		}
	case 4: // swap processes and times
		if a.Op == b.Op && !a.Pending() && !b.Pending() {
			a.Process, b.Process = b.Process, a.Process
			a.Call, b.Call, a.Return, b.Return = b.Call, a.Call, b.Return, a.Return
		}
	case 5:
		results := h.Kind.Results(a.Op)
		a.Result = results[g.IntN(len(results))]
	}
}
