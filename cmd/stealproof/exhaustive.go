package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"stealproof/fuzz"
	"stealproof/model"
	"stealproof/ref"
)

// exhaustive explores every execution of a program, or of all programs of a
// size, up to equivalence.
func (a *app) exhaustive(ctx context.Context, c *fuzz.Campaign, f exploreFlags) error {
	config, err := ref.Resolve(c.Spec)
	if err != nil {
		return err
	}
	programs := []model.Program{}
	if c.Program != nil {
		programs = append(programs, *c.Program)
	} else if programs, err = fuzz.AllPrograms(config, c.Shape); err != nil {
		return fmt.Errorf("--exhaustive: %w", err)
	}
	start := time.Now()
	t := exhaustion{verdict: model.Linearizable, total: len(programs)}
	for i := range programs {
		if err := a.exhaustProgram(ctx, c, &programs[i], f, &t); err != nil {
			return err
		}
		if t.verdict == model.Violation || ctx.Err() != nil {
			break
		}
	}
	a.verdict = t.verdict
	a.printExhaustion(c, &t, time.Since(start))
	if t.failure == nil {
		return nil
	}
	return a.shrinkAndPrint(ctx, t.failure, f)
}

// exhaustion adds up programs.
type exhaustion struct {
	total, complete            int
	executions, cut, histories int
	verdict                    model.Verdict
	failure                    *fuzz.Failure
}

func (a *app) exhaustProgram(ctx context.Context, c *fuzz.Campaign, p *model.Program, f exploreFlags, t *exhaustion) error {
	setup, err := ref.Prepare(c.Spec, *p)
	if err != nil {
		return err
	}
	bar := newProgress(a.err, fmt.Sprintf("program %d of %d, executions", t.complete+1, t.total), c.Runs)
	x := fuzz.Exhaust{Setup: setup, Limit: c.Runs, Accesses: exhaustiveAccesses, Progress: bar.at}
	r := x.Run(ctx)
	bar.done()
	t.executions += r.Executions
	t.cut += r.Cut
	t.histories += r.Histories
	t.verdict = t.verdict.And(r.Verdict)
	t.failure = r.Failure
	if r.Complete && r.Verdict == model.Linearizable {
		t.complete++
	}
	return nil
}

// exhaustiveAccesses bounds a single execution: programs are small, and one that
// waits in a loop has no last execution.
const exhaustiveAccesses = 2000

func (a *app) printExhaustion(c *fuzz.Campaign, t *exhaustion, elapsed time.Duration) {
	programs := "all " + plural(t.total, "program")
	if c.Program != nil {
		programs = "the program"
	}
	rate := fmt.Sprintf("%d executed, %d more cut as equivalent, %d different histories, in %s", t.executions, t.cut, t.histories, elapsed.Round(time.Millisecond))
	switch {
	case t.verdict == model.Linearizable:
		fmt.Fprintf(a.out, "%s: %s, all executions: linearizable (%s)\n", c.Spec, programs, rate)
	case t.verdict == model.Violation:
		fmt.Fprintf(a.out, "%s: violation (%s)\n", c.Spec, rate)
	default:
		fmt.Fprintf(a.out, "%s: undecided: %d of %s exhausted (%s)\n", c.Spec, t.complete, plural(t.total, "program"), rate)
		fmt.Fprintln(a.out, strings.TrimSpace(`
What was executed holds. What remains was not reached: the limit of --runs for a
program was met, or an execution did not end within 2000 accesses, since the
structure waits in a loop.`))
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
