package exhaust

import (
	"context"
	"sync/atomic"
)

// share lets the workers of a search take tasks from its board until none is left.
func (x *Search) share(ctx context.Context, b *board) error {
	stopped := context.AfterFunc(ctx, b.stop)
	defer stopped()
	var made atomic.Int64
	hands := make([]hand, x.Workers())
	for i := range hands {
		hands[i] = &worker{exhaust: x, board: b, made: &made}
	}
	if err := together(ctx, hands, x.Patience, b.stop); err != nil {
		return err
	}
	return b.err
}

// worker executes tasks.
type worker struct {
	exhaust *Search
	board   *board
	made    *atomic.Int64 // executions of all workers, for the progress

	explorer *explorer
	program  *exhausting
	at       atomic.Pointer[pulse] // of what is executed
}

func (w *worker) pulse() *pulse { return w.at.Load() }

func (w *worker) work(ctx context.Context) {
	defer func() {
		if w.explorer != nil {
			w.explorer.close()
		}
	}()
	for t := w.board.take(); t != nil; t = w.board.take() {
		state, err := w.do(ctx, t)
		w.board.leave(t, state, err)
	}
}

// do works on a task until it is done, or must stop.
func (w *worker) do(ctx context.Context, t *task) (taskState, error) {
	x := w.open(t.program)
	x.search.load(t)
	for {
		if w.mustStop(ctx, t) {
			x.search.save(t)
			return taskPaused, nil
		}
		w.at.Store(&x.search.pulse)
		o := x.once()
		w.at.Store(nil)
		if o.err != nil {
			return taskPaused, o.err
		}
		w.count(t, o)
		if o.vigil {
			t.program.vigil.Store(true)
			return taskDone, nil
		}
		if t.failure = o.failure; o.failure != nil || !x.search.backtrack() {
			return taskDone, nil
		}
		if t.since++; t.since >= w.board.part {
			t.since = 0
			w.board.share(t, x.split(t))
		}
	}
}

// open returns an explorer of the program.
func (w *worker) open(p *exhausting) *explorer {
	if w.program != p {
		if w.explorer != nil {
			w.explorer.close()
		}
		w.program, w.explorer = p, newExplorer(p, w.exhaust.accesses(), w.exhaust.AllHistories, w.exhaust.prunes())
		w.explorer.unjudged = w.exhaust.Unjudged
		w.explorer.each, w.explorer.around, w.explorer.histories = w.exhaust.Each, w.exhaust.Around, w.exhaust.EachHistory
	}
	return w.explorer
}

// mustStop says so at the limit, at the end of the context, and once something
// failed that comes before the task.
func (w *worker) mustStop(ctx context.Context, t *task) bool {
	if ctx.Err() != nil || t.cancelled.Load() {
		return true
	}
	limit := int64(w.exhaust.Limit)
	return limit > 0 && t.program.begun.Load() >= limit
}

func (w *worker) count(t *task, o outcome) {
	if w.explorer.search.leftOut() { // then executions are missing
		t.program.matters.Store(true)
		t.program.undecided.Store(true)
	}
	if o.cut {
		t.cut++
		return
	}
	t.executed++
	t.program.begun.Add(1)
	if o.undecided {
		t.program.undecided.Store(true)
	}
	if made := w.made.Add(1); made%256 == 0 && w.exhaust.Progress != nil {
		w.exhaust.Progress(t.program.index, int(made))
	}
}
