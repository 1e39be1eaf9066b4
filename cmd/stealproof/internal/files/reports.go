package files

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"stealproof/cmd/stealproof/internal/report"
)

// CheckReports refuses reports that would take the place of what is to be read, as
// happens to those who forget the name behind a flag, or of one another; and such as
// cannot be written.
func CheckReports(asked []report.Asked, inputs []string) error {
	for i, r := range asked {
		if r.Path == "-" {
			return fmt.Errorf("%s -: expected a file to write (/dev/stdout is standard output)", r.Flag)
		}
		for _, ending := range []string{".jsonl", ".jsonl.gz", ".sph", ".edn", ".litmus", ".ptx", ".case"} {
			if strings.HasSuffix(r.Path, ending) {
				return fmt.Errorf("%s %s: expected a file to write, and this is the name of %s", r.Flag, r.Path, whatEndsIn(ending))
			}
		}
		for _, file := range inputs {
			if sameFile(r.Path, file) {
				return fmt.Errorf("%s %s: expected a file to write, and this one is to be checked", r.Flag, r.Path)
			}
		}
		for _, other := range asked[:i] {
			if sameFile(r.Path, other.Path) {
				return fmt.Errorf("%s and %s would both be written to %s", other.Flag, r.Flag, r.Path)
			}
		}
		if err := CanWrite(r.Path); err != nil {
			return err
		}
	}
	return nil
}

func whatEndsIn(ending string) string {
	switch ending {
	case ".litmus":
		return "a litmus test"
	case ".ptx":
		return "a module"
	case ".case":
		return "a saved case"
	}
	return "a history"
}

// sameFile says whether two names are those of one file; devices and pipes may
// be given twice.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	other, err := os.Stat(b)
	return err == nil && one.Mode().IsRegular() && os.SameFile(one, other)
}
