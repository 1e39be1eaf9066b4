package search

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/certify"
	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/testkit"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// TestBoundedAgreement holds the searches of bounded queues and bags alone against
// porcupine: without the ranks of values, and where they are known. None may be left
// undecided. For the long run:
//
//	STEALPROOF_AGREEMENT=1000000 go test -run TestBoundedAgreement -timeout 0 ./linearize/internal/search
func TestBoundedAgreement(t *testing.T) {
	count := 6_000
	if testing.Short() {
		count = 600
	}
	if text := os.Getenv("STEALPROOF_AGREEMENT"); text != "" {
		count, _ = strconv.Atoi(text)
	}
	for _, c := range []struct {
		name string
		kind model.Kind
		soon effort
	}{
		{"counts", model.FIFO, soonEffort},
		{"places", model.FIFO, effort{steps: -1}}, // by ranks at once
		{"bag", model.Bag, soonEffort},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(11, uint64(c.kind)))
			violations := 0
			for range count {
				h := testkit.RandomBounded(r, c.kind)
				if !distinct(h) {
					continue
				}
				q := newQueue(valuesOf(h))
				verdict := q.search(timing.NewPatience(t.Context()), c.soon)
				require.Equal(t, general.Small(h), verdict == model.Linearizable, testkit.Describe(h))
				if verdict == model.Violation {
					violations++
					continue
				}
				require.Equal(t, model.Linearizable, verdict, testkit.Describe(h))
				require.NoError(t, certify.Replay(h, q.written(q.values.Ties, q.isMark)), testkit.Describe(h))
			}
			require.Greater(t, violations, count/20)
		})
	}
}
