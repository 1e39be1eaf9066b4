package exit

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// ending are the signals that end a run: Ctrl-C, what batch systems send some
// time before they kill, and what is sent when a terminal is closed.
var ending = map[os.Signal]string{syscall.SIGINT: "interrupted", syscall.SIGTERM: "ended by SIGTERM", syscall.SIGHUP: "ended by SIGHUP"}

// signalled is why a context ended.
type signalled struct{ by syscall.Signal }

func (s signalled) Error() string { return ending[s.by] }

// WithSignals is a context that ends with the first signal that ends a run. What
// was done until then can be written down; a second signal ends the program at
// once. A signal that was ignored when the program started stays so, as nohup
// has it.
func WithSignals(parent context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	arrived := make(chan os.Signal, 1)
	for s := range ending {
		if s == os.Interrupt || !signal.Ignored(s) {
			signal.Notify(arrived, s)
		}
	}
	go func() {
		s := <-arrived
		signal.Stop(arrived)
		by, _ := s.(syscall.Signal)
		cancel(signalled{by})
	}()
	return ctx
}

// ended is the exit code of a run that was interrupted, and the message.
func ended(ctx context.Context) (int, error) {
	var s signalled
	if !errors.As(context.Cause(ctx), &s) {
		s.by = syscall.SIGINT
	}
	return 128 + int(s.by), s
}
