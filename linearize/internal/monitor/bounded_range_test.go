package monitor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/certify"
	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// TestSharedAgreement holds the verdicts on shared ranges against porcupine.
// Only removals that never came back may leave one undecided. For the long run:
//
//	STEALPROOF_AGREEMENT=2000000 go test -run TestSharedAgreement -timeout 0 ./linearize/internal/monitor
func TestSharedAgreement(t *testing.T) {
	count := testkit.Amount(testing.Short(), 1_000, 4_000, 12_000)
	if text := os.Getenv("STEALPROOF_AGREEMENT"); text != "" {
		count, _ = strconv.Atoi(text)
	}
	inParts(t, count, func(t *testing.T, part, count int) {
		r := rand.New(rand.NewPCG(21, uint64(part)))
		c := newComparison()
		for n := range count {
			h := randomShared(r)
			if msg := c.compare(h); msg != "" {
				t.Fatalf("history %d: %s\n%s", n, msg, testkit.Describe(h))
			}
			if !h.HasLost() {
				require.NotEqual(t, model.Undecided, Decide(context.Background(), h, nil, true).Verdict, testkit.Describe(h))
			}
		}
		require.Greater(t, c.verdicts[model.Violation], count/10)
		require.Greater(t, c.verdicts[model.Linearizable], count/10)
		t.Log(c)
	})
}

// randomShared draws a small history of a range that all processes push to and
// pop from: anything, or a small one of Shared, as it is or damaged.
func randomShared(r *rand.Rand) *model.History {
	for {
		g := &testkit.Maker{Rand: r, Kind: model.Range}
		g.Params.Shared = true
		var h *model.History
		if r.IntN(2) == 0 {
			h = g.Make()
		} else {
			load := testkit.SharedLoad{Load: testkit.SharedLoads[r.IntN(4)], Capacity: r.Uint64N(9), Again: r.IntN(2) == 0}
			h = testkit.Shared(r, load, 2+r.IntN(5), 4+r.IntN(14))
			testkit.Coarsen(h, 1+r.Uint64N(30))
			for range r.IntN(3) {
				g.Damage(h)
			}
		}
		if len(h.Ops) > 0 && h.Validate() == nil {
			return h
		}
	}
}

// Shared ranges are decided at sizes far beyond the general search, whoever
// pushes, pops and steals.
func TestLargeSharedRanges(t *testing.T) {
	n := testkit.Amount(testing.Short(), 1_000, 2_000, 20_000)
	for _, s := range testkit.EverySharedLoad() {
		for _, processes := range []int{4, 48} {
			for _, tick := range []uint64{1, 16} {
				t.Run(fmt.Sprintf("%+v/%d/tick=%d", s, processes, tick), func(t *testing.T) {
					h := testkit.Shared(rand.New(rand.NewPCG(4, s.Capacity)), s, processes, n)
					testkit.Coarsen(h, tick)
					require.NoError(t, h.Validate())
					require.NoError(t, certify.Replay(h, h.Places()), "the generator must be right")
					out := Decide(context.Background(), h, nil, true)
					require.Equal(t, model.Linearizable, out.Verdict, out.Reason)
					require.NoError(t, certify.Replay(h, out.Order))
				})
			}
		}
	}
}

// A removal that never came back may have done nothing; where it may as well
// have taken what is missing, the search does not know.
func TestSharedRemovalThatNeverCameBack(t *testing.T) {
	lines := []string{
		`{"process":0,"op":"push","result":"ok","range":[10,12],"call":0,"return":1}`,
		`{"process":1,"op":"steal","size":2,"call":2}`,
		`{"process":2,"op":"pop","result":"ok","range":[10,12],"size":2,"call":3,"return":4}`,
	}
	h := testkit.Read(model.Range, `"shared":true`, lines...)
	out := Decide(context.Background(), h, nil, true)
	require.Equal(t, model.Linearizable, out.Verdict, out.Reason)
	require.NoError(t, certify.Replay(h, out.Order))
	h.Ops[2] = model.Operation{Process: 2, Op: model.Pop, Result: model.Empty, Value: model.NoValue, Call: 3, Return: 4}
	require.Equal(t, model.Undecided, Decide(context.Background(), h, nil, true).Verdict)
	require.True(t, general.Small(h))
}

// Two processes push one range each that does not adjoin the other's, one after
// the other, and nobody removes anything in between.
func TestSharedPushOntoAnother(t *testing.T) {
	lines := []string{
		`{"process":0,"op":"push","result":"ok","range":[10,12],"call":0,"return":1}`,
		`{"process":1,"op":"push","result":"ok","range":[20,22],"call":2,"return":3}`,
		`{"process":2,"op":"steal","result":"ok","range":[10,12],"size":2,"call":2,"return":9}`,
	}
	h := testkit.Read(model.Range, `"shared":true`, lines...)
	require.Equal(t, model.Linearizable, Decide(context.Background(), h, nil, true).Verdict)
	h.Ops[2].Call = 4
	require.Equal(t, model.Violation, Decide(context.Background(), h, nil, true).Verdict)
}
