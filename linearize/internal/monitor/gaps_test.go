package monitor

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/certify"
	"stealproof/linearize/internal/testkit"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// Times that lie so far apart that they and an index do not fit a word make no
// difference: neither in clusters, nor evenly.
func TestTimesFarApart(t *testing.T) {
	rounds := testkit.Amount(testing.Short(), 300, 1_000, 3_000)
	stretches := map[string]func(uint64) uint64{
		"clusters": func(at uint64) uint64 { return at + at/5<<62 },
		"evenly":   func(at uint64) uint64 { return 77 + at*0xfffffffffffff7 },
	}
	for name, stretch := range stretches {
		t.Run(name, func(t *testing.T) {
			for _, k := range model.Kinds {
				r := rand.New(rand.NewPCG(3, uint64(k)))
				for range rounds {
					h := testkit.Random(r, k)
					if timing.NewSurvey(h.Ops).Late >= 20 {
						continue
					}
					far := stretched(h, stretch)
					want, got := Decide(context.Background(), h, nil, true), Decide(context.Background(), far, nil, true)
					require.Equal(t, want.Verdict, got.Verdict, testkit.Describe(far))
					if got.Verdict == model.Linearizable {
						require.NoError(t, certify.Replay(far, got.Order))
					}
				}
			}
		})
	}
}

func stretched(h *model.History, stretch func(uint64) uint64) *model.History {
	far := h.With(append([]model.Operation(nil), h.Ops...))
	for i := range far.Ops {
		o := &far.Ops[i]
		o.Call = stretch(o.Call)
		if !o.Pending() {
			o.Return = stretch(o.Return)
		}
	}
	return far
}
