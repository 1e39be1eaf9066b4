package monitor

import (
	"cmp"
	"slices"
	"sort"

	"stealproof/linearize/internal/finding"
	"stealproof/model"
)

// witness looks for a few indices on which the operations cannot all be right.
// What a history does to some indices is a history by itself, and legal if the
// whole is: an interval with indices left out is an interval of the others.
// Nil if no such indices were found around the operations in question.
func (r *rangeCase) witness(c rangeClaim) *finding.Finding {
	indices := r.around(c)
	set := slices.Clone(r.lostOps)
	for _, op := range c.ops {
		if o := &r.ops[op]; !o.PutsIn() && !o.TakesOut() {
			set = append(set, op)
		}
	}
	for i := range r.ops {
		if o := &r.ops[i]; o.PutsIn() || o.TakesOut() {
			if from, to := within(indices, o); from < to {
				set = append(set, uint32(i))
			}
		}
		if len(set) > MaxProof {
			return nil
		}
	}
	slices.Sort(set)
	set = slices.Compact(set)
	places := make([]int, len(set))
	for k, op := range set {
		places[k] = int(op)
	}
	if len(places) == 0 {
		return nil
	}
	if verdict, _ := decidedSoon(onIndices(r.history.Part(places), indices)); verdict != model.Violation {
		return nil
	}
	return found(c.kind, c.text, places...)
}

// within says which of the indices an operation moves.
func within(indices []uint64, o *model.Operation) (from, to uint64) {
	low, _ := slices.BinarySearch(indices, o.Value)
	high, _ := slices.BinarySearch(indices, o.To)
	return uint64(low), uint64(high)
}

// onIndices is what a history does to some indices, numbered from 0 on.
func onIndices(h *model.History, indices []uint64) *model.History {
	for i := range h.Ops {
		if o := &h.Ops[i]; o.PutsIn() || o.TakesOut() {
			o.Value, o.To = within(indices, o)
		}
	}
	return h
}

// around are the indices at the ends of operations, and of those that found the
// range empty, or should have, the indices that were inside meanwhile.
func (r *rangeCase) around(c rangeClaim) []uint64 {
	indices := slices.Clone(c.at)
	for _, op := range c.ops {
		o := &r.ops[op]
		if o.PutsIn() || o.TakesOut() {
			indices = append(indices, o.Value, o.To-1, o.To)
		}
		switch {
		case o.Op == model.Pop && o.Result == model.OK && o.Value > 0:
			indices = append(indices, o.Value-1)
		case o.Op == model.Push || o.Result == model.Empty:
			indices = append(indices, r.insideDuring(o)...)
		}
	}
	slices.Sort(indices)
	return slices.Compact(indices)
}

// indexStay is an index that was inside between two stamps.
type indexStay struct {
	from, until uint64
	index       uint64
}

// insideDuring picks the fewest indices of which always one was inside during
// an operation, as far as there are any.
func (r *rangeCase) insideDuring(e *model.Operation) []uint64 {
	at, last := r.Of(e.Call), r.Of(e.Return)
	stays := slices.DeleteFunc(r.staysBeyond(at), func(s indexStay) bool {
		return s.from >= last && s.from >= at || s.index >= e.Value && s.index < e.To
	})
	slices.SortFunc(stays, func(a, b indexStay) int { return cmp.Compare(a.from, b.from) })
	var indices []uint64
	best, next := indexStay{}, 0
	for at <= last {
		for ; next < len(stays) && stays[next].from < at; next++ {
			if stays[next].until > best.until {
				best = stays[next]
			}
		}
		if best.until <= at {
			break
		}
		indices = append(indices, best.index)
		at = best.until
	}
	return indices
}

// staysBeyond has an index of everything that was removed after a stamp, and of
// all that was never removed.
func (r *rangeCase) staysBeyond(stamp uint64) []indexStay {
	var all []indexStay
	at := 0
	add := func(index, until uint64) {
		if until <= stamp {
			return
		}
		at = r.runOf(index+1, at)
		if at < len(r.runs) && r.run(at).low <= index {
			all = append(all, indexStay{r.Of(r.ops[r.pushOf(index, r.run(at))].Return), until, index})
		}
	}
	for _, op := range r.thefts {
		add(r.ops[op].Value, r.Of(r.ops[op].Call))
	}
	for _, op := range r.own {
		if r.ops[op].TakesOut() {
			add(r.ops[op].Value, r.Of(r.ops[op].Call))
		}
	}
	for k := range r.runs {
		if run := &r.runs[k]; max(run.low, run.popped) < run.floor {
			add(run.floor-1, r.Far())
			add(max(run.low, run.popped), r.Far())
		}
	}
	return all
}

// pushOf is the push of an index of a run.
func (r *rangeCase) pushOf(index uint64, run *rangeRun) uint32 {
	pushes := r.pushes[run.first:run.last]
	k := sort.Search(len(pushes), func(k int) bool { return pushes[k].low <= index })
	return r.own[pushes[k].own-1]
}
