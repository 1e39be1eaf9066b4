// Package progress is "stealproof progress".
package progress

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/cases"
	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/subject"
	"stealproof/fuzz/progress"
	"stealproof/model"
)

// Command is "stealproof progress".
func Command(con *console.Console) *cobra.Command {
	var memory, save string
	cmd := &cobra.Command{
		Use:   "progress [flags] [STRUCTURE...]",
		Short: "Which operations are blocking, lock-free or wait-free, and why",
		Long: `Makes every execution of small programs, and every execution again in which a
process is suspended for ever, for each process and each of its accesses.

An operation is
  blocking   if somebody, suspended at some point, keeps it from ever returning;
             the points are printed, and --save keeps a case of each operation
  lock-free  if not, and no execution goes on without end; but others that go
             on can make it begin anew without bound, which a scheduler that
             wants just that shows
  wait-free  if it returns within a bound of accesses of its own

All of this is for the programs in question, which are small. It does not depend
on the results of operations: where these are wrong, that is said beside it. What is expected,
and why, stands in a table; a result that differs is an error.

Exit codes: 0 all as expected; 1 something differs; 3 a limit was met.`,
		Example: "  stealproof progress\n  stealproof progress tz blocking --save cases\n  stealproof replay cases/blocking.deq.case",
		RunE: exit.Command(func(cmd *cobra.Command, args []string) (model.Verdict, error) {
			return check(cmd.Context(), con, memory, save, args)
		}).RunE,
	}
	cmd.Flags().StringVar(&memory, "memory", "sc", "what the programs run on: sc (sequentially consistent) or ptx, as explore has them")
	cmd.Flags().StringVar(&save, "save", "", "save a case of each blocking operation, STRUCTURE.OPERATION.case, to this folder")
	return cmd
}

func check(ctx context.Context, con *console.Console, memory, save string, args []string) (model.Verdict, error) {
	m, err := subject.SearchedMemory(memory)
	if err != nil {
		return model.NotRun, err
	}
	subjects, err := progressSubjects(args)
	if err != nil {
		return model.NotRun, err
	}
	if err := files.MakeFolder(save); err != nil {
		return model.NotRun, err
	}
	verdict := model.Linearizable
	for i, s := range subjects {
		bar := con.Bar("structures", len(subjects))
		bar.At(i)
		r, err := progressOf(ctx, s, m)
		bar.Done()
		if err != nil {
			return model.NotRun, err
		}
		if ctx.Err() != nil {
			break
		}
		if i > 0 {
			con.Print("\n")
		}
		if err := r.Write(con.Out); err != nil {
			return model.NotRun, err
		}
		if err := saveBlocking(save, r); err != nil {
			return model.NotRun, err
		}
		verdict = verdict.And(progressVerdict(r))
	}
	return verdict, nil
}

func progressOf(ctx context.Context, expected *progress.Expected, memory model.Spec) (*progress.Report, error) {
	s, err := subject.Structure(expected.Spec, memory)
	if err != nil {
		return nil, err
	}
	return progress.Check(ctx, s, expected)
}

func progressVerdict(r *progress.Report) model.Verdict {
	switch {
	case !r.Decided():
		return model.Undecided
	case !r.AsClaimed():
		return model.Violation
	}
	return model.Linearizable
}

// progressSubjects are those of the named structures: all uses of a structure,
// or of exactly the variant that is named.
func progressSubjects(args []string) ([]*progress.Expected, error) {
	var chosen []*progress.Expected
	for i := range progress.Table {
		s := &progress.Table[i]
		if len(args) == 0 || named(s, args) {
			chosen = append(chosen, s)
		}
	}
	for _, arg := range args {
		if _, err := subject.Structure(arg, model.Spec{}); err != nil {
			return nil, err
		}
		if !anyNamed(chosen, arg) {
			return nil, fmt.Errorf("structure %s: nothing is expected of its progress; expected one of %s", arg, strings.Join(progressNames(), ", "))
		}
	}
	return chosen, nil
}

func named(s *progress.Expected, args []string) bool {
	structure, _, _ := strings.Cut(s.Spec, ":")
	for _, arg := range args {
		if arg == structure || arg == s.Spec {
			return true
		}
	}
	return false
}

func anyNamed(chosen []*progress.Expected, arg string) bool {
	for _, s := range chosen {
		if named(s, []string{arg}) {
			return true
		}
	}
	return false
}

func progressNames() []string {
	var names []string
	for i := range progress.Table {
		if s := &progress.Table[i]; s.About == "" {
			names = append(names, s.Spec)
		}
	}
	return names
}

// saveBlocking keeps a case of each operation that blocks.
func saveBlocking(folder string, r *progress.Report) error {
	for _, p := range r.Ops {
		if err := cases.Save(folder, r.Expected.Spec, p.Claim.Op, p.Case); err != nil {
			return err
		}
	}
	return nil
}
