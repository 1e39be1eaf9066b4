package linearize

import (
	"fmt"

	"stealproof/model"
)

// judgeCapacity holds an order that is legal but for the capacity against it.
func (l *ledger) judgeCapacity(order []int) outcome {
	linearizable := outcome{verdict: model.Linearizable, order: order}
	capacity := l.history.Params.Capacity
	if capacity == 0 {
		return linearizable
	}
	tooMany, notFull := false, false
	inside := uint64(0)
	for _, i := range order {
		switch o := &l.ops[i]; {
		case o.Result == model.Full:
			notFull = notFull || inside != capacity
		case o.Op.Puts():
			inside++
			tooMany = tooMany || inside > capacity
		case o.Result == model.OK || o.Result == model.Unknown:
			inside--
		}
	}
	if !tooMany && !notFull {
		return linearizable
	}
	if values := l.crowd(capacity); values != nil {
		return l.violation(Other, true, fmt.Sprintf("%d values were inside at once, and there is room for %d", len(values), capacity), values)
	}
	if tooMany {
		return undecided(fmt.Sprintf("the order that was found exceeds the capacity of %d; another might not", capacity))
	}
	return undecided(fmt.Sprintf("whether it was full, with a capacity of %d, is not decided in near-linear time", capacity))
}

// crowd finds more values than there is room for that are certainly inside at
// the end of the same stamp.
func (l *ledger) crowd(capacity uint64) []uint32 {
	var leaves []uint64
	for i := range l.items {
		if l.items[i].put != absent {
			leaves = append(leaves, l.pack(l.items[i].out, uint32(i)))
		}
	}
	l.sort(leaves)
	inside := map[uint32]bool{}
	gone := 0
	for _, word := range l.puts {
		at := l.stamp(word)
		for ; gone < len(leaves) && l.stamp(leaves[gone]) <= at; gone++ {
			delete(inside, l.index(leaves[gone]))
		}
		if n := l.index(word); l.items[n].out > at {
			inside[n] = true
		}
		if uint64(len(inside)) > capacity {
			var values []uint32
			for n := range inside {
				values = append(values, n)
			}
			return values
		}
	}
	return nil
}
