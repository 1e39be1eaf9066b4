package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"stealproof/model"
	"stealproof/ref/axioms"
	"stealproof/ref/litmus"
)

type litmusFlags struct {
	model    string
	verbose  bool
	json     bool
	expect   string
	svg      string
	generate string
	unroll   int
	jobs     int
	timeout  time.Duration
}

func (a *app) litmusCommand() *cobra.Command {
	var f litmusFlags
	cmd := &cobra.Command{
		Use:   "litmus [flags] FILE...",
		Short: "Decide litmus tests under the PTX memory model ('-' is standard input)",
		Long: `Decides litmus tests: whether the statement of each (exists, ~exists, forall) is
true of all executions that the memory model allows. A folder stands for the
files *.litmus in it and below.

A test looks like this:
  PTX MP
  { x=0; y=0; }
   P0@cta 0,gpu 0        | P1@cta 1,gpu 0        ;
   st.weak x, 1          | ld.acquire.gpu r0, y  ;
   st.release.gpu y, 1   | ld.weak r1, x         ;
  exists (P1:r0 == 1 /\ P1:r1 == 0)
docs/litmus.md has the whole dialect, and what is decided how.

One line for each file: PATH NAME holds|fails|undecided. What is said of all
executions (forall, ~exists) is undecided where no execution comes to an end, or
the filter leaves none.

Exit codes: 0 all were decided; 1 an expectation of --expect was not met; 2 a
file does not parse, or is refused; 3 some are undecided.`,
		Example: `  stealproof litmus MP.litmus
  stealproof litmus -v --model tso MP.litmus SB.litmus
  stealproof litmus --svg MP.svg MP.litmus
  stealproof litmus --generate library
  stealproof litmus --expect library/expected.csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && f.expect == "" && f.generate == "" {
				return fmt.Errorf("litmus: expected a litmus test, or '-' for standard input (see \"stealproof litmus --help\")")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.litmus(cmd, f, args) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.model, "model", "ptx", "memory model: ptx, ra (C11 release-acquire), tso (x86) or sc")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "also print the reachable states, with their numbers of executions")
	fl.BoolVar(&f.json, "json", false, "print one JSON object for each file and line, with the reachable states")
	fl.StringVar(&f.expect, "expect", "", "compare with this file of lines PATH,1 (holds) and PATH,0 (fails)")
	fl.StringVar(&f.svg, "svg", "", "draw a witness, or the cycle that forbids one, to this file (of one test)")
	fl.StringVar(&f.generate, "generate", "", "write our own library of tests into this folder, and their verdicts, derived by hand, to expected.csv there")
	fl.IntVar(&f.unroll, "unroll", litmus.DefaultUnroll, "how often to follow each jump back of a loop that is not a mere spin")
	fl.DurationVar(&f.timeout, "timeout", 0, "time limit for each file, as in 30s; then the verdict is 'undecided'")
	fl.IntVar(&f.jobs, "jobs", 0, "files decided at the same time (default one per processor)")
	return cmd
}

func (a *app) litmus(cmd *cobra.Command, f litmusFlags, args []string) error {
	ctx := cmd.Context()
	m, err := axioms.ParseModel(f.model)
	if err != nil {
		return fmt.Errorf("--model: %w", err)
	}
	switch {
	case f.timeout < 0 || f.jobs < 0:
		return fmt.Errorf("--timeout and --jobs cannot be negative")
	case f.unroll < 1 || f.unroll > 1000:
		return fmt.Errorf("--unroll %d: expected a number from 1 to 1000", f.unroll)
	}
	if f.generate != "" {
		return a.generateLitmus(cmd, f.generate, args)
	}
	if first := slices.Index(args, "-"); first >= 0 && slices.Contains(args[first+1:], "-") {
		return fmt.Errorf("litmus: '-' is named twice: standard input can be read once")
	}
	var expected *litmusExpectations
	if f.expect != "" {
		if expected, err = readLitmusExpectations(f.expect); err != nil {
			return err
		}
		if len(args) == 0 {
			args = expected.files()
		}
	}
	files := a.litmusFiles(args)
	if f.svg != "" && len(files) != 1 {
		return fmt.Errorf("--svg: expected one test to draw, found %d", len(files))
	}
	a.verdict = model.Linearizable
	if len(files) == 0 {
		a.verdict = model.NotRun
	}
	answers := a.decideLitmus(ctx, f, m, files)
	if expected != nil && ctx.Err() == nil {
		a.compareLitmus(expected, answers)
	}
	return nil
}

// litmusFiles replaces folders by the tests in them.
func (a *app) litmusFiles(args []string) []string {
	var files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if arg == "-" || err != nil || !info.IsDir() {
			files = append(files, arg)
			continue
		}
		before := len(files)
		err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".litmus") {
				files = append(files, path)
			}
			return err
		})
		if err == nil && len(files) == before {
			err = fmt.Errorf("%s: expected files *.litmus in this folder, found none", arg)
		}
		if err != nil {
			a.broken = true
			fmt.Fprintf(a.err, "stealproof: %v\n", err)
		}
	}
	return files
}

// litmusAnswer is what came out for one file.
type litmusAnswer struct {
	file   string
	test   *litmus.Test
	result *litmus.Result
	err    error
	svg    string
}

// decideLitmus decides files at the same time, and prints in their order.
func (a *app) decideLitmus(ctx context.Context, f litmusFlags, m axioms.Model, files []string) []litmusAnswer {
	answers := make([]litmusAnswer, len(files))
	ready := make([]chan struct{}, len(files))
	for i := range ready {
		ready[i] = make(chan struct{})
	}
	jobs := f.jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	work := make(chan int)
	var wait sync.WaitGroup
	for range min(jobs, len(files)) {
		wait.Go(func() {
			for i := range work {
				answers[i] = a.answerLitmus(ctx, f, m, files[i])
				close(ready[i])
			}
		})
	}
	go func() {
		defer close(work)
		for i := range files {
			work <- i
		}
	}()
	bar := newProgress(a.err, "litmus tests", len(files))
	for i := range files {
		<-ready[i]
		if ctx.Err() != nil && answers[i].err == nil && answers[i].result.Verdict == litmus.Undecided {
			continue // interrupted: what was finished is on the screen
		}
		bar.done()
		a.printLitmus(f, &answers[i])
		bar.at(i + 1)
	}
	bar.done()
	wait.Wait()
	return answers
}

func (a *app) answerLitmus(ctx context.Context, f litmusFlags, m axioms.Model, file string) litmusAnswer {
	answer := litmusAnswer{file: file}
	text, err := a.readText(file)
	if err != nil {
		answer.err = err
		return answer
	}
	name := file
	if file == "-" {
		name = "standard input"
	}
	if answer.test, answer.err = litmus.Parse(name, text); answer.err != nil {
		return answer
	}
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	o := litmus.Options{Model: m, Unroll: f.unroll, AllStates: f.verbose || f.json}
	answer.result = litmus.Decide(ctx, answer.test, o)
	if f.svg != "" {
		answer.svg = litmus.Draw(ctx, answer.test, o, answer.result)
	}
	return answer
}
