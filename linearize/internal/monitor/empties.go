package monitor

import (
	"slices"
	"sort"
)

// emptyQueue hands out the empties by stamp. Where operations tie, a stamp at
// which no value is certainly inside may still not do for an empty, which is
// then moved to the next one that is not covered.
type emptyQueue struct {
	*ledger
	state []nodeState
	next  int
	// Only if there are ties:
	at    map[uint32]uint32 // number among the empties, by operation
	moved []bool
	later []uint64 // stamp and place of those that were moved, in order
	free  []freeTime
	// failed holds, by number, all that stood in the way of the stamps tried.
	failed map[uint32][]uint32
}

// lookedAtOnce words are moved as quickly as one operation is looked at.
const lookedAtOnce = 64

// freeTime is a time at which no value is certainly inside, both ends included.
type freeTime struct{ low, high uint64 }

func newEmptyQueue(l *ledger) *emptyQueue {
	e := &emptyQueue{ledger: l, state: make([]nodeState, len(l.empties))}
	if l.ties == nil || len(l.empties) == 0 {
		return e
	}
	e.moved = make([]bool, len(l.empties))
	e.failed = map[uint32][]uint32{}
	e.at = make(map[uint32]uint32, len(l.empties))
	for k, word := range l.empties {
		e.at[l.Index(word)] = uint32(k)
	}
	g := uncovered{ledger: l}
	for g.high < l.Far() {
		g.advance()
		e.free = append(e.free, freeTime{g.low, g.high})
	}
	return e
}

// head is the first empty that is not settled, and its stamp.
func (e *emptyQueue) head() (number uint32, stamp uint64) {
	for e.next < len(e.empties) && (e.state[e.next] == settled || e.moved != nil && e.moved[e.next]) {
		e.next++
	}
	for len(e.later) > 0 && e.state[e.Index(e.later[0])] == settled {
		e.later = e.later[1:]
	}
	number, stamp = absent, e.Far()+1
	if e.next < len(e.empties) {
		number, stamp = uint32(e.next), e.Stamp(e.empties[e.next])
	}
	if len(e.later) > 0 && e.Stamp(e.later[0]) < stamp {
		number, stamp = e.Index(e.later[0]), e.Stamp(e.later[0])
	}
	return number, stamp
}

// postpone moves an empty out of the way of some nodes, unless there is no
// further stamp for it.
func (e *emptyQueue) postpone(number uint32, nodes []uint32) bool {
	e.patience.Step(1 + len(e.later)/lookedAtOnce) // to keep these in order
	if len(e.failed[number]) < 4*MaxProof {
		e.failed[number] = append(e.failed[number], nodes...)
	}
	word := e.empties[number]
	stamp, op := e.Stamp(word)+1, e.Index(word)
	k := sort.Search(len(e.free), func(k int) bool { return e.free[k].high >= stamp })
	if k == len(e.free) {
		return false
	}
	stamp = max(stamp, e.free[k].low)
	if stamp > e.Of(e.ops[op].Return) {
		return false
	}
	if e.moved[number] {
		e.later = slices.DeleteFunc(e.later, func(w uint64) bool { return e.Index(w) == number })
	}
	e.moved[number] = true
	e.empties[number] = e.Pack(stamp, op)
	moved := e.Pack(stamp, number)
	i, _ := slices.BinarySearch(e.later, moved)
	e.later = slices.Insert(e.later, i, moved)
	return true
}
