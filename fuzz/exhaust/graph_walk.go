package exhaust

import (
	"context"
	"fmt"

	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/fuzz/exhaust/internal/rounds"
	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

// graphWalk makes every execution graph of a program once, the order of its sc
// fences left open, and judges each for all orders that the fences may have.
//
// Some programs are not of the kind for which that suffices: those with sc fences
// that are not morally strong with one another, or with writes of a location that
// nothing orders. And what fails is to be shown as one execution. These are left to
// weakSearch, which takes the orders of fences one by one.
type graphWalk struct {
	left  []graph.Graph
	run   *graph.Run
	alike graph.Alike // of each process those before it that do the same
	since int         // graphs since some were given away
	judge witnesses
	// clients judges all clients instead, if they are asked for.
	clients *clientJudge
}

// byGraphs says whether programs are searched by graphs: who looks at executions
// one by one, or interferes with them, wants the orders of fences one by one.
func (x *Search) byGraphs(setup *ref.Setup) bool {
	return x.Each == nil && x.Around == nil && (!x.Unjudged || x.EachHistory != nil) && setup.Program.Len() <= maxExhaustedOps
}

// prunes says whether graphs are left out that say nothing new: not where every history is
// wanted, or what has load buffering is made of what was executed.
func (w *weakWalk) prunes() bool {
	x := w.exhaust
	return !x.AllHistories && !x.Unjudged && x.EachHistory == nil && w.buffering == nil
}

// alike are the processes that do the same, of which one order is enough.
func (w *weakWalk) alike() graph.Alike {
	if !w.prunes() || w.exhaust.everyProcess || w.unlike {
		return nil
	}
	return alikeOf(w.setup)
}

// rounds leaves out failed rounds; the book is that of all who search the program.
func (w *weakWalk) rounds(book *rounds.Book) *graph.Rounds {
	if !w.prunes() || w.exhaust.everyRound || w.matters || w.setup.Lanes() > 1 {
		return nil
	}
	return &graph.Rounds{Book: book, Sim: w.sim, Clients: w.exhaust.Clients}
}

// runGraphs goes on until nothing is left, the search must stop, or another search
// is needed: then it says why. Of a program that is shared it gives graphs away.
func (w *weakWalk) runGraphs(ctx context.Context, shared *weakProgram) (other string) {
	x, g := w.exhaust, w.graphs
	w.sim.OpenFences, w.sim.Foresees = true, g.run.Foresees
	defer func() { w.sim.OpenFences, w.sim.Foresees = false, nil }()
	if shared == nil {
		shared = &weakProgram{list: newWeakList(x)}
	}
	for len(g.left) > 0 {
		if shared.mustStop(ctx) {
			return ""
		}
		shared.share(g)
		e := w.nextGraph()
		switch {
		case g.run.Vigil:
			return vigil
		case g.run.Rounds != nil && g.run.Rounds.Matters:
			return matters
		case g.run.Unlike || g.run.Lost && (g.alike != nil || g.run.Rounds != nil): // as one is that was saved without leaving any out
			return unlike
		case !e.Fit() || g.run.Lost:
			return "not fit"
		case g.run.Stalled || e.Ending != ref.Complete && !g.run.Dead && !g.run.Blocked:
			return "unfinished"
		case g.run.Dead || g.run.Blocked:
			w.DeadEnds++
		default:
			w.Executions++
			made := shared.made.Add(1)
			if x.Progress != nil && made%256 == 0 {
				x.Progress(w.index, int(made))
			}
			w.mayBuffer(e)
			switch {
			case g.clients != nil && !g.clients.holds(e, g.run):
				return breaks
			case g.clients == nil && !w.judgeGraph(e):
				return fails
			}
		}
	}
	w.Complete = true
	return ""
}

const (
	fails   = "fails"
	breaks  = "breaks"  // a client does
	vigil   = "vigil"   // lanes wait together
	unlike  = "unlike"  // processes that were said to be alike
	matters = "matters" // a failed round does
)

// nextGraph takes the graph that was found last and completes it.
func (w *weakWalk) nextGraph() *ref.Execution {
	g := w.graphs
	n := len(g.left) - 1
	next := g.left[n]
	g.left = g.left[:n]
	g.run.Begin(next, w.setup.Threads(), w.setup.Space.Len(), g.alike)
	e := w.execute(g.run)
	g.run.Finish(e)
	g.left = append(g.left, g.run.Found...)
	return e
}

// judgeGraph says whether all histories of an execution hold.
func (w *weakWalk) judgeGraph(e *ref.Execution) bool {
	x, c := w.exhaust, fenceClassOf(e)
	if !x.AllHistories && x.EachHistory == nil && oneObject(e.History) {
		w.graphs.judge.begin(ResultsKey(e.History), e.History)
		return c.holds(&w.graphs.judge)
	}
	return c.each(w.setup.Processes(), func(before model.Precedence) bool {
		key := weakKeyOf(e.History, before)
		if w.seen[key] {
			return true
		}
		w.remember(key)
		if x.EachHistory != nil {
			x.EachHistory(key)
		}
		return x.Unjudged || linearize.CheckCausal(e.History, before)
	})
}

// errDisagree is met where the two searches do not find the same: a defect of one.
func errDisagree(program int) error {
	return fmt.Errorf("program %d: some order of the sc fences fails, but none does when they are taken one by one", program+1)
}
