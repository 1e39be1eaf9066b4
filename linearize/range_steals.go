package linearize

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"stealproof/model"
)

// followSteals brings the steals into the only order that they can have had:
// in a run, from its top down, by their ends.
func (r *rangeCase) followSteals() *outcome {
	byEnd := make([]uint32, 0, r.survey.takes)
	for i := range r.ops {
		o := &r.ops[i]
		if o.Op != model.Steal || o.Result != model.OK {
			continue
		}
		if o.Size > 0 && o.Len() > o.Size {
			return r.prove(Other, fmt.Sprintf("%s took %d indices, and had asked for %d", o.Op, o.Len(), o.Size), uint32(i))
		}
		byEnd = append(byEnd, uint32(i))
	}
	r.sortByEnd(byEnd)
	for k := 1; k < len(byEnd); k++ {
		if end := r.ops[byEnd[k]].To; end == r.ops[byEnd[k-1]].To {
			return r.prove(Duplicate, fmt.Sprintf("index %d was stolen twice", end-1), byEnd[k], byEnd[k-1])
		}
	}
	r.steals, r.ready = make([]uint32, 0, len(byEnd)), make([]uint32, 0, len(byEnd))
	next := 0
	for k := range r.runs {
		var bad *outcome
		if next, bad = r.followRun(k, byEnd, next); bad != nil {
			return bad
		}
	}
	if len(r.steals) < len(byEnd) {
		return r.unmet()
	}
	return nil
}

// sortByEnd sorts steals by their upper ends.
func (r *rangeCase) sortByEnd(steals []uint32) {
	low, high := uint64(model.NoValue), uint64(0)
	for _, op := range steals {
		low, high = min(low, r.ops[op].To), max(high, r.ops[op].To)
	}
	ends, fit := newStamps(low, max(low, high), len(r.ops))
	if !fit {
		slices.SortFunc(steals, func(a, b uint32) int { return cmp.Compare(r.ops[a].To, r.ops[b].To) })
		return
	}
	words := make([]uint64, len(steals))
	for k, op := range steals {
		words[k] = ends.pack(ends.of(r.ops[op].To), op)
	}
	ends.sort(words)
	for k, word := range words {
		steals[k] = ends.index(word)
	}
}

// endingAt finds the steal with the upper end, or where it would be, starting
// from a guess.
func (r *rangeCase) endingAt(end uint64, byEnd []uint32, guess int) int {
	low, high := guess, guess
	for step := 1; low > 0 && r.ops[byEnd[low-1]].To >= end; step *= 2 {
		high = low - 1
		low = max(0, low-step)
	}
	for step := 1; high < len(byEnd) && r.ops[byEnd[high]].To < end; step *= 2 {
		low = high + 1
		high = min(len(byEnd), high+step)
	}
	return low + sort.Search(high-low, func(k int) bool { return r.ops[byEnd[low+k]].To >= end })
}

func (r *rangeCase) followRun(k int, byEnd []uint32, guess int) (next int, bad *outcome) {
	run := &r.runs[k]
	floor := run.top // how far steals went down
	push := run.first
	next = r.endingAt(run.top, byEnd, guess)
	for i := next; floor > run.low && i >= 0 && i < len(byEnd); i-- {
		o := &r.ops[byEnd[i]]
		if o.To != floor || o.Value < run.low {
			break
		}
		floor = o.Value
		for r.pushes[push].low > floor {
			push++
		}
		r.steals = append(r.steals, byEnd[i])
		r.ready = append(r.ready, r.pushes[push].own)
	}
	if run.popped > floor {
		return next, r.prove(Duplicate, fmt.Sprintf("index %d was popped and stolen", floor), r.runOps(k)...)
	}
	return next, nil
}

// unmet is the violation of a steal that does not begin where another ended.
func (r *rangeCase) unmet() *outcome {
	met := make([]bool, len(r.ops))
	for _, op := range r.steals {
		met[op] = true
	}
	for i := range r.ops {
		if o := &r.ops[i]; o.Op == model.Steal && o.Result == model.OK && !met[i] {
			return r.prove(Order, fmt.Sprintf("[%d,%d) was stolen, and can never have been at the high end", o.Value, o.To), uint32(i))
		}
	}
	return nil
}

// demand notes what the object demands of the merge.
func (r *rangeCase) demand() *outcome {
	d := rangeDemand{rangeCase: r, run: -1}
	r.vacant = make([]uint32, len(r.own)+1)
	r.vacant[0] = 1
	for i, op := range r.own {
		o := &r.ops[op]
		var bad *outcome
		switch {
		case o.PutsIn():
			bad = d.push(i, o)
		case o.TakesOut():
			d.low = o.To
		case o.Op == model.Pop && o.Result == model.Empty:
			bad = d.empty(i, FalseEmpty, "pop found nothing, although something was inside")
		case o.Result == model.Full:
			r.refused = r.refused || r.history.Params.Capacity > 0
		}
		if bad != nil {
			return bad
		}
		d.advance(i + 1)
		if d.low == d.high {
			r.vacant[i+1] = uint32(d.possible) + 1
		}
	}
	return nil
}

// rangeDemand is the range after some operations of the owner and all steals
// that are possible by then.
type rangeDemand struct {
	*rangeCase
	low, high uint64
	possible  int // steals
	run       int
	fit       int    // steals that the capacity needs so far
	fitHigh   uint64 // the high end after them
}

// advance lets the steals happen that are possible after i operations.
func (d *rangeDemand) advance(i int) {
	for d.possible < len(d.steals) && d.ready[d.possible] <= uint32(i) {
		d.high = d.ops[d.steals[d.possible]].Value
		d.possible++
	}
}

func (d *rangeDemand) push(i int, o *model.Operation) *outcome {
	if d.run < 0 || d.run+1 < len(d.runs) && d.runs[d.run+1].top == o.To && o.To != d.low {
		if bad := d.empty(i, Order, fmt.Sprintf("[%d,%d) was pushed, although something else was inside", o.Value, o.To)); bad != nil {
			return bad
		}
		d.run++
		d.high, d.fit, d.fitHigh = o.To, d.possible, o.To
	}
	d.low = o.Value
	if room := d.history.Params.Capacity; room > 0 {
		return d.makeRoom(i, room)
	}
	return nil
}

// empty needs the range to be empty before operation i.
func (d *rangeDemand) empty(i int, kind, text string) *outcome {
	if d.low != d.high {
		return d.prove(kind, text, append(d.runOps(d.run), d.own[i])...)
	}
	if d.possible > 0 {
		d.needs(i, d.possible)
	}
	return nil
}

func (d *rangeDemand) needs(i, steals int) {
	if d.need == nil {
		d.need = make([]uint32, len(d.own))
	}
	d.need[i] = uint32(max(steals, int(d.need[i])))
}

// makeRoom needs as many steals as the capacity asks for.
func (d *rangeDemand) makeRoom(i int, room uint64) *outcome {
	for d.fitHigh-d.low > room {
		if d.fit == d.possible {
			return d.prove(Other, fmt.Sprintf("a push exceeds the capacity of %d", room), append(d.runOps(d.run), d.own[i])...)
		}
		d.fitHigh = d.ops[d.steals[d.fit]].Value
		d.fit++
	}
	if d.fit > 0 {
		d.needs(i, d.fit)
	}
	return nil
}
