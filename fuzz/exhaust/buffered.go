package exhaust

import (
	"context"
	"errors"
	"fmt"

	"stealproof/fuzz"
	"stealproof/fuzz/exhaust/internal/buffering"
	"stealproof/fuzz/schedule"
	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

// The executions with load buffering of a program come last, when all others have held:
// they are found from these (internal/buffering), and few programs have any.

// checkBuffering refuses what would look at executions without those that have load
// buffering. (Programs of which none are made are refused when they are prepared.)
func (x *Search) checkBuffering() error {
	switch {
	case !x.Subject.Buffers():
		return nil
	case x.Clients:
		return errors.New("a search of all clients does not make executions with load buffering: leave buffering=yes out")
	case x.Races:
		return errors.New("no data races are looked for in executions with load buffering: leave buffering=yes out")
	case x.Around != nil:
		return errors.New("no schedule can be put around executions with load buffering, which are made as a whole: leave buffering=yes out")
	}
	return nil
}

// mayBuffer notes an execution from which others with load buffering may come.
func (w *weakWalk) mayBuffer(e *ref.Execution) {
	if w.buffering != nil && w.sim.MayBuffer() {
		w.buffering.Note(e.Trace)
	}
}

// runBuffered makes and judges the executions with load buffering. Where the search
// begins anew, what was found is void, so that others are shown it in the end only.
func (w *weakWalk) runBuffered(ctx context.Context) error {
	x, before := w.exhaust, w.Result
	stop, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		broken error
		made   []model.Choices // for Each
		keys   []HistoryKey    // of new histories
	)
	begin := func() {
		for _, k := range keys {
			delete(w.seen, k)
		}
		w.Result, made, keys = before, nil, nil
	}
	finished := w.buffering.Run(stop, begin, func(c *buffering.Complete) {
		if x.Limit > 0 && w.Executions >= x.Limit {
			cancel()
			return
		}
		if !c.Again {
			w.Executions++
			w.Buffered++
		}
		choices := c.Choices()
		if x.Each != nil {
			made = append(made, choices)
		}
		if w.Failure == nil && broken == nil {
			var key *HistoryKey
			if key, broken = w.judgeBuffered(choices); broken != nil {
				cancel()
			} else if key != nil {
				keys = append(keys, *key)
			}
		}
		if x.Progress != nil && w.Executions%256 == 0 {
			x.Progress(w.index, w.Executions)
		}
	})
	switch {
	case broken != nil:
		return broken
	case finished:
		w.DeadEnds += w.buffering.Blocked
		if w.buffering.Incomplete || w.buffering.Stuck > 0 {
			w.Verdict = w.Verdict.And(model.Undecided)
		}
		for _, choices := range made {
			x.Each(w.sim.Run(schedule.NewReplay(choices)))
		}
		for _, k := range keys {
			if x.EachHistory != nil {
				x.EachHistory(k)
			}
		}
	default: // whoever goes on begins anew
		w.Result = Result{Verdict: before.Verdict}
		w.begin()
	}
	return nil
}

// judgeBuffered judges the execution of some choices, and returns the key of its history
// if that is new. It is an error if it is none.
func (w *weakWalk) judgeBuffered(choices model.Choices) (*HistoryKey, error) {
	e := w.sim.Run(schedule.NewReplay(choices))
	switch e.Ending {
	case ref.Cut:
		return nil, fmt.Errorf("program %d: choices:%s: %s", w.index+1, choices, e.Fault)
	case ref.Complete:
		key := weakKeyOf(e.History, e.Precedence())
		if w.seen[key] {
			return nil, nil
		}
		if w.exhaust.Unjudged || linearize.CheckCausal(e.History, e.Precedence()) {
			w.remember(key)
			return &key, nil
		}
	}
	f := fuzz.Judge(e)
	w.Verdict = w.Verdict.And(f.Verdict)
	if f.Verdict == model.Violation {
		w.Failure = fuzz.NewFailure(e, f, foundExhaustively)
		w.Failure.Run = w.Executions
	}
	return nil, nil
}
