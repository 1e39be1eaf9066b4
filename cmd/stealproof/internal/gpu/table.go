package gpu

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/usage"
	"stealproof/gpu"
	"stealproof/model"
)

// tableFlags are those of the command table.
type tableFlags struct {
	device             int
	out, date, capture string
	only               []string
	cell, within       time.Duration
	launches, enough   int
	timeout            time.Duration
	seed               uint64
}

func tableCommand(con *console.Console) *cobra.Command {
	var f tableFlags
	cmd := &cobra.Command{
		Use:   "table",
		Short: "Run every structure, whole and broken, under several kinds of stress, and write a table",
		Long: `Runs the structures, their published variants, single fences left out and single
defects under several kinds of stress, decides everything that comes back, and
writes what was seen as Markdown: violations per million operations and the time
to the first one, or 'not observed', which is no proof.

The exit code is about the structures that nothing was left out of: 0, they held;
1, one of them violates; 3, one of them was not decided.`,
		Example: `  stealproof gpu table --out docs/h200.md
  stealproof gpu table --only abp --for 10s --within 0`,
		Args: usage.NoArguments("gpu table"),
		RunE: exit.Command(func(cmd *cobra.Command, _ []string) (model.Verdict, error) {
			return fillTable(cmd, con, &f)
		}).RunE,
	}
	fl := cmd.Flags()
	fl.IntVar(&f.device, "device", 0, "number of the device, as listed")
	fl.StringVar(&f.out, "out", "", "write to this file (default standard output)")
	fl.StringVar(&f.date, "date", "", "date that the table bears (default today)")
	fl.StringVar(&f.capture, "capture", "performed", "performed (a fence before the second stamp) or raw")
	fl.StringSliceVar(&f.only, "only", nil, "only these structures, as in abp,tz")
	fl.DurationVar(&f.cell, "for", time.Second, "time for each cell")
	fl.DurationVar(&f.within, "within", 225*time.Second, "time for all: cells get less where it does not suffice; 0 is no limit")
	fl.IntVar(&f.launches, "launches", 1000, "launches of each cell, at most")
	fl.IntVar(&f.enough, "enough", 100, "end a cell when so many objects have violated")
	fl.DurationVar(&f.timeout, "timeout", 5*time.Second, "of a launch, until it counts as hung")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the first launch of each cell; each further one takes the next")
	return cmd
}

func (f *tableFlags) check() error {
	switch {
	case f.capture != "performed" && f.capture != "raw":
		return fmt.Errorf("--capture %s: expected performed or raw", f.capture)
	case f.cell <= 0:
		return fmt.Errorf("--for %s: expected a duration above 0", f.cell)
	case f.within < 0:
		return fmt.Errorf("--within %s: expected a duration, or 0", f.within)
	case f.launches < 1:
		return fmt.Errorf("--launches %d: expected at least 1", f.launches)
	case f.enough < 1:
		return fmt.Errorf("--enough %d: expected at least 1", f.enough)
	case f.timeout <= 0:
		return fmt.Errorf("--timeout %s: expected a duration above 0", f.timeout)
	}
	for _, name := range f.only {
		if !slices.ContainsFunc(gpu.Designs, func(d *gpu.Design) bool { return d.Name == name }) {
			return fmt.Errorf("--only %s: there is no such structure", name)
		}
	}
	return nil
}

// launcher is a gpu.Runner, or what a test has instead.
type launcher interface {
	Launch(ctx context.Context, seed uint64) (*gpu.Launch, error)
	Object(i int) []byte
	Close() error
}

func openGPU(o gpu.Options) (launcher, error) {
	r, err := gpu.Open(o)
	if err != nil {
		return nil, err // not a launcher that holds no runner
	}
	return r, nil
}

// table is a table that is being filled.
type table struct {
	flags       *tableFlags
	calibration *gpu.Calibration
	command     string
	open        func(gpu.Options) (launcher, error)
	patched     patcher
	progress    io.Writer
	sections    []tableSection
	cells       [][][]tableCell // by section, row, column
	resets      []resetRate
	begin       time.Time
	left        int           // cells
	measured    time.Duration // of all cells until now; the rest went to opening them
	done        int
	lost        string // why nothing more can be run
}

func fillTable(cmd *cobra.Command, con *console.Console, f *tableFlags) (model.Verdict, error) {
	if err := f.check(); err != nil {
		return model.NotRun, err
	}
	if err := files.CanWrite(f.out); err != nil {
		return model.NotRun, err
	}
	calibration, err := gpu.Calibrate(f.device)
	if err != nil {
		return model.NotRun, err
	}
	if err := calibration.Err(); err != nil {
		return model.NotRun, err
	}
	if f.date == "" {
		f.date = time.Now().UTC().Format(time.DateOnly)
	}
	t := &table{flags: f, calibration: calibration, command: commandLine(cmd, nil), open: openGPU, progress: con.Err}
	t.sections = tableSections(calibration.Device.Multiprocessors, f.only)
	if err := t.fill(cmd.Context()); err != nil {
		return model.NotRun, err
	}
	t.note(&con.Report)
	if f.out == "" {
		_, err = io.WriteString(con.Out, t.markdown())
		return t.verdict(), err
	}
	return t.verdict(), files.Save(f.out, t.markdown())
}

// fill measures cell by cell. After an interruption, or when a kernel does not
// let go of the GPU, the rest stays empty.
func (t *table) fill(ctx context.Context) error {
	t.begin = time.Now()
	for _, s := range t.sections {
		t.left += len(s.rows) * len(s.columns)
	}
	for _, s := range t.sections {
		var rows [][]tableCell
		for _, r := range s.rows {
			var row []tableCell
			for _, column := range s.columns {
				o, err := t.options(s, r, column)
				if err != nil {
					return err
				}
				c := t.cell(ctx, o)
				t.left--
				t.done++
				fmt.Fprintf(t.progress, "%4.0fs  %s, %s: %s\n", time.Since(t.begin).Seconds(), r.spec, column.name, c)
				row = append(row, c)
			}
			rows = append(rows, row)
		}
		t.cells = append(t.cells, rows)
	}
	if slices.ContainsFunc(t.sections, func(s tableSection) bool { return s.structure == "abp" }) {
		return t.measureResets(ctx)
	}
	return nil
}

// options of a cell are the flags of its section and its column.
func (t *table) options(s tableSection, r tableRow, c tableColumn) (gpu.Options, error) {
	return t.parse(r.spec, s.flags+" "+c.flags)
}

func (t *table) cell(ctx context.Context, o gpu.Options) tableCell {
	if ctx.Err() != nil {
		t.lost = "interrupted"
	}
	if t.lost != "" {
		return tableCell{failed: t.lost}
	}
	r, err := t.open(o)
	if err != nil {
		return tableCell{failed: err.Error()}
	}
	defer r.Close()
	c := tableCell{kind: kindOf(o), enough: t.flags.enough}
	begin := time.Now()
	c.measure(ctx, t.share(begin.Sub(t.begin)), r, o, t.flags)
	t.measured += time.Since(begin)
	if c.held {
		t.lost = "a kernel before this one did not end and holds the GPU"
	}
	if c.trapped {
		t.lost = "a kernel before this one has trapped, and with it all CUDA of this process"
	}
	return c
}

// share of the time that is left when so much has passed: what was asked for a cell,
// or less. Opening a cell costs as much as it did until now.
func (t *table) share(passed time.Duration) time.Duration {
	if t.flags.within == 0 {
		return t.flags.cell
	}
	opening := (passed - t.measured) / time.Duration(t.done+1)
	share := (t.flags.within-passed)/time.Duration(t.left) - opening
	return max(time.Millisecond, min(t.flags.cell, share))
}

// verdict is on the rows that nothing was left out of.
func (t *table) verdict() model.Verdict {
	verdict := model.Linearizable
	for s, section := range t.sections {
		for r, row := range section.rows {
			if !row.whole {
				continue
			}
			for _, c := range t.cells[s][r] {
				verdict = verdict.And(c.verdict())
			}
		}
	}
	return verdict
}

// driverVersion is the driver's own number, where the system tells it.
func driverVersion() string {
	text, err := os.ReadFile("/proc/driver/nvidia/version")
	if err != nil {
		return ""
	}
	_, after, _ := strings.Cut(string(text), "Kernel Module")
	for word := range strings.FieldsSeq(after) {
		if word[0] >= '0' && word[0] <= '9' && strings.Contains(word, ".") {
			return word
		}
	}
	return ""
}
