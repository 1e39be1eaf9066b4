package linearize

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"

	"stealproof/linearize/internal/machine"
	"stealproof/linearize/internal/wording"
)

// guard holds a check to its limits. It looks at the clock, the context and
// the heap many times a second, and stops searches by their stoppers.
type guard struct {
	ctx     context.Context // ends with the time limit
	cancel  context.CancelFunc
	timeout time.Duration
	memory  uint64
	own     *allowance // nil: searches have no limits of their own

	mu      sync.Mutex
	running map[*stopper]bool
	before  uint64   // the heap without what the searches took
	stopped *stopper // the search that was asked to give its memory back
	ended   chan struct{}
}

const sampleEvery = 20 * time.Millisecond

var errTimeLimit = errors.New("time limit")

func newGuard(ctx context.Context, start time.Time, o Options) *guard {
	g := &guard{timeout: o.Timeout, memory: o.Memory, running: map[*stopper]bool{}, ended: make(chan struct{})}
	if g.memory == 0 {
		g.memory = machine.Memory()
	}
	g.own = newAllowance(o, g.memory)
	g.before = heapBytes()
	if o.Timeout > 0 {
		g.ctx, g.cancel = context.WithDeadlineCause(ctx, start.Add(o.Timeout), errTimeLimit)
	} else {
		g.ctx, g.cancel = context.WithCancel(ctx)
	}
	go g.watch()
	return g
}

func (g *guard) close() {
	g.cancel()
	<-g.ended
}

// over says why no further search may start, or nothing.
func (g *guard) over() string {
	switch {
	case g.ctx.Err() == nil:
		return ""
	case context.Cause(g.ctx) == errTimeLimit:
		return g.lateText()
	}
	return "interrupted: " + context.Cause(g.ctx).Error()
}

func (g *guard) lateText() string {
	if g.timeout == 0 {
		return "the caller's deadline was met"
	}
	return fmt.Sprintf("the time limit of %s was met", g.timeout)
}

// why says why a search gave up. If nothing stopped it, its own clock was a
// little ahead of ours.
func (g *guard) why(s *stopper) string {
	if why := cmp.Or(s.reason(), g.over()); why != "" || s.granted == 0 {
		return cmp.Or(why, g.lateText())
	}
	return allowanceText(s.granted)
}

// left is how much time is left, if it is limited.
func (g *guard) left() (time.Duration, bool) {
	deadline, limited := g.ctx.Deadline()
	return max(0, time.Until(deadline)), limited
}

// search lets run search, within limits of its own if there are some, and says
// why it led nowhere.
func (g *guard) search(run func(*stopper) (decided bool)) (why string) {
	s := g.start()
	if g.own != nil {
		s.grant(g.own.grant())
	}
	begun := time.Now()
	decided := run(s)
	g.done(s)
	if decided {
		return ""
	}
	if g.own != nil {
		g.own.waste(min(s.granted, time.Since(begun)))
	}
	return g.why(s)
}

// start registers a search, which has the guard's deadline; done must follow.
func (g *guard) start() *stopper {
	s := &stopper{}
	s.deadline, _ = g.ctx.Deadline()
	g.mu.Lock()
	if len(g.running) == 0 {
		g.lookBefore()
	}
	g.running[s] = true
	g.mu.Unlock()
	if why := g.over(); why != "" {
		s.stop(why)
	}
	return s
}

// lookBefore says how large the heap is before a search. What an earlier one
// left behind must not count: with it the next would be given more.
func (g *guard) lookBefore() {
	if g.own == nil || g.own.memory == 0 {
		return
	}
	used := heapBytes()
	if used > g.before+g.own.memory/4 {
		runtime.GC()
		g.before = heapBytes()
	}
	g.before = min(g.before, used)
}

func (g *guard) done(s *stopper) {
	g.mu.Lock()
	delete(g.running, s)
	g.mu.Unlock()
}

func (g *guard) watch() {
	defer close(g.ended)
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		select {
		case <-g.ctx.Done():
			g.stopAll(g.over())
			return
		case <-tick.C:
			g.checkMemory()
		}
	}
}

func (g *guard) stopAll(why string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for s := range g.running {
		s.stop(why)
	}
}

// limit is how large the heap may be now, and what is said of a search that
// made it larger.
func (g *guard) limit() (heap uint64, why string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.own != nil && g.own.memory > 0 && len(g.running) > 0 && g.before+g.own.memory < g.memory {
		return g.before + g.own.memory, shareText(g.own.memory)
	}
	return g.memory, fmt.Sprintf("the memory limit of %s was met", wording.Bytes(g.memory))
}

// checkMemory ends searches, the greediest first, while the heap is too large.
// One that was asked to end is given the time to do so before the next is
// asked, unless the heap outgrows the limit by far.
func (g *guard) checkMemory() {
	limit, why := g.limit()
	used := heapBytes()
	if used > limit && liveBytes() < limit/2 {
		runtime.GC() // most of it is garbage
		used = heapBytes()
	}
	if used <= limit {
		return
	}
	if used > limit+limit/4 {
		g.stopAll(why)
	}
	g.mu.Lock()
	ending := g.running[g.stopped]
	greediest := g.greediest()
	g.mu.Unlock()
	switch {
	case ending:
		return
	case g.stopped != nil:
		g.stopped = nil
		runtime.GC() // what the ended search held is garbage now
	case greediest != nil:
		greediest.stop(why)
		g.stopped = greediest
	}
}

func (g *guard) greediest() *stopper {
	var most *stopper
	for s := range g.running {
		if most == nil || s.steps.Load() > most.steps.Load() {
			most = s
		}
	}
	return most
}

// heapBytes is what the heap holds, garbage included.
func heapBytes() uint64 { return metric("/memory/classes/heap/objects:bytes") }

// liveBytes is what the last collection left.
func liveBytes() uint64 { return metric("/gc/heap/live:bytes") }

func metric(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
