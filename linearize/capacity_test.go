package linearize

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// Bounded queues that run near full are decided, and so are those that are full
// and empty in turn if they have room for many more than are at them at once.
func TestLargeBoundedHistories(t *testing.T) {
	n := 50_000
	if testing.Short() {
		n = 20_000
	}
	for _, k := range []model.Kind{model.FIFO, model.Bag} {
		for _, capacity := range []uint64{1, 4, 64, 1000} {
			for _, load := range []string{"full", "balanced"} {
				if load == "balanced" && capacity < 1000 {
					continue
				}
				t.Run(fmt.Sprintf("%v/%d/%s", k, capacity, load), func(t *testing.T) {
					h := boundedHistory(k, 16, load, n, capacity)
					out := ask(context.Background(), h, nil, true)
					require.Equal(t, model.Linearizable, out.verdict, out.reason)
					require.NoError(t, certify(h, out.order))
					lateFull(h)
					out = ask(context.Background(), h, nil, true)
					require.Equal(t, model.Violation, out.verdict, out.reason)
					require.Equal(t, FalseFull, out.violation.Kind)
					require.False(t, CheckSmall(part(h, out.violation.Ops)))
				})
			}
		}
	}
}

// lateFull makes somebody find the object full when all have taken what they
// could.
func lateFull(h *model.History) {
	put, take := h.Kind.Ops()[0], h.Kind.Ops()[1]
	inside := map[uint64]bool{}
	at := uint64(0)
	for i := range h.Ops {
		o := &h.Ops[i]
		if o.PutsIn() {
			inside[o.Value] = true
		} else if o.TakesOut() {
			delete(inside, o.Value)
		}
		at = max(at, o.Return)
	}
	for i := range h.Ops {
		if o := &h.Ops[i]; o.PutsIn() && inside[o.Value] {
			h.Ops = append(h.Ops, model.Operation{Op: take, Result: model.OK, Value: o.Value, Process: 100, Call: at + 1, Return: at + 2})
			at += 2
		}
	}
	h.Ops = append(h.Ops, model.Operation{Op: put, Result: model.Full, Value: model.NoValue, Process: 100, Call: at + 1, Return: at + 2})
}
