package exit

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"

	"stealproof/model"
)

func answering(verdict model.Verdict, err error) error {
	return Command(func(*cobra.Command, []string) (model.Verdict, error) { return verdict, err }).RunE(nil, nil)
}

func TestCodes(t *testing.T) {
	broken, full := errors.New("broken"), errors.New("full")
	for _, test := range []struct {
		name            string
		err, delivering error
		code            int
		message         error
	}{
		{name: "help", code: Holds},
		{name: "of cobra", err: broken, code: Usage, message: broken},
		{name: "holds", err: answering(model.Linearizable, nil), code: Holds},
		{name: "violation", err: answering(model.Violation, nil), code: Violation},
		{name: "undecided", err: answering(model.Undecided, nil), code: Undecided},
		{name: "not run", err: answering(model.NotRun, nil), code: Undecided},
		{name: "2 wins over 1", err: answering(model.Violation, broken), code: Usage, message: broken},
		{name: "2 wins over 1, said before", err: answering(model.Violation, ErrReported), code: Usage},
		{name: "said before, among others", err: answering(model.Undecided, fmt.Errorf("all: %w", ErrReported)), code: Usage},
		{name: "not delivered", err: answering(model.Violation, nil), delivering: full, code: Usage, message: full},
		{name: "not delivered help", delivering: full, code: Usage, message: full},
	} {
		code, message := Code(t.Context(), test.err, test.delivering)
		assert.Equal(t, test.code, code, test.name)
		assert.Equal(t, test.message, message, test.name)
	}
}

// What was found by then is no answer to what was asked; but what could not be
// done is said all the same.
func TestCodesOfSignals(t *testing.T) {
	for by, want := range map[syscall.Signal]string{syscall.SIGINT: "interrupted", syscall.SIGTERM: "ended by SIGTERM", syscall.SIGHUP: "ended by SIGHUP"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(signalled{by})
		for _, err := range []error{answering(model.Violation, nil), answering(model.NotRun, ctx.Err()), answering(model.Linearizable, ErrReported)} {
			code, message := Code(ctx, err, nil)
			assert.Equal(t, 128+int(by), code)
			assert.EqualError(t, message, want)
		}
		code, _ := Code(ctx, answering(model.Undecided, errors.New("no room")), nil)
		assert.Equal(t, Usage, code)
	}
}
