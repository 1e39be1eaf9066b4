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
	"stealproof/linearize"
	"stealproof/model"
)

func (a *app) replayCommand() *cobra.Command {
	var history string
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Run a saved failing case again, step by step",
		Long: `Runs a saved case again and prints its interleaving: a column per process, a
row per access, the fatal access marked. The same case gives the same execution
on every machine.

Exit codes: 1 the case is a violation, as it was saved or not; 0 it is
linearizable; 2 the case cannot be read or no longer fits the structure.`,
		Example: "  stealproof explore abp:width=1 --save width1.case\n  stealproof replay width1.case",
		Args:    oneArgument("replay", "one saved case ('-' is standard input)"),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.replay(cmd.Context(), args[0], history) },
	}
	cmd.Flags().StringVar(&history, "history", "", "also write the history to this file (.jsonl, .jsonl.gz)")
	return cmd
}

func (a *app) replay(ctx context.Context, file, history string) error {
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
	if history != "" {
		return linearize.WriteFile(history, r.Execution.Timed())
	}
	return nil
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
