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
	"stealproof/fuzz/exhaust/internal/rounds"
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
	// Attempts is the number of executions and dead ends of a program after which to give
	// up where the orders of fences are taken one by one, 0 for no limit.
	Attempts int
	// Accesses is the limit of a single execution.
	Accesses int
	// AllHistories judges every history, not only the strictest of those with
	// the same results, to count them.
	AllHistories bool
	// Clients judges every execution on a weak memory for all clients that order some
	// of its operations by signals, too: see clients.go. On the other memory all that
	// signals could order is judged anyhow. What fails is then a client with signals.
	Clients bool
	// Unjudged takes every history for right: what is searched for is executions
	// that do not end, or fault.
	Unjudged bool
	// Progress is told now and then how many executions were made, and in which
	// program. It is called by several workers.
	Progress func(program, executions int)
	// Patience is how long an operation may run without an access until it is
	// given up, 0 for ten seconds.
	Patience time.Duration
	// Resume goes on where an earlier search ended.
	Resume *Checkpoint

	// Races lets executions on a weak memory note their data races, for Each to see.
	Races bool
	// Each is shown every execution that was run to its end, if it is there. With
	// it, as with Around, there is one worker.
	Each func(*ref.Execution)
	// Around puts a scheduler of the caller's around that of the search, which may
	// hide processes from it, or stop an execution: one that is stuck is then no
	// violation, and the search goes on.
	Around func(ref.Scheduler) ref.Scheduler

	// EachHistory is shown the key of every history that holds, with AllHistories, and
	// with Unjudged of every history: two have the same one if the same operations, with
	// the same results, precede one another.
	EachHistory func(HistoryKey)

	sharing      int  // graphs after which a worker gives some away, 0 for worthSharing
	everyProcess bool // processes that do the same are told apart
	everyRound   bool // failed rounds are not left out: some make a difference
}

// Result is what came of it.
type Result struct {
	// Verdict is Linearizable only if every execution was made, up to
	// equivalence, and held.
	Verdict model.Verdict
	// Executions were run to their end; Cut were found to be equivalent to one
	// of them on the way; Histories are those that differ, with AllHistories.
	Executions, Cut, Histories int
	// DeadEnds, of a weak memory, came to where nobody can go on: no execution.
	DeadEnds int
	// Buffered are those of the Executions that have load buffering.
	Buffered int
	// Programs were to be executed, and Exhausted of them were.
	Programs, Exhausted int
	// Complete says whether nothing is left to execute.
	Complete bool
	// Unasked counts programs of which it could not be asked whether some client breaks
	// them; with Clients.
	Unasked int
	// Vigils counts programs that were given up: lanes of a process wait together in a loop.
	Vigils  int
	Elapsed time.Duration
	// Failure is the first violation, in the order in which one worker alone
	// would search.
	Failure *fuzz.Failure
	// Checkpoint is where to go on, if something is left.
	Checkpoint *Checkpoint
}

// defaultAccesses bounds a single execution.
const defaultAccesses = 10_000

// Run explores until a violation is found, everything is done, a limit is met
// or the context ends.
func (x *Search) Run(ctx context.Context) (*Result, error) { return x.inParts(ctx, splitAfter) }

// inParts is Run, where a task gives a part away after so many executions.
func (x *Search) inParts(ctx context.Context, part int) (*Result, error) {
	if len(x.Programs) == 0 {
		return nil, errors.New("an exhaustive search needs at least one program")
	}
	if err := x.checkClients(); err != nil {
		return nil, err
	}
	if err := x.checkBuffering(); err != nil {
		return nil, err
	}
	if x.Subject.Weak() {
		return x.runWeak(ctx)
	}
	if x.Resume != nil && x.Resume.identity.everyRound() {
		x = x.withEveryRound()
	}
	start := time.Now()
	b := newBoard(part)
	if err := x.begin(b); err != nil {
		return nil, err
	}
	if err := x.share(ctx, b); err != nil {
		return nil, err
	}
	r := &Result{Programs: len(x.Programs)}
	b.totals(r)
	if !x.everyRound && b.roundsMatter(r) && ctx.Err() == nil {
		again := x.withEveryRound()
		again.Resume = nil
		return again.inParts(ctx, part)
	}
	if r.Verdict == model.Undecided {
		r.Checkpoint = x.checkpoint(b)
	}
	r.Elapsed = time.Since(start)
	return r, nil
}

// withEveryRound is the search without leaving out failed rounds.
func (x *Search) withEveryRound() *Search {
	every := *x
	every.everyRound = true
	return &every
}

// prunes says whether executions with failed rounds are left out: not where every
// history is wanted, or every access counts.
func (x *Search) prunes() bool {
	return !x.everyRound && !x.AllHistories && !x.Unjudged && x.Each == nil && x.Around == nil
}

// Workers is how many workers the search will have.
func (x *Search) Workers() int {
	switch {
	case x.Each != nil || x.Around != nil || x.EachHistory != nil:
		return 1 // what they do is theirs alone
	case x.Subject.Buffers(): // a program is one worker's
		return min(workers.Count(x.Jobs), len(x.Programs))
	}
	return workers.Count(x.Jobs)
}

func (x *Search) accesses() int {
	if x.Accesses > 0 {
		return x.Accesses
	}
	return defaultAccesses
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
	if n := setup.Threads(); n > maxExhaustedProcesses {
		return nil, fmt.Errorf("the program has %d processes: an exhaustive search takes at most %d", n, maxExhaustedProcesses)
	}
	if n := setup.Program.Len(); n > maxExhaustedOps {
		return nil, fmt.Errorf("the program has %d operations: an exhaustive search takes at most %d", n, maxExhaustedOps)
	}
	p := &exhausting{index: i, setup: setup, seen: newSeen(mostHistories), book: rounds.NewBook()}
	if x.prunes() && !x.everyProcess {
		p.alike = alikeOf(setup)
	}
	return p, nil
}
