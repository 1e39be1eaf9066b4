// Package litmus is "stealproof litmus".
package litmus

import (
	"cmp"
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

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/usage"
	"stealproof/model"
	"stealproof/ref/axioms"
	"stealproof/ref/litmus"
	"stealproof/ref/litmus/picture"
)

type flags struct {
	model    string
	verbose  bool
	expect   string
	svg      string
	generate string
	unroll   int
	jobs     int
	timeout  time.Duration
	limit    exit.Limit
}

// Command is "stealproof litmus".
func Command(con *console.Console) *cobra.Command {
	var f flags
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
docs/litmus.md has the whole dialect, and what is decided how: with barriers,
loops, proxies and aliases.

One line for each file: PATH NAME holds|fails|undecided. What is said of all
executions (forall, ~exists) is undecided where no execution comes to an end, or
the filter leaves none. Executions in which somebody waits for ever at a barrier
count as far as they run; if the verdict is about such ones, it is said.

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
		RunE: exit.Command(func(cmd *cobra.Command, args []string) (model.Verdict, error) {
			return f.limit.Within(cmd.Context(), con.SayLimit, func(ctx context.Context) (model.Verdict, error) {
				return decide(ctx, cmd, con, f, args)
			})
		}).RunE,
	}
	fl := cmd.Flags()
	fl.StringVar(&f.model, "model", "ptx", "memory model: ptx, rc11 (C11 as repaired, without load buffering), tso (x86) or sc")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "also print the reachable states, with their numbers of executions")
	fl.StringVar(&f.expect, "expect", "", "compare with this file of lines PATH,1 (holds) and PATH,0 (fails)")
	fl.StringVar(&f.svg, "svg", "", "draw a witness, or the cycle that forbids one, to this file (of one test)")
	fl.StringVar(&f.generate, "generate", "", "write our own library of tests into this folder, and their verdicts, derived by hand, to expected.csv there")
	fl.IntVar(&f.unroll, "unroll", litmus.DefaultUnroll, "how often to follow each jump back of a loop that is not a mere spin")
	fl.DurationVar(&f.timeout, "timeout", 0, "time limit for each file, as in 30s; then the verdict is 'undecided'")
	f.limit.Register(fl)
	fl.IntVar(&f.jobs, "jobs", 0, "files decided at the same time (default one per processor)")
	return cmd
}

func decide(ctx context.Context, cmd *cobra.Command, con *console.Console, f flags, args []string) (model.Verdict, error) {
	m, err := axioms.ParseModel(f.model)
	if err != nil {
		return model.NotRun, fmt.Errorf("--model: %w", err)
	}
	switch {
	case f.timeout < 0:
		return model.NotRun, fmt.Errorf("--timeout %s: expected a duration above 0, or 0 for none", f.timeout)
	case f.unroll < 1 || f.unroll > 1000:
		return model.NotRun, fmt.Errorf("--unroll %d: expected a number from 1 to 1000", f.unroll)
	}
	if err := usage.Jobs(f.jobs); err != nil {
		return model.NotRun, err
	}
	con.Report.Question.Memory = f.model
	if f.generate != "" {
		return model.Linearizable, generate(cmd, con, f.generate, args)
	}
	if first := slices.Index(args, "-"); first >= 0 && slices.Contains(args[first+1:], "-") {
		return model.NotRun, fmt.Errorf("litmus: '-' is named twice: standard input can be read once")
	}
	var expected *expectations
	if f.expect != "" {
		if expected, err = readExpectations(f.expect); err != nil {
			return model.NotRun, err
		}
		if len(args) == 0 {
			args = expected.files()
		}
	}
	tests, wrong := testFiles(con, args)
	if f.svg != "" && len(tests) != 1 {
		return model.NotRun, fmt.Errorf("--svg: expected one test to draw, found %d", len(tests))
	}
	if err := files.CanWrite(f.svg); err != nil {
		return model.NotRun, err
	}
	con.Report.Question.Files = args
	con.Report.PerFile(expected != nil)
	verdict := model.Linearizable
	if len(tests) == 0 {
		verdict = model.NotRun
	}
	answers := make([]answer, len(tests))
	decideAll(ctx, con, f, m, answers, tests, func(a *answer) {
		v, err := f.print(con, a)
		verdict, wrong = verdict.And(v), cmp.Or(wrong, err)
	})
	if expected != nil && ctx.Err() == nil {
		v, err := expected.compare(con, answers)
		verdict, wrong = verdict.And(v), cmp.Or(wrong, err)
	}
	return verdict, wrong
}

// testFiles replaces folders by the tests in them. The error is exit.ErrReported.
func testFiles(con *console.Console, args []string) (files []string, wrong error) {
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
			con.Say("%v", err)
			wrong = exit.ErrReported
		}
	}
	return files, wrong
}

// answer is what came out for one file.
type answer struct {
	file   string
	test   *litmus.Test
	result *litmus.Result
	err    error
	svg    string
}

// decideAll decides files at the same time, and says in their order which are done.
func decideAll(ctx context.Context, con *console.Console, f flags, m axioms.Model, answers []answer, files []string, done func(*answer)) {
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
				answers[i] = f.decide(ctx, con, m, files[i])
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
	bar := con.Bar("litmus tests", len(files))
	for i := range files {
		<-ready[i]
		if ctx.Err() != nil && answers[i].err == nil && answers[i].result.Verdict == litmus.Undecided {
			continue // interrupted: what was finished is on the screen
		}
		bar.Clear()
		done(&answers[i])
		bar.At(i + 1)
	}
	bar.Done()
	wait.Wait()
}

// decide answers for one file.
func (f flags) decide(ctx context.Context, con *console.Console, m axioms.Model, file string) answer {
	answer := answer{file: file}
	text, err := con.ReadText(file, "a litmus test")
	if err != nil {
		answer.err = err
		return answer
	}
	if answer.test, answer.err = litmus.Parse(console.NameOf(file), text); answer.err != nil {
		return answer
	}
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	o := litmus.Options{Model: m, Unroll: f.unroll, AllStates: f.verbose || con.Report.JSON()}
	answer.result = litmus.Decide(ctx, answer.test, o)
	if f.svg != "" {
		answer.svg = picture.Draw(ctx, answer.test, o, answer.result)
	}
	return answer
}
