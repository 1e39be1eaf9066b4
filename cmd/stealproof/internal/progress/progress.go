// Package progress is "stealproof progress".
package progress

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/cases"
	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/subject"
	"stealproof/fuzz/progress"
	"stealproof/model"
	"stealproof/ref"
)

// Command is "stealproof progress".
func Command(con *console.Console) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "progress [flags] [STRUCTURE|MODULE.ptx...]",
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
and why, stands in a table; a result that differs is an error. Of a module
(docs/modules.md) nothing is expected, and --model says what it is.

Exit codes: 0 all as expected; 1 something differs; 3 a limit was met.`,
		Example: "  stealproof progress\n  stealproof progress tz blocking --save cases\n  stealproof replay cases/blocking-capacity-2.deq.case\n  stealproof progress ticket.ptx --model fifo",
		RunE: exit.Command(func(cmd *cobra.Command, args []string) (model.Verdict, error) {
			return f.limit.Within(cmd.Context(), con.SayLimit, func(ctx context.Context) (model.Verdict, error) {
				return f.check(ctx, con, cmd.Flags().Changed, args)
			})
		}).RunE,
	}
	cmd.Flags().StringVar(&f.memory, "memory", "sc", "what the programs run on: sc (sequentially consistent), ptx, rc11 or tso, as explore has them")
	cmd.Flags().StringVar(&f.save, "save", "", "save a case of each blocking operation, STRUCTURE.OPERATION.case, to this folder")
	f.argument.Register(cmd.Flags())
	f.limit.Register(cmd.Flags())
	return cmd
}

type flags struct {
	memory, save string
	argument     subject.Argument
	limit        exit.Limit
}

func (f *flags) check(ctx context.Context, con *console.Console, changed func(flag string) bool, args []string) (model.Verdict, error) {
	memory, err := subject.UnbufferedMemory(f.memory)
	if err != nil {
		return model.NotRun, err
	}
	all, err := f.questions(args, changed)
	if err != nil {
		return model.NotRun, err
	}
	if err := files.MakeFolder(f.save); err != nil {
		return model.NotRun, err
	}
	verdict := model.Linearizable
	for i, q := range all {
		bar := con.Bar("structures", len(all))
		bar.At(i)
		s, err := q.subject.On(memory)
		if err != nil {
			return model.NotRun, err
		}
		r, err := progress.Check(ctx, s, q.expected)
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
		if err := saveBlocking(f.save, r); err != nil {
			return model.NotRun, err
		}
		note(&con.Report, r)
		verdict = verdict.And(progressVerdict(r))
	}
	return verdict, nil
}

// note puts what was found about a structure into the report, an item for each operation.
func note(to *report.Report, r *progress.Report) {
	name := r.Expected.Spec
	if r.Expected.About != "" {
		name += ", " + r.Expected.About
	}
	for i := range r.Ops {
		p := &r.Ops[i]
		stops := []map[string]string{}
		for _, s := range p.Stops {
			stops = append(stops, map[string]string{"operation": s.Op.String(), "before": s.Line})
		}
		item := report.Item{Name: name + ": " + p.Claim.Op.String(), Verdict: report.Holds, Memory: report.MemoryOf(r.Subject), Answer: p.Level.String(),
			Message: p.Claim.Why, Statistics: map[string]any{"own_accesses": p.Own, "executions": r.Executions, "points_of_suspension": r.Points},
			Details: map[string]any{"stopped": stops, "alone": p.Alone}}
		found := report.Finding{Item: item.Name, Subject: r.Subject.Spec().String()}
		if p.Claim.Level != progress.LevelUnknown {
			item.Expected = p.Claim.Level.String()
		}
		if p.Case != nil {
			found.Case = p.Case.String()
			item.Details["case"] = found.Case
		}
		switch {
		case p.Level == progress.LevelUnknown:
			item.Verdict = model.Undecided.String()
			found.Kind, found.Level, found.Message = report.Undecided, report.Warning, "not every execution was made"
		case !p.AsClaimed():
			item.Verdict = model.Violation.String()
			found.Kind, found.Message = report.Unexpected, fmt.Sprintf("%s is %s, expected %s, with a bound of %d accesses", item.Name, p.Level, p.Claim.Level, p.Claim.Bound)
		}
		to.Add(item)
		if found.Kind != "" {
			to.Find(found)
		}
	}
	if r.Wrong != "" {
		to.Note("%s: not its progress, but its results are wrong: %s", name, r.Wrong)
	}
}

// question is what is expected of a structure.
type question struct {
	subject  ref.Subject
	expected *progress.Expected
}

// questions are those about the named structures and modules.
func (f *flags) questions(args []string, changed func(flag string) bool) (all []question, err error) {
	var names []string
	for _, arg := range args {
		if !subject.IsModule(arg) {
			names = append(names, arg)
			continue
		}
		s, err := f.argument.Structure(arg, changed)
		if err != nil {
			return nil, err
		}
		all = append(all, question{s, progress.Nothing(s)})
	}
	if len(all) == 0 {
		if _, err := f.argument.Structure("abp", changed); err != nil { // the flags of modules
			return nil, errors.New("--model, --capacity, --numbers and --patch are for modules, as in queue.ptx")
		}
	}
	if len(args) > 0 && len(names) == 0 {
		return all, nil
	}
	expected, err := progressSubjects(names)
	if err != nil {
		return nil, err
	}
	for _, e := range expected {
		s, err := subject.Structure(e.Spec, model.Spec{})
		if err != nil {
			return nil, err
		}
		all = append(all, question{s, e})
	}
	return all, nil
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
