package fuzz

import (
	"context"
	"time"

	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

// Exhaust executes a program in every way that matters, on the simulated
// memory, by dynamic partial order reduction with source sets and sleep sets
// (Abdulla, Aronis, Jonsson & Sagonas 2014): of executions that differ only in
// the order of independent accesses it runs one, or few.
//
// Two accesses depend on one another if they touch the same location and one of
// them writes; or if one ends an operation and the other begins one, since
// their order decides what precedes what in the history.
//
// A process that would only repeat its last access on a location that nobody
// has written since spins, and is not tried until somebody has. Loops of more
// than one access are not recognised: a structure that waits in one meets the
// limit of accesses, and the result is then undecided.
type Exhaust struct {
	Setup *ref.Setup
	// Limit is the number of executions after which to give up, 0 for none.
	Limit int
	// Accesses is the limit of a single execution.
	Accesses int
	// Progress is told now and then how many executions were made.
	Progress func(executions int)
	// Each is shown every execution that was run to its end, if it is there.
	Each func(*ref.Execution)
	// Around puts a scheduler of the caller's around that of the search, which may
	// hide processes from it, or stop an execution.
	Around func(ref.Scheduler) ref.Scheduler
}

// Exhausted is what came of it.
type Exhausted struct {
	// Verdict is Linearizable only if every execution was made, up to
	// equivalence, and held.
	Verdict model.Verdict
	// Executions were run to their end; Cut were found to be equivalent to one
	// of them on the way; Histories are those that differ.
	Executions, Cut, Histories int
	// Complete says whether nothing is left to execute.
	Complete bool
	Elapsed  time.Duration
	Failure  *Failure
}

// Run explores until a violation is found, everything is done, a limit is met
// or the context ends.
func (x *Exhaust) Run(ctx context.Context) *Exhausted {
	if x.Setup.Weak() {
		return x.runWeak(ctx)
	}
	start := time.Now()
	sim := ref.NewSim(x.Setup)
	defer sim.Close()
	sim.Tracing = true
	sim.Patience = patienceOfSearch
	if x.Accesses > 0 {
		sim.Limit = x.Accesses
	}
	s := newSearch(x.Setup.Processes())
	r := &Exhausted{Verdict: model.Linearizable}
	for r.Verdict != model.Violation {
		if ctx.Err() != nil || x.Limit > 0 && r.Executions >= x.Limit {
			r.Verdict = model.Undecided
			break
		}
		x.once(sim, s, r)
		if r.Complete = !s.backtrack(); r.Complete {
			break
		}
		if x.Progress != nil && r.Executions%1024 == 0 {
			x.Progress(r.Executions)
		}
	}
	r.Histories, r.Elapsed = len(s.seen), time.Since(start)
	return r
}

// patienceOfSearch is how long everybody may spin until the execution counts as
// stuck.
const patienceOfSearch = 50

// once makes one execution and judges it if its history is new.
func (x *Exhaust) once(sim *ref.Sim, s *search, r *Exhausted) {
	s.begin()
	var scheduler ref.Scheduler = s
	if x.Around != nil {
		scheduler = x.Around(s)
	}
	e := sim.Run(scheduler)
	if s.asleep {
		r.Cut++
		s.races(e)
		return
	}
	r.Executions++
	s.races(e)
	if x.Each != nil {
		x.Each(e)
	}
	if e.Ending == ref.Complete {
		key := keyOf(e.History)
		if s.seen[key] {
			return
		}
		s.seen[key] = true
		if linearize.CheckSmall(e.History) {
			return
		}
	}
	f := Judge(e)
	r.Verdict = r.Verdict.And(f.Verdict)
	if f.Verdict == model.Violation {
		r.Failure = &Failure{Run: r.Executions, Finding: f, History: cloneHistory(e.Timed()), Case: model.Case{
			Note: "found by exhaustive exploration", Kind: x.Setup.Config.Design.Kind, Spec: x.Setup.Spec, Memory: x.Setup.Memory, Program: x.Setup.Program,
			Schedule: model.Schedule{Strategy: model.ByChoices, Choices: e.Choices()}, Verdict: f.Verdict, Found: f.Kind,
		}}
	}
}
