package exit

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"stealproof/model"
)

func TestLimit(t *testing.T) {
	untilOver := func(verdict model.Verdict, err error) func(context.Context) (model.Verdict, error) {
		return func(ctx context.Context) (model.Verdict, error) {
			<-ctx.Done()
			return verdict, err
		}
	}
	broken := errors.New("broken")
	for _, test := range []struct {
		name    string
		work    func(context.Context) (model.Verdict, error)
		verdict model.Verdict
		err     error
		said    int
	}{
		{"what was not finished", untilOver(model.NotRun, nil), model.Undecided, nil, 1},
		{"what held so far", untilOver(model.Linearizable, nil), model.Undecided, nil, 1},
		{"what was found", untilOver(model.Violation, nil), model.Violation, nil, 1},
		{"what gave up", untilOver(model.NotRun, fmt.Errorf("stopped: %w", context.Canceled)), model.Undecided, nil, 1},
		{"what went wrong", untilOver(model.NotRun, broken), model.NotRun, broken, 0},
	} {
		said := 0
		verdict, err := Limit(time.Millisecond).Within(t.Context(), func(string, ...any) { said++ }, test.work)
		assert.Equal(t, test.verdict, verdict, test.name)
		assert.ErrorIs(t, err, test.err, test.name)
		assert.Equal(t, test.said, said, test.name)
	}
	holds := func(context.Context) (model.Verdict, error) { return model.Linearizable, nil }
	for _, l := range []Limit{0, Limit(time.Hour)} {
		verdict, err := l.Within(t.Context(), nil, holds)
		assert.NoError(t, err)
		assert.Equal(t, model.Linearizable, verdict)
	}
	for _, refused := range []string{"0", "0s", "-1s", "soon", ""} {
		assert.ErrorContains(t, new(Limit).Set(refused), "expected a duration above 0", refused)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	verdict, err := Limit(time.Hour).Within(ctx, nil, untilOver(model.NotRun, nil))
	assert.NoError(t, err)
	assert.Equal(t, model.NotRun, verdict, "a signal is a signal")
}
