// Command stealproof decides whether the queues that spread work over a GPU
// are correct.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"stealproof/model"
)

// Exit codes of the contract.
const (
	exitHolds       = 0
	exitViolation   = 1
	exitUsage       = 2
	exitUndecided   = 3
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	go func() {
		<-ctx.Done()
		stop() // a second Ctrl-C ends the program at once
	}()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// app is what the commands share: where they write, and what they found.
type app struct {
	in       io.Reader
	out, err io.Writer
	verdict  model.Verdict
	broken   bool // an input was wrong, though others were decided
	drawn    bool // there was a violation, and its picture was made if one was asked for
}

// run is the whole program, for tests too.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	// Whoever decides says so. Asking for help, or for shell completions, is a
	// success by itself.
	printed := &delivered{to: out}
	a := &app{in: in, out: printed, err: errs, verdict: model.Linearizable}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(printed)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintf(errs, "stealproof: %v\n", err)
		return exitUsage
	}
	if ctx.Err() != nil {
		fmt.Fprintln(errs, "stealproof: interrupted")
		return exitInterrupted
	}
	if printed.err != nil {
		fmt.Fprintf(errs, "stealproof: %v\n", unreadable("standard output", printed.err))
		return exitUsage
	}
	return a.exitCode()
}

func (a *app) exitCode() int {
	switch {
	case a.broken:
		return exitUsage
	case a.verdict == model.Violation:
		return exitViolation
	case a.verdict == model.Linearizable:
		return exitHolds
	}
	return exitUndecided
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "stealproof",
		Short: "Decides whether the queues that spread work over a GPU are correct",
		Long: `stealproof decides whether concurrent queues are linearizable: work-stealing
deques, shared FIFO queues, range queues and task bags, above all those that
spread work over a GPU.

Start with:
  stealproof verify                 check the published queues on this machine
  stealproof check history.jsonl    decide a history of your own
  stealproof explore abp:width=1    watch a structure break

Exit codes: 0 everything asked was decided and holds; 1 a violation was found;
2 the command line or an input is wrong; 3 undecided, a limit was met.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommand(helpCommand())
	root.AddCommand(a.verifyCommand(), a.checkCommand(), a.exploreCommand(), a.replayCommand(), a.litmusCommand(), a.progressCommand(), a.mutantsCommand(), a.convertCommand(), a.gpuCommand(), a.versionCommand())
	root.SetFlagErrorFunc(flagError)
	return root
}
