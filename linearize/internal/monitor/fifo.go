package monitor

import (
	"fmt"

	"stealproof/linearize/internal/finding"
	"stealproof/model"
)

// fifoMonitor decides histories of a queue with distinct values.
//
// Write enq(v), deq(v) for the operations on a value, and treat an empty e as
// a value that goes in and out at one moment: enq(e) = deq(e) = e. In a
// linearization the values leave in the order in which they came; call that
// order <. It contains
//
//	a < b  if enq(a) precedes enq(b), deq(a) precedes deq(b), or deq(a)
//	       precedes enq(b), where a value that stays has its deq at the end.   (1)
//
// Conversely, take an order < that contains (1), and give the operations
// stamps: P(v) is the latest call of an enq up to v, and Q(v) the latest call
// of an enq or deq up to v. By (1) nothing up to v was called after enq(v)
// returned, nor after deq(v) did: each stamp lies in the interval of its
// operation. Order operations by stamp, at equal stamps a deq as soon as its
// turn has come. This respects real time up to ties within a process, the
// values leave in the order in which they came, and an empty whose call and
// return are one stamp meets an empty queue: whatever is before it has its
// deq stamped no later. So it is left
//   - to give every empty a stamp. If a value is certainly inside at a stamp,
//     none may be there. If none is, let the empty have it: a value whose enq
//     returned before has its deq called no later, so (1) gains no cycle.
//   - to find < as a topological order of (1), or a cycle. Between intervals a
//     cycle of any length implies one of two values, the theorem of Henzinger,
//     Sezgin and Vafeiadis.
//
// Ties within a process break that theorem: four processes that each tie two
// operations on values in a circle have a cycle of four and none of two; see
// TestFourValuesInACircle. They are edges of the graph here, so that every
// cycle is found. Ties of an enq before a deq say more than (1); queueDebts
// respects them too, and finds out which stamps an empty cannot have for them.
// But what it asks for depends on which order was chosen where (1) leaves a
// choice. If it cannot be had, another choice might do: unless the few operations
// at odds are refuted by themselves, search.Queue decides.
//
// A declared capacity is looked at last, on the order that was found, in which
// values leave as early as they can. If it does not hold there, it is a violation
// if too many values are certainly inside at some stamp, or too few possibly
// during a full; otherwise search.Queue decides. See settle and assign for
// operations that never came back.
func fifoMonitor(ask *question) finding.Finding {
	l, bad := newLedger(ask)
	if bad != nil {
		return *bad
	}
	if op, ok := l.placeEmpties(); !ok {
		return l.orSearch(l.falseEmpty(op))
	}
	if ask.patience.Over() {
		return finding.Undecided("interrupted")
	}
	q := &queueOrder{ledger: l}
	cycle := q.sort()
	if ask.patience.Over() {
		return finding.Undecided("interrupted")
	}
	if cycle != nil {
		return l.orSearch(l.disorder(cycle, q.debts == nil || !q.debts.used))
	}
	if !l.listing {
		return finding.Finding{Verdict: model.Linearizable}
	}
	m := newQueueMerge(q)
	stuck := m.run()
	if ask.patience.Over() {
		return finding.Undecided("interrupted")
	}
	if stuck != nil {
		return l.orSearch(l.disorder(stuck, false))
	}
	return l.judgeCapacity(m.Finish())
}

// falseEmpty is the violation of an empty during which something was always
// inside.
func (l *ledger) falseEmpty(op uint32) finding.Finding {
	o := &l.ops[op]
	inside := l.covering(op)
	text := fmt.Sprintf("%s found nothing, and all the time at least one of %d values was inside", o.Op, len(inside))
	if len(inside) == 1 {
		text = fmt.Sprintf("%s found nothing, and %d was inside all the time", o.Op, l.ops[l.items[inside[0]].Put].Value)
	}
	return l.violation(finding.FalseEmpty, true, text, inside, op)
}

// disorder is the violation of values that cannot leave in any order. A cycle
// of values is certain, unless a free choice before led to it; an empty in it
// might have had another stamp.
func (l *ledger) disorder(nodes []uint32, certain bool) finding.Finding {
	var values, empties []uint32
	for _, n := range nodes {
		if n&emptyNode == 0 {
			values = append(values, n)
			continue
		}
		certain = certain && l.ties == nil
		op := l.Index(l.empties[n&^emptyNode])
		empties = append(empties, op)
		values = append(values, l.covering(op)...)
	}
	return l.violation(finding.Order, certain, "the values of these operations cannot have left in the order in which they came", values, empties...)
}
