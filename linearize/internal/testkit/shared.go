package testkit

import (
	"math/rand/v2"

	"stealproof/model"
)

// SharedLoad is what a history of a shared range looks like. Every process
// pushes, pops and steals.
type SharedLoad struct {
	Load     string // full, busy (full, and processes never rest), balanced, empty
	Capacity uint64 // 0: none
	Again    bool   // the indices that a range begins with are used again and again
}

// SharedLoads are the loads there are.
var SharedLoads = []string{"full", "busy", "balanced", "empty"}

// Shared draws a large correct history of a shared range: one operation
// happens every 10 ticks on average, at a moment within its interval.
func Shared(r *rand.Rand, s SharedLoad, processes, n int) *model.History {
	l := sharedLoader{Rand: r, SharedLoad: s, fresh: 1 << 40}
	shared := model.History{Kind: model.Range, Params: model.Params{Shared: true, Capacity: s.Capacity}}
	return spreadOut(r, shared, processes, n, s.Load, func(int) model.Operation { return l.operation() })
}

// sharedLoader draws operations that are legal one after the other.
type sharedLoader struct {
	*rand.Rand
	SharedLoad
	low, high uint64
	fresh     uint64 // below this no index was used yet
}

func (l *sharedLoader) operation() model.Operation {
	inside := l.high - l.low
	switch {
	case l.IntN(20) == 0:
		return model.Operation{Op: model.Steal, Result: model.Abort, Value: model.NoValue, Size: 1}
	case wantsMore(l.Rand, l.Load, l.Capacity > 0, int(inside)):
		return l.push(inside)
	}
	o := model.Operation{Op: model.Pop, Result: model.OK, Size: 1 + l.Uint64N(6)}
	if l.IntN(2) == 0 {
		o.Op = model.Steal
	}
	n := min(o.Size, inside)
	switch {
	case inside == 0:
		o.Result, o.Value = model.Empty, model.NoValue
	case o.Op == model.Pop:
		o.Value, o.To = l.low, l.low+n
		l.low += n
	default:
		o.Value, o.To = l.high-n, l.high
		l.high -= n
	}
	return o
}

// push extends the range downward, or begins a new one when it is empty; it is
// refused where there is no room, and now and then where it does not adjoin.
func (l *sharedLoader) push(inside uint64) model.Operation {
	size := 1 + l.Uint64N(6)
	if l.Capacity > 0 {
		size = min(size, l.Capacity)
	}
	o := model.Operation{Op: model.Push, Result: model.OK, Value: l.low - size, To: l.low}
	switch {
	case inside == 0 && l.Again:
		o.Value, o.To = 1<<39, 1<<39+size
	case inside == 0:
		o.Value, o.To = l.fresh-size, l.fresh
		if l.IntN(4) == 0 { // does not adjoin what was there before
			o.Value, o.To = o.Value-9, o.To-9
		}
	case l.Capacity > 0 && (inside+size > l.Capacity || l.IntN(16) == 0):
		if l.IntN(2) == 0 {
			o.Value, o.To = 1<<50, 1<<50+size
		} else if inside+size <= l.Capacity {
			break
		}
		o.Result = model.Full
		return o
	}
	if inside == 0 {
		l.high = o.To
	}
	l.low = o.Value
	l.fresh = min(l.fresh, o.Value)
	return o
}

// EverySharedLoad lists all loads, without a capacity and with a small one.
func EverySharedLoad() []SharedLoad {
	var every []SharedLoad
	for _, load := range SharedLoads {
		for _, capacity := range []uint64{0, 8} {
			for _, again := range []bool{false, true} {
				every = append(every, SharedLoad{load, capacity, again})
			}
		}
	}
	return every
}
