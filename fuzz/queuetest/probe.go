package queuetest

import (
	"context"
	"fmt"

	"stealproof/fuzz"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// probes is how many random runs are made three times each. Strictly watched is the
// first one, and if it fails the other two, which otherwise make the same accesses.
const probes = 48

// probe makes a few runs again, on the same structure and on a new one: the same
// choices must give the same accesses. Otherwise no verdict would mean anything.
func (x *queueTest) probe(ctx context.Context) {
	for i := range min(probes, x.queue.Checks) {
		if ctx.Err() != nil || x.failed() || x.open() > mostOpen/4 {
			return
		}
		p := x.random(x.queue.Shape, uint64(i/4))
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
		x.probeRun(setup, st, x.flags.Seed+uint64(i))
	}
}

func (x *queueTest) probeRun(setup *ref.Setup, st schedule.Strategy, seed uint64) {
	sim := x.simulation(setup)
	defer sim.Close()
	sim.Tracing = true
	x.watch.strict.Store(true)
	defer x.watch.strict.Store(false)
	e := x.run(sim, setup, st, seed)
	first, choices := traceOf(e), e.Choices()
	note := fmt.Sprintf("found by %s", schedule.WithSeed(x.strategy, seed))
	x.judge(e, note)
	if e.Ending == ref.Stuck || e.Ending == ref.Cut {
		return // they end when patience does, not where the choices do
	}
	x.watch.strict.Store(x.failed())
	second := traceOf(x.run(sim, setup, schedule.NewReplay(choices), 0))
	fresh, err := x.subject.Prepare(setup.Program)
	if err != nil {
		x.broken(err)
		return
	}
	anew := x.simulation(fresh)
	defer anew.Close()
	anew.Tracing = true
	third := traceOf(x.run(anew, fresh, schedule.NewReplay(choices), 0))
	for _, other := range [][]string{second, third} {
		if text, differ := difference(first, other); differ {
			x.stateful(setup.Program, choices, text, note)
			return
		}
	}
}

// stateful reports a queue that does not depend on the memory alone, whatever
// else was found before: that may be a consequence.
func (x *queueTest) stateful(p model.Program, choices model.Choices, text, note string) {
	f := fuzz.Finding{Verdict: model.Violation, Kind: KindStateful, Explanation: "the same schedule gave another execution the second time, so the queue keeps state outside of the memory, or depends on something else: all that lasts must lie in words of the ref.Space. " + text}
	x.change(func(r *Report) {
		r.Failure, r.Verdict = &fuzz.Failure{Finding: f, Case: x.save(p, choices, f, note)}, model.Violation
	})
}

// traceOf says what an execution did, a line per access and one for its end.
func traceOf(e *ref.Execution) []string {
	var lines []string
	for i := range e.Trace {
		ev := &e.Trace[i]
		lines = append(lines, fmt.Sprintf("%s %s by process %d: %d, then %d", ev.Kind, e.Setup.Space.Name(ev.Location), ev.Process, ev.Before, ev.After))
	}
	end := fmt.Sprintf("the end: %s", e.Ending)
	for i := range e.History.Ops {
		o := &e.History.Ops[i]
		end += fmt.Sprintf("; %s %s", o.Op, o.Result)
		if o.TakesOut() {
			end += fmt.Sprintf(" %d", o.Value)
		}
	}
	return append(lines, end)
}

// difference is where two executions part.
func difference(a, b []string) (text string, differ bool) {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(b):
			return fmt.Sprintf("Access %d was %s, and the second time there was none", i+1, a[i]), true
		case i >= len(a):
			return fmt.Sprintf("There were %d accesses, and the second time %s came next", i, b[i]), true
		case a[i] != b[i]:
			return fmt.Sprintf("Access %d was %s, and the second time %s", i+1, a[i], b[i]), true
		}
	}
	return "", false
}
