package monitor

import (
	"fmt"
	"slices"

	"stealproof/linearize/internal/certify"
	"stealproof/linearize/internal/finding"
	"stealproof/model"
)

// rangeMonitor decides histories of a range with one owner whose pushes are
// disjoint. It works with intervals, never index by index. See chains for the
// merge of the owner's operations and the steals.
//
// The owner's operations alone say where the low end is after each of them,
// whatever the thieves do: a push sets it to its lower end, a pop to its upper
// one. A push that does not end at the low end must find the range empty. It
// begins a new run; the others extend the run, whose indices are then without
// a hole. Runs come one after the other, each when the one before is empty.
//
// Within a run steals come from its top down, each where the one before ended,
// as nothing else moves the high end. So there is one order in which the
// steals can have happened: run by run, and in a run along these ends. The
// monitor follows the ends; a steal that is not met there is a violation.
// Where the last one of a run ends is the run's floor, and no pop may go
// beyond it: as the pushes are disjoint, those indices would have left twice.
//
// Given that, a merge is legal if and only if each steal comes after the push
// of its lowest index, the range is empty before each push that begins a run,
// and at each empty: no pop interferes with a steal, as it takes indices below
// the floor. It is empty after i operations of the owner if and only if the
// low end is where the last of the steals ends that are possible by then, and
// these have happened.
//
// A declared capacity asks for steals before a push, and a full for steals
// after it; see solveWithFulls.
//
// Shared ranges, and those with indices that are put in twice, have no such
// chains; see search.Range.
//
// A push that never came back counts if some of it came out. Removals that
// never came back are first taken to have done nothing. If that does not do,
// they might have taken what is missing, cut into pieces in many ways:
// undecided, unless the violation remains with any of them.
func rangeMonitor(q *question) finding.Finding {
	h := q.h
	if h.Params.Shared {
		return searchRange(q, "a shared range has no owner, and no order that a monitor could follow")
	}
	r := newRangeCase(q)
	if bad := r.followOwner(); bad != nil {
		if bad.Reason == repeatedIndices {
			return searchRange(q, repeatedIndices)
		}
		return *bad
	}
	if q.patience.Over() {
		return finding.Undecided("interrupted")
	}
	if r.sortRuns() {
		return searchRange(q, repeatedIndices)
	}
	if q.patience.Over() {
		return finding.Undecided("interrupted")
	}
	if bad := r.followSteals(); bad != nil {
		return *bad
	}
	if bad := r.demand(); bad != nil {
		return *bad
	}
	empties, vacant := r.keptForFulls()
	if bad := r.solve(); bad != nil {
		return r.explain(bad)
	}
	if r.refused {
		if bad := r.solveWithFulls(empties, vacant); bad != nil {
			return *bad
		}
	}
	if q.patience.Over() {
		return finding.Undecided("interrupted")
	}
	if !r.listing {
		return finding.Finding{Verdict: model.Linearizable}
	}
	order := r.merge()
	if q.patience.Over() {
		return finding.Undecided("interrupted")
	}
	if order == nil {
		return finding.Undecided(unconfirmed)
	}
	if r.refused && certify.Replay(h, order) != nil {
		return finding.Undecided(unconfirmed)
	}
	return finding.Finding{Verdict: model.Linearizable, Order: order}
}

const repeatedIndices = "the monitor needs disjoint pushes, and here indices are put in twice"

// rangeCase is a history of a range, arranged for chains.
type rangeCase struct {
	*chains
	runs    []rangeRun
	fetched uint64   // see fetch; of no meaning
	floors  []uint64 // lower ends of the steals
	byIndex []uint32 // places of the runs by indices, nil if they stand so
	pushes  []rangePush
	refused bool     // a push was, against a declared capacity
	lostOps []uint32 // of the lost removals
}

// rangeRun is a run of adjoining pushes.
type rangeRun struct {
	low, top uint64
	popped   uint64 // how far pops went up, 0 if there are none
	depth    uint64 // how many indices there are in the runs before
	floor    uint64 // how far steals went down
	first    uint32 // of its pushes
	last     uint32 // and the first that is not one of them
}

type rangePush struct {
	low uint64
	own uint32 // how many operations of the owner include it
}

func newRangeCase(q *question) *rangeCase {
	r := &rangeCase{chains: newChains(q, q.wantOrder || q.h.Params.Capacity > 0 && q.look.Refused > 0)}
	for _, word := range r.lost {
		r.lostOps = append(r.lostOps, r.Index(word))
	}
	if n := len(r.own); n > 0 {
		last := r.own[n-1]
		o := &r.ops[last]
		if o.Result == model.Unknown && o.Op == model.Pop {
			r.lostOps = append(r.lostOps, last)
			r.dropLastOwn()
		} else if o.Result == model.Unknown && !r.anyTaken(o.Value, o.To) {
			r.dropLastOwn()
		}
	}
	return r
}

func (r *rangeCase) anyTaken(low, high uint64) bool {
	return slices.ContainsFunc(r.ops, func(o model.Operation) bool {
		return o.TakesOut() && o.Value < high && low < o.To
	})
}

// followOwner finds the runs.
func (r *rangeCase) followOwner() *finding.Finding {
	r.runs = make([]rangeRun, 0, r.survey.Puts)
	r.pushes = make([]rangePush, 0, r.survey.Puts)
	var low uint64
	for i, op := range r.own {
		if r.patience.Step(1) {
			break
		}
		o := &r.ops[op]
		switch {
		case o.PutsIn():
			n := len(r.runs) - 1
			if n < 0 || o.To != low {
				r.runs = append(r.runs, rangeRun{low: o.Value, top: o.To, first: uint32(len(r.pushes))})
			} else if r.runs[n].low != low {
				bad := finding.Undecided(repeatedIndices)
				return &bad
			} else {
				r.runs[n].low = o.Value
			}
			low = o.Value
			r.pushes = append(r.pushes, rangePush{o.Value, uint32(i) + 1})
			r.runs[len(r.runs)-1].last = uint32(len(r.pushes))
		case o.TakesOut():
			if o.Size > 0 && o.Len() > o.Size {
				return r.prove(r.greedy(op))
			}
			n := len(r.runs) - 1
			if n < 0 || o.Value != low {
				return r.prove(rangeClaim{kind: finding.Order, text: fmt.Sprintf("the owner popped [%d,%d), which was not at the low end", o.Value, o.To), ops: []uint32{op}, pushes: r.runOps(n)})
			}
			if o.To > r.runs[n].top {
				return r.prove(rangeClaim{kind: finding.Order, text: fmt.Sprintf("the owner popped [%d,%d), which ends beyond what was pushed", o.Value, o.To), ops: []uint32{op}, pushes: r.runOps(n)})
			}
			r.runs[n].popped = o.To
			low = o.To
		}
	}
	return nil
}
