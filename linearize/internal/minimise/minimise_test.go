package minimise

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/limits"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

func testGuard(t testing.TB) *limits.Guard {
	g := limits.New(t.Context(), time.Now(), limits.Limits{Jobs: 1})
	t.Cleanup(g.Close)
	return g
}

func testMinimiser(t testing.TB, g *limits.Guard, h *model.History) *minimiser {
	n := len(h.Ops)
	m := &minimiser{guard: g, history: h, deadline: time.Now().Add(time.Minute), view: everything(n), ask: bySearch}
	if h.Kind == model.Range {
		m.pieces = pieces(h)
	}
	return m
}

// What a minimiser leaves out must not turn a history that has an order into
// one that has none.
func TestLeavingOutUnitsKeepsTheOrder(t *testing.T) {
	rounds := 3_000
	if testing.Short() {
		rounds = 500
	}
	g := testGuard(t)
	for _, k := range model.Kinds {
		r := testkit.NewTiny(k, 2)
		left := 0
		for range rounds {
			h := r.Next(9)
			if !general.Small(h) {
				continue
			}
			m := testMinimiser(t, g, h)
			units := unitsOf(h)
			r.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
			for i := 0; i < len(units); {
				rest := append(append([]unit(nil), units[:i]...), units[i+1:]...)
				if !m.droppable(units[i:i+1], rest) {
					i++
					continue
				}
				units = rest
				left++
				e, _ := m.build(units)
				require.True(t, general.Small(e.History), "%s\nwithout some:\n%s", testkit.Describe(h), testkit.Describe(e.History))
			}
		}
		require.Greater(t, left, rounds/4)
	}
}

// After any prefix that bisection finds to be the first without an order, there is
// none.
func TestFirstImpossiblePrefix(t *testing.T) {
	rounds := 2_000
	if testing.Short() {
		rounds = 300
	}
	for _, k := range model.Kinds {
		r := testkit.NewTiny(k, 3)
		for range rounds {
			if h := r.Next(9); !general.Small(h) {
				checkFirstImpossiblePrefix(t, h)
			}
		}
	}
}

func checkFirstImpossiblePrefix(t *testing.T, h *model.History) {
	rejected := func(e general.Excerpt) bool { return general.Search(e, &general.Stopper{}) == model.Violation }
	p := newPrefixes(h)
	want := 0
	for n := 1; n <= len(p.returns); n++ {
		e, _ := p.after(n).pick(h)
		if rejected(e) {
			want = n
			break
		}
	}
	require.Equal(t, want, p.shortest(rejected), testkit.Describe(h))
	for n := want; n <= len(p.returns); n++ {
		e, _ := p.after(n).pick(h)
		require.True(t, rejected(e), "once impossible, always impossible: %s", testkit.Describe(h))
	}
}
