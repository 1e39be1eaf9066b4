package draw

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
	head := `{"format":"stealproof-history","version":1,"model":"` + k.String() + `"}`
	h, err := format.Read(strings.NewReader(head+"\n"+strings.Join(lines, "\n")), "test", format.Options{})
	require.NoError(t, err)
	return h
}

// busyFIFO is legal: n operations of p processes that always overlap.
func busyFIFO(n, p int) *model.History {
	h := &model.History{Kind: model.FIFO}
	for i := range n {
		call := uint64(10 * (i - i%p))
		o := model.Operation{Op: model.Enq, Result: model.OK, Value: uint64(i), Process: uint32(i % p), Call: call + 1, Return: call + uint64(10*p) - 1}
		if (i/p)%2 == 1 {
			o.Op, o.Value = model.Deq, uint64(i-p)
		}
		h.Ops = append(h.Ops, o)
	}
	return h
}
