package fuzz

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"stealproof/fuzz/choice"
	"stealproof/fuzz/internal/workers"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// Campaign is many executions of a structure, each judged.
type Campaign struct {
	// Subject: on the memory ptx:buffering=yes as well, no run has load buffering, which
	// only package exhaust makes.
	Subject ref.Subject
	// Program, or random programs of a shape if there is none.
	Program *model.Program
	Shape   programs.Shape
	// Schedule names the strategy; its seed counts up from Seed.
	Schedule model.Schedule
	Seed     uint64
	Runs     int
	// Accesses is the limit of a single simulated execution, 0 for the default.
	Accesses int
	// Native runs on Go's atomics instead of the simulation. What a strategy
	// would decide is then up to the machine.
	Native bool
	// Jobs is the number of workers, 0 for one per processor.
	Jobs int
	// Progress is told now and then how many runs are done.
	Progress func(done int)
}

// Result is what came of a campaign.
type Result struct {
	// Verdict is Linearizable only if every run was.
	Verdict    model.Verdict
	Executions int
	Operations int
	Undecided  int
	Elapsed    time.Duration
	// Failure is that of the first run that failed, the same whatever the
	// number of workers.
	Failure *Failure
}

// RunsPerProgram is how many schedules a random program gets.
const RunsPerProgram = 32

// Run executes the campaign, until a run fails, all are done, or the context
// ends; a campaign that ended early is undecided, with the executions it made.
func (c *Campaign) Run(ctx context.Context) (*Result, error) {
	if _, err := c.Subject.Prepare(c.ProgramOf(0)); err != nil {
		return nil, err
	}
	start := time.Now()
	t := &tally{}
	t.failed.Store(int64(c.Runs))
	var wg sync.WaitGroup
	for range workers.Count(c.Jobs) {
		wg.Go(func() { c.work(ctx, t) })
	}
	wg.Wait()
	r := &Result{Executions: int(t.done.Load()), Operations: int(t.operations.Load()), Undecided: int(t.undecided.Load()), Elapsed: time.Since(start), Failure: t.failure}
	switch {
	case t.err != nil:
		return nil, t.err
	case r.Failure != nil:
		r.Verdict = model.Violation
	case r.Executions == 0:
		r.Verdict = model.NotRun
	case r.Executions < c.Runs || r.Undecided > 0:
		r.Verdict = model.Undecided
	default:
		r.Verdict = model.Linearizable
	}
	return r, nil
}

// tally is what the workers share.
type tally struct {
	next, done, operations, undecided atomic.Int64
	failed                            atomic.Int64 // lowest run that failed

	mu      sync.Mutex
	failure *Failure
	err     error
}

// work takes blocks of runs, lowest first, until a lower run than those left
// has failed.
func (c *Campaign) work(ctx context.Context, t *tally) {
	for {
		block := t.next.Add(1) - 1
		first := block * RunsPerProgram
		if first >= t.failed.Load() || ctx.Err() != nil {
			return
		}
		if err := c.block(ctx, t, int(block)); err != nil {
			t.mu.Lock()
			t.err = err
			t.mu.Unlock()
			return
		}
		if c.Progress != nil {
			c.Progress(int(t.done.Load()))
		}
	}
}

// ProgramOf is the program of a run, from 0 on: every few runs have another one.
func (c *Campaign) ProgramOf(run int) model.Program {
	if c.Program != nil {
		return *c.Program
	}
	shape := c.Shape
	if len(shape) == 0 {
		shape = programs.DefaultShape
	}
	return programs.New(c.Subject, shape, choice.NewRandom(c.Seed<<20+uint64(run/RunsPerProgram)))
}

func (c *Campaign) block(ctx context.Context, t *tally, block int) error {
	setup, err := c.Subject.Prepare(c.ProgramOf(block * RunsPerProgram))
	if err != nil {
		return err
	}
	run, closeRunner, err := c.runner(ctx, setup)
	if err != nil {
		return err
	}
	defer closeRunner()
	for i := block * RunsPerProgram; i < min((block+1)*RunsPerProgram, int(t.failed.Load())) && ctx.Err() == nil; i++ {
		e := run(c.Seed + uint64(i))
		if e.Ending == ref.Cut && ctx.Err() != nil {
			return nil
		}
		t.done.Add(1)
		t.operations.Add(int64(len(e.History.Ops)))
		if Holds(e) {
			continue
		}
		f := Judge(e)
		if f.Verdict != model.Violation {
			t.undecided.Add(1)
			continue
		}
		t.fail(i, c.failure(e, f, i))
		return nil
	}
	return nil
}

// runner returns what makes an execution out of a seed.
func (c *Campaign) runner(ctx context.Context, setup *ref.Setup) (run func(seed uint64) *ref.Execution, closeRunner func(), err error) {
	if c.Native {
		n := ref.NewNative(setup)
		return func(seed uint64) *ref.Execution { return n.Run(ctx, seed) }, func() {}, nil
	}
	st, _, err := schedule.New(c.Schedule, setup)
	if err != nil {
		return nil, nil, err
	}
	sim := ref.NewSim(setup)
	if c.Accesses > 0 {
		sim.Limit = c.Accesses
	}
	return func(seed uint64) *ref.Execution {
		st.Begin(seed)
		return sim.Run(st)
	}, sim.Close, nil
}

// byMachine is the schedule of a case that a native run found.
const byMachine = "native"

// failure keeps a run. The case of a simulated one has its choices, which replay
// to the byte; what a machine did cannot be kept.
func (c *Campaign) failure(e *ref.Execution, f Finding, run int) *Failure {
	failure := NewFailure(e, f, c.foundBy(run))
	failure.Run = run + 1
	if c.Native {
		failure.Case.Schedule = model.Schedule{Strategy: byMachine}
	}
	return failure
}

func (c *Campaign) foundBy(run int) string {
	if c.Native {
		return fmt.Sprintf("found by native run %d", run+1)
	}
	return fmt.Sprintf("found by %s, run %d", schedule.WithSeed(c.Schedule, c.Seed+uint64(run)), run+1)
}

func (t *tally) fail(run int, f *Failure) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if int64(run) < t.failed.Load() {
		t.failed.Store(int64(run))
		t.failure = f
	}
}
