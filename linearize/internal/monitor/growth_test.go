package monitor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/certify"
	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/testkit"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// However the operations lie in time, twice as many take about twice the steps.
func TestStepsOfLargeHistoriesGrowWithTheirSize(t *testing.T) {
	n := testkit.Amount(testing.Short(), 500, 1_000, 3_000)
	for _, s := range testkit.Shapes {
		if s.Hard {
			continue // there are not so few steps, but so many at most
		}
		for _, k := range model.Kinds {
			for _, capacity := range []uint64{0, 4, 200} {
				name := fmt.Sprintf("%s: %v, capacity %d", s.Name, k, capacity)
				_, steps := decidedIn(t, s.Make(k, n, capacity))
				h := s.Make(k, 2*n, capacity)
				require.NoError(t, h.Validate(), name)
				out, more := decidedIn(t, h)
				if k == model.Range && h.HasLost() {
					continue // may stay undecided, and that soon
				}
				if assert.Equal(t, model.Linearizable, out.Verdict, "%s: %s", name, out.Reason) {
					assert.NoError(t, certify.Replay(h, out.Order), name)
					assert.LessOrEqual(t, more, 5*steps/2+100*n, "%s: %d steps of %d operations, %d of twice as many", name, steps, n, more)
				}
			}
		}
	}
}

func decidedIn(t *testing.T, h *model.History) (finding.Finding, int) {
	q := &question{patience: timing.NewPatience(t.Context()), h: h, look: timing.NewSurvey(h.Ops), wantOrder: true}
	out := q.decide()
	return out, q.patience.Steps
}

// Whenever the one who waits gives up, the monitor does within some steps.
func TestLargeHistoriesAreGivenUpSoon(t *testing.T) {
	n := testkit.Amount(testing.Short(), 1_000, 4_000, 8_000)
	for _, s := range testkit.Shapes {
		for _, k := range model.Kinds {
			for _, capacity := range []uint64{0, 4} {
				h := s.Make(k, n, capacity)
				for asked := int64(1); asked <= 64; asked *= 4 {
					waiting := &impatient{Context: t.Context(), after: asked}
					q := &question{patience: timing.NewPatience(waiting), h: h, look: timing.NewSurvey(h.Ops), wantOrder: true}
					waiting.steps = &q.patience.Steps
					out := q.decide()
					if waiting.asked.Load() < asked {
						break // it was done before
					}
					assert.Equal(t, model.Undecided, out.Verdict, "%s: %v, capacity %d, asked %d times", s.Name, k, capacity, asked)
					assert.Less(t, q.patience.Steps-waiting.over, 10_000, "%s: %v, capacity %d, asked %d times", s.Name, k, capacity, asked)
				}
			}
		}
	}
}

// impatient is a context that ends when it was asked so often.
type impatient struct {
	context.Context
	after int64
	asked atomic.Int64
	steps *int
	over  int // how many steps had been made then
}

func (c *impatient) Err() error {
	switch n := c.asked.Add(1); {
	case n < c.after:
		return nil
	case n == c.after:
		c.over = *c.steps
	}
	return context.Canceled
}

// What ties is decided as by the general search where several processes have many
// operations at few stamps.
func TestAgreementOfTies(t *testing.T) {
	for _, k := range []model.Kind{model.FIFO, model.Bag} {
		r := rand.New(rand.NewPCG(11, uint64(k)))
		undecided := 0
		runs := testkit.Amount(testing.Short(), 500, 4_000, 40_000)
		for range runs {
			h := testkit.Drawn(r, k, 1+r.IntN(4), []string{"full", "balanced", "empty"}[r.IntN(3)], 4+r.IntN(12), uint64(r.IntN(3)))
			testkit.Coarsen(h, []uint64{30, 100, 1 << 20}[r.IntN(3)])
			if r.IntN(2) == 0 {
				testkit.Spoil(h)
			}
			if h.Validate() != nil {
				continue
			}
			out := Decide(t.Context(), h, nil, true)
			if out.Verdict == model.Undecided {
				undecided++
				continue
			}
			require.Equal(t, general.Small(h), out.Verdict == model.Linearizable, testkit.Describe(h))
		}
		assert.Less(t, undecided, runs/20)
	}
}
