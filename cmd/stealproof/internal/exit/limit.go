package exit

import (
	"context"
	"errors"
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
	fl.Var(l, "for", "end after this `duration`, as in 30s: what is not decided by then is undecided")
}

// AboveZero is what such a flag takes.
const AboveZero = "duration above 0"

// Set reads the flag. No time is none: whoever writes that means something else.
func (l *Limit) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New("expected a " + AboveZero)
	}
	*l = Limit(d)
	return nil
}

func (l *Limit) String() string {
	if l == nil || *l == 0 {
		return ""
	}
	return time.Duration(*l).String()
}

// Type is what help and messages call it.
func (l *Limit) Type() string { return AboveZero }

// Within does the work with a context that ends after the time. What says that it
// was not enough goes to say.
func (l Limit) Within(ctx context.Context, say func(format string, values ...any), work func(context.Context) (model.Verdict, error)) (model.Verdict, error) {
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
