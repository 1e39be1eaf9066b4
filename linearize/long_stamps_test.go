package linearize

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// Whatever is wrong with a history, it is told in the same words where its stamps are
// long: with times from the first of the operations that show it, and that one's stamp.
func TestLongStampsAreToldFromTheFirst(t *testing.T) {
	const zero = 1_763_800_000_000_000_000
	rng := rand.New(rand.NewPCG(17, 4))
	told := map[string]int{}
	for i := range 2000 {
		kind := model.Kinds[i%len(model.Kinds)]
		h := testkit.Random(rng, kind)
		short := shifted(h, 0)
		r := Check(t.Context(), short, Options{})
		if len(r.Violations) == 0 || firstCall(short, r.Violations[0].Ops) > 0 {
			continue
		}
		v := r.Violations[0]
		long := Check(t.Context(), shifted(h, zero), Options{})
		require.Len(t, long.Violations, len(r.Violations))
		w := long.Violations[0]
		require.Equal(t, v.Ops, w.Ops)
		require.Equal(t, fmt.Sprintf("%s (times are counted from stamp %d)", v.Explanation, uint64(zero)), w.Explanation)
		told[v.Kind]++
	}
	for _, kind := range []string{Duplicate, Invented, TooEarly, Order, FalseEmpty, FalseFull} {
		require.NotZero(t, told[kind], "%s: otherwise this tests nothing: %v", kind, told)
	}
}

// shifted is a history whose first call is at a time.
func shifted(h *model.History, first uint64) *model.History {
	s := h.Part(h.Places())
	least := firstCall(h, h.Places())
	for i := range s.Ops {
		o := &s.Ops[i]
		o.Call += first - least
		if !o.Pending() {
			o.Return += first - least
		}
	}
	return s
}

func firstCall(h *model.History, places []int) uint64 {
	least := uint64(model.Never)
	for _, i := range places {
		least = min(least, h.Ops[i].Call)
	}
	return least
}
