package linearize

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/certify"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// Whatever is linearizable has an order, which stands its replay; what is not has none.
func TestLinearization(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	found := 0
	for i := range 1200 {
		h := testkit.Random(rng, model.Kinds[i%len(model.Kinds)])
		for k := range h.Ops {
			h.Ops[k].Object = 7
		}
		other := model.Operation{Object: 3, Op: model.Kinds[i%len(model.Kinds)].Ops()[0], Result: model.Unknown, Value: model.NoValue, Process: 99, Call: 1, Return: model.Never}
		both := h.With(append([]model.Operation{other}, h.Ops...))
		order := Linearization(t.Context(), both, 7, Options{Validated: true})
		if Check(t.Context(), h, Options{Validated: true}).Verdict != model.Linearizable {
			require.Nil(t, order)
			continue
		}
		if order == nil {
			require.True(t, h.HasLost(), "only what was lost may leave the order open")
			continue
		}
		found++
		for k := range order {
			require.NotZero(t, order[k], "the operation of the other object")
			order[k]--
		}
		require.NoError(t, certify.Replay(h, order))
	}
	require.Greater(t, found, 300)
	require.Nil(t, Linearization(t.Context(), &model.History{Kind: model.FIFO}, 0, Options{}))
}
