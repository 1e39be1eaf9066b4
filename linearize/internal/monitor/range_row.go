package monitor

import (
	"cmp"
	"slices"
	"sort"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/timing"
)

// stealRow has the steals of a range by depth: how many indices lie above the
// upper end of what a steal took, in its run and in those before it. That is
// the order in which steals happen, so that they nearly stand in it already.
type stealRow struct {
	timing.Clock
	words  []uint64 // of depth and operation,
	ops    []uint32 // or if the two do not fit a word, these apart
	depths []uint64
}

func (w *stealRow) op(k int) uint32 {
	if w.ops != nil {
		return w.ops[k]
	}
	return w.Index(w.words[k])
}

func (w *stealRow) depth(k int) uint64 {
	if w.ops != nil {
		return w.depths[k]
	}
	return w.Stamp(w.words[k])
}

// lineUp makes the row of the steals. One that took from no run is a
// violation.
func (r *rangeCase) lineUp() (*stealRow, *finding.Finding) {
	w := &stealRow{words: make([]uint64, len(r.thefts))}
	var fit bool
	if w.Clock, fit = timing.NewClock(0, r.measureRuns(), len(r.ops)); !fit {
		w.ops = slices.Clone(r.thefts)
	}
	at := 0
	for k, op := range r.thefts {
		o := &r.ops[op]
		if o.Size > 0 && o.Len() > o.Size {
			return nil, r.prove(r.greedy(op))
		}
		end := o.To
		at = r.runOf(end, at)
		if at == len(r.runs) || end <= r.run(at).low {
			return nil, r.unmet(op)
		}
		w.words[k] = r.run(at).depth + r.run(at).top - end
		if fit {
			w.words[k] = w.Pack(w.words[k], op)
		}
	}
	if fit {
		w.Sort(w.words)
	} else {
		w.sortApart()
	}
	return w, nil
}

func (w *stealRow) sortApart() {
	byDepth := make([]int, len(w.ops))
	for k := range byDepth {
		byDepth[k] = k
	}
	slices.SortFunc(byDepth, func(a, b int) int { return cmp.Compare(w.words[a], w.words[b]) })
	ops, depths := make([]uint32, len(w.ops)), make([]uint64, len(w.ops))
	for k, at := range byDepth {
		ops[k], depths[k] = w.ops[at], w.words[at]
	}
	w.ops, w.depths = ops, depths
}

// measureRuns gives every run its depth, and returns that of all of them.
func (r *rangeCase) measureRuns() uint64 {
	depth := uint64(0)
	for k := range r.runs {
		r.runs[k].depth = depth
		depth += r.runs[k].top - r.runs[k].low
	}
	return depth
}

// run is the run at a place in the order of indices.
func (r *rangeCase) run(at int) *rangeRun {
	if r.byIndex != nil {
		return &r.runs[r.byIndex[at]]
	}
	return &r.runs[at]
}

// runOf finds the first run, in the order of indices, whose top is at least
// end, starting from a guess.
func (r *rangeCase) runOf(end uint64, guess int) int {
	low, high := guess, guess
	for step := 1; low > 0 && r.run(low-1).top >= end; step *= 2 {
		high = low - 1
		low = max(0, low-step)
	}
	for step := 1; high < len(r.runs) && r.run(high).top < end; step *= 2 {
		low = high + 1
		high = min(len(r.runs), high+step)
	}
	return low + sort.Search(high-low, func(k int) bool { return r.run(low+k).top >= end })
}

// sortRuns finds the order of the runs by indices, and says whether two share
// any.
func (r *rangeCase) sortRuns() (overlap bool) {
	ascending := func(a, b rangeRun) int { return cmp.Compare(a.low, b.low) }
	if !slices.IsSortedFunc(r.runs, ascending) {
		r.byIndex = make([]uint32, len(r.runs))
		for k := range r.byIndex {
			r.byIndex[k] = uint32(k)
		}
		slices.SortFunc(r.byIndex, func(a, b uint32) int { return ascending(r.runs[a], r.runs[b]) })
	}
	for k := 1; k < len(r.runs); k++ {
		if r.run(k-1).top > r.run(k).low {
			return true
		}
	}
	return false
}
