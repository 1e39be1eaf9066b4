// Package cases shrinks, shows, saves and runs again what has failed.
package cases

import (
	"context"
	"fmt"
	"time"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/fuzz"
	"stealproof/fuzz/shrink"
	"stealproof/model"
	"stealproof/ref"
)

// shrinkFor bounds how long a user waits for a smaller case; few take a second.
const shrinkFor = 30 * time.Second

// Shrink looks for the smallest case that fails for the same reason, says what
// came of it, and returns it. One that cannot be shrunk comes back as it is.
func Shrink(ctx context.Context, con *console.Console, s ref.Subject, found *fuzz.Failure) *fuzz.Failure {
	limited, cancel := context.WithTimeout(ctx, shrinkFor)
	defer cancel()
	p := con.Bar("shrinking, programs tried", 0)
	r, err := shrunk(limited, s, found.Case, p.At)
	p.Done()
	if err != nil {
		con.Print("not shrunk: %v\n", err)
		return found
	}
	what := fmt.Sprintf("shrunk from %s to %s", r.From, r.To)
	if !r.To.Less(r.From) {
		what = fmt.Sprintf("not shrunk: %s", r.To)
	}
	con.Print("%s (%s), in %s\n", what, howSmall(ctx, r), r.Elapsed.Round(time.Millisecond))
	r.Failure.Run = found.Run
	return r.Failure
}

func shrunk(ctx context.Context, s ref.Subject, c model.Case, progress func(tried int)) (*shrink.Result, error) {
	return (&shrink.Search{Subject: s, Case: c, Progress: func(_ shrink.Size, tried int) { progress(tried) }}).Run(ctx)
}

// howSmall says what is known about the smallest case.
func howSmall(ctx context.Context, r *shrink.Result) string {
	switch {
	case r.Exact:
		return "nothing single can be left out, by all executions of what would remain"
	case r.Complete:
		return "nothing single was found that can be left out"
	case ctx.Err() != nil:
		return "interrupted: there may be smaller ones"
	}
	return fmt.Sprintf("stopped after %s: there may be smaller ones", shrinkFor)
}
