package axioms

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestRelations compares the operations on bits with sets of pairs, also where
// a row takes more than one word.
func TestRelations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 3, 7, 64, 65, 70}).Draw(t, "n")
		s := newSpace(n)
		draw := func(name string) Rel {
			r := s.empty()
			for range rapid.IntRange(0, 12).Draw(t, name) {
				r.add(rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to"))
			}
			return r
		}
		a, b := draw("a"), draw("b")
		same := func(r Rel, want func(i, j int) bool) {
			for i := range n {
				for j := range n {
					require.Equal(t, want(i, j), r.Has(i, j), "%d %d", i, j)
				}
			}
		}
		same(a.or(b), func(i, j int) bool { return a.Has(i, j) || b.Has(i, j) })
		same(a.and(b), func(i, j int) bool { return a.Has(i, j) && b.Has(i, j) })
		same(a.minus(b), func(i, j int) bool { return a.Has(i, j) && !b.Has(i, j) })
		same(a.inverse(), func(i, j int) bool { return a.Has(j, i) })
		same(a.orSame(), func(i, j int) bool { return a.Has(i, j) || i == j })
		composed := map[Pair]bool{}
		for _, p := range a.Pairs() {
			for _, q := range b.Pairs() {
				if p.To == q.From {
					composed[Pair{p.From, q.To}] = true
				}
			}
		}
		same(a.then(b), func(i, j int) bool { return composed[Pair{i, j}] })
		closure := a
		for range n {
			closure = closure.or(closure.then(a))
		}
		same(a.repeated(), closure.Has)
		require.Equal(t, closure.irreflexive(), a.acyclic())
		require.Equal(t, len(a.Pairs()) == 0, a.isEmpty())
	})
}
