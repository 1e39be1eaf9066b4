package queuetest

import (
	"fmt"
	"io"
	"strings"
	"time"

	"stealproof/fuzz"
	"stealproof/fuzz/shrink"
	"stealproof/fuzz/trace"
	"stealproof/model"
)

// The kinds of finding that only this package makes; the others are those of
// package fuzz and of package linearize.
const (
	// KindStateful: the same schedule gave another execution, so the queue keeps
	// something outside of the memory.
	KindStateful = "stateful"
	// KindEndless: an operation neither came back nor made an access.
	KindEndless = "endless"
)

// Report is what came of a test.
type Report struct {
	// Verdict is Linearizable only if everything asked was done, and held.
	Verdict model.Verdict
	// Programs were executed in every way that matters, Executions in all were
	// made, of which Open did not come to an end.
	Programs, Executions, Open int
	// Looked says what was looked at, and what was not.
	Looked Looked
	// Clients is up to how many calls all clients were tried: on a weak memory, with
	// every order that they may give their operations by signals.
	Clients int
	// Failure is nil if nothing failed; if something stayed open it is the first of
	// that.
	Failure *fuzz.Failure
	// Shrunk says how far the failure was shrunk; nil if it was not.
	Shrunk *shrink.Result
	// Rerun is the failure with its accesses; nil if it cannot be executed again.
	Rerun   *fuzz.Rerun
	Elapsed time.Duration
}

// String is the verdict with what stands behind it, in a line.
func (r *Report) String() string {
	switch {
	case r.Verdict == model.Violation:
		kind := r.Failure.Finding.Kind
		return fmt.Sprintf("violation (%s): %s", kind, ownFrames(r.Failure.Finding.Explanation))
	case r.Open > 0:
		return fmt.Sprintf("undecided: %d of %d executions did not come to an end: an operation may never return, or waits for what a scheduler need not do; else give Options.Accesses more", r.Open, r.Executions)
	case r.Verdict == model.Linearizable:
		clients := ""
		if r.Clients > 0 {
			clients = fmt.Sprintf("; all clients of up to %s", plural(r.Clients, "call"))
		}
		return fmt.Sprintf("linearizable on memory %s: %s, all executions%s; %d executions in all", r.Looked.Memory, r.programs(), clients, r.Executions)
	case r.Looked.Idle != "":
		return fmt.Sprintf("%s: %s", r.Verdict, r.Looked.Idle)
	}
	return fmt.Sprintf("%s: stopped after %s and %d executions", r.Verdict, plural(r.Programs, "program"), r.Executions)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// WriteColumns prints the failing execution, a column per process and a row per
// access, as far as there is one.
func (r *Report) WriteColumns(w io.Writer) error {
	if r.Rerun == nil {
		return nil
	}
	return trace.WriteColumns(w, r.Rerun.Execution, r.Rerun.Matter, r.Rerun.Fatal)
}

// text is everything that a failing test prints but for the command.
func (r *Report) text() string {
	var b strings.Builder
	b.WriteString(r.String())
	if r.Failure == nil {
		return b.String()
	}
	fmt.Fprintf(&b, "\n\n%s", shortened(r.Failure.Case.String()))
	if r.Rerun != nil {
		b.WriteByte('\n')
		r.WriteColumns(&b) // a strings.Builder takes everything
	}
	if s := r.Shrunk; s != nil && !s.Complete {
		fmt.Fprintf(&b, "\nIt was not shrunk to the end, but for %s and %d accesses: there may be smaller ones.\n", s.Elapsed.Round(time.Millisecond), s.Spent)
	}
	return b.String()
}

const longestLine = 400

// shortened cuts lines that nobody would read to their end; the file has them.
func shortened(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if n := len(line) - longestLine; n > 0 {
			line = fmt.Sprintf("%s ... and %d characters more\n", line[:longestLine], n)
		}
		b.WriteString(line)
	}
	return b.String()
}

// ownFrames leaves of the stack of a panic what belongs to the queue: the frames
// between the panic and this package.
func ownFrames(text string) string {
	head, stack, found := strings.Cut(text, "\ngoroutine ")
	if !found {
		return text
	}
	_, frames, found := strings.Cut(stack, "\npanic(")
	own, _, ended := strings.Cut(frames, "\nstealproof/fuzz/queuetest.watched.Do(")
	_, own, cut := strings.Cut(own, "\n\t") // where the runtime panics
	_, own, behind := strings.Cut(own, "\n")
	if !found || !ended || !cut || !behind {
		return text
	}
	return head + "\n" + own
}
