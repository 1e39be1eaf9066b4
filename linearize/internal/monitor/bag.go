package monitor

import (
	"stealproof/linearize/internal/finding"
)

// bagMonitor decides histories of a bag with distinct values.
//
// Values don't care for one another, so only three things must hold: a value
// is put before it is taken, real time, and nothing is inside at an empty. If
// an empty has a stamp of its interval at which no value is certainly inside,
// give it the earliest such stamp; if it has none, that is a violation, since
// wherever the empty happens some value was put before and is taken later.
//
// The order is then written depth first, each operation as late as it may be
// and after all that must come before it: what precedes it in real time, the
// put of what it takes, and for an empty the removal of all that was put. Up
// to ties within a process this finds an order: before an empty with stamp s
// only operations come that must be done by then, those that returned before
// s; the puts that their removals need, called no later than s; and the
// removals of what was put before s, called no later than s, as the value is
// not certainly inside at s. So nothing waits for anything called after s.
//
// Ties are edges of the same search. Without empties a cycle is one of the
// order that must hold, and a violation, though it may be one of four
// operations of two processes; see TestTakenBeforeTheOtherIsPut. An empty is
// moved on where ties rule out its stamp; see possible. If there is none left
// for it, the operations in its way are a violation if they are refuted by
// themselves: otherwise search.Queue decides.
//
// See fifoMonitor on capacity, and settle and assign on operations that never
// came back.
func bagMonitor(q *question) finding.Finding {
	l, bad := newLedger(q)
	if bad != nil {
		return *bad
	}
	if op, ok := l.placeEmpties(); !ok {
		return l.orSearch(l.falseEmpty(op))
	}
	if q.patience.Over() {
		return finding.Undecided("interrupted")
	}
	b := newBagOrder(l)
	fine := b.run()
	if q.patience.Over() {
		return finding.Undecided("interrupted")
	}
	if !fine {
		return l.orSearch(l.tangle(b.stuck))
	}
	return l.judgeCapacity(b.Finish())
}

// tangle is the violation of operations that wait for one another.
func (l *ledger) tangle(nodes []uint32) finding.Finding {
	var values, empties []uint32
	for _, node := range nodes {
		if node&emptyNode == 0 {
			values = append(values, node/2)
			continue
		}
		op := l.Index(l.empties[node&^emptyNode])
		empties = append(empties, op)
		values = append(values, l.covering(op)...)
	}
	return l.violation(finding.Order, len(empties) == 0, "these operations each have to come before another of them", values, empties...)
}
