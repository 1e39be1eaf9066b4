package fuzz

import (
	"context"
	"sort"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every planted defect that is found is shrunk, and the median has at most six
// operations: few enough to be understood.
func TestShrunkDefectsAreSmall(t *testing.T) {
	var sizes []int
	for _, p := range Register {
		if testing.Short() && p.Runs > 5000 {
			continue
		}
		r, err := p.Find(context.Background(), 11*7919)
		require.NoError(t, err)
		require.NotNil(t, r.Failure, p.Spec)
		start := time.Now()
		s, err := (&Shrink{Case: r.Failure.Case}).Run(context.Background())
		require.NoError(t, err, p.Spec)
		assert.True(t, s.Complete)
		t.Logf("%-50s %3d of %d -> %3d of %d, preempt %d -> %d, exact %v, tried %d, %s %s %v", p.Spec, s.From.Operations, s.From.Processes, s.To.Operations, s.To.Processes, s.From.Preemptions, s.To.Preemptions, s.Exact, s.Tried, s.Failure.Finding.Kind, s.Failure.Case.Program, time.Since(start).Round(time.Millisecond))
		sizes = append(sizes, s.To.Operations)
	}
	sort.Ints(sizes)
	t.Log(sizes, "median", sizes[len(sizes)/2])
	assert.LessOrEqual(t, sizes[len(sizes)/2], 6)
}
