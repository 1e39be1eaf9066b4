package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"stealproof/fuzz"
	"stealproof/model"
)

func (a *app) replayCommand() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Run a saved failing case again, step by step",
		Long: `Runs a saved case again and prints its interleaving: a column per process, a
row per access, the fatal access marked. The same case gives the same execution
on every machine. With --shrink it prints the smallest case that fails for the
same reason instead.

Exit codes: 1 the case is a violation, as it was saved or not; 0 it is
linearizable; 2 the case cannot be read or no longer fits the structure.`,
		Example: `  stealproof explore abp:width=1 --save width1.case
  stealproof replay width1.case
  stealproof replay --shrink --save small.case large.case`,
		Args: oneArgument("replay", "one saved case ('-' is standard input)"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.replay(cmd.Context(), args[0], f) },
	}
	cmd.Flags().StringVar(&f.history, "history", "", "also write the history to this file (.jsonl, .jsonl.gz)")
	cmd.Flags().BoolVar(&f.shrink, "shrink", false, "shrink the case to the smallest that fails for the same reason")
	cmd.Flags().StringVar(&f.save, "save", "", "with --shrink: save the smallest case to this file")
	return cmd
}

type replayFlags struct {
	history, save string
	shrink        bool
}

func (a *app) replay(ctx context.Context, file string, f replayFlags) error {
	if f.save != "" && !f.shrink {
		return errors.New("--save does not apply without --shrink: the case is in a file already")
	}
	a.verdict = model.NotRun
	text, err := a.readText(file)
	if err != nil {
		return err
	}
	c, err := model.ParseCase(text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	r, err := rerun(ctx, c)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if f.shrink {
		if r, err = a.shrunkRerun(ctx, r); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		c = r.Case
	}
	if c.Note != "" {
		fmt.Fprintf(a.out, "%s\n", c.Note)
	}
	fmt.Fprintf(a.out, "structure %s%s, %d accesses\n\n", c.Spec, onMemory(c.Memory), r.Execution.Steps)
	if err := fuzz.WriteColumns(a.out, r.Execution, r.Matter, r.Fatal); err != nil {
		return err
	}
	a.verdict = r.Finding.Verdict
	fmt.Fprintf(a.out, "\n%s\n", describeFinding(r.Finding))
	a.printReordered(r)
	if !r.Expected() {
		fmt.Fprintf(a.out, "The case was saved as: %s %s\n", c.Verdict, c.Found)
	}
	if f.save != "" {
		if err := os.WriteFile(f.save, []byte(c.String()), 0o644); err != nil {
			return unreadable(f.save, err)
		}
		fmt.Fprintln(a.out, "Case saved.")
	}
	if f.history != "" {
		return formats().WriteFile(f.history, r.Execution.Timed())
	}
	return nil
}

// shrunkRerun executes the smallest case that fails as r does.
func (a *app) shrunkRerun(ctx context.Context, r *fuzz.Rerun) (*fuzz.Rerun, error) {
	if r.Finding.Verdict != model.Violation {
		return nil, fmt.Errorf("--shrink: there is nothing to shrink, the case is %s", r.Finding.Verdict)
	}
	c := a.shrink(ctx, &fuzz.Failure{Case: r.Case, Finding: r.Finding}).Case
	fmt.Fprintf(a.out, "\n%s\n", readable(c.String()))
	return rerun(context.WithoutCancel(ctx), c) // what was found is shown, interrupted or not
}

// onMemory names a memory that is not the usual one.
func onMemory(m model.Spec) string {
	if m.Structure == "" {
		return ""
	}
	return " on memory " + m.String()
}

func (a *app) printReordered(r *fuzz.Rerun) {
	for _, sentence := range fuzz.Reordered(r.Execution, r.Matter) {
		fmt.Fprintf(a.out, "out of order: %s\n", sentence)
	}
}

// rerun runs a case, but waits for it no longer than the context lasts.
func rerun(ctx context.Context, c model.Case) (*fuzz.Rerun, error) {
	var (
		r    *fuzz.Rerun
		err  error
		done = make(chan struct{})
	)
	go func() {
		defer close(done)
		r, err = fuzz.RunCase(c)
	}()
	select {
	case <-done:
		return r, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func describeFinding(f fuzz.Finding) string {
	switch {
	case f.Verdict == model.Linearizable:
		return "linearizable"
	case f.Kind == "":
		return fmt.Sprintf("%s: %s", f.Verdict, f.Explanation)
	}
	return fmt.Sprintf("%s (%s): %s", f.Verdict, f.Kind, f.Explanation)
}

const largestText = 64 << 20

func (a *app) readText(file string) (string, error) {
	in := a.in
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", unreadable(file, err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, largestText+1))
	if err != nil {
		return "", unreadable(file, err)
	}
	if len(text) > largestText {
		return "", fmt.Errorf("%s: the file is larger than %d MiB: expected a saved case or a program", file, largestText>>20)
	}
	return string(text), nil
}

// unreadable names the file first, as all messages about files do.
func unreadable(file string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", file, err)
}
