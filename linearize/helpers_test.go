package linearize

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/format"
	"stealproof/model"
)

// history reads operations of a kind.
func history(t testing.TB, k model.Kind, lines ...string) *model.History {
	t.Helper()
	return historyWith(t, k, "", lines...)
}

// historyWith has params as well, as in `"capacity":2`.
func historyWith(t testing.TB, k model.Kind, params string, lines ...string) *model.History {
	t.Helper()
	head := `{"format":"stealproof-history","version":1,"model":"` + k.String() + `","params":{` + params + `}}`
	h, err := format.Read(strings.NewReader(head+"\n"+strings.Join(lines, "\n")), "test", format.Options{})
	require.NoError(t, err)
	return h
}
