package queuetest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"stealproof/fuzz"
	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

// Settings are what flags and the environment decide.
type Settings struct {
	Seed   uint64
	Memory model.Spec // what to run on; without a name it is sequentially consistent
	// Short does less: fewer small programs in every way, fewer random runs.
	Short bool
}

// Find tests a queue without a *testing.T: it returns what Check would report.
// The error is for what cannot be tested at all. It saves nothing.
func Find(ctx context.Context, q Queue, s Settings) (*Report, error) {
	x, err := newSession(q, s)
	if err != nil {
		return nil, err
	}
	return x.watched(ctx, x.search), nil
}

// session is a test of one queue.
type session struct {
	queue    Queue
	settings Settings
	design   *ref.Design
	config   *ref.Config
	strategy model.Schedule
	watch    *watch
	start    time.Time
	// reproducing looks for the schedule of what another session has met
	reproducing bool

	mu      sync.Mutex
	report  Report
	running *recorder // the execution that is being made, if somebody records it
	program model.Program
	closed  bool // nobody may change the report any more
}

func newSession(q Queue, s Settings) (*session, error) {
	q.Options = q.Options.withDefaults()
	x := &session{queue: q, settings: s, watch: newWatch(), start: time.Now()}
	if q.Build == nil {
		return nil, fmt.Errorf("queue %s: nothing builds it: expected the field Build", q.Name)
	}
	var err error
	x.design, err = ref.Foreign{
		Name: q.Name, Kind: q.Kind, Capacity: q.Capacity, Shared: q.Shared,
		Build: func(s *ref.Space, processes int) ref.Structure { return x.watch.around(q.Build(s, processes)) },
	}.Design()
	if err != nil {
		return nil, err
	}
	if x.config, err = x.design.Resolve(x.spec()); err != nil {
		return nil, err
	}
	if x.strategy, err = model.ParseSchedule(q.Strategy); err != nil {
		return nil, fmt.Errorf("queue %s: %w", q.Name, err)
	}
	if _, err := x.prepare(x.random(q.Shape, 0)); err != nil {
		return nil, err
	}
	return x, checkStrategy(x.strategy)
}

// checkStrategy tries the strategy on another structure: some measure an
// execution first, and that of the queue may never end.
func checkStrategy(s model.Schedule) error {
	p := model.Program{Processes: [][]model.Step{model.Calls(model.Call{Op: model.Push, Value: model.NoValue})}}
	setup, err := ref.Prepare(model.Spec{Structure: "abp"}, p)
	if err == nil {
		_, _, err = fuzz.NewStrategy(s, setup)
	}
	return err
}

func (x *session) spec() model.Spec { return model.Spec{Structure: x.queue.Name} }

func (x *session) prepare(p model.Program) (*ref.Setup, error) {
	return x.design.PrepareOn(x.settings.Memory, x.spec(), p)
}

// random is a random program of a shape.
func (x *session) random(shape fuzz.Shape, n uint64) model.Program {
	return fuzz.NewProgram(x.config, shape, fuzz.NewRandom(x.settings.Seed<<20+n))
}

// watched does the work, but gives it up where an operation never ends.
func (x *session) watched(ctx context.Context, work func(ctx context.Context)) *Report {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(ctx)
	}()
	op := x.watch.endless(done, x.queue.Patience)
	cancel()
	x.mu.Lock()
	x.closed = true
	r, known := x.report, x.running != nil
	x.mu.Unlock()
	if op != nil && r.Verdict != model.Violation {
		r.Failure, r.Verdict = x.endless(op), model.Violation
		if !known && !x.reproducing {
			x.reproduceEndless(&r)
		}
	}
	if x.watch.stray.Load() && r.Verdict != model.Violation {
		r.Failure, r.Verdict = x.strayed(), model.Violation
	}
	r.Elapsed = time.Since(x.start)
	return &r
}

// change changes the report, unless nobody waits for it any more.
func (x *session) change(f func(r *Report)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.closed {
		f(&x.report)
	}
}

// failed says whether the report has a violation.
func (x *session) failed() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.report.Verdict == model.Violation
}

// open counts the executions that did not come to an end.
func (x *session) open() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.report.Open
}

// search goes through the parts of a test until one fails.
func (x *session) search(ctx context.Context) {
	x.change(func(r *Report) { r.Verdict = model.Undecided }) // until all is done
	for _, part := range []func(context.Context){x.probe, x.exhaustSmall, x.runRandom} {
		if part(ctx); x.failed() {
			x.confirm(ctx)
			return
		}
	}
	x.change(func(r *Report) {
		if ctx.Err() == nil && r.Open == 0 {
			r.Verdict = model.Linearizable
		}
	})
}

// now says what is being executed, for the report of an operation that never
// ends.
func (x *session) now(p model.Program, r *recorder) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.program, x.running = p, r
}

// simulation is a memory on which an execution is given up in time.
func (x *session) simulation(setup *ref.Setup) *ref.Sim {
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
func (x *session) runRandom(ctx context.Context) {
	for first := 0; first < x.queue.Checks && ctx.Err() == nil && !x.failed() && x.open() < mostOpen; first += runsPerProgram {
		x.runProgram(ctx, x.random(x.queue.Shape, uint64(first/runsPerProgram)), first, min(first+runsPerProgram, x.queue.Checks))
	}
}

func (x *session) runProgram(ctx context.Context, p model.Program, from, to int) {
	setup, err := x.prepare(p)
	if err != nil {
		x.broken(err)
		return
	}
	x.now(p, nil)
	st, _, err := fuzz.NewStrategy(x.strategy, setup)
	if err != nil {
		x.broken(err)
		return
	}
	sim := x.simulation(setup)
	defer sim.Close()
	for i := from; i < to && ctx.Err() == nil && x.open() < mostOpen; i++ {
		seed := x.settings.Seed + uint64(i)
		note := fmt.Sprintf("found by %s, run %d", fuzz.WithSeed(x.strategy, seed), i+1)
		if !x.judge(x.run(sim, setup, st, seed), note) {
			return
		}
	}
}

// run makes one execution and records its choices, should it never end.
func (x *session) run(sim *ref.Sim, setup *ref.Setup, st fuzz.Strategy, seed uint64) *ref.Execution {
	rec := &recorder{Strategy: st}
	x.now(setup.Program, rec)
	defer x.now(setup.Program, nil)
	rec.Begin(seed)
	return sim.Run(rec)
}

// judge counts an execution and says whether it holds.
func (x *session) judge(e *ref.Execution, note string) bool {
	x.change(func(r *Report) { r.Executions++ })
	if e.Ending == ref.Complete && linearize.CheckSmall(e.History) {
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
func (x *session) found(e *ref.Execution, f fuzz.Finding, note string) {
	failure := &fuzz.Failure{Finding: f, History: e.History.With(append([]model.Operation(nil), e.History.Ops...)), Case: x.save(e.Setup.Program, e.Choices(), f, note)}
	x.change(func(r *Report) {
		if f.Verdict != model.Violation {
			r.Open++
		}
		if f.Verdict == model.Violation || r.Failure == nil {
			r.Failure, r.Verdict = failure, f.Verdict
		}
	})
}

func (x *session) save(p model.Program, choices model.Choices, f fuzz.Finding, note string) model.Case {
	return model.Case{
		Note: note, Kind: x.queue.Kind, Spec: x.spec(), Memory: x.settings.Memory, Program: p,
		Schedule: model.Schedule{Strategy: model.ByChoices, Choices: choices}, Verdict: f.Verdict, Found: f.Kind,
	}
}

// broken reports that the queue cannot even be laid out for a program.
func (x *session) broken(err error) {
	x.change(func(r *Report) {
		r.Verdict = model.Violation
		r.Failure = &fuzz.Failure{Finding: fuzz.Finding{Verdict: model.Violation, Kind: fuzz.KindFault, Explanation: err.Error()}}
	})
}
