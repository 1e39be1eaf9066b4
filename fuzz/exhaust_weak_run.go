package fuzz

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

// runWeak is Run on a weak memory. Workers take whole programs; what they find
// beyond the first program that fails is forgotten, so that their number changes
// nothing.
func (x *Exhaust) runWeak(ctx context.Context) (*Exhausted, error) {
	start := time.Now()
	programs := x.programs()
	results := make([]*Exhausted, len(programs))
	var (
		workers sync.WaitGroup
		next    atomic.Int64
		failed  atomic.Int64
		broken  atomic.Pointer[error]
	)
	failed.Store(int64(len(programs)))
	jobs := x.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	if x.Each != nil || x.Around != nil || x.histories != nil {
		jobs = 1
	}
	for range min(jobs, len(programs)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < failed.Load() && ctx.Err() == nil; i = next.Add(1) - 1 {
				r, err := x.weakProgram(ctx, programs[i], int(i))
				if err != nil {
					broken.Store(&err)
					return
				}
				results[i] = r
				for at := failed.Load(); r.Failure != nil && i < at && !failed.CompareAndSwap(at, i); at = failed.Load() {
				}
			}
		})
	}
	workers.Wait()
	if err := broken.Load(); err != nil {
		return nil, *err
	}
	sum := sumWeak(results)
	sum.Elapsed = time.Since(start)
	return sum, nil
}

// sumWeak adds up the programs, up to the first that failed.
func sumWeak(results []*Exhausted) *Exhausted {
	sum := &Exhausted{Verdict: model.Linearizable, Programs: len(results), Complete: true}
	for _, r := range results {
		if r == nil {
			sum.Verdict, sum.Complete = sum.Verdict.And(model.Undecided), false
			continue
		}
		sum.Verdict = sum.Verdict.And(r.Verdict)
		sum.Executions += r.Executions
		sum.Cut += r.Cut
		sum.Histories += r.Histories
		sum.Complete = sum.Complete && r.Complete
		if r.Complete {
			sum.Exhausted++
		}
		if r.Failure != nil {
			sum.Failure, sum.Complete = r.Failure, false
			return sum
		}
	}
	return sum
}

// weakProgram makes every execution graph of one program.
func (x *Exhaust) weakProgram(ctx context.Context, program model.Program, index int) (*Exhausted, error) {
	setup := x.Setup
	if len(x.Programs) > 0 {
		var err error
		if setup, err = x.Setup.Config.Design.PrepareOn(x.Setup.Memory, x.Setup.Spec, program); err != nil {
			return nil, err
		}
	}
	sim := ref.NewSim(setup)
	defer sim.Close()
	sim.Tracing, sim.Patience, sim.Limit = true, patienceOfWeakSearch, x.accesses()
	w := &weakSearch{}
	w.learn(sim, setup)
	seen := map[historyKey]bool{}
	r := &Exhausted{Verdict: model.Linearizable}
	for {
		if ctx.Err() != nil || x.Limit > 0 && r.Executions >= x.Limit {
			r.Verdict = r.Verdict.And(model.Undecided)
			break
		}
		w.begin(setup.Processes(), setup.Space.Len())
		var scheduler ref.Scheduler = w
		if x.Around != nil {
			scheduler = x.Around(w)
		}
		e := sim.Run(scheduler)
		w.noteLast(e)
		if w.dead {
			r.Cut++
		} else if r.Executions++; !x.judgeWeak(e, seen, r) {
			break
		}
		if w.again() {
			r.Executions, r.Cut = 0, 0
			continue
		}
		if r.Complete = !w.advance(); r.Complete {
			break
		}
		if x.Progress != nil && r.Executions%256 == 0 {
			x.Progress(index, r.Executions)
		}
	}
	r.Histories = len(seen)
	return r, nil
}

// patienceOfWeakSearch is how long everybody may spin until the execution counts
// as stuck: the search has seen to it that they do nothing else.
const patienceOfWeakSearch = 50

// judgeWeak judges an execution if its history is new, and says whether to go
// on.
func (x *Exhaust) judgeWeak(e *ref.Execution, seen map[historyKey]bool, r *Exhausted) bool {
	if x.Each != nil {
		x.Each(e)
	}
	if x.Around != nil && e.Ending == ref.Cut {
		return true // whoever stopped it knows why
	}
	if e.Ending == ref.Complete {
		key := weakKeyOf(e.History, e.Precedence())
		if seen[key] {
			return true
		}
		seen[key] = true
		if x.histories != nil {
			x.histories(key)
		}
		if linearize.CheckCausal(e.History, e.Precedence()) {
			return true
		}
	}
	f := Judge(e)
	r.Verdict = r.Verdict.And(f.Verdict)
	if f.Verdict != model.Violation {
		return true
	}
	r.Failure = exhaustiveFailure(e, f)
	r.Failure.Run = r.Executions
	return false
}

// weakKeyOf is the key of a history whose order is a precedence.
func weakKeyOf(h *model.History, before model.Precedence) historyKey {
	key := outcomeKey(h)
	for _, row := range before {
		for _, n := range row {
			key.mix(uint64(n))
		}
	}
	return key
}
