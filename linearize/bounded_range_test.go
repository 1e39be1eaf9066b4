package linearize

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// TestSharedAgreement holds the verdicts on shared ranges against porcupine.
// Only removals that never came back may leave one undecided. For the long run:
//
//	STEALPROOF_AGREEMENT=2000000 go test -run TestSharedAgreement -timeout 0 ./linearize
func TestSharedAgreement(t *testing.T) {
	count := 12_000
	if testing.Short() {
		count = 2_000
	}
	if text := os.Getenv("STEALPROOF_AGREEMENT"); text != "" {
		count, _ = strconv.Atoi(text)
	}
	inParts(t, count, func(t *testing.T, part, count int) {
		r := rand.New(rand.NewPCG(21, uint64(part)))
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
	})
}

// randomShared draws a small history of a range that all processes push to and
// pop from: anything, or a small one of drawnShared, as it is or damaged.
func randomShared(r *rand.Rand) *model.History {
	for {
		g := &historyMaker{Rand: r, kind: model.Range}
		g.params.Shared = true
		var h *model.History
		if r.IntN(2) == 0 {
			h = g.make()
		} else {
			load := sharedLoad{sharedLoads[r.IntN(4)], r.Uint64N(9), r.IntN(2) == 0}
			h = drawnShared(r, load, 2+r.IntN(5), 4+r.IntN(14))
			coarsen(h, 1+r.Uint64N(30))
			for range r.IntN(3) {
				g.damage(h)
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
	n := 20_000
	if testing.Short() {
		n = 5_000
	}
	for _, s := range everySharedLoad() {
		for _, processes := range []int{4, 48} {
			for _, tick := range []uint64{1, 16} {
				t.Run(fmt.Sprintf("%+v/%d/tick=%d", s, processes, tick), func(t *testing.T) {
					h := drawnShared(rand.New(rand.NewPCG(4, s.capacity)), s, processes, n)
					coarsen(h, tick)
					require.NoError(t, h.Validate())
					require.NoError(t, certify(h, all(n)), "the generator must be right")
					out := ask(context.Background(), h, nil, true)
					require.Equal(t, model.Linearizable, out.verdict, out.reason)
					require.NoError(t, certify(h, out.order))
				})
			}
		}
	}
}

func everySharedLoad() []sharedLoad {
	var every []sharedLoad
	for _, load := range sharedLoads {
		for _, capacity := range []uint64{0, 8} {
			for _, again := range []bool{false, true} {
				every = append(every, sharedLoad{load, capacity, again})
			}
		}
	}
	return every
}

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
	every, n := everySharedLoad(), 20_000
	if testing.Short() {
		every, n = every[:6], 4_000
	}
	for _, s := range every {
		for name, change := range plant {
			t.Run(fmt.Sprintf("%+v/%s", s, name), func(t *testing.T) {
				h := drawnShared(rand.New(rand.NewPCG(9, s.capacity)), s, 16, n)
				var removals []*model.Operation
				for i := 2 * n / 5; i < 3*n/5; i++ {
					if h.Ops[i].TakesOut() {
						removals = append(removals, &h.Ops[i])
					}
				}
				change(removals[len(removals)/2], removals[len(removals)*3/4])
				require.NoError(t, h.Validate())
				out := ask(context.Background(), h, nil, true)
				require.Equal(t, model.Violation, out.verdict, out.reason)
				if !s.again { // where indices come again, all operations on one of them are many
					report := Check(context.Background(), h, Options{Checker: Monitor, patience: time.Hour})
					require.Len(t, report.Violations, 1)
					ops := report.Violations[0].Ops
					require.LessOrEqual(t, len(ops), 24)
					require.False(t, CheckSmall(part(h, ops)))
				}
			})
		}
	}
}

// take makes a removal say what another one says.
func take(x, y *model.Operation) { x.Op, x.Size, x.Value, x.To = y.Op, y.Size, y.Value, y.To }

// A removal that never came back may have done nothing; where it may as well
// have taken what is missing, the search does not know.
func TestSharedRemovalThatNeverCameBack(t *testing.T) {
	lines := []string{
		`{"process":0,"op":"push","result":"ok","range":[10,12],"call":0,"return":1}`,
		`{"process":1,"op":"steal","size":2,"call":2}`,
		`{"process":2,"op":"pop","result":"ok","range":[10,12],"size":2,"call":3,"return":4}`,
	}
	h := historyWith(t, model.Range, `"shared":true`, lines...)
	out := ask(context.Background(), h, nil, true)
	require.Equal(t, model.Linearizable, out.verdict, out.reason)
	require.NoError(t, certify(h, out.order))
	h.Ops[2] = model.Operation{Process: 2, Op: model.Pop, Result: model.Empty, Value: model.NoValue, Call: 3, Return: 4}
	require.Equal(t, model.Undecided, ask(context.Background(), h, nil, true).verdict)
	require.Equal(t, model.Linearizable, Check(context.Background(), h, Options{}).Verdict)
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
