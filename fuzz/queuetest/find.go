package queuetest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"stealproof/fuzz/choice"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
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
	subject  ref.Subject
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
	return newSessionOf(q, s, func(f ref.Foreign) (ref.Foreign, error) { return f, nil })
}

// newSessionOf tests what prepare makes of the queue, below the watch.
func newSessionOf(q Queue, s Settings, prepare func(ref.Foreign) (ref.Foreign, error)) (*session, error) {
	q.Options = q.Options.withDefaults()
	x := &session{queue: q, settings: s, watch: newWatch(), start: time.Now()}
	if q.Build == nil {
		return nil, fmt.Errorf("queue %s: nothing builds it: expected the field Build", q.Name)
	}
	f, err := prepare(ref.Foreign{Name: q.Name, Kind: q.Kind, Capacity: q.Capacity, Shared: q.Shared, Build: q.Build})
	if err != nil {
		return nil, err
	}
	x.watch.named = len(f.Sites) > 0
	build := f.Build
	f.Build = func(s *ref.Space, processes int) ref.Structure { return x.watch.around(build(s, processes)) }
	if x.subject, err = f.Subject(s.Memory); err != nil {
		return nil, err
	}
	if x.strategy, err = model.ParseSchedule(q.Strategy); err != nil {
		return nil, fmt.Errorf("queue %s: %w", q.Name, err)
	}
	if _, err := x.subject.Prepare(x.random(q.Shape, 0)); err != nil {
		return nil, err
	}
	return x, checkStrategy(x.strategy)
}

// checkStrategy tries the strategy on another structure: some measure an
// execution first, and that of the queue may never end.
func checkStrategy(s model.Schedule) error {
	p := model.Program{Processes: [][]model.Step{model.Calls(model.Call{Op: model.Push, Value: model.NoValue})}}
	abp, err := ref.NewSubject(model.Spec{Structure: "abp"}, model.Spec{})
	if err != nil {
		return err
	}
	setup, err := abp.Prepare(p)
	if err == nil {
		_, _, err = schedule.New(s, setup)
	}
	return err
}

// random is a random program of a shape.
func (x *session) random(shape programs.Shape, n uint64) model.Program {
	return programs.New(x.subject, shape, choice.NewRandom(x.settings.Seed<<20+n))
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
