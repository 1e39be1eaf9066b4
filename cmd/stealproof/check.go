package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"stealproof/linearize"
	"stealproof/model"
)

type checkFlags struct {
	model, checker string
	timeout        time.Duration
	memory         uint64
	jobs           int
	json, quiet    bool
	html, junit    string
}

func (a *app) checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [flags] FILE...",
		Short: "Decide history files ('-' is standard input)",
		Long: `Decides whether the histories in the files are linearizable: whether their
operations have an order that respects real time and the meaning of the object.

A history is a file of JSON Lines (.jsonl, .jsonl.gz): a header, then a line per
operation, as in
  {"format":"stealproof-history","version":1,"model":"fifo"}
  {"process":0,"op":"enq","result":"ok","value":17,"call":120,"return":131}
  {"process":1,"op":"deq","result":"ok","value":17,"call":125,"return":160}
docs/history-format.md has the whole format.`,
		Example: `  stealproof check run.jsonl
  stealproof check --timeout 30s --json run.jsonl.gz
  my-kernel | stealproof check -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("check: expected a history file, or '-' for standard input (see \"stealproof check --help\")")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.check(cmd.Context(), f, args) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.model, "model", "", "what the objects are, whatever the file says: wsdeque, fifo, range or bag")
	fl.StringVar(&f.checker, "checker", "auto", "auto, monitor (near-linear) or porcupine (general)")
	fl.DurationVar(&f.timeout, "timeout", 0, "time limit for each file, as in 30s; then the verdict is 'undecided'")
	fl.Uint64Var(&f.memory, "memory", 0, "memory limit in MiB; then the verdict is 'undecided' (default half of the machine's)")
	fl.IntVar(&f.jobs, "jobs", 0, "objects decided at the same time (default one per processor)")
	fl.BoolVar(&f.json, "json", false, "print one JSON object, or one per file and line if there are several")
	fl.StringVar(&f.html, "html", "", "write a picture of the first violation to this file")
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
	options := linearize.Options{Checker: checker, Timeout: f.timeout, Memory: f.memory << 20, Jobs: f.jobs}
	var results []junitCase
	a.verdict = model.Linearizable
	for _, file := range files {
		if ctx.Err() != nil {
			break
		}
		result := a.checkFile(ctx, f, file, kind, options)
		results = append(results, result)
	}
	if f.junit == "" {
		return nil
	}
	return writeJUnit(f.junit, results)
}

func (a *app) checkFile(ctx context.Context, f checkFlags, file string, kind model.Kind, o linearize.Options) junitCase {
	h, err := a.readHistory(file, kind)
	if err != nil {
		a.broken = true
		fmt.Fprintf(a.err, "stealproof: %v\n", err)
		return junitCase{Name: file, Error: &junitMessage{Message: err.Error()}}
	}
	p := newProgress(a.err, "objects of "+filepath.Base(file), len(h.Objects()))
	o.Progress = func(done, _ int) { p.at(done) }
	r := linearize.Check(ctx, h, o)
	p.done()
	a.verdict = a.verdict.And(r.Verdict)
	a.printReport(f, file, r)
	if f.html != "" && len(r.Violations) > 0 {
		if err := writeHTML(f.html, h, r.Violations[0]); err != nil {
			a.broken = true
			fmt.Fprintf(a.err, "stealproof: %v\n", err)
		}
	}
	return junitOf(file, r)
}

func (a *app) readHistory(file string, kind model.Kind) (*model.History, error) {
	if file == "-" {
		return linearize.ReadAs(a.in, "standard input", kind)
	}
	return linearize.ReadFileAs(file, kind)
}

func (a *app) printReport(f checkFlags, file string, r *linearize.Report) {
	if f.json {
		text, err := r.JSON(file)
		if err != nil {
			text, _ = json.Marshal(map[string]string{"error": err.Error()})
		}
		fmt.Fprintf(a.out, "%s\n", text)
		return
	}
	for _, v := range r.Violations {
		fmt.Fprintf(a.out, "%s: violation (%s) on object %d: %s\n", file, v.Kind, v.Object, v.Explanation)
		if lines := lineNumbers(v); lines != "" {
			fmt.Fprintf(a.out, "%s: see %s\n", file, lines)
		}
	}
	if f.quiet && r.Verdict == model.Linearizable {
		return
	}
	for _, u := range r.Undecided {
		fmt.Fprintf(a.out, "%s: undecided on object %d: %s\n", file, u.Object, u.Msg)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(a.out, "%s: note: %s\n", file, n)
	}
	fmt.Fprintf(a.out, "%s: %s: %d operations on %d objects, by %s, in %s\n",
		file, r.Verdict, r.Operations, r.Objects, r.Checker, r.Elapsed.Round(time.Microsecond))
}

const mostLines = 12

func lineNumbers(v linearize.Violation) string {
	var b strings.Builder
	for i, line := range v.Lines {
		switch {
		case i == 0 && len(v.Lines) == 1:
			b.WriteString("line ")
		case i == 0:
			b.WriteString("lines ")
		case i == mostLines:
			fmt.Fprintf(&b, " and %d more", len(v.Lines)-mostLines)
			return b.String()
		default:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, line)
	}
	return b.String()
}

func writeHTML(path string, h *model.History, v linearize.Violation) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := linearize.WriteHTML(f, h, v); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}
