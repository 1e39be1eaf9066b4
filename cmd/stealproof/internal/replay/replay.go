// Package replay is "stealproof replay".
package replay

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/cases"
	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/subject"
	"stealproof/cmd/stealproof/internal/usage"
	"stealproof/cmd/stealproof/internal/words"
	"stealproof/fuzz"
	"stealproof/fuzz/trace"
	"stealproof/model"
	"stealproof/ref"
)

// Command is "stealproof replay".
func Command(con *console.Console) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "replay FILE|FOLDER",
		Short: "Run a saved failing case again, step by step",
		Long: `Runs a saved case again and prints its interleaving: a column per process, a
row per access, the fatal access marked. The same case gives the same execution
on every machine. With --shrink it prints the smallest case that fails for the
same reason instead. Of a case of a queue of your own it says by which command its test
replays it.

Of a folder every file that ends in .case is run, in sub-folders too, and has to
come out as it was saved: what must fail fails, for the same reason, and what must
hold holds.

Exit codes of a folder: 0 all came out as they were saved; 1 one did not; 2 one
cannot be read or run; 3 one was not run, since it is of somebody's own queue.
Of a file: 1 the case is a violation, as it was saved or not; 0 it is
linearizable; 2 the case cannot be read or no longer fits the structure.`,
		Example: `  stealproof explore abp:width=1 --save width1.case
  stealproof replay width1.case
  stealproof replay --html width1.html width1.case
  stealproof replay --shrink --save small.case large.case
  stealproof replay --module ticket.ptx ticket.case
  stealproof replay cases/`,
		Args: usage.OneArgument("replay", "one saved case ('-' is standard input), or a folder of them"),
		RunE: exit.Command(func(cmd *cobra.Command, args []string) (model.Verdict, error) {
			return f.replay(cmd.Context(), con, args[0])
		}).RunE,
	}
	cmd.Flags().StringVar(&f.history, "history", "", "also write the history to this file (.jsonl, .jsonl.gz)")
	cmd.Flags().StringVar(&f.pictures.HTML, "html", "", "draw the execution into this file, a page that needs nothing else: who read from whom, what was missed")
	cmd.Flags().StringVar(&f.pictures.SVG, "svg", "", "draw it into this file, as a picture for documents")
	cmd.Flags().BoolVar(&f.shrink, "shrink", false, "shrink the case to the smallest that fails for the same reason")
	cmd.Flags().StringVar(&f.save, "save", "", "with --shrink: save the smallest case to this file")
	cmd.Flags().StringVar(&f.file, "module", "", "the module that the case was found in, with --capacity and --numbers as they were then")
	f.module.Register(cmd.Flags())
	return cmd
}

type flags struct {
	history, save string
	pictures      cases.Pictures
	shrink        bool
	file          string // of a module
	module        subject.Module
}

func (f flags) replay(ctx context.Context, con *console.Console, file string) (model.Verdict, error) {
	if f.save != "" && !f.shrink {
		return model.NotRun, errors.New("--save does not apply without --shrink: the case is in a file already")
	}
	if isFolder(file) {
		return f.folder(ctx, con, file)
	}
	if err := (cases.Flags{Save: f.save, History: f.history, Pictures: f.pictures}).Check(); err != nil {
		return model.NotRun, err
	}
	r, err := f.run(ctx, con, file)
	if err != nil {
		return model.NotRun, err
	}
	if err := show(con, r); err != nil {
		return r.Finding.Verdict, err
	}
	f.note(&con.Report, file, r)
	if f.save != "" {
		if err := files.Save(f.save, r.Case.String()); err != nil {
			return r.Finding.Verdict, err
		}
		con.Print("Case saved.\n")
	}
	if err := f.pictures.Draw(r); err != nil {
		return r.Finding.Verdict, err
	}
	if f.history != "" {
		return r.Finding.Verdict, files.Formats().WriteFile(f.history, r.Execution.Timed())
	}
	return r.Finding.Verdict, nil
}

// run runs the case of a file, or the smallest that fails as it does.
func (f flags) run(ctx context.Context, con *console.Console, file string) (*fuzz.Rerun, error) {
	c, err := readCase(con, file)
	if err != nil {
		return nil, err
	}
	r, err := f.rerun(ctx, file, c)
	switch {
	case err != nil && f.file == "" && foreign(c):
		return nil, fmt.Errorf("%w; if it is that of a module, name it with --module; if it is a queue of your own, its test replays the case: %s", err, ofItsTest(file))
	case err != nil || !f.shrink:
		return r, err
	}
	if r, err = shrunkRerun(ctx, con, r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

func readCase(con *console.Console, file string) (model.Case, error) {
	text, err := con.ReadText(file, "a saved case")
	if err != nil {
		return model.Case{}, err
	}
	c, err := model.ParseCase(text)
	if err != nil {
		return c, fmt.Errorf("%s: %w", console.NameOf(file), err)
	}
	return c, nil
}

// rerun runs a case as it was saved.
func (f flags) rerun(ctx context.Context, file string, c model.Case) (*fuzz.Rerun, error) {
	s, err := f.subject(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	r, err := cases.Rerun(ctx, s, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// subject is the structure of a case: that of a module, if one is named.
func (f flags) subject(c model.Case) (ref.Subject, error) {
	if f.file != "" {
		return f.module.Subject(f.file, c.Kind)
	}
	return fuzz.SubjectOf(c)
}

// show prints the execution step by step, and what is wrong with it.
func show(con *console.Console, r *fuzz.Rerun) error {
	c := r.Case
	if c.Note != "" {
		con.Print("%s\n", c.Note)
	}
	con.Print("structure %s%s, %s\n\n", c.Spec, cases.OnMemory(c.Memory), words.Plural(r.Execution.Steps, "access"))
	if err := trace.WriteColumns(con.Out, r.Execution, r.Matter, r.Fatal); err != nil {
		return err
	}
	con.Print("\n%s\n", cases.Describe(r.Finding))
	cases.PrintReordered(con, r)
	if !r.Expected() {
		con.Print("The case was saved as: %s %s\n", c.Verdict, c.Found)
	}
	return nil
}

// note puts what came out into the report.
func (f flags) note(to *report.Report, file string, r *fuzz.Rerun) {
	to.About(r.Execution.Setup.Subject)
	q := &to.Question
	q.Module, q.Program, q.Schedule, q.Files = f.file, r.Case.Program.String(), r.Case.Schedule.String(), []string{file}
	to.Count("accesses", r.Execution.Steps)
	if found, wrong := cases.FindingOf(r.Finding, r.Case); wrong {
		found = cases.WithTrace(found, r, f.file)
		found.CaseFile, found.History = file, f.history
		if f.save != "" {
			found.CaseFile = f.save
		}
		to.Find(found)
	}
	if !r.Expected() {
		to.Note("the case was saved as %s", said(r.Case))
	}
}

// shrunkRerun executes the smallest case that fails as r does.
func shrunkRerun(ctx context.Context, con *console.Console, r *fuzz.Rerun) (*fuzz.Rerun, error) {
	s := r.Execution.Setup.Subject
	if r.Finding.Verdict != model.Violation {
		return nil, fmt.Errorf("--shrink: there is nothing to shrink, the case is %s", r.Finding.Verdict)
	}
	c := cases.Shrink(ctx, con, s, &fuzz.Failure{Case: r.Case, Finding: r.Finding}).Case
	con.Print("\n%s\n", words.Readable(c.String()))
	return cases.Rerun(context.WithoutCancel(ctx), s, c) // what was found is shown, interrupted or not
}
