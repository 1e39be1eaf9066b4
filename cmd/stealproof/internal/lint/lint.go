// Package lint is "stealproof lint".
package lint

import (
	"errors"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/cases"
	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/words"
	"stealproof/model"
	"stealproof/ref/ptx"
	"stealproof/ref/ptx/lint"
	"stealproof/ref/ptx/syntax"
)

// Command is "stealproof lint".
func Command(con *console.Console) *cobra.Command {
	return &cobra.Command{
		Use:   "lint MODULE.ptx...",
		Short: "Name the weak accesses of a module on whose order or repetition it seems to rely",
		Long: `Reads a PTX module and names its weak accesses (those without .relaxed, .acquire,
.release or .volatile, whatever their cache operator) that a compiler may leave out,
merge or move, though the text seems to rely on them:

  wait     a loop waits for what a weak load sees: it may be loaded once
  order    what one load reads decides whether a weak load is made, and nothing
           orders the two: it may be made first
  publish  a weak store comes before a store or an atomic that others look at, and
           nothing orders the two: it may be seen last

Of a module that was compiled with stealproof.cuh the operations are looked at, of
any other all kernels. Nothing is executed: what is named need not go wrong, and
what is not named may. explore --memory ptx executes a module.

Exit codes: 0 nothing was found; 1 something was.`,
		Example: "  stealproof lint queue.ptx",
		RunE: exit.Command(func(_ *cobra.Command, args []string) (model.Verdict, error) {
			return run(con, args)
		}).RunE,
	}
}

func verdictOn(found []lint.Finding) string {
	if len(found) == 0 {
		return report.Holds
	}
	return model.Violation.String()
}

// forMachines is a finding in the form of all commands. What is named here need not go
// wrong, but the exit code says that something was found.
func forMachines(module string, f lint.Finding) report.Finding {
	r := report.Finding{Item: module, Kind: f.Kind, Level: report.Error, Message: f.Text, Site: f.At}
	if r.Kind == lint.Order {
		r.Kind = "weak-order" // order is a kind of violation
	}
	if r.File, r.Line = cases.Place(f.At, module); r.File == "" {
		r.File, r.Line = module, f.Line
	}
	return r
}

func run(con *console.Console, files []string) (model.Verdict, error) {
	con.Report.Question.Files = files
	if len(files) == 0 {
		return model.NotRun, errors.New(`lint: expected a module, as in queue.ptx (see "stealproof lint --help")`)
	}
	verdict := model.Linearizable
	for _, file := range files {
		text, err := ptx.Read(file)
		if err != nil {
			return model.NotRun, err
		}
		m, err := syntax.Parse(file, string(text))
		if err != nil {
			return model.NotRun, err
		}
		found := lint.Check(m)
		con.Report.Add(report.Item{Name: file, File: file, Verdict: verdictOn(found), Statistics: map[string]any{"findings": len(found)}})
		for _, f := range found {
			con.Print("%s: %s\n", f.At, f)
			con.Report.Find(forMachines(file, f))
		}
		con.Print("%s: %s\n", file, words.Plural(len(found), "finding"))
		if len(found) > 0 {
			verdict = model.Violation
		}
	}
	return verdict, nil
}
