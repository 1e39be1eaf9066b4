package testkit

import (
	"math/rand/v2"

	"stealproof/model"
)

// Large is what n operations of some processes might have been: one
// happens every 10 ticks on average, at a moment within its interval. The
// operations stand in the order in which they happened.
func Large(k model.Kind, processes int, load string, n int) *model.History {
	return Bounded(k, processes, load, n, 0)
}

// Bounded is the same with a declared capacity.
func Bounded(k model.Kind, processes int, load string, n int, capacity uint64) *model.History {
	return Drawn(rand.New(rand.NewPCG(uint64(processes), uint64(n))), k, processes, load, n, capacity)
}

// Drawn draws a history of a kind: load says how full the object mostly is.
func Drawn(r *rand.Rand, k model.Kind, processes int, load string, n int, capacity uint64) *model.History {
	l := loader{Rand: r, kind: k, load: load, capacity: int(capacity)}
	return spreadOut(r, model.History{Kind: k, Params: model.Params{Capacity: capacity}}, processes, n, load, l.operation)
}

// spreadOut gives operations that are legal one after the other to processes, and
// intervals around the moments at which they happen. Of a busy load these are long.
func spreadOut(r *rand.Rand, h model.History, processes, n int, load string, operation func(process int) model.Operation) *model.History {
	h.Ops = make([]model.Operation, n)
	last := make([]int, processes)
	for p := range last {
		last[p] = -1
	}
	for i := range h.Ops {
		p := r.IntN(processes)
		o := operation(p)
		o.Process = uint32(p)
		at := uint64(100*processes + 10*i)
		width := uint64(5 * processes)
		if load == "busy" {
			width *= 8
		}
		o.Call, o.Return = at-1-r.Uint64N(width), at+1+r.Uint64N(width)
		if j := last[p]; j >= 0 { // split what lies between the two of this process
			before := &h.Ops[j]
			middle := (uint64(100*processes+10*j) + at) / 2
			before.Return, o.Call = min(before.Return, middle), max(o.Call, middle+1)
		}
		last[p] = i
		h.Ops[i] = o
	}
	return &h
}

// loader draws operations that are legal one after the other.
type loader struct {
	*rand.Rand
	kind     model.Kind
	load     string
	capacity int      // 0: none
	queue    []uint64 // or the deque, from the top; a range has one entry per index pair
	next     uint64
	low      uint64
	high     uint64
}

func (l *loader) wantsPut(inside int) bool { return wantsMore(l.Rand, l.load, l.capacity > 0, inside) }

// wantsMore says whether something is to be put in, where so much is inside.
func wantsMore(r *rand.Rand, load string, bounded bool, inside int) bool {
	switch load {
	case "full", "busy":
		if bounded { // something has to leave as well, or nothing but refusals follows
			return r.IntN(4) > 0
		}
		return inside < 2000 || r.IntN(2) == 0
	case "empty":
		return r.IntN(8) == 0
	}
	return r.IntN(2) == 0
}

func (l *loader) operation(p int) model.Operation {
	if l.kind == model.Range {
		return l.rangeOperation(p)
	}
	ops := l.kind.Ops()
	remove := ops[len(ops)-1]
	put := l.wantsPut(len(l.queue))
	if l.kind == model.WSDeque {
		put = p == 0 && (l.load == "full" || l.IntN(4) > 0)
		if p == 0 && !put {
			remove = model.Pop
		}
	}
	o := model.Operation{Op: remove, Result: model.OK}
	switch {
	case put && l.capacity > 0 && len(l.queue) == l.capacity:
		o.Op, o.Result, o.Value = ops[0], model.Full, model.NoValue
	case put:
		l.next++
		o.Op, o.Value = ops[0], l.next
		l.queue = append(l.queue, l.next)
	case len(l.queue) == 0:
		o.Result = model.Empty
	case remove == model.Pop:
		o.Value = l.queue[len(l.queue)-1]
		l.queue = l.queue[:len(l.queue)-1]
	default:
		if l.load == "full" && l.kind == model.WSDeque && l.IntN(3) > 0 {
			o.Result = model.Abort
			return o
		}
		o.Value = l.queue[0]
		l.queue = l.queue[1:]
	}
	return o
}

func (l *loader) rangeOperation(p int) model.Operation {
	inside := l.high - l.low
	o := model.Operation{Op: model.Steal, Result: model.OK, Size: 1 + l.Uint64N(8)}
	if p == 0 {
		o.Op = model.Pop
		if l.capacity > 0 && l.wantsPut(int(inside)) {
			return l.boundedPush(inside)
		}
		if l.capacity == 0 && inside == 0 && l.IntN(2) == 0 {
			o.Op = model.Push
		}
	}
	switch {
	case o.Op == model.Push:
		size := map[string]uint64{"full": 100_000, "empty": 4, "balanced": 200}[l.load]
		l.next += 2 * size
		l.low, l.high = l.next, l.next+size
		o.Value, o.To, o.Size = l.low, l.high, 0
	case inside == 0:
		o.Result = model.Empty
	case l.capacity > 0 && o.Op == model.Steal && l.IntN(4) > 0:
		o.Result = model.Abort
	case o.Op == model.Pop:
		n := min(o.Size, inside)
		o.Value, o.To = l.low, l.low+n
		l.low += n
	default:
		n := min(o.Size, inside)
		o.Value, o.To = l.high-n, l.high
		l.high -= n
	}
	return o
}

// boundedPush extends the range downward, begins a new one below it when it is
// empty, or finds no room.
func (l *loader) boundedPush(inside uint64) model.Operation {
	if l.next == 0 {
		l.next = 1 << 40
	}
	if inside == 0 {
		l.next -= 8
		l.low, l.high = l.next, l.next
	}
	size := 1 + l.Uint64N(4)
	o := model.Operation{Op: model.Push, Result: model.Full, Value: l.next - size, To: l.next}
	if inside > 0 {
		o.Value, o.To = l.low-size, l.low
	}
	if inside > 0 && l.low != l.next { // what the owner popped is not put in again
		o.Value, o.To = l.next-8-size, l.next-8
		return o
	}
	if inside+size > uint64(l.capacity) {
		return o
	}
	o.Result = model.OK
	l.low, l.next = o.Value, o.Value
	return o
}
