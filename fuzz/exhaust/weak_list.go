package exhaust

import (
	"context"
	"sync"
	"sync/atomic"

	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/fuzz/exhaust/internal/rounds"
	"stealproof/model"
)

// weakList is the programs of a search on a weak memory, for its workers to take, and
// parts of those that are being searched: who goes through the graphs of a program gives
// the older half of those that are left, which has most below it, to whoever waits.
//
// What comes of a graph does not depend on who completes it, so neither do sums. Which of
// several violations is found first does. So a program that fails is searched once more,
// by one worker; and what is found beyond the first program that fails is forgotten.
type weakList struct {
	search *Search
	walks  []*weakWalk // of each program

	mu      sync.Mutex
	changed sync.Cond
	next    int
	offered []*weakPortion
	running int
	shared  int          // portions that were given away
	failed  atomic.Int64 // the first program that has
	over    bool
	broken  error
	waiting atomic.Int32 // workers that have nothing to do
}

// weakPortion is a part of the search of a program: some of its graphs, or all if there are
// none.
type weakPortion struct {
	program *weakProgram
	graphs  []graph.Graph
}

// weakProgram is a program that is being searched, and what came of its parts so far.
type weakProgram struct {
	list  *weakList
	index int
	book  *rounds.Book // which rounds of its loops have failed
	made  atomic.Int64 // executions
	ended atomic.Bool  // its graphs are of no use any more

	open  int    // parts that are not done
	split bool   // there was more than one
	other string // why another search is needed, if it is
	sum   Result
	left  []graph.Graph
	seen  map[HistoryKey]bool
}

func newWeakList(x *Search) *weakList {
	l := &weakList{search: x, walks: make([]*weakWalk, len(x.Programs))}
	l.failed.Store(int64(len(x.Programs)))
	l.changed.L = &l.mu
	return l
}

// worthSharing is the number of graphs after which a worker gives some away: what takes
// less is done before somebody else has begun.
const worthSharing = 64

func (x *Search) shareAfter() int {
	if x.sharing > 0 {
		return x.sharing
	}
	return worthSharing
}

// take is what to do next, nil if there is nothing.
func (l *weakList) take() *weakPortion {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.over && l.broken == nil {
		if n := len(l.offered); n > 0 {
			t := l.offered[n-1]
			l.offered = l.offered[:n-1]
			l.running++
			return t
		}
		if int64(l.next) < l.failed.Load() {
			l.next++
			l.running++
			return &weakPortion{program: &weakProgram{list: l, index: l.next - 1, book: rounds.NewBook(), open: 1, sum: Result{Verdict: model.Linearizable}}}
		}
		if l.running == 0 {
			break
		}
		l.waiting.Add(1)
		l.changed.Wait()
		l.waiting.Add(-1)
	}
	l.changed.Broadcast()
	return nil
}

// leave is told that a part is done, and with a walk that a program is.
func (l *weakList) leave(p *weakProgram, walk *weakWalk, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running--
	if err != nil && l.broken == nil {
		l.broken = err
	}
	if walk != nil {
		if l.walks[p.index] = walk; walk.Failure != nil {
			l.failed.Store(min(l.failed.Load(), int64(p.index)))
		}
	}
	l.changed.Broadcast()
}

// stop lets nobody take anything.
func (l *weakList) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	l.changed.Broadcast()
}

// share gives graphs away, if somebody waits for some and there are enough.
func (p *weakProgram) share(g *graphWalk) {
	if g.since++; g.since < p.list.search.shareAfter() || len(g.left) < 2 || p.list.waiting.Load() == 0 {
		return
	}
	g.since = 0
	l := p.list
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.offered) > 0 {
		return // somebody is about to take it
	}
	n := len(g.left) / 2
	l.offered = append(l.offered, &weakPortion{p, append([]graph.Graph(nil), g.left[:n]...)})
	g.left = append(g.left[:0], g.left[n:]...)
	p.open++
	p.split = true
	l.shared++
	l.changed.Signal()
}

// mustStop says so at the end of the context and at the limit, and if nothing more is
// wanted of the program.
func (p *weakProgram) mustStop(ctx context.Context) bool {
	limit := int64(p.list.search.Limit)
	return ctx.Err() != nil || p.ended.Load() || p.list.failed.Load() < int64(p.index) || limit > 0 && p.made.Load() >= limit
}

// joined adds what came of a part. It says whether it was the last one: then the walk has
// the sums of all.
func (p *weakProgram) joined(w *weakWalk, other string) (last bool) {
	l := p.list
	l.mu.Lock()
	defer l.mu.Unlock()
	if other != "" {
		p.ended.Store(true)
		if p.other == "" {
			p.other = other
		}
	}
	p.sum.Executions += w.Executions
	p.sum.DeadEnds += w.DeadEnds
	p.sum.Verdict = p.sum.Verdict.And(w.Verdict)
	p.left = append(p.left, w.graphs.left...)
	if p.seen == nil {
		p.seen = w.seen
	} else {
		for key := range w.seen {
			if len(p.seen) < mostHistories {
				p.seen[key] = true
			}
		}
	}
	if p.open--; p.open > 0 {
		return false
	}
	w.Result, w.seen, w.graphs.left = p.sum, p.seen, p.left
	w.Complete = p.other == "" && len(p.left) == 0
	return true
}
