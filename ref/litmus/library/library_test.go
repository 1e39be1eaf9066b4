package library_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/axioms"
	"stealproof/ref/litmus"
	"stealproof/ref/litmus/library"
)

func TestGeneratedFamiliesHaveTheVerdictsThatTheAxiomsImply(t *testing.T) {
	all := library.Tests()
	require.GreaterOrEqual(t, len(all), 500)
	for _, g := range all {
		test, err := litmus.Parse(g.Name, g.Text)
		require.NoError(t, err, g.Text)
		want := litmus.Fails
		if g.Allowed {
			want = litmus.Holds
		}
		r := litmus.Decide(context.Background(), test, litmus.Options{})
		assert.Equal(t, want, r.Verdict, "%s\n%s", g.Name, g.Text)
		if want == litmus.Holds && r.Witness != nil {
			assert.Nil(t, axioms.Check(axioms.PTX, r.Witness.Graph), g.Name)
		}
	}
	t.Logf("%d tests", len(all))
}

// TestNoShapeIsSequentiallyConsistent: every shape asks for what interleavings
// do not show.
func TestNoShapeIsSequentiallyConsistent(t *testing.T) {
	for _, g := range library.Tests() {
		test, err := litmus.Parse(g.Name, g.Text)
		require.NoError(t, err)
		assert.Equal(t, litmus.Fails, litmus.Decide(context.Background(), test, litmus.Options{Model: axioms.SequentialConsistency}).Verdict, g.Name)
	}
}

// BenchmarkFamilies decides all generated tests, with all their states.
func BenchmarkFamilies(b *testing.B) {
	var tests []*litmus.Test
	for _, g := range library.Tests() {
		test, err := litmus.Parse(g.Name, g.Text)
		require.NoError(b, err)
		tests = append(tests, test)
	}
	for b.Loop() {
		for _, test := range tests {
			litmus.Decide(b.Context(), test, litmus.Options{AllStates: true})
		}
	}
	b.ReportMetric(float64(len(tests))*float64(b.N)/b.Elapsed().Seconds(), "tests/s")
}
