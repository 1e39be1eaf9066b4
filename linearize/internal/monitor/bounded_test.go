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
	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// TestBoundedAgreement holds the verdicts on bounded queues and bags against
// porcupine: small rooms, clocks so coarse that operations of a process tie, and
// faults in every other history. None may be left undecided. For the long run:
//
//	STEALPROOF_AGREEMENT=1000000 go test -run TestBoundedAgreement -timeout 0 ./linearize/internal/monitor
func TestBoundedAgreement(t *testing.T) {
	count := testkit.Amount(testing.Short(), 600, 2_000, 6_000)
	if text := os.Getenv("STEALPROOF_AGREEMENT"); text != "" {
		count, _ = strconv.Atoi(text)
	}
	t.Run("fifo", func(t *testing.T) { boundedAgreement(t, model.FIFO, count) })
	t.Run("bag", func(t *testing.T) { boundedAgreement(t, model.Bag, count) })
}

func boundedAgreement(t *testing.T, k model.Kind, count int) {
	inParts(t, count, func(t *testing.T, part, count int) {
		r := rand.New(rand.NewPCG(11, uint64(part)<<8|uint64(k)))
		c := newComparison()
		for n := range count {
			h := testkit.RandomBounded(r, k)
			if msg := c.compare(h); msg != "" {
				t.Fatalf("history %d: %s\n%s", n, msg, testkit.Describe(h))
			}
		}
		require.Zero(t, c.verdicts[model.Undecided], "%v", c.reasons)
		require.Greater(t, c.verdicts[model.Violation], count/20)
		t.Log(c)
	})
}

// Bounded queues and bags are decided at sizes far beyond the general search,
// as they are and with a clock so coarse that the operations of a process tie.
func TestLargeBoundedHistories(t *testing.T) {
	n := testkit.Amount(testing.Short(), 2_000, 5_000, 50_000)
	for _, k := range []model.Kind{model.FIFO, model.Bag} {
		for _, capacity := range []uint64{1, 4, 64, 1000} {
			for _, load := range []string{"full", "balanced", "empty"} {
				for _, tick := range []uint64{1, 16} {
					t.Run(fmt.Sprintf("%v/%d/%s/tick=%d", k, capacity, load, tick), func(t *testing.T) {
						h := testkit.Bounded(k, 16, load, n, capacity)
						testkit.Coarsen(h, tick)
						require.NoError(t, h.Validate())
						out := Decide(context.Background(), h, nil, true)
						require.Equal(t, model.Linearizable, out.Verdict, out.Reason)
						require.NoError(t, certify.Replay(h, out.Order))
						lateFull(h)
						out = Decide(context.Background(), h, nil, true)
						require.Equal(t, model.Violation, out.Verdict, out.Reason)
						require.Equal(t, finding.FalseFull, out.Violation.Kind)
						require.False(t, general.Small(h.Part(out.Violation.Ops)))
					})
				}
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

// A queue that has room for one value less or more than it says is found out
// where that shows, and never left undecided: either an order keeps to what was
// said all the same, or there is none.
func TestRoomForOneMoreOrLess(t *testing.T) {
	n := 4_000
	if testing.Short() {
		n = 1_000
	}
	found := 0
	for _, processes := range []int{4, 16} {
		for _, capacity := range []uint64{4, 32} {
			for _, load := range []string{"full", "busy", "balanced"} {
				for _, declared := range []uint64{capacity - 1, capacity + 1} {
					h := testkit.Drawn(rand.New(rand.NewPCG(uint64(processes), capacity)), model.FIFO, processes, load, n, capacity)
					h.Params.Capacity = declared
					out := Decide(context.Background(), h, nil, true)
					switch out.Verdict {
					case model.Linearizable:
						require.NoError(t, certify.Replay(h, out.Order))
					case model.Violation:
						found++
					default:
						t.Error(processes, capacity, load, declared, out.Reason)
					}
				}
			}
		}
	}
	require.GreaterOrEqual(t, found, 18, "of 24")
}
