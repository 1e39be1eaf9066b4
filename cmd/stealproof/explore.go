package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"stealproof/fuzz/schedule"
	"stealproof/model"
)

type exploreFlags struct {
	memory, strategy   string
	owner              int
	thieves, processes string
	program            string
	save, history      string
	seed               uint64
	runs, jobs         int
	duration           time.Duration
	list, exhaustive   bool
	noShrink           bool
	fences             string
	also               []string
	exhaust            exhaustFlags
}

func (a *app) exploreCommand() *cobra.Command {
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "explore [flags] STRUCTURE[:SETTING=VALUE,...]",
		Short: "Run a structure under a strategy, and judge every execution",
		Long: `Runs programs on a structure, on a simulated memory where every access is a
choice, sequentially consistent or as weak as PTX, or on real atomics, and
judges every execution, until one fails or all runs are done. What failed is
shrunk to the smallest case that fails for the same reason, explained, and saved
with --save.

A program is what each process does. By default it is generated, anew every 32
runs; its size is given by --owner and --thieves (deques and ranges) or by
--processes (queues and bags). --program gives one of your own, as text or as
the name of a file:
  0: push push pop
  1: steal`,
		Example: `  stealproof explore --list
  stealproof explore abp
  stealproof explore abp:width=1 --owner 10 --thieves 2x2 --save width1.case
  stealproof explore tz:variant=original --processes 2x3
  stealproof explore abp --exhaustive --owner 3 --thieves 2x2
  stealproof explore abp:width=1 --exhaustive --owner 4 --thieves 1x1 --save smallest.case
  stealproof explore abp --strategy directed:process=1,at=head#2,until=same \
      --program '0: push pop push pop
                 1: steal'
  stealproof explore abp:orders=steal-fence-head-tail.weak --memory ptx
  stealproof explore abp --memory ptx --fences
  stealproof explore abp --memory native --for 10s`,
		Args: func(_ *cobra.Command, args []string) error {
			if f.list {
				return nil
			}
			return oneArgument("explore", "one structure, as in abp:width=1 (--list shows them)")(nil, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.list {
				return a.listStructures()
			}
			return a.explore(cmd, f, args[0])
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.memory, "memory", "sc", "sc (simulated, sequentially consistent), ptx (simulated, all that the PTX model allows; ptx:place=block|cluster|gpu|system puts the processes into one of these) or native (Go's atomics)")
	fl.StringVar(&f.strategy, "strategy", schedule.Default, "who goes next: "+strings.Join(schedule.Names(), ", ")+", with settings as in pct:depth=3")
	fl.IntVar(&f.owner, "owner", 5, "operations of the owner")
	fl.StringVar(&f.thieves, "thieves", "3+2", "the thieves: 2x3 is two of three operations each, 3+2 one of three and one of two")
	fl.StringVar(&f.processes, "processes", "5+3+2", "the processes of a structure without owner, in the same form")
	fl.StringVar(&f.program, "program", "", "a program of your own, as text or a file's name")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the first run; each further run takes the next")
	fl.IntVar(&f.runs, "runs", 100000, "number of executions")
	fl.DurationVar(&f.duration, "for", 0, "run for so long instead, as in 30s")
	fl.IntVar(&f.jobs, "jobs", 0, "executions at the same time (default one per processor)")
	fl.BoolVar(&f.exhaustive, "exhaustive", false, "every execution, up to equivalence, of the program or of all programs up to the size; --runs limits each program")
	fl.BoolVar(&f.noShrink, "no-shrink", false, "show and save what failed as it was found")
	fl.StringArrayVar(&f.also, "also", nil, "with --fences: the orders must suffice with these settings too, as in --also tz:capacity=3; may be given several times")
	fl.StringVar(&f.fences, "fences", "", "with --memory ptx: the cheapest orders of accesses and fences that suffice, and what happens with less; =fences keeps the accesses as they are; --save names a folder for the counterexamples")
	fl.Lookup("fences").NoOptDefVal = fencesAll
	f.exhaust.add(fl)
	fl.StringVar(&f.save, "save", "", "save the failing case to this file, for replay")
	fl.StringVar(&f.history, "history", "", "write the failing history to this file (.jsonl, .jsonl.gz), for check")
	fl.BoolVar(&f.list, "list", false, "list the structures, their settings and defects, and the strategies")
	return cmd
}

func (a *app) explore(cmd *cobra.Command, f exploreFlags, structure string) error {
	a.verdict = model.NotRun
	c, err := a.campaign(cmd, f, structure)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	if f.exhaustive {
		return a.exhaustive(cmd, c, f)
	}
	if f.fences != "" {
		return a.fences(ctx, c, f)
	}
	if f.duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.duration)
		defer cancel()
	}
	p := newProgress(a.err, "executions", c.Runs)
	c.Progress = p.at
	r, err := c.Run(ctx)
	p.done()
	if err != nil {
		return err
	}
	a.verdict = r.Verdict
	if f.duration > 0 && r.Verdict == model.Undecided && r.Undecided == 0 && r.Executions > 0 && cmd.Context().Err() == nil {
		a.verdict = model.Linearizable // it ran as long as it was asked to
	}
	a.printCampaign(c, r)
	if r.Failure == nil {
		return nil
	}
	return a.shrinkAndPrint(cmd.Context(), r.Failure, f)
}

// check refuses what makes no sense by itself, and flags that another one
// would render idle: they mean that something else was expected.
func (f exploreFlags) check(cmd *cobra.Command) error {
	switch {
	case f.runs < 1:
		return fmt.Errorf("--runs %d: expected at least 1", f.runs)
	case f.jobs < 0:
		return fmt.Errorf("--jobs %d: expected at least 1, or 0 for one per processor", f.jobs)
	case f.duration < 0:
		return fmt.Errorf("--for %s: expected a duration above 0", f.duration)
	}
	changed := cmd.Flags().Changed
	if err := f.checkFences(cmd); err != nil {
		return err
	}
	if err := f.exhaust.check(cmd, f.exhaustive); err != nil {
		return err
	}
	switch {
	case f.duration > 0 && changed("runs"):
		return fmt.Errorf("--runs and --for exclude each other")
	case f.memory == memoryNative && changed("strategy"):
		return fmt.Errorf("--strategy does not apply to --memory native: there the machine decides who goes next")
	}
	if f.memory == memoryNative && changed("no-shrink") {
		return fmt.Errorf("--no-shrink does not apply to --memory native: what the machine did cannot be repeated, so it is never shrunk")
	}
	for _, name := range []string{"owner", "thieves", "processes"} {
		if f.program != "" && changed(name) {
			return fmt.Errorf("--%s does not apply to --program: it says itself what each process does", name)
		}
	}
	return nil
}
