// Package exit makes one exit code of all that a command found.
package exit

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"stealproof/model"
)

// The exit codes. A run that a signal has ended has 128 and its number instead.
const (
	Holds       = 0
	Violation   = 1
	Usage       = 2
	Undecided   = 3
	Interrupted = 130 // 128 and SIGINT
)

// Command is what a command does. It answers with a verdict on what it was asked.
// The error says what kept it from deciding; it is ErrReported where that was an
// input among several, and a message has said so.
type Command func(cmd *cobra.Command, args []string) (model.Verdict, error)

// ErrReported stands for errors that were printed when they came up.
var ErrReported = errors.New("an input is wrong, as a message has said")

// RunE is the command in the form of cobra, which knows no verdicts: there they
// are part of the error, which Code takes apart.
func (c Command) RunE(cmd *cobra.Command, args []string) error {
	verdict, err := c(cmd, args)
	return &answer{verdict, err}
}

// answer is what a command returned.
type answer struct {
	verdict model.Verdict
	err     error
}

func (a *answer) Error() string {
	if a.err == nil {
		return a.verdict.String()
	}
	return a.err.Error()
}

// Code is the exit code of a program that ended with this error, of which cobra
// or a RunE of a Command is the source, and what is to be said to that. The error
// of delivering says why not all was printed. Of several codes 2 wins over 1, 1
// over 3, and 3 over 0; that it was interrupted wins over what it had found by then.
func Code(ctx context.Context, err, delivering error) (code int, message error) {
	verdict := model.Linearizable // asking for help is a success
	var a *answer
	if errors.As(err, &a) {
		verdict, err = a.verdict, a.err
	}
	reported := errors.Is(err, ErrReported)
	switch {
	case err != nil && !reported && !errors.Is(err, context.Canceled):
		return Usage, err
	case ctx.Err() != nil:
		return ended(ctx)
	case delivering != nil:
		return Usage, delivering
	case reported:
		return Usage, nil
	}
	return CodeOf(verdict), nil
}

// Verdict is what a command answered, if it did: the program ended with this error.
func Verdict(err error) model.Verdict {
	var a *answer
	switch {
	case err == nil:
		return model.Linearizable
	case errors.As(err, &a):
		return a.verdict
	}
	return model.NotRun
}

// CodeOf is the exit code of a verdict.
func CodeOf(verdict model.Verdict) int {
	switch verdict {
	case model.Linearizable:
		return Holds
	case model.Violation:
		return Violation
	}
	return Undecided
}
