package queuetest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"stealproof/fuzz"
	"stealproof/fuzz/choice"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// Flags are what flags and the environment decide.
type Flags struct {
	Seed   uint64
	Memory model.Spec // what to run on; without a name it is sequentially consistent
	// Short does less: fewer small programs in every way, fewer random runs.
	Short bool
	// Progress, if it is there, is told every few seconds what is being done.
	Progress func(what string)
}

// Find tests a queue without a *testing.T: it returns what Check would report.
// The error is for what cannot be tested at all. It saves nothing.
func Find(ctx context.Context, q Queue, s Flags) (*Report, error) {
	x, err := newQueueTest(q, s)
	if err != nil {
		return nil, err
	}
	return x.watched(ctx, x.search)
}

// queueTest is a test of one queue.
type queueTest struct {
	queue    Queue
	flags    Flags
	subject  ref.Subject
	strategy model.Schedule
	watch    *watch
	start    time.Time
	// reproducing looks for the schedule of what another test has met
	reproducing bool

	mu      sync.Mutex
	report  Report
	running *recorder // the execution that is being made, if somebody records it
	program model.Program
	closed  bool // nobody may change the report any more
	told    time.Time
}

func newQueueTest(q Queue, s Flags) (*queueTest, error) {
	return newQueueTestOf(q, s, func(f ref.Foreign) (ref.Foreign, error) { return f, nil })
}

// newQueueTestOf tests what prepare makes of the queue, below the watch.
func newQueueTestOf(q Queue, s Flags, prepare func(ref.Foreign) (ref.Foreign, error)) (*queueTest, error) {
	q.Options = q.Options.withDefaults()
	x := &queueTest{queue: q, flags: s, watch: newWatch(), start: time.Now(), told: time.Now()}
	if q.Build == nil {
		return nil, fmt.Errorf("queue %s: nothing builds it: expected the field Build", q.Name)
	}
	f, err := prepare(q.described())
	if err != nil {
		return nil, err
	}
	x.watch.named = len(f.Sites) > 0
	f = x.watch.below(f)
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
func (x *queueTest) random(shape programs.Shape, n uint64) model.Program {
	return programs.New(x.subject, shape, choice.NewRandom(x.flags.Seed<<20+n))
}

// misuse is the error of a queue whose text asks the memory for what no memory has:
// nothing was found out about the queue.
type misuse struct{ text string }

func (m misuse) Error() string { return m.text }

// watched does the work, but gives it up where an operation never ends.
func (x *queueTest) watched(ctx context.Context, work func(ctx context.Context)) (*Report, error) {
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
	if r.Failure != nil && r.Failure.Finding.Kind == fuzz.KindMisuse {
		return nil, misuse{fmt.Sprintf("queue %s: %s", x.queue.Name, r.Failure.Finding.Explanation)}
	}
	return &r, nil
}

// change changes the report, unless nobody waits for it any more.
func (x *queueTest) change(f func(r *Report)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.closed {
		f(&x.report)
	}
}

// tellEvery is how long nobody is told what is being done.
const tellEvery = 2 * time.Second

// tell says what is being done, now and then.
func (x *queueTest) tell(format string, values ...any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.flags.Progress != nil && !x.closed && time.Since(x.told) > tellEvery {
		x.told = time.Now()
		x.flags.Progress(fmt.Sprintf(format, values...))
	}
}

// failed says whether the report has a violation.
func (x *queueTest) failed() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.report.Verdict == model.Violation
}

// open counts the executions that did not come to an end.
func (x *queueTest) open() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.report.Open
}

// search goes through the parts of a test until one fails.
func (x *queueTest) search(ctx context.Context) {
	x.looksAt()
	x.change(func(r *Report) { r.Verdict = model.Undecided }) // until all is done
	for _, part := range []func(context.Context){x.probe, x.exhaustSmall, x.exhaustClients, x.runRandom} {
		if part(ctx); x.failed() {
			x.confirm(ctx)
			return
		}
	}
	if x.open() > 0 {
		x.showOpen()
	}
	x.change(func(r *Report) {
		if r.Looked.finish(x.queue); ctx.Err() != nil || r.Open > 0 {
			return
		}
		if r.Verdict = model.Linearizable; r.Looked.Idle != "" {
			r.Verdict = model.NotRun
		}
	})
}

// now says what is being executed, for the report of an operation that never
// ends.
func (x *queueTest) now(p model.Program, r *recorder) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.program, x.running = p, r
}
