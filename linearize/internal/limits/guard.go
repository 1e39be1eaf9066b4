// Package limits holds a check to its limits of time and memory.
package limits

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/machine"
	"stealproof/linearize/internal/wording"
)

// Guard holds a check to its limits. It looks at the clock, the context and
// the heap many times a second, and stops searches by their stoppers. It owns these
// limits, the context among them, from New to Close: whoever works under it asks it.
type Guard struct {
	ctx     context.Context // ends with the time limit
	cancel  context.CancelFunc
	timeout time.Duration
	memory  uint64
	Own     *allowance // nil: searches have no limits of their own

	mu      sync.Mutex
	running map[*general.Stopper]bool
	before  uint64           // the heap without what the searches took
	stopped *general.Stopper // the search that was asked to give its memory back
	ended   chan struct{}
}

const sampleEvery = 20 * time.Millisecond

var errTimeLimit = errors.New("time limit")

// Limits are what a check may use up.
type Limits struct {
	Timeout time.Duration // 0: none
	Memory  uint64        // of the heap; 0: half of what the machine has
	machine bool          // memory is what the machine has
	Jobs    int           // searches at the same time
	// OfSearch has the general search limits of its own: those of the first one,
	// or where these are zero the usual ones.
	OfSearch bool
	First    Own
}

// New begins to hold a check to limits, which began at a start; Close ends it.
func New(ctx context.Context, start time.Time, l Limits) *Guard {
	if l.Memory == 0 {
		l.Memory, l.machine = machine.Memory(), true
	}
	g := &Guard{timeout: l.Timeout, memory: l.Memory, running: map[*general.Stopper]bool{}, ended: make(chan struct{})}
	g.Own = newAllowance(l)
	g.before = machine.Heap()
	if l.Timeout > 0 {
		g.ctx, g.cancel = context.WithDeadlineCause(ctx, start.Add(l.Timeout), errTimeLimit)
	} else {
		g.ctx, g.cancel = context.WithCancel(ctx)
	}
	go g.watch()
	return g
}

func (g *Guard) Close() {
	g.cancel()
	<-g.ended
}

// Context ends with the time limit, and when the check is given up.
func (g *Guard) Context() context.Context { return g.ctx }

// Over says why no further search may start, or nothing.
func (g *Guard) Over() string {
	switch {
	case g.ctx.Err() == nil:
		return ""
	case context.Cause(g.ctx) == errTimeLimit:
		return g.lateText()
	}
	return "interrupted: " + context.Cause(g.ctx).Error()
}

func (g *Guard) lateText() string {
	if g.timeout == 0 {
		return "the caller's deadline was met"
	}
	return fmt.Sprintf("the time limit of %s was met", g.timeout)
}

// why says why a search gave up. If nothing stopped it, its own clock was a
// little ahead of ours.
func (g *Guard) why(s *general.Stopper) string {
	if why := cmp.Or(s.Reason(), g.Over()); why != "" || s.Granted == 0 {
		return cmp.Or(why, g.lateText())
	}
	return allowanceText(s.Granted)
}

// TooLarge refuses what the general search cannot remember within the limit: for
// each operation a set of operations.
func (g *Guard) TooLarge(ops int) (why string) {
	need := uint64(ops) * uint64(ops) / 8
	switch {
	case need > g.memory:
		return fmt.Sprintf("%d operations are too many for the general search within %s", ops, wording.Bytes(g.memory))
	case g.Own != nil && g.Own.memory > 0 && need > g.Own.memory:
		return fmt.Sprintf("%d operations: %s", ops, shareText(g.Own.memory))
	}
	return ""
}

// Left is how much time is left, if it is limited.
func (g *Guard) Left() (time.Duration, bool) {
	deadline, limited := g.ctx.Deadline()
	return max(0, time.Until(deadline)), limited
}

// Search lets run search, within limits of its own if there are some, and says
// why it led nowhere.
func (g *Guard) Search(run func(*general.Stopper) (decided bool)) (why string) {
	s := g.Start()
	if g.Own != nil {
		s.Grant(g.Own.grant())
	}
	begun := time.Now()
	decided := run(s)
	g.Done(s)
	if decided {
		return ""
	}
	if g.Own != nil {
		g.Own.waste(min(s.Granted, time.Since(begun)))
	}
	return g.why(s)
}

// Start registers a search, which has the guard's deadline; done must follow.
func (g *Guard) Start() *general.Stopper {
	s := &general.Stopper{}
	s.Deadline, _ = g.ctx.Deadline()
	g.mu.Lock()
	if len(g.running) == 0 {
		g.lookBefore()
	}
	g.running[s] = true
	g.mu.Unlock()
	if why := g.Over(); why != "" {
		s.Stop(why)
	}
	return s
}

// lookBefore says how large the heap is before a search. What an earlier one
// left behind must not count: with it the next would be given more.
func (g *Guard) lookBefore() {
	if g.Own == nil || g.Own.memory == 0 {
		return
	}
	used := machine.Heap()
	if used > g.before+g.Own.memory/4 {
		runtime.GC()
		g.before = machine.Heap()
	}
	g.before = min(g.before, used)
}

// Done says that a search is over, which Start began.
func (g *Guard) Done(s *general.Stopper) {
	g.mu.Lock()
	delete(g.running, s)
	g.mu.Unlock()
}

func (g *Guard) watch() {
	defer close(g.ended)
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		select {
		case <-g.ctx.Done():
			g.stopAll(g.Over())
			return
		case <-tick.C:
			g.checkMemory()
		}
	}
}

func (g *Guard) stopAll(why string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for s := range g.running {
		s.Stop(why)
	}
}

// limit is how large the heap may be now, and what is said of a search that
// made it larger.
func (g *Guard) limit() (heap uint64, why string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.Own != nil && g.Own.memory > 0 && len(g.running) > 0 && g.before+g.Own.memory < g.memory {
		return g.before + g.Own.memory, shareText(g.Own.memory)
	}
	return g.memory, fmt.Sprintf("the memory limit of %s was met", wording.Bytes(g.memory))
}

// checkMemory ends searches, the greediest first, while the heap is too large.
// One that was asked to end is given the time to do so before the next is
// asked, unless the heap outgrows the limit by far.
func (g *Guard) checkMemory() {
	limit, why := g.limit()
	used := machine.Heap()
	if used > limit && machine.LiveHeap() < limit/2 {
		runtime.GC() // most of it is garbage
		used = machine.Heap()
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
		greediest.Stop(why)
		g.stopped = greediest
	}
}

func (g *Guard) greediest() *general.Stopper {
	var most *general.Stopper
	for s := range g.running {
		if most == nil || s.Steps.Load() > most.Steps.Load() {
			most = s
		}
	}
	return most
}
