package exhaust

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"context"

	"stealproof/fuzz/internal/given"
	"stealproof/ref/axioms"
	"stealproof/ref/litmus"
)

// A load of a part of a word faults exactly where the axioms have an execution in which
// nothing orders it and a write of the word; without one it is a weak load.
func TestPartsOfWordsAgreeWithTheAxioms(t *testing.T) {
	programs := given.Amount(testing.Short(), 40, 200, 1_500)
	random := rand.New(rand.NewPCG(12, 13))
	whole, race := 0, 0
	for range programs {
		text := randomLitmus(random)
		test, err := litmus.Parse("test", text)
		require.NoError(t, err)
		s := threadsOf(t, test)
		s.parts = true
		got, _, _ := s.executed(t, false)
		want := mixedRace(t, test)
		require.Equal(t, want, s.faults > 0, "%s", text)
		if want {
			race++
			require.Subset(t, allowed(t, test, false), got, "%s", text)
			continue
		}
		if len(got) > 1 {
			whole++
		}
		require.Equal(t, allowed(t, test, false), got, "%s", text)
	}
	t.Logf("%d of %d programs have a mixed-size race", race, programs)
	assert.Greater(t, race, programs/10)
	assert.Greater(t, whole, programs/10)
}

// mixedRace says whether a test has an execution without load buffering in which a weak
// load and a write of the same location are not ordered by causality.
func mixedRace(t testing.TB, test *litmus.Test) (found bool) {
	_, err := litmus.Each(context.Background(), test, litmus.Options{Model: axioms.PTX}, func(e *litmus.Execution) bool {
		if buffered(e.Graph, false) {
			return true
		}
		cause := e.Relations().Relation("cause")
		for i := range e.Graph.Events {
			for j := range e.Graph.Events {
				r, w := &e.Graph.Events[i], &e.Graph.Events[j]
				if r.Kind == axioms.Read && r.Order == axioms.Weak && w.Kind == axioms.Write && w.Thread != axioms.Initial && w.Thread != r.Thread &&
					r.Location == w.Location && !cause.Has(i, j) && !cause.Has(j, i) {
					found = true
				}
			}
		}
		return !found
	})
	require.NoError(t, err)
	return found
}
