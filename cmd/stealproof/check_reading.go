package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"stealproof/linearize"
	"stealproof/linearize/format"
	"stealproof/linearize/format/parquet"
	"stealproof/model"
)

// limited ends when the time for a file is over, if it is limited.
func (f checkFlags) limited(ctx context.Context, begun time.Time) (context.Context, context.CancelFunc) {
	if f.timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, begun.Add(f.timeout))
}

// formats are those of the command: a table can be written, too.
func formats() format.Formats { return append(format.Standard(), parquet.Format()) }

// readingTooLong reports a file of which so much as the reading took too long.
func (a *app) readingTooLong(f checkFlags, file string, begun time.Time) junitCase {
	r := &linearize.Report{
		Verdict:   model.Undecided,
		Elapsed:   time.Since(begun),
		Undecided: []linearize.Reason{{Msg: fmt.Sprintf("the time limit of %s was met while it was read", f.timeout)}},
	}
	a.verdict = a.verdict.And(r.Verdict)
	a.printReport(f, file, nil, r)
	return junitOf(file, r)
}

func (a *app) readHistory(ctx context.Context, file string, o format.Options) (*model.History, error) {
	return untilStopped(ctx, func() (*model.History, error) {
		if file == "-" {
			return formats().Read(a.limitedInput(ctx), "standard input", o)
		}
		return formats().ReadFile(ctx, file, o)
	})
}

// limitedInput is standard input, which nobody reads on when a time limit was
// met. Without one it stays what it is: files are read faster than pipes.
func (a *app) limitedInput(ctx context.Context) io.Reader {
	if _, limited := ctx.Deadline(); limited {
		return stoppableReader{ctx, a.in}
	}
	return a.in
}
