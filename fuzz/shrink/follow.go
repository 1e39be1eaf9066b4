package shrink

import (
	"slices"

	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// planned is one access of an execution as a plan for a similar program: which
// operation of which process makes it, and with which outcome.
type planned struct {
	process int // or thread: see ref.Setup.Threads
	// op is its place among the operations of its process: with ends of phases
	// in the plan of an execution, without them in one to be followed.
	op   int
	pick uint16
}

// planOf writes down what a traced execution did, access by access.
func planOf(e *ref.Execution, choices model.Choices) []planned {
	plan := make([]planned, 0, e.Steps)
	for i := range e.Trace {
		if ev := &e.Trace[i]; !ev.Silent {
			plan = append(plan, planned{process: ev.Process, op: ev.Op})
		}
	}
	i := 0
	for _, r := range choices {
		for range r.Times {
			if i < len(plan) {
				plan[i].pick = r.Pick
			}
			i++
		}
	}
	return plan
}

// follow carries out a plan as far as it goes: what a process cannot do is
// passed over, and a process that has fallen behind catches up first. Beyond
// the plan it goes on without preemptions. Any plan is a schedule of any
// program, which is what shrinking needs; Replay is for those that must fit.
type follow struct {
	plan  []planned
	at    int
	begun []int // operations that each process has begun
	pick  uint16
	rest  schedule.RoundRobin
}

func newFollow(plan []planned, processes int) *follow {
	return &follow{plan: plan, begun: make([]int, processes)}
}

// Begin starts from the first planned access; the seed does not matter.
func (f *follow) Begin(uint64) {
	f.at, f.pick = 0, 0
	clear(f.begun)
}

// Next returns the process of the first planned access that can be made.
func (f *follow) Next(v *ref.View) int {
	p := f.choose(v)
	if v.Begins(p) {
		f.begun[p]++
	}
	return p
}

func (f *follow) choose(v *ref.View) int {
	for ; f.at < len(f.plan); f.at++ {
		c := f.plan[f.at]
		if !slices.Contains(v.Enabled, c.process) {
			continue
		}
		op := f.begun[c.process] - 1
		if v.Begins(c.process) {
			op++
		}
		switch {
		case op > c.op: // that operation is over already
		case op < c.op && !schedule.Waits(v, c.process) && !v.Waits(c.process):
			f.pick = 0
			return c.process // to catch up
		case op == c.op:
			f.at++
			f.pick = c.pick
			return c.process
		}
	}
	f.pick = 0
	return f.rest.Next(v)
}

// Pick returns the planned outcome, or the oldest that there is.
func (f *follow) Pick(_ *ref.View, n int) int { return min(int(f.pick), n-1) }

// watched counts what a schedule asks of its reader.
type watched struct {
	ref.Scheduler
	course
	preemptions int
	inside      int // an operation
	weak        int
}

// Next counts a preemption where the process before could have gone on, or others of its
// lanes.
func (w *watched) Next(v *ref.View) int {
	p := w.Scheduler.Next(v)
	if p < 0 || p == v.Last {
		return p
	}
	able := v.Enabled
	if at := slices.Index(able, v.Last); at >= 0 && v.Waits(v.Last) {
		able = slices.Delete(slices.Clone(able), at, at+1)
	}
	if free := w.unforced(v, able); v.Last >= 0 && !slices.Contains(free, p) {
		w.preemptions++
		if !v.Begins(free[0]) {
			w.inside++
		}
	}
	return w.chose(v, p)
}

// Buffered are the choices of an execution that is made of all of them at once.
func (w *watched) Buffered() model.Choices {
	b, ok := w.Scheduler.(ref.BufferedScheduler)
	if !ok {
		return nil
	}
	choices := b.Buffered()
	for i, r := range choices {
		if w.weak += int(r.Pick) * int(r.Times); r.Later > 0 {
			w.weak++
		}
		if i > 0 && choices[i-1].Process != r.Process {
			w.preemptions++
		}
	}
	return choices
}

// Pick adds up outcomes that are not the newest.
func (w *watched) Pick(v *ref.View, n int) int {
	k := w.Scheduler.Pick(v, n)
	w.weak += k
	return k
}
