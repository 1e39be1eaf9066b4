package litmus

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/axioms"
)

func TestGeneratedFamiliesHaveTheVerdictsThatTheAxiomsImply(t *testing.T) {
	all := Generate()
	require.GreaterOrEqual(t, len(all), 500)
	for _, g := range all {
		test, err := Parse(g.Name, g.Text)
		require.NoError(t, err, g.Text)
		want := Fails
		if g.Allowed {
			want = Holds
		}
		r := Decide(context.Background(), test, Options{})
		assert.Equal(t, want, r.Verdict, "%s\n%s", g.Name, g.Text)
		if want == Holds && r.Witness != nil {
			assert.Nil(t, axioms.Check(axioms.PTX, r.Witness.Graph), g.Name)
		}
	}
	t.Logf("%d tests", len(all))
}

// TestNoShapeIsSequentiallyConsistent: every shape asks for what interleavings
// do not show.
func TestNoShapeIsSequentiallyConsistent(t *testing.T) {
	for _, g := range Generate() {
		test, err := Parse(g.Name, g.Text)
		require.NoError(t, err)
		assert.Equal(t, Fails, Decide(context.Background(), test, Options{Model: axioms.SequentialConsistency}).Verdict, g.Name)
	}
}

// BenchmarkFamilies decides all generated tests, with all their states.
func BenchmarkFamilies(b *testing.B) {
	var tests []*Test
	for _, g := range Generate() {
		test, err := Parse(g.Name, g.Text)
		require.NoError(b, err)
		tests = append(tests, test)
	}
	for b.Loop() {
		for _, test := range tests {
			Decide(b.Context(), test, Options{AllStates: true})
		}
	}
	b.ReportMetric(float64(len(tests))*float64(b.N)/b.Elapsed().Seconds(), "tests/s")
}
