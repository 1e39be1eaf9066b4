package histories

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"stealproof/cmd/stealproof/internal/files"
)

// reportFile is a file that a flag has written.
type reportFile struct{ flag, path string }

func (f checkFlags) reportFiles() []reportFile {
	all := []reportFile{{"--html", f.html}, {"--svg", f.svg}, {"--porcupine-html", f.porcupineHTML}, {"--junit", f.junit}}
	var asked []reportFile
	for _, r := range all {
		if r.path != "" {
			asked = append(asked, r)
		}
	}
	return asked
}

// checkReportFiles refuses reports that would take the place of a history, as
// happens to those who forget the name behind a flag, or of one another.
func (f checkFlags) checkReportFiles(histories []string) error {
	asked := f.reportFiles()
	for i, r := range asked {
		if r.path == "-" {
			return fmt.Errorf("%s -: expected a file to write (/dev/stdout is standard output)", r.flag)
		}
		for _, ending := range []string{".jsonl", ".jsonl.gz", ".sph", ".edn"} {
			if strings.HasSuffix(r.path, ending) {
				return fmt.Errorf("%s %s: expected a file to write, and this is the name of a history", r.flag, r.path)
			}
		}
		for _, file := range histories {
			if sameFile(r.path, file) {
				return fmt.Errorf("%s %s: expected a file to write, and this one is to be checked", r.flag, r.path)
			}
		}
		for _, other := range asked[:i] {
			if sameFile(r.path, other.path) {
				return fmt.Errorf("%s and %s would both be written to %s", other.flag, r.flag, r.path)
			}
		}
		if err := files.CanWrite(r.path); err != nil {
			return err
		}
	}
	return nil
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

// keepTo has the collector keep the whole process to a limit, as far as what is in use
// fits: a bound of the heap alone would be exceeded by garbage. It returns how to end
// that; 0 is no limit.
func keepTo(mib uint64) (end func()) {
	if mib == 0 {
		return func() {}
	}
	before := debug.SetMemoryLimit(int64(min(mebibytes(mib), math.MaxInt64)))
	return func() { debug.SetMemoryLimit(before) }
}

// mebibytes are so many in bytes. What nobody has is no limit.
func mebibytes(n uint64) uint64 {
	if n > math.MaxUint64>>20 {
		return math.MaxUint64
	}
	return n << 20
}
