package exhaust

import (
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/model"
)

// Load buffering costs what the executions without it cost, beside which it is shown, and
// what it takes to find those that have it.
func BenchmarkLoadBuffering(b *testing.B) {
	for _, c := range []struct {
		spec   string
		bounds programs.Bounds
	}{
		{"abp:orders=pop-swap-head.acquire", programs.Bounds{Shape: programs.Shape{4, 2}}},
		{"the", programs.Bounds{Shape: programs.Shape{2, 1}, Size: 2}},
		{"tz:capacity=3", programs.Bounds{Shape: programs.Shape{1, 1}}},
	} {
		for _, memory := range []string{"ptx", "ptx:buffering=yes"} {
			b.Run(c.spec+"/"+memory, func(b *testing.B) {
				s := given.On(b, memory, given.Subject(b, c.spec))
				all, err := programs.All(s, c.bounds)
				require.NoError(b, err)
				graphs := 0
				for b.Loop() {
					r, err := (&Search{Subject: s, Programs: all, Jobs: 1}).Run(b.Context())
					require.NoError(b, err)
					require.Equal(b, model.Linearizable, r.Verdict)
					graphs = r.Executions
				}
				b.ReportMetric(float64(graphs), "graphs")
			})
		}
	}
}
