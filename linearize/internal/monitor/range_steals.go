package monitor

import (
	"fmt"

	"stealproof/linearize/internal/finding"
	"stealproof/model"
)

// followSteals brings the steals into the only order that they can have had:
// run by run, and in a run from its top down.
func (r *rangeCase) followSteals() *finding.Finding {
	row, bad := r.lineUp()
	if bad != nil {
		return bad
	}
	for k := 1; k < len(r.thefts); k++ {
		if row.depth(k) == row.depth(k-1) {
			a, b := row.op(k), row.op(k-1)
			return r.prove(rangeClaim{kind: finding.Duplicate, text: fmt.Sprintf("index %d was stolen twice", r.ops[a].To-1), ops: []uint32{a, b}})
		}
	}
	r.startSteals(len(r.thefts))
	r.floors = make([]uint64, 0, len(r.thefts))
	for k := range r.runs {
		if bad := r.followRun(k, row); bad != nil {
			return bad
		}
	}
	return nil
}

func (r *rangeCase) followRun(k int, row *stealRow) *finding.Finding {
	run := &r.runs[k]
	floor := run.top // how far steals went down
	push := run.first
	for next := len(r.steals); next < len(r.thefts) && row.depth(next) < run.depth+run.top-run.low; next++ {
		if next%atOnce == 0 {
			r.fetch(row, next)
		}
		op := row.op(next)
		if o := &r.ops[op]; row.depth(next) != run.depth+run.top-floor || o.Value < run.low {
			return r.unmet(op)
		}
		floor = r.ops[op].Value
		for r.pushes[push].low > floor {
			push++
		}
		r.floors = append(r.floors, floor)
		if bad := r.place(op, r.pushes[push].own); bad != nil {
			o := r.explain(bad)
			return &o
		}
	}
	run.floor = floor
	if run.popped > floor {
		return r.prove(rangeClaim{kind: finding.Duplicate, text: fmt.Sprintf("index %d was popped and stolen", floor), at: []uint64{floor}, pushes: r.runOps(k)})
	}
	return nil
}

// atOnce is how many operations are looked at before they are needed.
const atOnce = 256

// fetch looks at the next steals of the row. They may lie anywhere in memory:
// asked for one behind the other without a decision between, they come at the
// same time.
func (r *rangeCase) fetch(row *stealRow, next int) {
	for k := next; k < min(next+atOnce, len(r.thefts)); k++ {
		o := &r.ops[row.op(k)]
		r.fetched ^= o.Value ^ o.Return
	}
}

// unmet is the violation of a steal that does not begin where another ended.
func (r *rangeCase) unmet(op uint32) *finding.Finding {
	o := &r.ops[op]
	return r.prove(rangeClaim{kind: finding.Order, text: fmt.Sprintf("[%d,%d) was stolen, and can never have been at the high end", o.Value, o.To), ops: []uint32{op}})
}

// greedy is the claim that an operation took more than it had asked for.
func (r *rangeCase) greedy(op uint32) rangeClaim {
	o := &r.ops[op]
	return rangeClaim{kind: finding.Other, text: fmt.Sprintf("%s took %d indices, and had asked for %d", o.Op, o.Len(), o.Size), ops: []uint32{op}}
}

// demand notes what the object demands of the merge.
func (r *rangeCase) demand() *finding.Finding {
	d := rangeDemand{rangeCase: r, run: -1}
	r.vacant = make([]uint32, len(r.own)+1)
	r.vacant[0] = 1
	for i, op := range r.own {
		o := &r.ops[op]
		var bad *finding.Finding
		switch {
		case o.PutsIn():
			bad = d.push(i, o)
		case o.TakesOut():
			d.low = o.To
		case o.Op == model.Pop && o.Result == model.Empty:
			bad = d.empty(i, finding.FalseEmpty, "pop found nothing, although something was inside")
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
		d.high = d.floors[d.possible]
		d.possible++
	}
}

func (d *rangeDemand) push(i int, o *model.Operation) *finding.Finding {
	if d.run < 0 || d.run+1 < len(d.runs) && d.runs[d.run+1].top == o.To && o.To != d.low {
		if bad := d.empty(i, finding.Order, "a range was pushed, although another one that it does not adjoin was inside"); bad != nil {
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
func (d *rangeDemand) empty(i int, kind, text string) *finding.Finding {
	if d.low != d.high {
		return d.prove(rangeClaim{kind: kind, text: text, ops: []uint32{d.own[i]}, pushes: d.runOps(d.run)})
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
func (d *rangeDemand) makeRoom(i int, room uint64) *finding.Finding {
	for d.fitHigh-d.low > room {
		if d.fit == d.possible {
			return d.prove(rangeClaim{kind: finding.Other, text: fmt.Sprintf("a push exceeds the capacity of %d", room), ops: []uint32{d.own[i]}, pushes: d.runOps(d.run)})
		}
		d.fitHigh = d.floors[d.fit]
		d.fit++
	}
	if d.fit > 0 {
		d.needs(i, d.fit)
	}
	return nil
}
