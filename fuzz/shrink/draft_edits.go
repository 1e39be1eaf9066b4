package shrink

import (
	"iter"
	"slices"

	"stealproof/model"
)

// smaller yields the drafts that have one thing less, the largest things first:
// a process, an end of a phase, an operation, repetitions, an operation of every
// repetition, the difference between two processes, what a range is asked for.
func (d draft) smaller(yield func(draft) bool) {
	for _, edits := range []iter.Seq[draft]{d.fewerProcesses, d.fewerPhases, d.fewerCalls, d.fewerRepetitions, d.shorterBodies, d.mergedProcesses, d.smallerSizes, d.closerIntervals, d.fewerObjects} {
		for c := range edits {
			if !yield(c) {
				return
			}
		}
	}
}

// withoutIdleWaits leaves out waits whose signal was left out.
func (d draft) withoutIdleWaits() draft {
	given := map[string]bool{}
	each := func(do func(spot, *model.Call)) {
		for _, s := range d.spots(false) {
			if pc := &d.processes[s.process][s.piece]; pc.times == 1 { // a group has no signal that is given once
				do(s, &pc.calls[0])
			}
		}
	}
	each(func(_ spot, c *model.Call) { given[c.Sync.Name] = given[c.Sync.Name] || c.Op == model.Signal })
	var idle []spot
	each(func(s spot, c *model.Call) {
		if c.Op == model.Wait && !given[c.Sync.Name] {
			idle = append(idle, s)
		}
	})
	if len(idle) == 0 {
		return d
	}
	return d.without(idle)
}

func (d draft) fewerProcesses(yield func(draft) bool) {
	for i := range d.processes {
		c := d.clone()
		c.processes[i] = nil
		if !yield(c) {
			return
		}
	}
}

// fewerPhases leaves out the i-th end of a phase of every process.
func (d draft) fewerPhases(yield func(draft) bool) {
	ends := make([][]spot, len(d.processes))
	for _, s := range d.spots(true) {
		ends[s.process] = append(ends[s.process], s)
	}
	for i := range ends[0] {
		var left []spot
		for _, e := range ends {
			if i < len(e) {
				left = append(left, e[i])
			}
		}
		if !yield(d.without(left)) {
			return
		}
	}
}

func (d draft) fewerCalls(yield func(draft) bool) {
	for _, s := range d.spots(false) {
		if !yield(d.without([]spot{s})) {
			return
		}
	}
}

// pairs yields the drafts that have two calls less: a push and the pop that
// takes it can often be spared together.
func (d draft) pairs(yield func(draft) bool) {
	all := d.spots(false)
	for i := range all {
		for j := range i {
			if !yield(d.without([]spot{all[j], all[i]})) {
				return
			}
		}
	}
}

// fewerRepetitions leaves out repetitions, from the end and from the beginning.
func (d draft) fewerRepetitions(yield func(draft) bool) {
	for _, s := range d.spots(false) {
		pc := d.processes[s.process][s.piece]
		for less := pc.times - 1; less > 0; less /= 2 {
			c := d.clone()
			c.processes[s.process][s.piece].times -= less
			if !yield(c) {
				return
			}
			c = d.clone()
			first := &c.processes[s.process][s.piece]
			first.times -= less
			first.places = slices.Clone(first.places)
			for i := range first.places {
				first.places[i] += less * first.stride
			}
			if !yield(c) {
				return
			}
		}
	}
}

// shorterBodies leaves an operation out of every repetition.
func (d draft) shorterBodies(yield func(draft) bool) {
	for _, s := range d.spots(false) {
		pc := d.processes[s.process][s.piece]
		if pc.times == 1 {
			continue
		}
		for i := range pc.calls {
			c := d.clone()
			short := &c.processes[s.process][s.piece]
			short.calls = slices.Delete(slices.Clone(pc.calls), i, i+1)
			short.places = slices.Delete(slices.Clone(pc.places), i, i+1)
			if len(short.calls) == 0 {
				c.processes[s.process] = slices.Delete(c.processes[s.process], s.piece, s.piece+1)
			}
			if !yield(c) {
				return
			}
		}
	}
}

// mergedProcesses lets one process do what another one did, behind its own.
// With phases that would be another program.
func (d draft) mergedProcesses(yield func(draft) bool) {
	if len(d.spots(true)) > 0 {
		return
	}
	for i := range d.processes {
		for j := range d.processes {
			if i == j {
				continue
			}
			c := d.clone()
			c.processes[i] = slices.Concat(d.processes[i], d.processes[j])
			c.processes[j] = nil
			if !yield(c) {
				return
			}
		}
	}
}

// fewerObjects gives the last object's operations to another one.
func (d draft) fewerObjects(yield func(draft) bool) {
	last := uint32(d.program().Objects() - 1)
	for to := range last {
		c := d.eachCall(func(call *model.Call) {
			if call.Object == last {
				call.Object = to
			}
		})
		if !yield(c) {
			return
		}
	}
}

// eachCall is the draft with every call changed.
func (d draft) eachCall(change func(*model.Call)) draft {
	c := d.clone()
	for _, pieces := range c.processes {
		for i := range pieces {
			pieces[i].calls = slices.Clone(pieces[i].calls)
			for k := range pieces[i].calls {
				change(&pieces[i].calls[k])
			}
		}
	}
	return c
}
