package exhaust

import (
	"context"
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

// buffers says whether executions with load buffering are made: where histories are
// judged, and nobody looks at executions one by one or interferes with them.
func (x *Search) buffers(setup *ref.Setup) bool {
	return x.Subject.Buffers() && setup.Plain() && x.Each == nil && x.Around == nil && !x.Unjudged
}

// mayBuffer notes an execution from which others with load buffering may come.
func (w *weakWalk) mayBuffer(e *ref.Execution) {
	if w.buffering != nil && w.sim.MayBuffer() {
		w.buffering.Note(e.Trace)
	}
}

// runBuffered makes and judges the executions with load buffering.
func (w *weakWalk) runBuffered(ctx context.Context) error {
	before := w.Result
	stop, cancel := context.WithCancel(ctx)
	defer cancel()
	var broken error
	finished := w.buffering.Run(stop, func() { w.Result = before }, func(c *buffering.Complete) {
		x := w.exhaust
		if x.Limit > 0 && w.Executions >= x.Limit {
			cancel()
			return
		}
		if !c.Again {
			w.Executions++
			w.Buffered++
		}
		if w.Failure == nil && broken == nil {
			if broken = w.judgeBuffered(c.Choices()); broken != nil {
				cancel()
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
		if w.buffering.Incomplete {
			w.Verdict = w.Verdict.And(model.Undecided)
		}
	default: // whoever goes on begins anew
		w.Result = Result{Verdict: before.Verdict}
		w.begin()
	}
	return nil
}

// judgeBuffered judges the execution of some choices. It is an error if it is none.
func (w *weakWalk) judgeBuffered(choices model.Choices) error {
	e := w.sim.Run(schedule.NewReplay(choices))
	switch e.Ending {
	case ref.Cut:
		return fmt.Errorf("program %d: choices:%s: %s", w.index+1, choices, e.Fault)
	case ref.Complete:
		key := weakKeyOf(e.History, e.Precedence())
		if w.seen[key] {
			return nil
		}
		w.seen[key] = true
		if w.exhaust.EachHistory != nil {
			w.exhaust.EachHistory(key)
		}
		if linearize.CheckCausal(e.History, e.Precedence()) {
			return nil
		}
	}
	f := fuzz.Judge(e)
	w.Verdict = w.Verdict.And(f.Verdict)
	if f.Verdict == model.Violation {
		w.Failure = fuzz.NewFailure(e, f, foundExhaustively)
		w.Failure.Run = w.Executions
	}
	return nil
}
