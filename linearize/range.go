package linearize

import (
	"context"
	"fmt"
	"slices"

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
// A declared capacity asks for steals before a push. Whether it was full is
// only looked at in the merge that was found: undecided if it was not.
//
// A push that never came back counts if some of it came out. Removals that
// never came back are first taken to have done nothing. If that does not do,
// they might have taken what is missing, cut into pieces in many ways:
// undecided, unless the violation remains with any of them.
func rangeMonitor(ctx context.Context, h *model.History) outcome {
	if h.Params.Shared {
		return undecided("a shared range has no owner, and no order that a monitor could follow")
	}
	r := newRangeCase(h)
	if bad := r.followOwner(); bad != nil {
		return *bad
	}
	if r.overlap() {
		return undecided("the monitor needs disjoint pushes, and here indices are put in twice")
	}
	if ctx.Err() != nil {
		return undecided("interrupted")
	}
	if bad := r.followSteals(); bad != nil {
		return *bad
	}
	if bad := r.demand(); bad != nil {
		return *bad
	}
	if bad := r.solve(); bad != nil {
		return r.explain(bad)
	}
	order := r.merge()
	if order == nil {
		return undecided(unconfirmed)
	}
	if r.refused && certify(h, order) != nil {
		return undecided(fmt.Sprintf("whether it was full, with a capacity of %d, is not decided in near-linear time", h.Params.Capacity))
	}
	return outcome{verdict: model.Linearizable, order: order}
}

// rangeCase is a history of a range, arranged for chains.
type rangeCase struct {
	*chains
	runs    []rangeRun
	pushes  []rangePush
	refused bool     // a push was, against a declared capacity
	dropped []uint32 // removals that never came back
}

// rangeRun is a run of adjoining pushes.
type rangeRun struct {
	low, top uint64
	popped   uint64 // how far pops went up, 0 if there are none
	first    uint32 // of its pushes
}

type rangePush struct {
	low uint64
	own uint32 // how many operations of the owner include it
}

func newRangeCase(h *model.History) *rangeCase {
	r := &rangeCase{chains: newChains(h)}
	for _, word := range r.pending {
		r.dropped = append(r.dropped, r.index(word))
	}
	if n := len(r.own); n > 0 {
		last := r.own[n-1]
		o := &r.ops[last]
		if o.Result == model.Unknown && o.Op == model.Pop {
			r.dropped = append(r.dropped, last)
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
func (r *rangeCase) followOwner() *outcome {
	r.runs = make([]rangeRun, 0, r.survey.puts)
	r.pushes = make([]rangePush, 0, r.survey.puts)
	var low uint64
	for i, op := range r.own {
		o := &r.ops[op]
		switch {
		case o.PutsIn():
			n := len(r.runs) - 1
			if n < 0 || o.To != low {
				r.runs = append(r.runs, rangeRun{low: o.Value, top: o.To, first: uint32(len(r.pushes))})
			} else if r.runs[n].low != low {
				bad := undecided("the monitor needs disjoint pushes, and here indices are put in twice")
				return &bad
			} else {
				r.runs[n].low = o.Value
			}
			low = o.Value
			r.pushes = append(r.pushes, rangePush{o.Value, uint32(i) + 1})
		case o.TakesOut():
			if o.Size > 0 && o.Len() > o.Size {
				return r.prove(Other, fmt.Sprintf("%s took %d indices, and had asked for %d", o.Op, o.Len(), o.Size), op)
			}
			n := len(r.runs) - 1
			if n < 0 || o.Value != low {
				return r.prove(Order, fmt.Sprintf("the owner popped [%d,%d), which was not at the low end", o.Value, o.To), append(r.runOps(n), op)...)
			}
			r.runs[n].popped = o.To
			low = o.To
		}
	}
	return nil
}

// overlap says whether two runs share indices.
func (r *rangeCase) overlap() bool {
	ascending, descending := true, true
	for k := 1; k < len(r.runs); k++ {
		ascending = ascending && r.runs[k-1].top <= r.runs[k].low
		descending = descending && r.runs[k].top <= r.runs[k-1].low
	}
	if ascending || descending {
		return false
	}
	sorted := slices.Clone(r.runs)
	slices.SortFunc(sorted, func(a, b rangeRun) int {
		if a.low < b.low {
			return -1
		}
		return 1
	})
	for k := 1; k < len(sorted); k++ {
		if sorted[k-1].top > sorted[k].low {
			return true
		}
	}
	return false
}
