package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"stealproof/fuzz"
	"stealproof/model"
)

// exhaustive explores every execution of a program, or of all programs of a
// size, up to equivalence.
func (a *app) exhaustive(cmd *cobra.Command, c *fuzz.Campaign, f exploreFlags) error {
	x, err := exhaustOf(c, f)
	if err != nil {
		return err
	}
	if err := a.resume(x, f); err != nil {
		return err
	}
	expected, goOn, err := a.announce(cmd.Context(), x, f)
	if err != nil || !goOn {
		return err
	}
	r, err := a.runExhaust(cmd.Context(), x, expected)
	if err != nil {
		return fmt.Errorf("structure %s: %w", c.Subject.Spec(), err)
	}
	a.verdict = r.Verdict
	a.printExhaustion(c, f, r)
	if err := a.saveCheckpoint(r, f); err != nil {
		return err
	}
	if r.Failure == nil {
		return nil
	}
	return a.shrinkAndPrint(cmd.Context(), r.Failure, f)
}

// exhaustOf prepares the search that the flags ask for.
func exhaustOf(c *fuzz.Campaign, f exploreFlags) (*fuzz.Exhaust, error) {
	x := &fuzz.Exhaust{Subject: c.Subject, Limit: c.Runs, Jobs: c.Jobs, AllHistories: f.exhaust.count}
	if c.Program != nil {
		x.Programs = []model.Program{*c.Program}
	} else {
		var err error
		bounds := fuzz.Bounds{Shape: c.Shape, Size: f.exhaust.size, Phases: f.exhaust.phases}
		if x.Programs, err = fuzz.AllPrograms(c.Subject, bounds); err != nil {
			return nil, fmt.Errorf("--exhaustive: %w", err)
		}
	}
	_, err := c.Subject.Prepare(x.Programs[0]) // what does not fit is refused before anything is announced
	return x, err
}

func (a *app) runExhaust(ctx context.Context, x *fuzz.Exhaust, expected fuzz.Estimate) (*fuzz.Exhausted, error) {
	bar := newProgress(a.err, "executions", int(min(expected.Executions, 1e15)))
	if bar != nil && !expected.Exact {
		bar.total, bar.about = max(1, bar.total), true
	}
	x.Progress = func(_, executions int) { bar.at(executions) }
	r, err := x.Run(ctx)
	bar.done()
	var silent *fuzz.SilentError
	if errors.As(err, &silent) {
		a.verdict = model.Undecided
	}
	return r, err
}

func (a *app) printExhaustion(c *fuzz.Campaign, f exploreFlags, r *fuzz.Exhausted) {
	programs := "all " + thousands(r.Programs, "program") + " " + sizeOf(c, f)
	if c.Program != nil {
		programs = "the program"
	}
	work := fmt.Sprintf("%s, %s cut as equivalent, in %s", thousands(r.Executions, "execution"), digits(r.Cut), r.Elapsed.Round(time.Millisecond))
	on := ""
	if memory := c.Subject.Memory(); memory.Structure != "" {
		on = " on memory " + memory.String()
		work = fmt.Sprintf("%s, %s dead ends, in %s", thousands(r.Executions, "execution graph"), digits(r.Cut), r.Elapsed.Round(time.Millisecond))
	}
	if f.exhaust.count {
		work += fmt.Sprintf("; %s different histories, all judged", digits(r.Histories))
	}
	switch {
	case r.Verdict == model.Linearizable:
		fmt.Fprintf(a.out, "%s%s: %s, all executions: linearizable (%s)\n", c.Subject.Spec(), on, programs, work)
	case r.Verdict == model.Violation && c.Program == nil:
		n := r.Failure.Case.Program.Len()
		fmt.Fprintf(a.out, "%s%s: violation, in a program of %s: no program with fewer has one (%s)\n", c.Subject.Spec(), on, plural(n, "operation"), work)
	case r.Verdict == model.Violation:
		fmt.Fprintf(a.out, "%s%s: violation (%s)\n", c.Subject.Spec(), on, work)
	default:
		fmt.Fprintf(a.out, "%s%s: undecided: %s of %s exhausted (%s)\n", c.Subject.Spec(), on, digits(r.Exhausted), thousands(r.Programs, "program"), work)
		fmt.Fprintln(a.out, whyUndecided(r))
	}
}

func whyUndecided(r *fuzz.Exhausted) string {
	if r.Checkpoint == nil || r.Checkpoint.Left() {
		return "What was executed holds. The rest was not reached: a limit was met, or the search was interrupted."
	}
	return strings.TrimSpace(`
What was executed holds. Some executions did not end within 10,000 accesses, since
the structure waits in a loop that is not recognised, or makes no headway.`)
}

// sizeOf says which programs they are.
func sizeOf(c *fuzz.Campaign, f exploreFlags) string {
	size := fmt.Sprintf("of at most %s operations", c.Shape)
	switch c.Subject.Design().Kind {
	case model.Range:
		size += fmt.Sprintf(", each of at most %s", plural(f.exhaust.size, "index"))
	case model.Bag:
		size += fmt.Sprintf(" in %s", plural(f.exhaust.phases, "phase"))
	}
	return size
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "x") {
		return fmt.Sprintf("%d %sices", n, strings.TrimSuffix(what, "ex"))
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// thousands is plural with marks between the digits.
func thousands(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return digits(n) + " " + what + "s"
}

// digits writes 1234567 as 1,234,567.
func digits(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
