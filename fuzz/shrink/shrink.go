// Package shrink looks for the smallest case that fails for the same reason as a
// given one.
package shrink

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stealproof/fuzz"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// Search looks for the smallest case that fails for the same reason as a given
// one: with fewer operations, processes and phases, less asked of a range, fewer
// preemptions, fewer weak outcomes; see Size for what counts first.
//
// For every smaller program it looks for a schedule: the old one without what
// was left out, then those with few preemptions, random ones, and at last all of
// them (see Exhaust). It ends where nothing single can be left out any more. The
// same case gives the same result, unless the context ended.
type Search struct {
	Subject ref.Subject
	// Case is the failing one; it must have a schedule.
	Case model.Case
	// Effort is how many executions may be spent on one smaller program, 0 for
	// DefaultEffort.
	Effort int
	// Accesses is after how many it stops, 0 for 200 million. Unlike a time limit
	// it is met at the same place on every machine.
	Accesses int
	// Progress is told the smallest size so far and the number of programs that
	// were tried.
	Progress func(smallest Size, tried int)
}

// DefaultEffort decides most programs of up to six operations.
const DefaultEffort = 20_000

// defaultAccesses takes minutes.
const defaultAccesses = 200_000_000

// Result is what came of it.
type Result struct {
	// Failure is that of the smallest case.
	Failure *fuzz.Failure
	From    Size
	To      Size
	// Complete says that it came to its end: nothing single was found that can be
	// left out. Otherwise the context ended first, or the limit of accesses was met.
	Complete bool
	// Exact says that this is so: every program with one thing less was executed
	// in every way that matters. Otherwise some were too large for that.
	Exact   bool
	Tried   int // smaller programs
	Spent   int // accesses
	Elapsed time.Duration
}

// Run shrinks the case.
func (s *Search) Run(ctx context.Context) (*Result, error) {
	start := time.Now()
	ctx, enough := context.WithCancel(ctx)
	defer enough()
	k, err := s.begin(ctx, enough)
	if err != nil {
		return nil, err
	}
	from := k.best.size
	k.run()
	r := &Result{Failure: k.failure(from), From: from, To: k.best.size, Complete: ctx.Err() == nil, Tried: k.tried, Spent: k.spent, Elapsed: time.Since(start)}
	r.Exact = r.Complete && k.open == 0
	return r, nil
}

// shrinker is a search for a smaller case. It lives for one call of Run and ends that
// call's context itself, once it has spent what it may: so it keeps it.
type shrinker struct {
	*Search
	subject ref.Subject // as the case has it
	ctx     context.Context
	enough  func() // ends the context
	most    int    // accesses, and how many were spent
	spent   int
	effort  int
	reason  reason
	best    *specimen
	tried   int
	open    int // programs that could not be decided in the last round
	failed  map[string]effort
}

// specimen is a failing execution that is small so far.
type specimen struct {
	program model.Program // flat
	choices model.Choices
	plan    []planned
	finding fuzz.Finding
	history *model.History
	size    Size
}

// begin executes the case as it is.
func (s *Search) begin(ctx context.Context, enough func()) (*shrinker, error) {
	subject, err := s.Subject.With(s.Case.Spec)
	if err == nil {
		subject, err = subject.On(s.Case.Memory)
	}
	if err != nil {
		return nil, err
	}
	k := &shrinker{Search: s, subject: subject, ctx: ctx, enough: enough, most: s.Accesses, effort: s.Effort, failed: map[string]effort{}}
	if k.most <= 0 {
		k.most = defaultAccesses
	}
	if k.effort <= 0 {
		k.effort = DefaultEffort
	}
	r, err := fuzz.RunCaseOf(s.Subject, s.Case)
	if err != nil {
		return nil, err
	}
	if r.Finding.Verdict != model.Violation {
		return nil, fmt.Errorf("there is nothing to shrink: the case is %s", r.Finding.Verdict)
	}
	k.reason = reasonOf(r.Finding)
	setup, err := subject.Prepare(flatten(s.Case.Program))
	if err != nil {
		return nil, err
	}
	if k.best = k.examine(setup, schedule.NewReplay(r.Execution.Choices()), ref.DefaultLimit); k.best == nil {
		return nil, errFickle
	}
	return k, nil
}

// errFickle says that the same schedule did not give the same execution.
var errFickle = errors.New("the same schedule did not fail again: the structure keeps state outside of the memory")

// ran counts the accesses of an execution, and stops when there were enough.
func (k *shrinker) ran(e *ref.Execution) *ref.Execution {
	k.spend(e.Steps)
	return e
}

func (k *shrinker) spend(accesses int) {
	if k.spent += accesses; k.most > 0 && k.spent > k.most {
		k.enough()
	}
}

// examine executes one schedule and keeps the execution if it fails for the
// same reason.
func (k *shrinker) examine(setup *ref.Setup, schedule schedule.Strategy, limit int) *specimen {
	sim := ref.NewSim(setup)
	defer sim.Close()
	sim.Limit = limit
	if k.best != nil && k.hardest() == cheap { // a trace of so many accesses is worth making only of what fails
		schedule.Begin(0)
		if fuzz.Holds(k.ran(sim.Run(schedule))) {
			return nil
		}
	}
	sim.Tracing = true
	schedule.Begin(0)
	w := &watched{Scheduler: schedule}
	e := k.ran(sim.Run(w))
	f := fuzz.Judge(e)
	if f.Verdict != model.Violation || reasonOf(f) != k.reason {
		return nil
	}
	choices := e.Choices()
	size := sizeOfProgram(setup.Program)
	size.Preemptions, size.Inside, size.Weak, size.Accesses = w.preemptions, w.inside, w.weak, e.Steps
	return &specimen{setup.Program, choices, planOf(e, choices), f, fuzz.NewFailure(e, f, "").History, size}
}

// run goes on until nothing becomes smaller. Cheap questions come first, and
// again after every success of a dear one.
func (k *shrinker) run() {
	k.chunks()
	for level := cheap; level <= k.hardest() && k.ctx.Err() == nil; level++ {
		if k.round(level) || level == thorough && k.others() {
			level = cheap - 1
		}
	}
	k.schedule()
}

// hardest is how hard it is worth looking.
func (k *shrinker) hardest() effort {
	if k.best.size.Accesses > longExecution {
		return cheap
	}
	return thorough
}

// chunks leaves out many operations at once, while that works.
func (k *shrinker) chunks() {
	d := draftOf(k.best.program)
	for size := len(d.spots(false)) / 2; size > 1; size /= 2 {
		for from := 0; ; {
			d = draftOf(k.best.program)
			all := d.spots(false)
			if from >= len(all) || k.ctx.Err() != nil {
				break
			}
			if !k.try(d.without(all[from:min(from+size, len(all))]), cheap) {
				from += size
			}
		}
	}
}

// mostForPairs is of how many pieces two at a time are left out, by effort: there
// are many pairs.
var mostForPairs = map[effort]int{moderate: 12, thorough: 8}

// round tries everything single once, until something works.
func (k *shrinker) round(level effort) bool {
	k.open = 0
	d := draftOf(k.best.program)
	for c := range d.smaller {
		if k.try(c, level) {
			return true
		}
	}
	open := k.open
	if len(d.spots(false)) <= mostForPairs[level] {
		for c := range d.pairs {
			if k.try(c, level) {
				return true
			}
		}
	}
	k.open = open
	return false
}

// failure is the smallest case, as a failure of its own.
func (k *shrinker) failure(from Size) *fuzz.Failure {
	c := k.Case
	c.Program, c.Schedule = rolled(k.best.program), model.Schedule{Strategy: model.ByChoices, Choices: k.best.choices}
	c.Verdict, c.Found = k.best.finding.Verdict, k.best.finding.Kind
	if k.best.size.Less(from) {
		note := "shrunk from " + from.String()
		if c.Note != "" {
			note = c.Note + "; " + note
		}
		c.Note = note
	}
	return &fuzz.Failure{Case: c, Finding: k.best.finding, History: k.best.history}
}
