package histories

import (
	"math"
	"runtime/debug"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/report"
)

// openReports readies the files that flags have written.
func (f checkFlags) openReports(con *console.Console, histories []string) error {
	return con.Report.Open(f.junit, func(asked []report.Asked) error {
		var all []report.Asked
		for _, picture := range []report.Asked{{Flag: "--html", Path: f.html}, {Flag: "--svg", Path: f.svg}, {Flag: "--porcupine-html", Path: f.porcupineHTML}} {
			if picture.Path != "" {
				all = append(all, picture)
			}
		}
		return files.CheckReports(append(all, asked...), histories)
	})
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

// besides is what deciding takes of memory for each operation, besides the operation:
// what a monitor makes of it, and what the collector has not yet found to be garbage.
const besides = 64
