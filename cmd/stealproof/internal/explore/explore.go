// Package explore is "stealproof explore": three searches for an execution that fails,
// which stand in packages of their own.
package explore

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/explore/exhaustive"
	"stealproof/cmd/stealproof/internal/explore/fences"
	"stealproof/cmd/stealproof/internal/explore/runs"
	"stealproof/cmd/stealproof/internal/explore/search"
	"stealproof/cmd/stealproof/internal/subject"
	"stealproof/cmd/stealproof/internal/usage"
	"stealproof/model"
)

// flags are those of the command line: some say which search is to be made, and
// each search has some of its own.
type flags struct {
	list       bool
	search     search.Flags
	runs       runs.Flags
	exhaustive exhaustive.Flags
	fences     fences.Flags
	liberties  bool
}

// Command is "stealproof explore".
func Command(con *console.Console) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "explore [flags] STRUCTURE[:SETTING=VALUE,...]|MODULE.ptx",
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
  1: steal
A process waits with "wait:a" until another one has given "signal:a": what comes
before the signal then precedes what comes behind the wait (docs/clients.md).

A module is what a compiler made of a kernel with gpu/include/stealproof.cuh
(docs/modules.md); --model says what it is.`,
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
  stealproof explore abp --memory native --for 10s
  stealproof explore ticket.ptx --model fifo --exhaustive --processes 2x2
  stealproof explore relay.ptx --model fifo --memory ptx --liberties`,
		Args: func(_ *cobra.Command, args []string) error {
			if f.list {
				return nil
			}
			return usage.OneArgument("explore", "one structure, as in abp:width=1 (--list shows them)")(nil, args)
		},
		RunE: exit.Command(func(cmd *cobra.Command, args []string) (model.Verdict, error) {
			if f.list {
				list(con)
				return model.Linearizable, nil
			}
			return f.explore(cmd, con, args[0])
		}).RunE,
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.list, "list", false, "list the structures, their settings and defects, and the strategies")
	f.search.Register(fl)
	f.runs.Register(fl)
	f.exhaustive.Register(fl)
	f.fences.Register(fl)
	fl.BoolVar(&f.liberties, "liberties", false, "with a module and --memory ptx: search also what a compiler may make of weak loads that somebody waits for: made once, or the wait left out")
	return cmd
}

// explore makes the search that is asked for.
func (f *flags) explore(cmd *cobra.Command, con *console.Console, structure string) (model.Verdict, error) {
	changed := cmd.Flags().Changed
	s, err := f.search.Subject.Structure(structure, changed)
	if err != nil {
		return model.NotRun, err
	}
	if err := f.check(changed); err != nil {
		return model.NotRun, err
	}
	work, err := f.search.Subject.Work(con, changed, s)
	if err != nil {
		return model.NotRun, err
	}
	f.search.Failure.Module = f.search.Subject.Module(structure)
	noteQuestion(con, work, f.search.Failure.Module.File)
	x := &search.Search{Work: work, Runs: f.search.Runs, Limited: changed("runs"), Jobs: f.search.Jobs, Failure: f.search.Failure}
	if f.liberties {
		return f.withLiberties(cmd.Context(), con, x)
	}
	return f.searchFor(cmd.Context(), con, x)
}

// searchFor makes the search that the flags ask for.
func (f *flags) searchFor(ctx context.Context, con *console.Console, x *search.Search) (model.Verdict, error) {
	switch {
	case f.exhaustive.Asked:
		limit := f.runs.For()
		return limit.Within(ctx, con.SayLimit, func(ctx context.Context) (model.Verdict, error) {
			return f.exhaustive.Run(ctx, con, x, time.Duration(limit))
		})
	case f.fences.Asked():
		return f.fences.Run(ctx, con, x)
	case subject.CheckBuffering(x.Subject) != nil:
		return model.NotRun, subject.CheckBuffering(x.Subject)
	}
	return f.runs.Run(ctx, con, x)
}

// noteQuestion puts what is asked into the report.
func noteQuestion(con *console.Console, w subject.Work, module string) {
	con.Report.About(w.Subject)
	q := &con.Report.Question
	q.Module = module
	if w.Native {
		q.Memory = subject.Native
	}
	if w.Program != nil {
		q.Program = w.Program.String()
	}
}

// check refuses what makes no sense by itself, and flags that the search in question
// does not heed: they mean that something else was expected.
func (f *flags) check(changed func(flag string) bool) error {
	native := f.search.Subject.Native()
	for _, refused := range []error{
		f.search.Check(), f.fences.Check(changed, &f.search), f.exhaustive.Check(changed, native),
		f.runs.Check(changed, native), f.search.Subject.Check(changed), f.checkLiberties(changed),
	} {
		if refused != nil {
			return refused
		}
	}
	return nil
}
