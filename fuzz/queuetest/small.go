package queuetest

import (
	"context"
	"strings"

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
func (x *session) exhaustSmall(ctx context.Context) {
	if x.open() > 0 {
		return
	}
	shapes, incomplete := smallShapes, 0
	if x.settings.Short {
		shapes = shapes[:shortShapes]
	}
	for _, shape := range shapes {
		for _, p := range x.programsOf(shape) {
			if !x.exhaust(ctx, p) {
				incomplete++
			}
			if ctx.Err() != nil || x.failed() || incomplete >= mostIncomplete {
				return
			}
		}
	}
}

const programsPerShape = 6

func (x *session) programsOf(shape programs.Shape) []model.Program {
	if all, err := programs.All(x.subject, programs.Bounds{Shape: shape, Exactly: true}); err == nil {
		return all
	}
	var some []model.Program
	n := uint64(programsPerShape)
	if x.settings.Short {
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
func (x *session) exhaust(ctx context.Context, p model.Program) (complete bool) {
	x.now(p, nil)
	most := mostExecutions
	if x.settings.Short {
		most /= 4
	}
	r, err := (&exhaust.Search{Subject: x.subject, Programs: []model.Program{p}, Limit: most, Accesses: min(mostAccesses, x.queue.Accesses)}).Run(ctx)
	if err != nil {
		x.broken(err)
		return false
	}
	x.change(func(report *Report) {
		report.Executions += r.Executions
		if r.Complete && r.Verdict == model.Linearizable {
			report.Programs++
		}
		if r.Failure != nil {
			report.Failure, report.Verdict = r.Failure, model.Violation
		}
	})
	return r.Complete
}

// confirm executes the failure again, and shrinks it.
func (x *session) confirm(ctx context.Context) {
	x.watch.strict.Store(true)
	defer x.watch.strict.Store(false)
	f := x.report.Failure // nobody else changes it
	if f.Finding.Kind == KindStateful || len(f.Case.Program.Processes) == 0 {
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
	s, err := (&shrink.Search{Subject: x.subject, Case: f.Case}).Run(ctx)
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
