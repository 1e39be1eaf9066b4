package ptx_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
	"stealproof/ref/ptx"
	"stealproof/ref/ptx/patch"
)

// large is a module of at least so many lines: that of tz, with some of its kernels
// once more under other names.
func large(t testing.TB, lines int) string {
	t.Helper()
	text, err := os.ReadFile("../../gpu/ptx/tz.ptx")
	require.NoError(t, err)
	source := string(text)
	_, kernel, found := strings.Cut(source, ".visible .entry stealproof_deq(")
	require.True(t, found)
	kernel, _, found = strings.Cut(kernel, "\n}\n")
	require.True(t, found)
	for n := 'a'; strings.Count(source, "\n") < lines; n++ {
		source += ".visible .entry copy_" + string(n) + "(" + kernel + "\n}\n"
	}
	return source
}

// A module of 5,000 lines is to be loaded within 50 ms; each line of the table is one
// step of that, and what a patch costs.
func BenchmarkLargeModule(b *testing.B) {
	source := large(b, 5000)
	lines := float64(strings.Count(source, "\n"))
	setup := ptx.Setup{Numbers: [8]uint64{4, 2, 0, 128}}
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			m, err := ptx.Load("large.ptx", []byte(source))
			require.NoError(b, err)
			_, err = m.Foreign(model.FIFO, setup)
			require.NoError(b, err)
		}
		b.ReportMetric(lines, "lines")
	})
	b.Run("patch", func(b *testing.B) {
		all, err := patch.Parse("deq_swap_slot.blind")
		require.NoError(b, err)
		for b.Loop() {
			x, err := patch.Read("large.ptx", source, "stealproof_enq", "stealproof_deq")
			require.NoError(b, err)
			_, err = x.Apply(all)
			require.NoError(b, err)
		}
		b.ReportMetric(lines, "lines")
	})
}
