package linearize

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/monitor"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// What is wrong in the middle of a large shared range is found, and made small:
// a removal that says to have taken what another one took much later, or that
// there was nothing, or two that have changed places.
func TestPlantedInSharedRanges(t *testing.T) {
	plant := map[string]func(x, y *model.Operation){
		"twice":    func(x, y *model.Operation) { take(x, y) },
		"exchange": func(x, y *model.Operation) { z := *x; take(x, y); take(y, &z) },
		"nothing": func(x, _ *model.Operation) {
			x.Result, x.Value, x.To = model.Empty, model.NoValue, 0
		},
	}
	every, n := testkit.EverySharedLoad(), testkit.Amount(testing.Short(), 2_000, 2_000, 20_000)
	if testing.Short() {
		every = every[:6]
	}
	for _, s := range every {
		for name, change := range plant {
			t.Run(fmt.Sprintf("%+v/%s", s, name), func(t *testing.T) {
				h := testkit.Shared(rand.New(rand.NewPCG(9, s.Capacity)), s, 16, n)
				var removals []*model.Operation
				for i := 2 * n / 5; i < 3*n/5; i++ {
					if h.Ops[i].TakesOut() {
						removals = append(removals, &h.Ops[i])
					}
				}
				change(removals[len(removals)/2], removals[len(removals)*3/4])
				require.NoError(t, h.Validate())
				out := monitor.Decide(context.Background(), h, nil, true)
				require.Equal(t, model.Violation, out.Verdict, out.Reason)
				if !s.Again { // where indices come again, all operations on one of them are many
					report := check(context.Background(), h, Options{Checker: Monitor}, leeway{window: time.Hour})
					require.Len(t, report.Violations, 1)
					ops := report.Violations[0].Ops
					require.LessOrEqual(t, len(ops), 24)
					require.False(t, CheckSmall(h.Part(ops)))
				}
			})
		}
	}
}

// take makes a removal say what another one says.
func take(x, y *model.Operation) { x.Op, x.Size, x.Value, x.To = y.Op, y.Size, y.Value, y.To }
