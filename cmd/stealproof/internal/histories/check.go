// Package histories has the commands on files of histories: check and convert.
package histories

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/usage"

	"stealproof/linearize"
	"stealproof/linearize/format"
	"stealproof/model"
)

type checkFlags struct {
	model, checker string
	from           string
	timeout        time.Duration
	memory         uint64
	jobs           int
	maxViolations  int
	quiet          bool
	html, svg      string
	junit          string
	porcupineHTML  string
	stats, certify bool
}

// CheckCommand is "stealproof check".
func CheckCommand(con *console.Console) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [flags] FILE...",
		Short: "Decide history files ('-' is standard input)",
		Long: `Decides whether the histories in the files are linearizable: whether their
operations have an order that respects real time and the meaning of the object.

A history is a file of JSON Lines (.jsonl, .jsonl.gz), a header, then a line per
operation; or one of .sph, .edn, .txt and .log (see "stealproof convert --help").
As JSON Lines it looks like this:
  {"format":"stealproof-history","version":1,"model":"fifo"}
  {"process":0,"op":"enq","result":"ok","value":17,"call":120,"return":131}
  {"process":1,"op":"deq","result":"ok","value":17,"call":125,"return":160}
docs/history-format.md has the whole format.

Exit codes: 0 every file holds; 1 a violation was found; 2 a file or the command
line is wrong; 3 undecided, a limit was met, or a verdict was to be certified and
could not be. A file that is wrong does not keep the others from being checked; of
several codes 2 wins over 1, and 1 over 3. docs/limits.md has the limits.`,
		Example: `  stealproof check run.jsonl
  stealproof check --timeout 30s --json run.jsonl.gz
  my-kernel | stealproof check -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("check: expected a history file, or '-' for standard input (see \"stealproof check --help\")")
			}
			return usage.NoEmptyName("check", args)
		},
		RunE: exit.Command(func(cmd *cobra.Command, args []string) (model.Verdict, error) {
			return check(cmd.Context(), con, f, args)
		}).RunE,
	}
	fl := cmd.Flags()
	fl.StringVar(&f.model, "model", "", "what the objects are, whatever the file says: wsdeque, fifo, range or bag")
	fl.StringVar(&f.from, "from", "", "format of the files, whatever their endings say: jsonl, jsonl.gz, sph, edn or text")
	fl.StringVar(&f.checker, "checker", "auto", "auto, monitor (near-linear) or porcupine (general)")
	fl.DurationVar(&f.timeout, "timeout", 0, "time limit for each file, reading included, as in 30s; then the verdict is 'undecided'\n"+
		"(default none; only the general search, where a monitor gave up, then stops by itself after 1m)")
	fl.Uint64Var(&f.memory, "memory", 0, "memory limit of the process in MiB: a file that needs more is refused, a search that does is 'undecided' (default half of the machine's)")
	fl.IntVar(&f.jobs, "jobs", 0, "objects decided at the same time (default one per processor)")
	fl.IntVar(&f.maxViolations, "max-violations", 1000, "report so many violations of each file, and how many there were; 0 reports all")
	fl.StringVar(&f.html, "html", "", "write timelines to this file, a page that needs nothing else: of all violations; of a file without any, its history.\n"+
		"With --stats also its statistics, as charts")
	fl.StringVar(&f.svg, "svg", "", "write the timeline of the first violation to this file, as a picture for documents")
	fl.StringVar(&f.porcupineHTML, "porcupine-html", "", "write porcupine's own view of the first violation to this file")
	fl.BoolVar(&f.certify, "certify", false, "confirm every verdict: replay orders, have porcupine reject violations; the notes say what was done,\n"+
		"and what could not be confirmed counts as undecided")
	fl.BoolVar(&f.stats, "stats", false, "describe the history: operations by kind, throughput, latencies, concurrency")
	fl.StringVar(&f.junit, "junit", "", "write a JUnit report to this file, as --report junit=FILE does")
	fl.BoolVar(&f.quiet, "quiet", false, "print nothing but violations and errors")
	return cmd
}

// checking is one run of the command.
type checking struct {
	con     *console.Console
	flags   checkFlags
	options linearize.Options
	reading format.Options
	pictures
}

func check(ctx context.Context, con *console.Console, f checkFlags, files []string) (model.Verdict, error) {
	checker, err := linearize.ParseChecker(f.checker)
	if err != nil {
		return model.NotRun, err
	}
	var kind model.Kind
	if f.model != "" {
		if kind, err = model.ParseKind(f.model); err != nil {
			return model.NotRun, fmt.Errorf("--model: %w", err)
		}
	}
	if f.timeout < 0 {
		return model.NotRun, fmt.Errorf("--timeout %s: expected a duration above 0, or 0 for none", f.timeout)
	}
	if f.maxViolations < 0 {
		return model.NotRun, fmt.Errorf("--max-violations %d: expected at least 1, or 0 for all", f.maxViolations)
	}
	if err := usage.Jobs(f.jobs); err != nil {
		return model.NotRun, err
	}
	if err := f.openReports(con, files); err != nil {
		return model.NotRun, err
	}
	con.Report.PerFile(false)
	con.Report.Question.Files = files
	c := &checking{con: con, flags: f,
		options: linearize.Options{Checker: checker, Timeout: f.timeout, Memory: mebibytes(f.memory), Jobs: f.jobs, Certify: f.certify},
		reading: format.Options{Kind: kind, Memory: mebibytes(f.memory), Besides: besides, From: f.from}}
	defer keepTo(f.memory)()
	verdict, err := c.files(ctx, files)
	if drawn := c.drawPage(); drawn != nil {
		err = drawn
	}
	if !f.quiet {
		c.sayNotDrawn()
	}
	return verdict, err
}

// files decides one file after the other. What is wrong with one does not keep
// the others from being checked.
func (c *checking) files(ctx context.Context, files []string) (model.Verdict, error) {
	all := model.Linearizable
	var wrong error
	for _, file := range files {
		if ctx.Err() != nil {
			break
		}
		verdict, err := c.file(ctx, file)
		all = all.And(verdict)
		if err != nil {
			wrong = err
		}
	}
	return all, wrong
}

// file decides a file, and prints and draws what came out. The error is exit.ErrReported:
// one of the file, or of a picture of it.
func (c *checking) file(ctx context.Context, file string) (model.Verdict, error) {
	o := c.options
	o.Begun = time.Now()
	reading, end := c.flags.limited(ctx, o.Begun)
	defer end()
	h, err := readHistory(reading, c.con, file, c.reading)
	switch {
	case ctx.Err() != nil:
		c.notRead(file, "interrupted while it was read")
		return model.NotRun, nil
	case reading.Err() != nil:
		r := c.flags.readingTooLong(o.Begun)
		c.print(file, nil, r)
		return r.Verdict, nil
	case err != nil:
		c.con.Say("%v", err)
		c.wrong(file, err)
		return model.Linearizable, exit.ErrReported // the others decide
	}
	var bar *console.Bar
	o.Progress = func(done, objects int) {
		if bar == nil {
			bar = c.con.Bar("objects of "+filepath.Base(file), objects)
		}
		bar.At(done)
	}
	o.Validated = true // by the reader
	r := linearize.Check(ctx, h, o)
	bar.Done()
	c.print(file, h, r)
	return answered(r), c.draw(file, h, r)
}
