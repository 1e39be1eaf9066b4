package fuzz

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

func TestProgressTable(t *testing.T) {
	for i := range ProgressSubjects {
		s := &ProgressSubjects[i]
		start := time.Now()
		r, err := Progress(context.Background(), s, model.Spec{})
		require.NoError(t, err)
		t.Logf("%s %s: %d executions, %d points, longest %d, spins %v complete %v %s", s.Spec, s.About, r.Executions, r.Points, r.Longest, r.Spins, r.Complete, time.Since(start))
		for _, p := range r.Ops {
			t.Logf("   %s %s (%s) own %d starved %v alone %v stops %v", p.Claim.Op, p.Level, p.Claim.Level, p.Own, p.Starved, p.Alone, p.Stops)
		}
	}
}
