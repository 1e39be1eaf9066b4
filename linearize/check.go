package linearize

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"stealproof/model"
)

// Options limit and direct a check. The zero value is ready for use.
type Options struct {
	Checker Checker
	// Timeout bounds the whole check. 0 means none, except that the general
	// search, where Auto comes to it because a monitor gave up, has a limit of
	// its own: a minute for one object, and in all about two minutes, and a
	// tenth of a second for each object, for searches that lead nowhere.
	Timeout time.Duration
	// Begun is when Timeout began to run; zero means when Check is called.
	Begun time.Time
	// Memory bounds the heap, in bytes; 0 means half of what the machine, or
	// the group of processes that this one is confined to, has. Of that the
	// general search gets a quarter, where it has a limit of its own.
	Memory uint64
	// Jobs is how many objects are decided at the same time; 0 means one per
	// processor.
	Jobs int
	// Certify has every verdict confirmed: an order by replaying it, a violation
	// by the general search. The notes of the report say what was confirmed.
	Certify bool
	// Validated says that the caller vouches for the history: History.Validate has
	// accepted it, as it has whatever a reader of linearize/format returns, and
	// need not be asked again. Of what is no history Check may then say anything,
	// or panic.
	Validated bool
	// Progress, if set, is called after every object, by one goroutine at a time.
	Progress func(objectsDone, objects int)

	own      *ownLimits    // of tests
	patience time.Duration // of tests, with making windows small
}

// jobs is how many objects may be decided at the same time.
func (o Options) jobs() int {
	if o.Jobs > 0 {
		return o.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// Report is what was decided about a history. A history without operations is
// not run: there was nothing to decide, which is no success.
type Report struct {
	Verdict    model.Verdict
	Operations int
	Objects    int
	// Checker names what decided: direct, monitor, porcupine, or several of
	// them with '+' between.
	Checker    string
	Elapsed    time.Duration
	Violations []Violation
	Undecided  []Reason
	// Invalid says why the operations are no history, if they are none: an error of
	// who recorded them, most often a [model.InvalidError]. Nothing was decided
	// then, so the verdict is undecided.
	Invalid error
	// Uncertified are the objects that were decided, and whose verdicts were to
	// be certified and could not be: within the limits, or at all.
	Uncertified []Reason
	Notes       []string
}

// Violation is how one object broke its promise.
type Violation struct {
	Object uint32
	// Kind is one of the kinds below.
	Kind        string
	Explanation string
	// Ops are places in the history's operations: the few that show it. They
	// have no legal order by themselves.
	Ops []int
	// Lines are the lines of these operations in the file that they came from.
	Lines []int
}

// The kinds of violations. They are stable: scripts may compare them.
const (
	Duplicate  = "duplicate"   // a value left more often than it was put in
	Invented   = "invented"    // a value left that was never put in
	TooEarly   = "too-early"   // a value left before it was put in
	Order      = "order"       // values left in an order that the kind forbids
	FalseEmpty = "false-empty" // the object was found empty and cannot have been
	FalseFull  = "false-full"  // the object was found full and cannot have been
	Overfull   = "overfull"    // more was inside than the declared capacity
	Other      = "other"       // no order exists, for no reason with a name
)

// Reason is why an object stayed undecided, or uncertified.
type Reason struct {
	Object uint32
	Msg    string
}

// monitor decides one object in near-linear time. Ops in its outcome are
// places in that object's history.
type monitor func(q *question) outcome

// question is what a monitor is asked.
type question struct {
	ctx  context.Context
	h    *model.History
	look *survey // of h
	// wantOrder has the order of a linearization written down, which is done
	// otherwise only where there is no other way to decide.
	wantOrder bool
	// optional are operations that may as well not have happened; only a
	// rangeSearch is asked of such.
	optional []bool
}

func (q *question) isOptional(i int) bool { return q.optional != nil && q.optional[i] }

// monitors holds the monitors there are, for histories of distinct values.
var monitors = map[model.Kind]monitor{}

// outcome is what a checker found out about one object.
type outcome struct {
	verdict   model.Verdict
	order     []int // of a linearization, if the checker knows one
	violation Violation
	reason    string // why it is undecided
}

// Check decides a history, each object by itself. What is no history, since
// operations of a process overlap, say, is undecided: see [Report.Invalid].
func Check(ctx context.Context, h *model.History, o Options) *Report {
	start := time.Now()
	if !o.Validated {
		if err := h.Validate(); err != nil {
			return invalid(h, err)
		}
	}
	c := &checking{ctx: ctx, options: o, history: h, objects: split(h)}
	r := &Report{Verdict: model.NotRun, Operations: len(h.Ops), Objects: len(c.objects)}
	if len(c.objects) == 0 {
		r.Notes = []string{"the history has no operations: nothing was checked"}
		return r
	}
	if _, err := ParseChecker(string(o.Checker)); err != nil {
		r.Verdict, r.Undecided = model.Undecided, []Reason{{Msg: err.Error()}}
		return r
	}
	begun := start
	if !o.Begun.IsZero() {
		begun = o.Begun
	}
	c.guard = newGuard(ctx, begun, o)
	c.run()
	c.guard.close()
	c.collect(r)
	r.Elapsed = time.Since(start)
	return r
}

// invalid is the report on what is no history.
func invalid(h *model.History, err error) *Report {
	r := &Report{Verdict: model.Undecided, Invalid: err, Undecided: []Reason{{Msg: "this is no history: " + err.Error()}}}
	if h != nil {
		r.Operations = len(h.Ops)
	}
	return r
}

// checking is one call of Check.
type checking struct {
	ctx     context.Context
	options Options
	history *model.History
	objects []*object
	guard   *guard
}

// run decides all objects, the largest first, so that none of these is left
// over when the others are done.
func (c *checking) run() {
	queue := slices.Clone(c.objects)
	slices.SortStableFunc(queue, func(a, b *object) int { return cmp.Compare(len(b.Ops), len(a.Ops)) })
	var (
		workers sync.WaitGroup
		turn    sync.Mutex
		next    int
		done    int
	)
	take := func() *object {
		turn.Lock()
		defer turn.Unlock()
		if next == len(queue) {
			return nil
		}
		next++
		return queue[next-1]
	}
	finish := func() {
		turn.Lock()
		defer turn.Unlock()
		done++
		if c.options.Progress != nil {
			c.options.Progress(done, len(queue))
		}
	}
	for range min(c.options.jobs(), len(queue)) {
		workers.Go(func() {
			for o := take(); o != nil; o = take() {
				c.decide(o)
				finish()
			}
		})
	}
	workers.Wait()
}

// collect brings the outcomes together, in the order of the object numbers.
func (c *checking) collect(r *Report) {
	used := map[string]bool{}
	for i, o := range c.objects {
		if i == 0 {
			r.Verdict = o.verdict
		}
		r.Verdict = r.Verdict.And(o.verdict)
		switch o.verdict {
		case model.Violation:
			r.Violations = append(r.Violations, o.violation)
		case model.Undecided:
			r.Undecided = append(r.Undecided, Reason{o.id, o.reason})
		}
		r.Notes = append(r.Notes, o.notes...)
		if o.used != "" {
			used[o.used] = true
		}
	}
	if c.options.Certify {
		r.Notes = append(r.Notes, c.certificates()...)
		r.Uncertified = c.notCertified()
	}
	for _, name := range []string{"direct", string(Monitor), string(Porcupine)} {
		if used[name] {
			r.Checker += "+" + name
		}
	}
	r.Checker = strings.TrimPrefix(r.Checker, "+")
}
