package exit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"stealproof/model"
)

// Limit is the flag --for of commands that work through something until its end:
// after that time they end as with a signal, with what they have found by then. But
// it is a limit that was asked for, so that the rest is undecided and not
// interrupted.
type Limit time.Duration

// Register adds the flag to those of a command.
func (l *Limit) Register(fl *pflag.FlagSet) {
	fl.DurationVar((*time.Duration)(l), "for", 0, "end after so long, as in 30s: what is not decided by then is undecided")
}

// Check refuses what makes no sense.
func (l Limit) Check() error {
	if l < 0 {
		return fmt.Errorf("--for %s: expected a duration above 0", time.Duration(l))
	}
	return nil
}

// Within does the work with a context that ends after the time. What says that it
// was not enough goes to say.
func (l Limit) Within(ctx context.Context, say func(format string, values ...any), work func(context.Context) (model.Verdict, error)) (model.Verdict, error) {
	if err := l.Check(); err != nil {
		return model.NotRun, err
	}
	if l == 0 {
		return work(ctx)
	}
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	defer time.AfterFunc(time.Duration(l), cancel).Stop()
	verdict, err := work(limited)
	if limited.Err() == nil || ctx.Err() != nil {
		return verdict, err
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return verdict, err
	}
	say("the time of --for %s is over: what was not decided by then is undecided", time.Duration(l))
	if verdict != model.Violation {
		verdict = model.Undecided
	}
	return verdict, nil
}
