// Package exhaust executes programs in every way that matters and judges every
// history: on the sequentially consistent memory by dynamic partial order
// reduction, on a weak one by making every execution graph.
package exhaust

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stealproof/fuzz"
	"stealproof/fuzz/internal/workers"
	"stealproof/model"
	"stealproof/ref"
)

// Search executes programs in every way that matters, on a simulated memory, by
// dynamic partial order reduction with source sets and sleep sets (Abdulla,
// Aronis, Jonsson & Sagonas 2014): of executions that differ only in the order
// of independent accesses it makes one, or few. Two accesses depend on one
// another if they touch the same location and one of them writes. What such
// executions differ in is what precedes what: see orders.go.
//
// A process that would only repeat itself until somebody writes spins, and is
// not tried until somebody has: see spin.go.
//
// The result is the same whatever the number of workers, if no limit is met.
type Search struct {
	Subject ref.Subject
	// Programs are executed one after the other. The first that fails is the last.
	Programs []model.Program
	// Jobs is the number of workers, 0 for one per processor.
	Jobs int
	// Limit is the number of executions of a program after which to give up, 0
	// for none.
	Limit int
	// Accesses is the limit of a single execution.
	Accesses int
	// AllHistories judges every history, not only the strictest of those with
	// the same results, to count them.
	AllHistories bool
	// Unjudged takes every history for right: what is searched for is executions
	// that do not end, or fault.
	Unjudged bool
	// Progress is told now and then how many executions were made, and in which
	// program. It is called by several workers.
	Progress func(program, executions int)
	// Patience is how long an operation may run without an access until it is
	// given up, 0 for DefaultSilence.
	Patience time.Duration
	// Resume goes on where an earlier search ended.
	Resume *Checkpoint

	// Each is shown every execution that was run to its end, if it is there. With
	// it, as with Around, there is one worker.
	Each func(*ref.Execution)
	// Around puts a scheduler of the caller's around that of the search, which may
	// hide processes from it, or stop an execution.
	Around func(ref.Scheduler) ref.Scheduler

	// EachHistory is shown the key of every history that holds, with AllHistories:
	// two have the same one if the same operations, with the same results, precede
	// one another.
	EachHistory func(HistoryKey)

	splitAfter int // executions; 0 for the usual number
}

// Result is what came of it.
type Result struct {
	// Verdict is Linearizable only if every execution was made, up to
	// equivalence, and held.
	Verdict model.Verdict
	// Executions were run to their end; Cut were found to be equivalent to one
	// of them on the way; Histories are those that differ, with AllHistories.
	Executions, Cut, Histories int
	// Programs were to be executed, and Exhausted of them were.
	Programs, Exhausted int
	// Complete says whether nothing is left to execute.
	Complete bool
	Elapsed  time.Duration
	// Failure is the first violation, in the order in which one worker alone
	// would search.
	Failure *fuzz.Failure
	// Checkpoint is where to go on, if something is left.
	Checkpoint *Checkpoint
}

// DefaultAccesses bounds a single execution.
const DefaultAccesses = 10_000

// Run explores until a violation is found, everything is done, a limit is met
// or the context ends.
func (x *Search) Run(ctx context.Context) (*Result, error) {
	if len(x.Programs) == 0 {
		return nil, errors.New("an exhaustive search needs at least one program")
	}
	if x.Subject.Weak() {
		return x.runWeak(ctx)
	}
	start := time.Now()
	b := newBoard()
	if err := x.begin(b); err != nil {
		return nil, err
	}
	if err := x.share(ctx, b); err != nil {
		return nil, err
	}
	r := &Result{Programs: len(x.Programs)}
	b.totals(r)
	if r.Verdict == model.Undecided {
		r.Checkpoint = x.checkpoint(b)
	}
	r.Elapsed = time.Since(start)
	return r, nil
}

// Workers is how many workers the search will have.
func (x *Search) Workers() int {
	switch {
	case x.Each != nil || x.Around != nil || x.EachHistory != nil:
		return 1 // what they do is theirs alone
	case x.Subject.Weak(): // a program is one worker's
		return min(workers.Count(x.Jobs), len(x.Programs))
	}
	return workers.Count(x.Jobs)
}

func (x *Search) accesses() int {
	if x.Accesses > 0 {
		return x.Accesses
	}
	return DefaultAccesses
}

func (x *Search) part() int {
	if x.splitAfter > 0 {
		return x.splitAfter
	}
	return splitAfter
}

// begin fills the board with what was left, and tells it where more comes from.
func (x *Search) begin(b *board) error {
	next := 0
	if x.Resume != nil {
		var err error
		if next, err = x.restore(b); err != nil {
			return err
		}
	}
	b.more = func() (*task, error) {
		if next == len(x.Programs) {
			return nil, nil
		}
		p, err := x.prepare(next)
		next++
		return &task{program: p}, err
	}
	b.next = func() int { return next }
	return nil
}

func (x *Search) prepare(i int) (*exhausting, error) {
	setup, err := x.Subject.Prepare(x.Programs[i])
	if err != nil {
		return nil, err
	}
	if n := setup.Processes(); n > maxExhaustedProcesses {
		return nil, fmt.Errorf("the program has %d processes: an exhaustive search takes at most %d", n, maxExhaustedProcesses)
	}
	if n := setup.Program.Len(); n > maxExhaustedOps {
		return nil, fmt.Errorf("the program has %d operations: an exhaustive search takes at most %d", n, maxExhaustedOps)
	}
	return &exhausting{index: i, setup: setup, seen: newSeen(MostHistories)}, nil
}
