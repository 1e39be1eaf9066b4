package witness

import (
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// What is found is right, and it is found wherever all operations came back and none
// was called at the very moment at which the one before it returned.
func TestWitnessesAgreeWithBruteForce(t *testing.T) {
	for _, k := range model.Kinds {
		r := testkit.NewTiny(k, 2)
		found, missed, none := 0, 0, 0
		for range testkit.Amount(testing.Short(), 3_000, 10_000, 100_000) {
			h := r.Next(6)
			legal, got := testkit.BruteForce(h), Found(h)
			require.False(t, got && !legal, "%s", testkit.Describe(h))
			switch {
			case got:
				found++
			case legal:
				missed++
				require.True(t, unusual(h), "%s", testkit.Describe(h))
			default:
				none++
			}
		}
		t.Logf("%s: found %d, missed %d, none %d", k, found, missed, none)
		require.Greater(t, found, 300)
		require.Greater(t, none, 300)
	}
}

func unusual(h *model.History) bool {
	for i := range h.Ops {
		o := &h.Ops[i]
		if o.Pending() || o.Result == model.Unknown {
			return true
		}
		for j := range h.Ops {
			if i != j && h.Ops[j].Process == o.Process && h.Ops[j].Return == o.Call {
				return true
			}
		}
	}
	return false
}

func TestSeveralObjects(t *testing.T) {
	h := &model.History{Kind: model.FIFO, Ops: []model.Operation{
		{Op: model.Enq, Result: model.OK, Value: 1, Call: 1, Return: 2},
		{Op: model.Deq, Result: model.Empty, Value: model.NoValue, Call: 3, Return: 4, Object: 1},
		{Op: model.Deq, Result: model.OK, Value: 1, Call: 5, Return: 6},
	}}
	require.True(t, Found(h))
	h.Ops[1].Object = 0
	require.False(t, Found(h))
}
