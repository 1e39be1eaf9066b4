package model_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// operation reads "push ok 7", "steal empty", "pop ok 4..8 of 5", "take unknown":
// an operation, its result, and what was put in or came out.
func operation(t testing.TB, text string) *model.Operation {
	t.Helper()
	words := strings.Fields(text)
	op, err := model.ParseOp(words[0])
	require.NoError(t, err)
	o := &model.Operation{Op: op, Value: model.NoValue}
	if words[1] == "unknown" {
		o.Return = model.Never
	} else {
		o.Result, err = model.ParseResult(words[1])
		require.NoError(t, err)
	}
	if len(words) > 2 && words[2] != "of" {
		if n, _ := fmt.Sscanf(words[2], "%d..%d", &o.Value, &o.To); n == 0 {
			require.Fail(t, "no value", text)
		}
	}
	if i := strings.Index(text, " of "); i >= 0 {
		_, err := fmt.Sscan(text[i+4:], &o.Size)
		require.NoError(t, err)
	}
	return o
}

// after applies operations to a new object; every one of them must be legal.
func after(t testing.TB, k model.Kind, p model.Params, steps ...string) model.State {
	t.Helper()
	s := model.NewState(k, p)
	for _, step := range steps {
		require.True(t, s.Apply(operation(t, step)), "%s at %s", step, s)
	}
	return s
}
