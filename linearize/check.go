package linearize

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"stealproof/linearize/internal/limits"
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
}

// Check decides a history, each object by itself. What is no history, since
// operations of a process overlap, say, is undecided: see [Report.Invalid].
func Check(ctx context.Context, h *model.History, o Options) *Report {
	return check(ctx, h, o, leeway{})
}

// leeway is how long parts of a check may take. Tests give more of it, or less.
type leeway struct {
	search limits.Own    // limits of the first general search; zero: the usual ones
	window time.Duration // to make the operations shown few; zero: as usual
}

func check(ctx context.Context, h *model.History, o Options, l leeway) *Report {
	start := time.Now()
	if !o.Validated {
		if err := h.Validate(); err != nil {
			return invalid(h, err)
		}
	}
	objects := split(h)
	if len(objects) == 0 {
		return &Report{Verdict: model.NotRun, Notes: []string{"the history has no operations: nothing was checked"}}
	}
	if _, err := ParseChecker(string(o.Checker)); err != nil {
		return &Report{Verdict: model.Undecided, Operations: len(h.Ops), Objects: len(objects), Undecided: []Reason{{Msg: err.Error()}}}
	}
	begun := start
	if !o.Begun.IsZero() {
		begun = o.Begun
	}
	c := &checking{options: o, leeway: l, guard: limits.New(ctx, begun, o.limits(l.search))}
	results := c.decideAll(objects)
	c.guard.Close()
	r := newReport(h, objects, results, o.Certify)
	r.Elapsed = time.Since(start)
	return r
}

// limits are those of a guard.
func (o Options) limits(search limits.Own) limits.Limits {
	auto := o.Checker == Auto || o.Checker == ""
	return limits.Limits{Timeout: o.Timeout, Memory: o.Memory, Jobs: o.jobs(), OfSearch: auto && o.Timeout == 0, First: search}
}

// jobs is how many objects may be decided at the same time.
func (o Options) jobs() int {
	if o.Jobs > 0 {
		return o.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// checking is one call of Check.
type checking struct {
	options Options
	leeway  leeway
	guard   *limits.Guard
}

// decideAll decides objects, the largest first, so that none of these is left
// over when the others are done. The results stand as the objects do.
func (c *checking) decideAll(objects []*object) []result {
	results := make([]result, len(objects))
	queue := make([]int, len(objects))
	for k := range queue {
		queue[k] = k
	}
	slices.SortStableFunc(queue, func(a, b int) int { return cmp.Compare(len(objects[b].Ops), len(objects[a].Ops)) })
	var (
		workers sync.WaitGroup
		turn    sync.Mutex
		next    int
		done    int
	)
	take := func() (k int, more bool) {
		turn.Lock()
		defer turn.Unlock()
		if next == len(queue) {
			return 0, false
		}
		next++
		return queue[next-1], true
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
			for k, more := take(); more; k, more = take() {
				o := objects[k]
				results[k] = c.certified(o, c.explained(o, c.judged(o)))
				results[k].Order = nil // nobody asks for it any more, and it may be long
				finish()
			}
		})
	}
	workers.Wait()
	return results
}
