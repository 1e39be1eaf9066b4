package exhaust

import (
	"slices"
	"sync"
	"sync/atomic"

	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/fuzz/exhaust/internal/rounds"
	"stealproof/model"
	"stealproof/ref"
)

// exhausting is a program of which some executions are still to be made.
type exhausting struct {
	index     int // among the programs
	setup     *ref.Setup
	seen      *seen
	open      int          // tasks that are not done
	begun     atomic.Int64 // executions, for the limit
	undecided atomic.Bool  // some execution did not come to its end
	vigil     atomic.Bool  // it was given up, since lanes wait together
	book      *rounds.Book
	matters   atomic.Bool // what was left out has turned out to make a difference
	alike     graph.Alike // processes that are not told apart
}

// board is the list of tasks that the workers share.
type board struct {
	mu      sync.Mutex
	changed *sync.Cond
	part    int  // executions of a task after which it gives a part away
	head    task // in front of the first
	// more makes the first task of the next program, or returns nil if there is
	// none left.
	more      func() (*task, error)
	next      func() int // program that more would begin with
	running   int
	failed    *task // the first, in the order of the list, that found a violation
	over      bool
	err       error
	complete  int   // programs of which every execution was made
	histories int   // of programs that are done
	matter    []int // programs in which what was left out makes a difference
}

func newBoard(part int) *board {
	b := &board{part: part}
	b.changed = sync.NewCond(&b.mu)
	b.head.state = taskDone
	return b
}

// take returns the first task that waits, or nil if nothing is left to do.
func (b *board) take() *task {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.over && b.err == nil {
		if t := b.waiting(); t != nil {
			t.state = taskRuns
			b.running++
			return t
		}
		if b.failed == nil {
			t, err := b.more()
			if err != nil {
				b.err = err
				break
			}
			if t != nil {
				b.insert(b.last(), t)
				continue
			}
		}
		if b.running == 0 {
			break
		}
		b.changed.Wait()
	}
	b.changed.Broadcast()
	return nil
}

// stop lets nobody take another task.
func (b *board) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
	b.changed.Broadcast()
}

func (b *board) waiting() *task {
	for t := b.head.next; t != nil; t = t.next {
		if t.state == taskWaits {
			return t
		}
		if t == b.failed {
			return nil
		}
	}
	return nil
}

func (b *board) last() *task {
	t := &b.head
	for t.next != nil {
		t = t.next
	}
	return t
}

// insert puts a task behind another one.
func (b *board) insert(after, t *task) {
	t.prev, t.next = after, after.next
	if t.next != nil {
		t.next.prev = t
	}
	after.next = t
	if t.state != taskDone {
		t.program.open++
	}
}

// share adds the parts that a running task gives away, in their order, right
// behind it: they come before all that it gave away earlier.
func (b *board) share(from *task, parts []*task) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := len(parts) - 1; i >= 0; i-- {
		parts[i].cancelled.Store(from.cancelled.Load())
		b.insert(from, parts[i])
	}
	b.changed.Broadcast()
}

// leave ends the work on a task.
func (b *board) leave(t *task, state taskState, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running--
	t.state = state
	if err != nil && b.err == nil {
		b.err = err
	}
	if state == taskDone {
		t.choices, t.saved = nil, nil
		b.close(t)
		if t.failure != nil {
			b.fail(t)
		} else {
			b.merge(t)
		}
	}
	b.changed.Broadcast()
}

// close counts a task that is done, and its program with the last one.
func (b *board) close(t *task) {
	p := t.program
	if p.open--; p.open > 0 || t.failure != nil {
		return
	}
	if !p.undecided.Load() {
		b.complete++
	}
	b.histories += p.seen.len()
	if p.matters.Load() {
		b.matter = append(b.matter, p.index)
	}
	p.seen, p.book = nil, nil
}

// merge keeps the list short: neighbours that are done become one.
func (b *board) merge(t *task) {
	for n := t.next; n != nil && n.merges(t); n = t.next {
		t.absorb(n)
	}
	if p := t.prev; p != &b.head && p.merges(t) {
		p.absorb(t)
	}
}

func (t *task) merges(o *task) bool {
	return t.state == taskDone && o.state == taskDone && t.failure == nil && o.failure == nil && t.program == o.program
}

// absorb takes over the sums of the next task.
func (t *task) absorb(n *task) {
	t.executed += n.executed
	t.cut += n.cut
	t.next = n.next
	if n.next != nil {
		n.next.prev = t
	}
}

// fail notes a violation. What comes behind it need not be done.
func (b *board) fail(t *task) {
	if b.failed != nil && b.comesBefore(b.failed, t) {
		return
	}
	b.failed = t
	for n := t.next; n != nil; n = n.next {
		n.cancelled.Store(true)
	}
}

func (b *board) comesBefore(a, t *task) bool {
	for n := a.next; n != nil; n = n.next {
		if n == t {
			return true
		}
	}
	return false
}

// roundsMatter says whether failed rounds turned out to make a difference in any
// program before the one that failed.
func (b *board) roundsMatter(r *Result) bool {
	return slices.ContainsFunc(b.matter, func(program int) bool { return r.Failure == nil || program < b.failed.program.index })
}

// totals adds up the list, to the task that failed if one did.
func (b *board) totals(r *Result) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r.Complete = b.err == nil && !b.over
	var open *exhausting
	undecided := 0
	for t := b.head.next; t != nil; t = t.next {
		r.Executions += t.executed
		r.Cut += t.cut
		if p := t.program; p.undecided.Load() && t.prev.program != p {
			undecided++
			if p.vigil.Load() {
				r.Vigils++
			}
		}
		if p := t.program; p.seen != nil && p != open {
			open = p
			b.histories += p.seen.len()
		}
		if t.state != taskDone || t.program.undecided.Load() {
			r.Complete = false
		}
		if t == b.failed {
			break
		}
	}
	r.Exhausted, r.Histories = b.complete, b.histories
	r.Verdict = model.Undecided
	switch {
	case b.failed != nil:
		r.Verdict, r.Failure = model.Violation, b.failed.failure
		r.Exhausted = b.failed.program.index - undecided
		r.Failure.Run = r.Executions
		r.Complete = false
	case r.Complete:
		r.Verdict = model.Linearizable
	}
}
