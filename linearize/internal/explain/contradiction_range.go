package explain

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"

	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// rangeContradictions is the same for intervals: it sweeps over the indices
// from low to high, from one end of an interval to the next, and never looks
// at single indices.
func rangeContradictions(h *model.History, zero zeroOf) contradiction {
	var found contradiction
	s := sweep{history: h, in: timeHeap{h: h}, out: timeHeap{h: h, byReturn: true}}
	ends := intervalEnds(h)
	for i := 0; i < len(ends); {
		at := ends[i].at
		for ; i < len(ends) && ends[i].at == at; i++ {
			s.pass(ends[i])
		}
		if s.puts > 1 && found.Duplicates == "" {
			found.Duplicates = fmt.Sprintf("index %d is put in more than once", at)
		}
		if s.impossible(at) {
			found.Violation = contradictionOn(h, operationsCovering(h, at), wording.Indices(at, ends[i].at), zero)
			return found
		}
	}
	return found
}

// intervalEnd is where an operation's interval begins or ends.
type intervalEnd struct {
	at    uint64
	place int
	enter bool
}

func intervalEnds(h *model.History) []intervalEnd {
	var ends []intervalEnd
	for i := range h.Ops {
		if o := &h.Ops[i]; o.PutsIn() || o.TakesOut() {
			ends = append(ends, intervalEnd{o.Value, i, true}, intervalEnd{o.To, i, false})
		}
	}
	slices.SortFunc(ends, func(a, b intervalEnd) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.place, b.place))
	})
	return ends
}

// sweep knows which operations cover the index that it stands at.
type sweep struct {
	history    *model.History
	puts, outs int
	in, out    timeHeap
}

func (s *sweep) pass(e intervalEnd) {
	count, times := &s.outs, &s.out
	if s.history.Ops[e.place].Op.Puts() {
		count, times = &s.puts, &s.in
	}
	if !e.enter {
		*count--
		return // the heap drops it when it comes to the top
	}
	*count++
	heap.Push(times, e.place)
}

func (s *sweep) impossible(at uint64) bool {
	if s.outs > s.puts {
		return true
	}
	if s.outs == 0 {
		return false
	}
	in, out := s.in.first(at), s.out.first(at)
	return s.history.Ops[out].Precedes(&s.history.Ops[in])
}

// timeHeap holds operations by call, or by return.
type timeHeap struct {
	h        *model.History
	byReturn bool
	places   []int
}

// first is the earliest of those that still cover the index.
func (t *timeHeap) first(at uint64) int {
	for t.h.Ops[t.places[0]].To <= at {
		heap.Pop(t)
	}
	return t.places[0]
}

func (t *timeHeap) time(k int) uint64 {
	if o := &t.h.Ops[t.places[k]]; !t.byReturn {
		return o.Call
	} else {
		return o.Return
	}
}

func (t *timeHeap) Len() int           { return len(t.places) }
func (t *timeHeap) Less(i, j int) bool { return t.time(i) < t.time(j) }
func (t *timeHeap) Swap(i, j int)      { t.places[i], t.places[j] = t.places[j], t.places[i] }
func (t *timeHeap) Push(place any)     { t.places = append(t.places, place.(int)) }
func (t *timeHeap) Pop() any {
	last := t.places[len(t.places)-1]
	t.places = t.places[:len(t.places)-1]
	return last
}

// operationsCovering lists the places of the operations that move an index.
func operationsCovering(h *model.History, at uint64) []int {
	var places []int
	for i := range h.Ops {
		if o := &h.Ops[i]; (o.PutsIn() || o.TakesOut()) && o.Value <= at && at < o.To {
			places = append(places, i)
		}
	}
	return places
}
