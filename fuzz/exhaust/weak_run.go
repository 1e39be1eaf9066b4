package exhaust

import (
	"context"
	"sync/atomic"
	"time"

	"stealproof/fuzz"
	"stealproof/fuzz/exhaust/internal/buffering"
	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/fuzz/exhaust/internal/rounds"
	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

// runWeak is Run on a weak memory.
func (x *Search) runWeak(ctx context.Context) (*Result, error) {
	start := time.Now()
	if err := x.fits(splitAfter); err != nil {
		return nil, err
	}
	list, err := x.workWeak(ctx)
	if err != nil {
		return nil, err
	}
	sum := sumWeak(list.walks)
	if sum.Verdict == model.Undecided {
		sum.Checkpoint = x.checkpointWeak(list.walks)
	}
	sum.Elapsed = time.Since(start)
	return sum, nil
}

// workWeak lets the workers go through the programs.
func (x *Search) workWeak(ctx context.Context) (*weakList, error) {
	list := newWeakList(x)
	hands := make([]hand, x.Workers())
	for i := range hands {
		hands[i] = &weakWorker{list: list}
	}
	if err := together(ctx, hands, x.Patience, list.stop); err != nil {
		return nil, err
	}
	return list, list.broken
}

type weakWorker struct {
	list *weakList
	at   atomic.Pointer[pulse] // of what is executed
}

func (w *weakWorker) pulse() *pulse { return w.at.Load() }

func (w *weakWorker) work(ctx context.Context) {
	for t := w.list.take(); t != nil; t = w.list.take() {
		walk, err := w.list.search.weakPortion(ctx, t, &w.at)
		w.list.leave(t.program, walk, err)
	}
}

// sumWeak adds up the programs, up to the first that failed.
func sumWeak(walks []*weakWalk) *Result {
	sum := &Result{Verdict: model.Linearizable, Programs: len(walks), Complete: true}
	for _, r := range walks {
		sum.Verdict = sum.Verdict.And(r.Verdict)
		sum.Executions += r.Executions
		sum.DeadEnds += r.DeadEnds
		sum.Buffered += r.Buffered
		sum.Histories += r.Histories
		sum.Unasked += r.Unasked
		sum.Vigils += r.Vigils
		sum.Complete = sum.Complete && r.Complete && r.Vigils == 0
		if r.Failure != nil {
			sum.Failure, sum.Complete = r.Failure, false
			return sum
		}
		if r.Complete {
			sum.Exhausted += 1 - r.Vigils
		} else {
			sum.Verdict = sum.Verdict.And(model.Undecided)
		}
	}
	return sum
}

// weakWalk is the search of one program, and what came of it so far.
type weakWalk struct {
	Result
	exhaust *Search
	index   int
	setup   *ref.Setup
	sim     *ref.Sim
	seen    map[HistoryKey]bool
	overseen
	book *rounds.Book
	// unlike: processes that were said to be alike are not; matters: a failed round has
	// turned out to make a difference.
	unlike, matters bool
	graphs          *graphWalk  // nil if the orders of fences are taken one by one,
	search          *weakSearch // with this
	// buffering makes the executions with load buffering, nil for none.
	buffering *buffering.Search
}

// weakWalk prepares the search of a program. Whoever watches it finds it under at,
// from the first execution on.
func (x *Search) weakWalk(program model.Program, at *atomic.Pointer[pulse]) (*weakWalk, error) {
	setup, err := x.Subject.Prepare(program)
	if err != nil {
		return nil, err
	}
	w := &weakWalk{Result: Result{Verdict: model.Linearizable}, exhaust: x, setup: setup, seen: map[HistoryKey]bool{}, book: rounds.NewBook()}
	w.sim = ref.NewSim(w.setup)
	w.pulse.silence = func(after time.Duration) error { return silent(w.sim, w.setup, w.choices, after) }
	w.pulse.resting.Store(true)
	at.Store(&w.pulse)
	w.sim.Races = x.Races
	w.sim.Tracing, w.sim.Patience, w.sim.Limit = true, patienceOfWeakSearch, x.accesses()
	w.begin()
	return w, nil
}

// begin begins the search.
func (w *weakWalk) begin() {
	x, setup := w.exhaust, w.setup
	if w.buffering = nil; x.Subject.Buffers() {
		w.buffering = buffering.New(setup)
	}
	clear(w.seen)
	if x.byGraphs(setup) {
		w.graphs = &graphWalk{left: []graph.Graph{{}}, run: &graph.Run{Rounds: w.rounds(w.book)}, alike: w.alike()}
		w.sim.AlwaysPick = true
		if x.Clients {
			w.graphs.clients = newClientJudge(setup, x.accesses())
		}
	} else {
		w.oneByOne()
	}
}

// again begins the search anew.
func (w *weakWalk) again() {
	w.closeClients()
	w.Result = Result{Verdict: model.Linearizable}
	w.begin()
}

// oneByOne begins the search that takes the orders of fences one by one.
func (w *weakWalk) oneByOne() {
	w.Result = Result{Verdict: model.Linearizable}
	w.closeClients()
	w.graphs, w.search = nil, &weakSearch{}
	clear(w.seen)
	w.sim.AlwaysPick = false
	w.search.learn(w.execute, w.setup)
	w.sim.AlwaysPick = true
}

// weakPortion goes on with a part of the search of a program. It returns a walk if it was
// the last one, and the program is done, or must be left.
func (x *Search) weakPortion(ctx context.Context, t *weakPortion, at *atomic.Pointer[pulse]) (*weakWalk, error) {
	p := t.program
	w, err := x.weakWalk(x.Programs[p.index], at)
	if err != nil {
		return nil, err
	}
	w.index = p.index
	if w.graphs != nil && w.graphs.run.Rounds != nil {
		w.graphs.run.Rounds.Book = p.book
	}
	defer at.Store(nil)
	defer w.close()
	if saved := x.savedWalk(p.index); t.graphs != nil {
		w.graphs.left = t.graphs
	} else if saved != nil {
		if err := w.restore(saved); err != nil {
			return nil, err
		}
		p.made.Store(int64(w.Executions))
	}
	other, done := "", w.Complete
	if w.graphs != nil && !w.Complete {
		if other = w.runGraphs(ctx, p); !p.joined(w, other) {
			return nil, nil
		}
		if other, err = w.otherwise(ctx, p); err != nil {
			return nil, err
		}
	}
	if w.graphs == nil {
		w.walk(ctx)
	}
	if w.buffering != nil && w.Complete && !done && w.Failure == nil {
		if err := w.runBuffered(ctx); err != nil {
			return nil, err
		}
	}
	if x.Clients && (w.graphs == nil || w.graphs.clients == nil) {
		w.Unasked, w.Verdict = 1, w.Verdict.And(model.Undecided)
	}
	w.Histories = max(w.Histories, len(w.seen))
	if w.Complete {
		w.closeClients()
		w.search, w.graphs, w.seen = nil, nil, nil
		if other == fails && w.Failure == nil && w.Verdict == model.Linearizable {
			return nil, errDisagree(p.index)
		}
	}
	return w, nil
}

// otherwise goes on where the graphs have not said all, and says why.
func (w *weakWalk) otherwise(ctx context.Context, p *weakProgram) (other string, err error) {
	for other = p.other; other == unlike || other == matters || other == breaks && p.split; p.split = false {
		w.unlike, w.matters = w.unlike || other == unlike, w.matters || other == matters
		w.again()
		other = w.runGraphs(ctx, nil)
	}
	switch other {
	case "":
	case vigil:
		w.giveUp()
	case breaks:
		err = w.failing(ctx, *w.graphs.clients.broken)
	default:
		w.oneByOne()
	}
	return other, err
}

func (w *weakWalk) close() {
	w.sim.Close()
	w.closeClients()
}

func (w *weakWalk) closeClients() {
	if w.graphs != nil && w.graphs.clients != nil {
		w.graphs.clients.close()
	}
}

// walk takes the orders of fences one by one.
func (w *weakWalk) walk(ctx context.Context) {
	x := w.exhaust
	for !w.Complete && w.Failure == nil {
		if ctx.Err() != nil || x.Limit > 0 && w.Executions >= x.Limit || w.spent() {
			return
		}
		e := w.once()
		if w.search.vigil {
			w.giveUp()
			return
		}
		if w.search.dead {
			w.DeadEnds++
		} else if w.Executions++; !x.judgeWeak(e, w) {
			return
		} else {
			w.mayBuffer(e)
		}
		if w.search.again() {
			w.Executions, w.DeadEnds = 0, 0
			continue
		}
		w.Complete = !w.search.advance()
		if x.Progress != nil && w.Executions%256 == 0 {
			x.Progress(w.index, w.Executions)
		}
	}
}

// spent says whether all attempts that the program may have were made.
func (w *weakWalk) spent() bool {
	most := w.exhaust.Attempts
	return most > 0 && w.Executions+w.DeadEnds >= most
}

// giveUp ends the search of a program in which lanes wait together.
func (w *weakWalk) giveUp() {
	w.Vigils, w.Complete, w.Verdict = 1, true, w.Verdict.And(model.Undecided)
}

// once makes the next execution.
func (w *weakWalk) once() *ref.Execution {
	w.search.begin(w.setup.Threads(), w.setup.Space.Len())
	var scheduler ref.Scheduler = w.search
	if w.exhaust.Around != nil {
		scheduler = w.exhaust.Around(w.search)
	}
	e := w.execute(scheduler)
	w.search.noteLast(e)
	return e
}

func (w *weakWalk) execute(s ref.Scheduler) *ref.Execution { return w.run(w.sim, s) }

// patienceOfWeakSearch is how long everybody may spin until the execution counts
// as stuck: longer than it takes to recognise their loops.
const patienceOfWeakSearch = 4*graph.LongestCycle + 2*graph.BelievedAfter

// judgeWeak judges an execution if its history is new, and says whether to go
// on.
func (x *Search) judgeWeak(e *ref.Execution, w *weakWalk) bool {
	if x.Each != nil {
		x.Each(e)
	}
	if x.Around != nil && (e.Ending == ref.Cut || e.Ending == ref.Stuck) {
		return true // whoever stopped it, or hides somebody, knows why
	}
	if e.Ending == ref.Complete {
		if x.Unjudged && x.EachHistory == nil {
			return true
		}
		key := weakKeyOf(e.History, e.Precedence())
		if w.seen[key] {
			return true
		}
		w.remember(key)
		if x.EachHistory != nil {
			x.EachHistory(key)
		}
		if x.Unjudged || linearize.CheckCausal(e.History, e.Precedence()) {
			return true
		}
	}
	if e.Ending == ref.Stuck && !w.search.stuck {
		w.Verdict = w.Verdict.And(model.Undecided) // in a loop that was not recognised
		return true
	}
	f := fuzz.Judge(e)
	w.Verdict = w.Verdict.And(f.Verdict)
	if f.Verdict != model.Violation {
		return true
	}
	w.Failure = fuzz.NewFailure(e, f, foundExhaustively)
	w.Failure.Run = w.Executions
	return false
}

// remember notes that a history holds, as long as there is room: beyond that histories are
// judged again, and not counted.
func (w *weakWalk) remember(key HistoryKey) {
	if len(w.seen) < mostHistories {
		w.seen[key] = true
	}
}

// weakKeyOf is the key of a history whose order is a precedence.
func weakKeyOf(h *model.History, before model.Precedence) HistoryKey {
	key := ResultsKey(h)
	for _, row := range before {
		for _, n := range row {
			key.mix(uint64(n))
		}
	}
	return key
}
