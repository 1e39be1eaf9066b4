// Package runs makes executions under a strategy, or on real atomics, until one fails.
package runs

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/explore/search"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/words"
	"stealproof/fuzz"
	"stealproof/fuzz/schedule"
	"stealproof/model"
)

// Flags are those of this search alone.
type Flags struct {
	strategy string
	seed     uint64
	duration exit.Limit
}

// Register adds the flags to those of the command.
func (f *Flags) Register(fl *pflag.FlagSet) {
	fl.StringVar(&f.strategy, "strategy", schedule.Default, "who goes next: "+strings.Join(schedule.Names(), ", ")+", with settings as in pct:depth=3")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the first run; each further run takes the next")
	fl.Var(&f.duration, "for", "run for this `duration` instead of --runs, as in 30s, but once at least: linearizable if nothing has failed by then; with --exhaustive: end after so long, undecided")
}

// For is how long to search.
func (f *Flags) For() exit.Limit { return f.duration }

// Check refuses what does not go with the other flags.
func (f *Flags) Check(changed func(flag string) bool, native bool) error {
	switch {
	case f.duration > 0 && changed("runs") && !changed("exhaustive"):
		return fmt.Errorf("--runs and --for exclude each other")
	case native && changed("strategy"):
		return fmt.Errorf("--strategy does not apply to --memory native: there the machine decides who goes next")
	case native && changed("no-shrink"):
		return fmt.Errorf("--no-shrink does not apply to --memory native: what the machine did cannot be repeated, so it is never shrunk")
	}
	return nil
}

// Run makes the executions, and shows the first that fails.
func (f *Flags) Run(ctx context.Context, con *console.Console, s *search.Search) (model.Verdict, error) {
	c := &fuzz.Campaign{Subject: s.Subject, Native: s.Native, Shape: s.Shape, Program: s.Program, Seed: f.seed, Runs: f.runs(s), Jobs: s.Jobs}
	var err error
	if c.Schedule, err = model.ParseSchedule(f.strategy); err != nil {
		return model.NotRun, fmt.Errorf("--strategy: %w", err)
	}
	if err := s.Failure.Check(); err != nil {
		return model.NotRun, err
	}
	limited := ctx
	if f.duration > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, time.Duration(f.duration))
		defer cancel()
	}
	bar := con.Bar("executions", c.Runs)
	if f.duration > 0 {
		bar = con.TimedBar("executions", time.Duration(f.duration))
	}
	c.Progress = bar.At
	r, err := c.Run(limited)
	if err == nil && r.Executions == 0 && ctx.Err() == nil {
		c.Runs = 1 // however short the time is
		r, err = c.Run(ctx)
	}
	bar.Done()
	if err != nil {
		return model.NotRun, err
	}
	if f.duration > 0 && r.Verdict == model.Undecided && r.Undecided == 0 && ctx.Err() == nil {
		r.Verdict = model.Linearizable // it ran as long as it was asked to, and nothing failed
	}
	printResult(con, c, r)
	if r.Failure == nil {
		s.Failure.SayNothingDrawn(con)
		return r.Verdict, nil
	}
	return r.Verdict, s.Failure.Show(ctx, con, s.Subject, r.Failure, s.Native)
}

// runs is how many executions to make: one where all would be the same.
func (f *Flags) runs(s *search.Search) int {
	name, _, _ := strings.Cut(f.strategy, ":")
	switch {
	case f.duration > 0:
		return math.MaxInt
	case !s.Limited && s.Program != nil && (name == model.ByChoices || name == "directed" || name == "bytes"):
		return 1
	}
	return s.Runs
}

func printResult(con *console.Console, c *fuzz.Campaign, r *fuzz.Result) {
	memory := "simulated memory, strategy " + c.Schedule.String()
	if m := c.Subject.Memory(); m.Structure != "" {
		memory = "simulated memory " + m.String() + ", strategy " + c.Schedule.String()
	}
	if c.Native {
		memory = "real atomics"
	}
	con.Print("%s on %s: %s after %s, %s, in %s\n",
		c.Subject.Spec(), memory, r.Verdict, words.Plural(r.Executions, "execution"), words.Plural(r.Operations, "operation"), r.Elapsed.Round(time.Millisecond))
	note(&con.Report, c, r)
	if r.Undecided > 0 {
		const why = "a limit was met before all operations had returned"
		con.Print("%s stayed undecided: %s\n", words.Plural(r.Undecided, "execution"), why)
		con.Report.Limit("%s: %s", words.Plural(r.Undecided, "execution"), why)
	}
}

// note puts the numbers into the report.
func note(to *report.Report, c *fuzz.Campaign, r *fuzz.Result) {
	if !c.Native {
		to.Question.Schedule = c.Schedule.String()
	}
	if c.Program == nil {
		to.Question.Programs = "random programs of " + c.Shape.String() + " operations"
	}
	to.Count("executions", r.Executions)
	to.Count("operations", r.Operations)
	to.Count("undecided", r.Undecided)
	to.Count("seed", c.Seed)
	if s := r.Elapsed.Seconds(); s > 0 {
		to.Count("judged_per_second", math.Round(float64(r.Executions)/s))
	}
	if r.Failure != nil {
		to.Count("failing_run", r.Failure.Run)
	}
}
