package linearize

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// TestSharedAgreement holds the verdicts on shared ranges against porcupine.
// Only removals that never came back may leave one undecided.
func TestSharedAgreement(t *testing.T) {
	count := 6_000
	if testing.Short() {
		count = 1_000
	}
	r := rand.New(rand.NewPCG(21, 22))
	c := newComparison()
	for n := range count {
		h := randomShared(r)
		if msg := c.compare(h); msg != "" {
			t.Fatalf("history %d: %s\n%s", n, msg, describe(h))
		}
		if !hasPendingRemoval(h) {
			require.NotEqual(t, model.Undecided, ask(context.Background(), h, nil, true).verdict, describe(h))
		}
	}
	require.Greater(t, c.verdicts[model.Violation], count/10)
	require.Greater(t, c.verdicts[model.Linearizable], count/10)
	t.Log(c)
}

// randomShared draws a small history of a range that all processes push to and
// pop from.
func randomShared(r *rand.Rand) *model.History {
	for {
		g := &historyMaker{Rand: r, kind: model.Range}
		g.params.Shared = true
		h := g.make()
		if len(h.Ops) > 0 && h.Validate() == nil {
			return h
		}
	}
}

// Shared ranges are decided at sizes far beyond the general search.
func TestLargeSharedRanges(t *testing.T) {
	for _, load := range []string{"full", "balanced", "empty"} {
		for _, capacity := range []uint64{0, 8} {
			t.Run(fmt.Sprintf("%s/%d", load, capacity), func(t *testing.T) {
				h := drawnHistory(rand.New(rand.NewPCG(4, capacity)), model.Range, 16, load, 20_000, capacity)
				h.Params.Shared = true
				out := ask(context.Background(), h, nil, true)
				require.Equal(t, model.Linearizable, out.verdict, out.reason)
				require.NoError(t, certify(h, out.order))
			})
		}
	}
}

// Two processes push one range each that does not adjoin the other's, one after
// the other, and nobody removes anything in between.
func TestSharedPushOntoAnother(t *testing.T) {
	lines := []string{
		`{"process":0,"op":"push","result":"ok","range":[10,12],"call":0,"return":1}`,
		`{"process":1,"op":"push","result":"ok","range":[20,22],"call":2,"return":3}`,
		`{"process":2,"op":"steal","result":"ok","range":[10,12],"size":2,"call":2,"return":9}`,
	}
	h := historyWith(t, model.Range, `"shared":true`, lines...)
	require.Equal(t, model.Linearizable, ask(context.Background(), h, nil, true).verdict)
	h.Ops[2].Call = 4
	require.Equal(t, model.Violation, ask(context.Background(), h, nil, true).verdict)
}
