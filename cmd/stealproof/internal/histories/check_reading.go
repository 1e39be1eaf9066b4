package histories

import (
	"context"
	"fmt"
	"io"
	"time"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/linearize"
	"stealproof/linearize/format"
	"stealproof/model"
)

// limited ends when the time for a file is over, if it is limited.
func (f checkFlags) limited(ctx context.Context, begun time.Time) (context.Context, context.CancelFunc) {
	if f.timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, begun.Add(f.timeout))
}

// readingTooLong reports a file of which so much as the reading took too long.
func (f checkFlags) readingTooLong(begun time.Time) *linearize.Report {
	return &linearize.Report{
		Verdict:   model.Undecided,
		Elapsed:   time.Since(begun),
		Undecided: []linearize.Reason{{Msg: fmt.Sprintf("the time limit of %s was met while it was read", f.timeout)}},
	}
}

func readHistory(ctx context.Context, con *console.Console, file string, o format.Options) (*model.History, error) {
	return console.UntilStopped(ctx, func() (*model.History, error) {
		if file == "-" {
			return files.Formats().Read(limitedInput(ctx, con.In), "standard input", o)
		}
		return files.Formats().ReadFile(ctx, file, o)
	})
}

// limitedInput is standard input, which nobody reads on when a time limit was
// met. Without one it stays what it is: files are read faster than pipes.
func limitedInput(ctx context.Context, in io.Reader) io.Reader {
	if _, limited := ctx.Deadline(); limited {
		return console.StoppableReader(ctx, in)
	}
	return in
}
