// Package exhaustive makes every execution of a program, or of all programs of a
// size, up to equivalence.
package exhaustive

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/explore/search"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/words"
	"stealproof/fuzz/exhaust"
	"stealproof/fuzz/programs"
	"stealproof/model"
)

// Run makes the search, and shows the first execution that fails. The context ends after
// the time, if that is not 0.
func (f *Flags) Run(ctx context.Context, con *console.Console, s *search.Search, limit time.Duration) (model.Verdict, error) {
	// a list of all programs may be long, and is not waited for
	x, err := console.UntilStopped(ctx, func() (*exhaust.Search, error) { return f.prepare(s) })
	if err != nil {
		return model.NotRun, err
	}
	if x.Resume, err = f.readCheckpoint(); err != nil {
		return model.NotRun, err
	}
	if err := f.canSave(s); err != nil {
		return model.NotRun, err
	}
	expected, goOn, err := f.announce(ctx, con, x, limit)
	if err != nil || !goOn {
		return model.NotRun, err
	}
	found := f.watch(x)
	r, err := run(ctx, con, x, expected, limit)
	if err != nil {
		return model.NotRun, fmt.Errorf("structure %s: %w", s.Subject.Spec(), err)
	}
	f.print(con, s, r)
	if found.print(con) {
		r.Verdict = r.Verdict.And(model.Violation)
	} else if f.races && r.Verdict == model.Linearizable {
		con.Print("no data race in any of them\n")
	}
	if err := f.saveCheckpoint(con, r); err != nil {
		return r.Verdict, err
	}
	if r.Failure == nil {
		s.Failure.SayNothingDrawn(con)
		return r.Verdict, nil
	}
	return r.Verdict, s.Failure.Show(ctx, con, s.Subject, r.Failure, false)
}

// prepare makes ready the search that the flags ask for. Each program is searched
// to its end, unless a number of runs is given.
func (f *Flags) prepare(s *search.Search) (*exhaust.Search, error) {
	if f.races && !s.Subject.KnowsRaces() {
		return nil, errors.New("--races: expected --memory ptx: on rc11 a data race is a violation, and on other memories there is none")
	}
	if f.races && s.Subject.Buffers() {
		return nil, errors.New("--races: no races are looked for in executions with load buffering: leave buffering=yes out")
	}
	x := &exhaust.Search{Subject: s.Subject, Jobs: s.Jobs, AllHistories: f.count}
	if s.Limited {
		x.Limit = s.Runs
	}
	switch {
	case s.Program != nil:
		x.Programs = []model.Program{*s.Program}
	case f.clients > 0:
		if s.Subject.Design().Kind == model.Bag {
			return nil, errors.New("--clients: a bag's phases order everything already")
		}
		var err error
		x.Clients = true
		if x.Programs, err = programs.Clients(s.Subject, programs.Bounds{Size: f.size}, f.clients); err != nil {
			return nil, fmt.Errorf("--clients: %w", err)
		}
	default:
		var err error
		bounds := programs.Bounds{Shape: s.Shape, Size: f.size, Phases: f.phases}
		if x.Programs, err = programs.All(s.Subject, bounds); err != nil {
			return nil, fmt.Errorf("--exhaustive: %w", err)
		}
	}
	_, err := s.Subject.Prepare(x.Programs[0]) // what does not fit is refused before anything is announced
	return x, err
}

func run(ctx context.Context, con *console.Console, x *exhaust.Search, expected exhaust.Estimate, limit time.Duration) (*exhaust.Result, error) {
	total, bar := int(min(expected.Executions, 1e15)), con.EstimatedBar
	if expected.Exact {
		bar = con.Bar
	}
	b := bar("executions", total)
	if limit > 0 {
		b = con.TimedBar("executions", limit)
	}
	defer b.Done()
	x.Progress = func(_, executions int) { b.At(executions) }
	return x.Run(ctx)
}

func (f *Flags) print(con *console.Console, c *search.Search, r *exhaust.Result) {
	programs := "all " + words.Thousands(r.Programs, "program") + " " + f.sizeOf(c)
	switch {
	case c.Program != nil:
		programs = "the program"
	case f.clients > 0:
		programs = "all clients of at most " + words.Plural(f.clients, "call") + f.each(c)
	}
	work := fmt.Sprintf("%s, %s cut as equivalent, in %s", words.Thousands(r.Executions, "execution"), words.Digits(r.Cut), r.Elapsed.Round(time.Millisecond))
	on := ""
	if memory := c.Subject.Memory(); memory.Structure != "" {
		on = " on memory " + memory.String()
		work = fmt.Sprintf("%s, %s, in %s", words.Thousands(r.Executions, "execution graph"), words.Thousands(r.DeadEnds, "dead end"), r.Elapsed.Round(time.Millisecond))
	}
	if f.count {
		work += fmt.Sprintf("; %s different histories, all judged", words.Digits(r.Histories))
	}
	con.Report.Question.Programs = programs
	note(&con.Report, c, r, f.count)
	switch {
	case r.Verdict == model.Linearizable:
		con.Print("%s%s: %s, all executions: linearizable (%s)\n", c.Subject.Spec(), on, programs, work)
	case r.Verdict == model.Violation && f.clients > 0:
		n := r.Failure.Case.Program.Calls()
		con.Print("%s%s: violation, in a client of %s: no client with fewer has one (%s)\n", c.Subject.Spec(), on, words.Plural(n, "call"), work)
	case r.Verdict == model.Violation && c.Program == nil:
		n := r.Failure.Case.Program.Len()
		con.Print("%s%s: violation, in a program of %s: no program with fewer has one (%s)\n", c.Subject.Spec(), on, words.Plural(n, "operation"), work)
	case r.Verdict == model.Violation:
		con.Print("%s%s: violation (%s)\n", c.Subject.Spec(), on, work)
	default:
		why := whyUndecided(c, r)
		con.Report.Limit("%s", why)
		con.Print("%s%s: undecided: %s of %s exhausted (%s)\n", c.Subject.Spec(), on, words.Digits(r.Exhausted), words.Thousands(r.Programs, "program"), work)
		con.Print("%s\n", why)
	}
}

// note puts the numbers into the report.
func note(to *report.Report, c *search.Search, r *exhaust.Result, count bool) {
	to.Count("programs", r.Programs)
	to.Count("exhausted", r.Exhausted)
	to.Count("executions", r.Executions)
	if c.Subject.Weak() {
		to.Count("dead_ends", r.DeadEnds)
	} else {
		to.Count("cut_as_equivalent", r.Cut)
	}
	if count {
		to.Count("histories", r.Histories)
	}
	if s := r.Elapsed.Seconds(); s > 0 {
		to.Count("judged_per_second", math.Round(float64(r.Executions)/s))
	}
}

func whyUndecided(c *search.Search, r *exhaust.Result) string {
	if r.Unasked > 0 {
		return fmt.Sprintf("What was executed holds without signals. Of %s it was not asked whether a client with signals breaks them:\nsome of their fences do not reach each other, some of their writes have no order, or some operation waits for ever.", words.Thousands(r.Unasked, "program"))
	}
	if r.Vigils > 0 {
		return fmt.Sprintf("In %s lanes of a process wait together in a loop: all of them look, and tell one another what they have seen.\nWhether such a loop ever ends is not looked at; one in which a single lane looks, and tells the others, is.", words.Thousands(r.Vigils, "program"))
	}
	if r.Checkpoint == nil || r.Checkpoint.Left() {
		limit := "a limit"
		if c.Limited {
			limit = fmt.Sprintf("--runs %d, which limits each program,", c.Runs)
		}
		return "What was executed holds. The rest was not reached: " + limit + " was met, or the search was interrupted."
	}
	return strings.TrimSpace(`
What was executed holds. Some executions did not end within 10,000 accesses, since
the structure waits in a loop that is not recognised, or makes no headway.`)
}

// each says how much the operations of a range bring or ask for.
func (f *Flags) each(c *search.Search) string {
	if c.Subject.Design().Kind != model.Range {
		return ""
	}
	return fmt.Sprintf(", each of at most %s", words.Plural(f.size, "index"))
}

// sizeOf says which programs they are.
func (f *Flags) sizeOf(c *search.Search) string {
	size := fmt.Sprintf("of at most %s operations", c.Shape)
	size += f.each(c)
	if c.Subject.Design().Kind == model.Bag {
		size += fmt.Sprintf(" in %s", words.Plural(f.phases, "phase"))
	}
	return size
}
