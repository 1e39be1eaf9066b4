package testkit

import (
	"math/rand/v2"
	"slices"

	"stealproof/model"
)

// Shape is how the operations of a correct history lie in time: the ways that made
// a checker slow once, or might.
type Shape struct {
	Name string
	Make func(k model.Kind, n int, capacity uint64) *model.History
	Hard bool // there may be too much to choose among, so that it stays undecided
}

// Shapes are all of them. The contents are drawn, always the same for a size.
var Shapes = []Shape{
	{"one process at one stamp", func(k model.Kind, n int, capacity uint64) *model.History {
		return atOneStamp(contents(k, 2, "balanced", n, capacity))
	}, false},
	{"processes at one stamp", func(k model.Kind, n int, capacity uint64) *model.History {
		return atOneStamp(contents(k, 64, "balanced", n, capacity))
	}, false},
	{"one process after the other in the file, at one stamp", func(k model.Kind, n int, capacity uint64) *model.History {
		h := atOneStamp(contents(k, 64, "full", n, capacity))
		slices.SortStableFunc(h.Ops, func(a, b model.Operation) int { return int(a.Process) - int(b.Process) })
		return h
	}, true},
	{"all in, then all out, at one stamp", func(k model.Kind, n int, capacity uint64) *model.History {
		return atOneStamp(inAndOut(k, n, capacity))
	}, false},
	{"a stamp for a hundred", func(k model.Kind, n int, capacity uint64) *model.History {
		h := contents(k, 16, "full", n, capacity)
		Coarsen(h, 1000)
		return h
	}, true},
	{"all overlapping", func(k model.Kind, n int, capacity uint64) *model.History {
		return overlapping(contents(k, 16, "balanced", n, capacity))
	}, false},
	{"all overlapping, mostly full", func(k model.Kind, n int, capacity uint64) *model.History {
		return overlapping(contents(k, 16, "full", n, capacity))
	}, false},
	{"few pending", func(k model.Kind, n int, capacity uint64) *model.History {
		return leavePending(contents(k, 16, "balanced", n, capacity), 16)
	}, false},
	{"half of them pending", func(k model.Kind, n int, capacity uint64) *model.History {
		return leavePending(overlapping(contents(k, 16, "balanced", n, capacity)), n/2)
	}, false},
}

// contents are operations that are legal one after the other, in that order. Of a
// deque or a range process 0 is the owner.
func contents(k model.Kind, processes int, load string, n int, capacity uint64) *model.History {
	h := Drawn(rand.New(rand.NewPCG(7, uint64(n))), k, processes, load, n, capacity)
	if processes == 2 && (k == model.FIFO || k == model.Bag) {
		for i := range h.Ops {
			h.Ops[i].Process = 0
		}
	}
	return h
}

// inAndOut fills the object, or half of what there is without a capacity, and takes
// all of it out, again and again.
func inAndOut(k model.Kind, n int, capacity uint64) *model.History {
	h := &model.History{Kind: k, Params: model.Params{Capacity: capacity}}
	room, remove := uint64(n/2), k.Ops()[len(k.Ops())-1]
	if capacity > 0 {
		room = capacity
	}
	thief := uint32(0)
	if remove == model.Steal {
		thief = 1
	}
	s := model.NewState(k, h.Params)
	low := uint64(n + 1)
	for next := uint64(1); len(h.Ops) < n; {
		for range room {
			o := model.Operation{Op: k.Ops()[0], Result: model.OK, Value: next}
			if k == model.Range {
				o.Value, o.To = low-1, low
				low--
			}
			next++
			s.Apply(&o)
			h.Ops = append(h.Ops, o)
		}
		for range room {
			o := s.Outcomes(&model.Operation{Op: remove, Size: 1, Process: thief})[0]
			o.Result = model.OK
			s.Apply(&o)
			h.Ops = append(h.Ops, o)
		}
	}
	return h
}

func atOneStamp(h *model.History) *model.History {
	for i := range h.Ops {
		h.Ops[i].Call, h.Ops[i].Return = 1, 1
	}
	return h
}

// overlapping gives every operation a process of its own, but for the owner's, and
// lets all overlap.
func overlapping(h *model.History) *model.History {
	owned, n := -1, len(h.Ops)
	for i := range h.Ops {
		o := &h.Ops[i]
		if h.Kind.OwnerOnly(o.Op, h.Params) {
			o.Call, o.Return = uint64(i), uint64(n)
			if owned >= 0 {
				h.Ops[owned].Return = o.Call
			}
			owned = i
			continue
		}
		o.Process = uint32(i + 1)
		o.Call, o.Return = uint64(i), uint64(n+i)
	}
	return h
}

// leavePending lets so many operations, the last of their processes, not come back.
func leavePending(h *model.History, most int) *model.History {
	seen := map[uint32]bool{}
	for i := len(h.Ops) - 1; i >= 0 && most > 0; i-- {
		o := &h.Ops[i]
		if seen[o.Process] {
			continue
		}
		if seen[o.Process] = true; i%2 == 0 {
			continue
		}
		o.Return = model.Never
		if o.Result != model.Full || h.Params.Capacity == 0 {
			o.Result = model.Unknown
			if o.Op.Removes() {
				o.Value, o.To = model.NoValue, 0
			}
		}
		most--
	}
	return h
}
