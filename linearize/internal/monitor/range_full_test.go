package monitor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/certify"
	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// A push of one index is refused, with room for two, while both are inside: the
// steal that was called before it comes after it. Had the steal returned before,
// there would have been room.
func TestFullMovesASteal(t *testing.T) {
	lines := []string{
		`{"process":0,"op":"push","result":"ok","range":[8,10],"call":0,"return":1}`,
		`{"process":1,"op":"steal","result":"ok","range":[9,10],"size":1,"call":2,"return":9}`,
		`{"process":0,"op":"push","result":"full","range":[7,8],"call":5,"return":6}`,
	}
	h := testkit.Read(model.Range, `"capacity":2`, lines...)
	out := Decide(context.Background(), h, nil, true)
	require.Equal(t, model.Linearizable, out.Verdict, out.Reason)
	require.Equal(t, []int{0, 2, 1}, out.Order)

	h.Ops[1].Return = 4
	out = Decide(context.Background(), h, nil, true)
	require.Equal(t, model.Violation, out.Verdict, out.Reason)
	require.Equal(t, finding.FalseFull, out.Violation.Kind)
}

// Bounded ranges are decided at sizes far beyond the general search.
func TestLargeBoundedRanges(t *testing.T) {
	for _, capacity := range []uint64{4, 64} {
		for _, load := range []string{"full", "balanced", "empty"} {
			for _, tick := range []uint64{1, 16} {
				t.Run(fmt.Sprintf("%d/%s/tick=%d", capacity, load, tick), func(t *testing.T) {
					h := testkit.Drawn(rand.New(rand.NewPCG(3, capacity)), model.Range, 4, load, 20_000, capacity)
					testkit.Coarsen(h, tick)
					require.NoError(t, h.Validate())
					out := Decide(context.Background(), h, nil, true)
					require.Equal(t, model.Linearizable, out.Verdict, out.Reason)
					require.NoError(t, certify.Replay(h, out.Order))
					refused := 0
					for i := range h.Ops {
						if h.Ops[i].Result == model.Full {
							refused++
						}
					}
					require.Positive(t, refused)

					late := uint64(1 << 50) // all that could be popped was, and one index does not fit
					h.Ops = append(h.Ops,
						model.Operation{Op: model.Push, Result: model.OK, Value: 1 << 20, To: 1<<20 + 1, Call: late, Return: late},
						model.Operation{Op: model.Pop, Result: model.OK, Value: 1 << 20, To: 1<<20 + 1, Size: 1, Call: late + 1, Return: late + 1},
						model.Operation{Op: model.Push, Result: model.Full, Value: 1<<20 - 1, To: 1 << 20, Call: late + 2, Return: late + 2})
					out = Decide(context.Background(), h, nil, true)
					require.Equal(t, model.Violation, out.Verdict, out.Reason)
				})
			}
		}
	}
}
