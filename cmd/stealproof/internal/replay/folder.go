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
	var same, other, elsewhere, wrong int
	for _, file := range found {
		c, err := readCase(con, file)
		switch {
		case err != nil:
			wrong++
			con.Say("%v", err)
			continue
		case f.file == "" && foreign(c):
			elsewhere++
			con.Print("%s: not run: a case of %s: of a module, name it with --module; of a queue of your own, its test replays it: %s\n", file, c.Spec, ofItsTest(file))
			continue
		}
		r, err := f.rerun(ctx, file, c)
		if ctx.Err() != nil {
			return model.Undecided, ctx.Err()
		}
		switch {
		case err != nil:
			wrong++
			con.Say("%v", err)
		case r.Expected():
			same++
			con.Print("%s: %s, as it was saved\n", file, said(c))
		default:
			other++
			con.Print("%s: %s; it was saved as %s\n", file, cases.Describe(r.Finding), said(c))
		}
	}
	con.Print("%s: %d as they were saved, %d otherwise, %d not run, %d that cannot be read or run\n", words.Plural(len(found), "case"), same, other, elsewhere, wrong)
	switch {
	case wrong > 0:
		return model.NotRun, exit.ErrReported
	case other > 0:
		return model.Violation, nil
	case elsewhere > 0:
		return model.NotRun, nil
	}
	return model.Linearizable, nil
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
