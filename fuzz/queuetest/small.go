package queuetest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"stealproof/fuzz"
	"stealproof/fuzz/exhaust"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/shrink"
	"stealproof/model"
)

// smallShapes are those of which every program is executed in every way that
// matters; the last ones only without -short.
var smallShapes = []programs.Shape{{1, 1}, {2, 1}, {2, 2}, {2, 1, 1}, {3, 1}, {3, 2}}

const shortShapes = 4

// exhaustSmall looks at all executions of all small programs. What goes into a
// range or a bag is not a matter of operations alone: there it takes a few
// random programs of every shape.
func (x *queueTest) exhaustSmall(ctx context.Context) {
	if x.open() > 0 {
		return
	}
	shapes, incomplete := smallShapes, 0
	if x.flags.Short {
		shapes = shapes[:shortShapes]
	}
	for _, shape := range shapes {
		for i, p := range x.programsOf(shape) {
			x.tell("all executions of small programs: program %d of those with %s operations", i+1, shape)
			if !x.exhaust(ctx, p) {
				incomplete++
			}
			if ctx.Err() != nil || x.failed() {
				return
			}
			if incomplete >= mostIncomplete {
				x.change(func(r *Report) { r.Looked.Fewer = true })
				return
			}
		}
	}
}

// exhaustClients looks at all clients of a few calls: at what they order from outside
// where only that tells what precedes what. A bag is left out, whose phases order
// everything, and load buffering and operations of several lanes, for which such a search
// is not made: clients of a subject with load buffering are looked at without.
func (x *queueTest) exhaustClients(ctx context.Context) {
	if !x.subject.Weak() || x.subject.Lanes() > 1 || x.open() > 0 || x.queue.Kind == model.Bag {
		return
	}
	list, err := programs.Clients(x.subject, programs.Bounds{}, x.queue.Clients)
	if err != nil {
		x.broken(err)
		return
	}
	calls, whole := 0, true
	for _, p := range list {
		if n := p.Calls(); n > calls {
			x.change(func(r *Report) { r.Clients = calls })
			calls = n
		}
		whole = x.exhaustAs(ctx, p, true) && whole
		if !whole || ctx.Err() != nil || x.failed() {
			return
		}
	}
	x.change(func(r *Report) { r.Clients = calls })
}

const programsPerShape = 6

func (x *queueTest) programsOf(shape programs.Shape) []model.Program {
	if all, err := programs.All(x.subject, programs.Bounds{Shape: shape, Exactly: true}); err == nil {
		return all
	}
	var some []model.Program
	n := uint64(programsPerShape)
	if x.flags.Short {
		n /= 2
	}
	for i := range n {
		some = append(some, x.random(shape, i))
	}
	return some
}

// Limits of the exploration of one small program. It need not come to its end:
// random runs follow. But then it does not count as exhausted.
const (
	mostExecutions = 20_000
	mostAccesses   = 500
	// mostIncomplete is after how many programs that were too large, or wait in a
	// loop of several accesses, it is no use to go on.
	mostIncomplete = 2
)

// exhaust executes a program in every way that matters, and says whether that is
// done.
func (x *queueTest) exhaust(ctx context.Context, p model.Program) (complete bool) {
	return x.exhaustAs(ctx, p, false)
}

// exhaustAs judges the executions also, with clients, for all that order the operations
// from outside.
func (x *queueTest) exhaustAs(ctx context.Context, p model.Program, clients bool) (complete bool) {
	x.now(p, nil)
	most := mostExecutions
	if x.flags.Short {
		most /= 4
	}
	subject := x.subject
	if clients {
		subject = subject.Unbuffered()
	}
	r, err := (&exhaust.Search{Subject: subject, Programs: []model.Program{p}, Limit: most, Accesses: min(mostAccesses, x.queue.Accesses), Clients: clients}).Run(ctx)
	if err != nil {
		x.broken(err)
		return false
	}
	x.change(func(report *Report) {
		report.Executions += r.Executions
		switch l, n := &report.Looked, p.Len(); {
		case clients && r.Unasked == 0 && r.Complete && r.Verdict == model.Linearizable:
		case r.Complete && r.Verdict == model.Linearizable:
			if report.Programs++; report.Programs == 1 || n < l.Smallest {
				l.Smallest = n
			}
			l.Largest = max(l.Largest, n)
		case r.Failure == nil && ctx.Err() == nil:
			why := "an execution does not end within the limit of accesses"
			switch {
			case r.Unasked > 0:
				why = "it could not be asked whether a client with signals breaks it"
			case r.Executions >= most:
				why = fmt.Sprintf("more than %d executions", most)
			}
			l.Unfinished = append(l.Unfinished, fmt.Sprintf("%q (%s)", strings.ReplaceAll(strings.TrimSpace(p.String()), "\n", " | "), why))
		}
		if r.Failure != nil {
			report.Failure, report.Verdict = r.Failure, model.Violation
		}
	})
	return r.Complete && r.Unasked == 0
}

// mostShrinking is how many accesses shrinking may make, which takes about half a
// minute: other tests wait.
const mostShrinking = 30_000_000

// forShrinking leaves half of the time that a test still has for what comes behind.
func forShrinking(ctx context.Context) (context.Context, context.CancelFunc) {
	at, has := ctx.Deadline()
	if !has {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(at)/2)
}

// confirm executes the failure again, and shrinks it.
func (x *queueTest) confirm(ctx context.Context) {
	x.watch.strict.Store(true)
	defer x.watch.strict.Store(false)
	f := x.report.Failure // nobody else changes it
	if f.Finding.Kind == KindStateful || f.Finding.Kind == fuzz.KindMisuse || len(f.Case.Program.Processes) == 0 {
		return
	}
	again, err := fuzz.RunCaseOf(x.subject, f.Case)
	if err != nil || again.Finding.Kind != f.Finding.Kind {
		text := "It did not fail again"
		if err != nil {
			text = err.Error()
		}
		x.stateful(f.Case.Program, f.Case.Schedule.Choices, text, f.Case.Note)
		return
	}
	x.change(func(r *Report) { r.Rerun = again })
	if x.queue.NoShrink {
		return
	}
	x.watch.strict.Store(strings.Contains(f.Finding.Explanation, strayed)) // slow: only where it matters
	ctx, cancel := forShrinking(ctx)
	defer cancel()
	s, err := (&shrink.Search{
		Subject: x.subject, Case: f.Case, Accesses: mostShrinking,
		Progress: func(smallest shrink.Size, tried int) {
			x.tell("shrinking a %s: %d smaller programs tried, the smallest that fails has %s", f.Finding.Kind, tried, smallest)
		},
	}).Run(ctx)
	if err != nil {
		x.stateful(f.Case.Program, f.Case.Schedule.Choices, err.Error(), f.Case.Note)
		return
	}
	s.Failure.Run = f.Run
	if again, err = fuzz.RunCaseOf(x.subject, s.Failure.Case); err != nil {
		x.stateful(s.Failure.Case.Program, s.Failure.Case.Schedule.Choices, err.Error(), f.Case.Note)
		return
	}
	x.change(func(r *Report) { r.Failure, r.Shrunk, r.Rerun = s.Failure, s, again })
}
