package queuetest

import (
	"context"
	"fmt"

	"stealproof/fuzz"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// simulation is a memory on which an execution is given up in time.
func (x *queueTest) simulation(setup *ref.Setup) *ref.Sim {
	sim := ref.NewSim(setup)
	sim.Limit = x.queue.Accesses
	return sim
}

const (
	runsPerProgram = 32
	// mostOpen is after how many executions that did not end it is no use to go on.
	mostOpen = 20
)

// runRandom makes random runs, a new program after every few.
func (x *queueTest) runRandom(ctx context.Context) {
	for first := 0; first < x.queue.Checks && ctx.Err() == nil && !x.failed() && x.open() < mostOpen; first += runsPerProgram {
		x.tell("random programs: %d of %d runs", first, x.queue.Checks)
		x.runProgram(ctx, x.random(x.queue.Shape, uint64(first/runsPerProgram)), first, min(first+runsPerProgram, x.queue.Checks))
	}
}

func (x *queueTest) runProgram(ctx context.Context, p model.Program, from, to int) {
	setup, err := x.subject.Prepare(p)
	if err != nil {
		x.broken(err)
		return
	}
	x.now(p, nil)
	st, _, err := schedule.New(x.strategy, setup)
	if err != nil {
		x.broken(err)
		return
	}
	sim := x.simulation(setup)
	defer sim.Close()
	for i := from; i < to && ctx.Err() == nil && x.open() < mostOpen; i++ {
		seed := x.flags.Seed + uint64(i)
		note := fmt.Sprintf("found by %s, run %d", schedule.WithSeed(x.strategy, seed), i+1)
		if !x.judge(x.run(sim, setup, st, seed), note) {
			return
		}
	}
}

// run makes one execution and records its choices, should it never end.
func (x *queueTest) run(sim *ref.Sim, setup *ref.Setup, st schedule.Strategy, seed uint64) *ref.Execution {
	rec := &recorder{Strategy: st}
	x.now(setup.Program, rec)
	defer x.now(setup.Program, nil)
	rec.Begin(seed)
	return sim.Run(rec)
}

// judge counts an execution and says whether it holds.
func (x *queueTest) judge(e *ref.Execution, note string) bool {
	x.change(func(r *Report) {
		r.Executions++
		r.Looked.heard(e.History)
	})
	if fuzz.Holds(e) {
		return true
	}
	f := fuzz.Judge(e)
	if f.Verdict == model.Linearizable {
		return true
	}
	x.found(e, f, note)
	return f.Verdict != model.Violation
}

// found puts a failure into the report: the first violation, or until there is
// one the first execution that stayed open.
func (x *queueTest) found(e *ref.Execution, f fuzz.Finding, note string) {
	failure := fuzz.NewFailure(e, f, note)
	x.change(func(r *Report) {
		if f.Verdict != model.Violation {
			r.Open++
		}
		if f.Verdict == model.Violation || r.Failure == nil {
			r.Failure, r.Verdict = failure, f.Verdict
		}
	})
}

func (x *queueTest) save(p model.Program, choices model.Choices, f fuzz.Finding, note string) model.Case {
	return fuzz.NewCase(x.subject, p, model.Schedule{Strategy: model.ByChoices, Choices: choices}, f, note)
}

// broken reports that the queue cannot even be laid out for a program.
func (x *queueTest) broken(err error) {
	x.change(func(r *Report) {
		r.Verdict = model.Violation
		r.Failure = &fuzz.Failure{Finding: fuzz.Finding{Verdict: model.Violation, Kind: fuzz.KindFault, Explanation: err.Error()}}
	})
}
