package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

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
	json, quiet    bool
	html, junit    string
	porcupineHTML  string
	stats, github  bool
	certify        bool
}

func (a *app) checkCommand() *cobra.Command {
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
			return noEmptyName("check", args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.check(cmd.Context(), f, args) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.model, "model", "", "what the objects are, whatever the file says: wsdeque, fifo, range or bag")
	fl.StringVar(&f.from, "from", "", "format of the files, whatever their endings say: jsonl, jsonl.gz, sph, edn or text")
	fl.StringVar(&f.checker, "checker", "auto", "auto, monitor (near-linear) or porcupine (general)")
	fl.DurationVar(&f.timeout, "timeout", 0, "time limit for each file, reading included, as in 30s; then the verdict is 'undecided'\n"+
		"(default none; only the general search, where a monitor gave up, then stops by itself after 1m)")
	fl.Uint64Var(&f.memory, "memory", 0, "memory limit in MiB: a file that needs more is refused, a search that does is 'undecided' (default half of the machine's)")
	fl.IntVar(&f.jobs, "jobs", 0, "objects decided at the same time (default one per processor)")
	fl.BoolVar(&f.json, "json", false, "print one JSON object, or one per file and line if there are several")
	fl.StringVar(&f.html, "html", "", "write a picture of the first violation to this file: a page that needs nothing else")
	fl.StringVar(&f.porcupineHTML, "porcupine-html", "", "write porcupine's own view of the first violation to this file")
	fl.BoolVar(&f.certify, "certify", false, "confirm every verdict: replay orders, have porcupine reject violations; the notes say what was done,\n"+
		"and what could not be confirmed counts as undecided")
	fl.BoolVar(&f.stats, "stats", false, "describe the history: operations by kind, throughput, concurrency")
	fl.BoolVar(&f.github, "github", false, "print annotations for GitHub's runners as well")
	fl.StringVar(&f.junit, "junit", "", "write a JUnit report to this file")
	fl.BoolVar(&f.quiet, "quiet", false, "print nothing but violations and errors")
	return cmd
}

func (a *app) check(ctx context.Context, f checkFlags, files []string) error {
	checker, err := linearize.ParseChecker(f.checker)
	if err != nil {
		return err
	}
	var kind model.Kind
	if f.model != "" {
		if kind, err = model.ParseKind(f.model); err != nil {
			return fmt.Errorf("--model: %w", err)
		}
	}
	if f.timeout < 0 || f.jobs < 0 {
		return fmt.Errorf("--timeout and --jobs cannot be negative")
	}
	if err := f.checkReportFiles(files); err != nil {
		return err
	}
	options := linearize.Options{Checker: checker, Timeout: f.timeout, Memory: mebibytes(f.memory), Jobs: f.jobs, Certify: f.certify}
	var results []junitCase
	a.verdict = model.Linearizable
	for _, file := range files {
		if ctx.Err() != nil {
			break
		}
		result := a.checkFile(ctx, f, file, kind, options)
		results = append(results, result)
	}
	if !a.drawn && !f.quiet {
		a.sayNotDrawn(f.html, f.porcupineHTML)
	}
	if f.junit == "" {
		return nil
	}
	return writeJUnit(f.junit, results)
}

func (a *app) checkFile(ctx context.Context, f checkFlags, file string, kind model.Kind, o linearize.Options) junitCase {
	o.Begun = time.Now()
	reading, end := f.limited(ctx, o.Begun)
	defer end()
	h, err := a.readHistory(reading, file, format.Options{Kind: kind, Memory: o.Memory, From: f.from})
	switch {
	case ctx.Err() != nil:
		return junitCase{Name: file, Error: &junitMessage{Message: "interrupted while it was read", Type: "undecided"}}
	case reading.Err() != nil:
		return a.readingTooLong(f, file, o.Begun)
	case err != nil:
		a.fileFailed(f, file, err)
		return junitCase{Name: file, Error: &junitMessage{Message: err.Error(), Type: "input"}}
	}
	var bar *progress
	o.Progress = func(done, objects int) {
		if bar == nil {
			bar = newProgress(a.err, "objects of "+filepath.Base(file), objects)
		}
		bar.at(done)
	}
	o.Validated = true // by the reader
	r := linearize.Check(ctx, h, o)
	bar.done()
	a.verdict = a.verdict.And(answered(r))
	a.printReport(f, file, h, r)
	a.drawFirst(f, file, h, r)
	return junitOf(file, r)
}

func (a *app) fileFailed(f checkFlags, file string, err error) {
	a.broken = true
	fmt.Fprintf(a.err, "stealproof: %v\n", err)
	if !f.github {
		return
	}
	line, message := 0, err.Error()
	if input := (*format.InputError)(nil); errors.As(err, &input) {
		line, message = input.Line, input.Msg
	}
	annotate(a.annotations(f), "error", file, line, "not a history", message)
}

// annotations go where they do not disturb JSON; runners read both streams.
func (a *app) annotations(f checkFlags) io.Writer {
	if f.json {
		return a.err
	}
	return a.out
}

// recordWord says what the numbers of operations count in a file.
func (f checkFlags) recordWord(file string) string {
	if f.from == "sph" || f.from == "" && strings.HasSuffix(file, ".sph") {
		return "record"
	}
	return "line"
}
