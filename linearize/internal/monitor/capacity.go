package monitor

import (
	"fmt"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/search"
	"stealproof/model"
)

// judgeCapacity holds an order that is legal but for the capacity against it.
// If it does not hold, others are tried: rows has them, values as they go in
// and as they go out, and ends when one will do.
func (l *ledger) judgeCapacity(order []int) finding.Finding {
	linearizable := finding.Finding{Verdict: model.Linearizable, Order: order}
	capacity := l.history.Params.Capacity
	if capacity == 0 {
		return linearizable
	}
	tooMany, notFull := l.exceeds(order)
	if !tooMany && !notFull {
		return linearizable
	}
	if values := l.crowd(capacity); values != nil {
		return l.violation(finding.Overfull, true, fmt.Sprintf("%d values were inside at once, and there is room for %d", len(values), capacity), values)
	}
	if bad := l.neverFull(); bad != nil {
		return *bad
	}
	return l.searched(fmt.Sprintf("the capacity of %d does not allow the order that was found", capacity))
}

// exceeds says whether an order brings in more than there is room for, and
// whether something was full in it that was not.
func (l *ledger) exceeds(order []int) (tooMany, notFull bool) {
	capacity := l.history.Params.Capacity
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
	return tooMany, notFull
}

// crowd finds more values than there is room for that are certainly inside at
// the end of the same stamp.
func (l *ledger) crowd(capacity uint64) []uint32 {
	leaves := make([]uint64, 0, len(l.items))
	for i := range l.items {
		if l.items[i].Put != absent {
			leaves = append(leaves, l.Pack(l.items[i].Out, uint32(i)))
		}
	}
	l.Sort(leaves)
	inside := map[uint32]bool{}
	gone := 0
	for _, word := range l.puts {
		at := l.Stamp(word)
		for ; gone < len(leaves) && l.Stamp(leaves[gone]) <= at; gone++ {
			delete(inside, l.Index(leaves[gone]))
		}
		if n := l.Index(word); l.items[n].Out > at {
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

// neverFull finds a full during which fewer values than the capacity may have
// been inside at any time: values whose put had been called and whose removal
// had not returned. A put that never came back may have been among them, so it
// counts, as does what a removal took that never came back.
func (l *ledger) neverFull() *finding.Finding {
	calls, gone := make([]uint64, 0, len(l.items)), make([]uint64, 0, len(l.items))
	for i := range l.ops {
		switch o := &l.ops[i]; {
		case o.PutsIn():
			calls = append(calls, l.Pack(l.Of(o.Call), uint32(i)))
		case o.TakesOut():
			gone = append(gone, l.Pack(l.Of(o.Return), uint32(i)))
		}
	}
	l.Sort(calls)
	l.Sort(gone)
	most := newMostInside(l, calls, gone)
	for _, word := range l.free {
		op := l.Index(word)
		o := &l.ops[op]
		if o.Result != model.Full || most.during(l.Of(o.Call), l.Of(o.Return)) >= l.history.Params.Capacity {
			continue
		}
		values, lost := l.possiblyInside(o)
		text := fmt.Sprintf("%s found it full, and at no time of it can as many values have been inside as the capacity of %d", o.Op, l.history.Params.Capacity)
		bad := l.violation(finding.FalseFull, true, text, values, append(lost, op)...)
		return &bad
	}
	return nil
}

// possiblyInside are the values that may have been inside during an operation,
// and puts that never came back and may have left others there.
func (l *ledger) possiblyInside(o *model.Operation) (values, lost []uint32) {
	for n := range l.items {
		if it := &l.items[n]; it.Put != absent && l.mayBeInside(it, o) {
			values = append(values, uint32(n))
		}
	}
	for _, put := range l.unseen {
		if l.ops[put].Call <= o.Return {
			lost = append(lost, put)
		}
	}
	return values, lost
}

func (l *ledger) mayBeInside(it *search.Item, o *model.Operation) bool {
	if it.Call > l.Of(o.Return) {
		return false
	}
	return it.Take == absent || l.ops[it.Take].Return >= o.Call
}
