package replay

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"stealproof/cmd/stealproof/internal/cases"
	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/words"
	"stealproof/model"
)

// folder runs every case below a folder. What is asked there is not whether a case
// is a violation, but whether it comes out as it was saved: those that must fail
// fail, for the same reason, and those that must hold hold.
func (f flags) folder(ctx context.Context, con *console.Console, root string) (model.Verdict, error) {
	if f.shrink || f.save != "" || f.history != "" || f.pictures.Asked() {
		return model.NotRun, errors.New("--shrink, --save, --history, --html and --svg are for one case, not for a folder of them")
	}
	found, err := casesBelow(root)
	if err != nil {
		return model.NotRun, err
	}
	if len(found) == 0 {
		return model.NotRun, fmt.Errorf("%s: there is no case below this folder: expected files that end in .case", root)
	}
	con.Report.Question.Files, con.Report.Question.Module = []string{root}, f.file
	t := tally{con: con, flags: f}
	for _, file := range found {
		t.add(ctx, file)
		if ctx.Err() != nil {
			return model.Undecided, ctx.Err()
		}
	}
	return t.end(len(found))
}

// tally counts what the cases of a folder came to.
type tally struct {
	con   *console.Console
	flags flags

	same, other, elsewhere, wrong int
}

// add runs a case.
func (t *tally) add(ctx context.Context, file string) {
	c, err := readCase(t.con, file)
	if err != nil {
		t.fail(file, err)
		return
	}
	if why := t.flags.cannotRun(file, c); why != "" {
		t.elsewhere++
		t.con.Print("%s: not run: %s\n", file, why)
		t.note(report.Item{Verdict: model.NotRun.String(), Message: why}, file, c, &report.Finding{Kind: report.NotRun, Level: report.Warning, Message: why})
		return
	}
	with := t.flags
	if !foreign(c) {
		with.file = "" // the module is for the others
	}
	r, err := with.rerun(ctx, file, c)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		t.fail(file, err)
	case r.Expected():
		t.same++
		t.con.Print("%s: %s, as it was saved\n", file, said(c))
		t.note(report.Item{Verdict: report.Holds, Answer: said(c)}, file, c, nil)
	default:
		t.other++
		t.con.Print("%s: %s; it was saved as %s\n", file, cases.Describe(r.Finding), said(c))
		found, _ := cases.FindingOf(r.Finding, c)
		found = cases.WithTrace(found, r, t.flags.file)
		found.Kind, found.Level, found.Message = report.Unexpected, report.Error, fmt.Sprintf("%s; it was saved as %s", cases.Describe(r.Finding), said(c))
		t.note(report.Item{Verdict: model.Violation.String(), Answer: cases.Describe(r.Finding)}, file, c, &found)
	}
}

// fail counts a case that cannot be read or run.
func (t *tally) fail(file string, err error) {
	t.wrong++
	t.con.Say("%v", err)
	t.con.Report.Add(report.Item{Name: file, File: file, Verdict: model.NotRun.String(), Message: err.Error()})
	t.con.Report.Find(report.Finding{Item: file, Kind: report.Input, Message: err.Error(), File: file})
}

// note puts a case into the report, and what is wrong with it, if anything is.
func (t *tally) note(i report.Item, file string, c model.Case, found *report.Finding) {
	i.Name, i.File, i.Expected, i.Memory = file, file, said(c), c.Memory.String()
	t.con.Report.Add(i)
	if found != nil {
		found.Item, found.CaseFile, found.Subject = file, file, c.Spec.String()
		t.con.Report.Find(*found)
	}
}

// end says what all came to.
func (t *tally) end(all int) (model.Verdict, error) {
	t.con.Print("%s: %d as they were saved, %d otherwise, %d not run, %d that cannot be read or run\n", words.Plural(all, "case"), t.same, t.other, t.elsewhere, t.wrong)
	for name, n := range map[string]int{"cases": all, "as_saved": t.same, "otherwise": t.other, "not_run": t.elsewhere, "unreadable": t.wrong} {
		t.con.Report.Count(name, n)
	}
	switch {
	case t.wrong > 0:
		return model.NotRun, exit.ErrReported
	case t.other > 0:
		return model.Violation, nil
	case t.elsewhere > 0:
		return model.NotRun, nil
	}
	return model.Linearizable, nil
}

// cannotRun says why a case is for somebody else to run; empty if it is not. With a
// module, those of the papers and those of the module are run.
func (f flags) cannotRun(file string, c model.Case) string {
	if !foreign(c) {
		return ""
	}
	if f.file == "" {
		return fmt.Sprintf("a case of %s: of a module, name it with --module; of a queue of your own, its test replays it: %s", c.Spec, ofItsTest(file))
	}
	if name := f.nameOfModule(); name != "" && name != c.Spec.Structure {
		return fmt.Sprintf("a case of %s, and the module is %s; of a queue of your own, its test replays it: %s", c.Spec, name, ofItsTest(file))
	}
	return "" // if the module cannot be read, running it says so
}

// nameOfModule is what cases call the structure in the module, of whatever kind it is.
func (f flags) nameOfModule() string {
	for _, kind := range model.Kinds {
		if s, err := f.module.Subject(f.file, kind); err == nil {
			return s.Design().Name
		}
	}
	return ""
}

// casesBelow lists the saved cases below a folder, by name.
func casesBelow(root string) (found []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".case") {
			found = append(found, filepath.ToSlash(path))
		}
		return err
	})
	return found, err
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// said is what a case was saved as.
func said(c model.Case) string {
	if c.Found == "" {
		return c.Verdict.String()
	}
	return fmt.Sprintf("%s (%s)", c.Verdict, c.Found)
}
