package litmus

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/axioms"
)

// TestReasonsAreCycles: whatever a model forbids, the cycle shown is one, of
// pairs that stand in the relations named.
func TestReasonsAreCycles(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 6))
	forbidden := map[string]int{}
	for range amount(300) {
		test, text := program(t, &randomProgram{Rand: r, threads: 3, instructions: 3, placed: true, barriers: r.IntN(3) == 0, quorums: r.IntN(3) == 0, proxies: r.IntN(3) == 0})
		for _, m := range []axioms.Model{axioms.PTX, axioms.RC11, axioms.TSO, axioms.SequentialConsistency} {
			seen := 0
			test.each(t.Context(), Options{Model: m}, true, func(e *Execution) bool {
				x := e.Relations()
				f := x.Explain()
				require.Equal(t, x.Allowed(), f == nil, text)
				if f == nil {
					return seen < 200
				}
				seen++
				forbidden[m.String()+": "+f.Axiom]++
				require.NotEmpty(t, f.Cycle, "%s\n%s", f, text)
				for i, s := range f.Cycle {
					require.Equal(t, s.To, f.Cycle[(i+1)%len(f.Cycle)].From, "%s\n%s", f, text)
					if known := x.Relation(s.Relation); s.Relation == "rf" || s.Relation == "co" || s.Relation == "fr" || s.Relation == "po" {
						require.True(t, known.Has(s.From, s.To), "%s\n%s", f, text)
					}
				}
				return seen < 200
			})
		}
	}
	t.Log(forbidden)
	assert.GreaterOrEqual(t, len(forbidden), 10, "axioms of every model")
}
