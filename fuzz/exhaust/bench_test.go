package exhaust

import (
	"fmt"
	"math"
	"math/big"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/fuzz/internal/given"
)

// tabled are the programs of the table in docs/exhaustive.md.
var tabled = []struct{ name, spec, program string }{
	{"abp-4-2", "abp", "0: push push pop pop\n1: steal steal"},
	{"abp-5-2-1", "abp", "0: push push push pop pop\n1: steal steal\n2: steal"},
	{"abp-6-2-2", "abp", "0: push push push pop pop pop\n1: steal steal\n2: steal steal"},
	{"tz-2-1-1", "tz:capacity=4", "0: enq enq\n1: deq\n2: deq"},
	{"blocking-3-2-2", "blocking", "0: enq deq enq\n1: enq deq\n2: deq enq"},
	{"the-3-1-1", "the", "0: push[4,8) pop(2) pop(3)\n1: steal(3)\n2: steal(1)"},
}

// BenchmarkExhaustive makes the table of docs/exhaustive.md: executions of one
// worker, verdicts included, beside the histories there are (counted in a search
// of their own) and the interleavings without any reduction (counted by dynamic
// programming).
func BenchmarkExhaustive(b *testing.B) {
	for _, c := range tabled {
		b.Run(c.name, func(b *testing.B) {
			setup := given.Setup(b, c.spec, c.program)
			var r *Result
			for range b.N {
				r = exhaust(b, &Search{Subject: setup.Subject, Programs: alone(setup), Jobs: 1})
			}
			b.ReportMetric(float64(r.Executions)*float64(b.N)/b.Elapsed().Seconds(), "executions/s")
			b.StopTimer()
			require.True(b, r.Complete)
			all := exhaust(b, &Search{Subject: setup.Subject, Programs: alone(setup), AllHistories: true})
			count, _ := countInterleavings(setup, 1<<22)
			n, _ := new(big.Float).SetInt(count).Float64()
			b.ReportMetric(float64(r.Executions), "executions")
			b.ReportMetric(float64(r.Cut), "cut")
			b.ReportMetric(float64(all.Histories), "histories")
			b.ReportMetric(math.Floor(n), "interleavings")
		})
	}
}

// BenchmarkExhaustiveMemory shows that memory does not grow with the executions:
// it is the most that was in use at any time of a search ten times as long.
func BenchmarkExhaustiveMemory(b *testing.B) {
	setup := given.Setup(b, "tz:capacity=4", "0: enq enq deq\n1: enq deq\n2: deq")
	for _, executions := range []int{20_000, 200_000} {
		b.Run(fmt.Sprint(executions), func(b *testing.B) {
			var most atomic.Uint64
			look := func(_, made int) {
				if made%4096 == 0 {
					var m runtime.MemStats
					runtime.GC()
					runtime.ReadMemStats(&m)
					most.Store(max(most.Load(), m.HeapAlloc))
				}
			}
			for range b.N {
				exhaust(b, &Search{Subject: setup.Subject, Programs: alone(setup), Jobs: 1, Limit: executions, Progress: look})
			}
			b.ReportMetric(float64(most.Load())/1024, "KiB")
		})
	}
}

// BenchmarkEstimates compares estimates with what they estimate.
func BenchmarkEstimates(b *testing.B) {
	for _, c := range tabled {
		b.Run(c.name, func(b *testing.B) {
			setup := given.Setup(b, c.spec, c.program)
			worst := 1.0
			r := exhaust(b, &Search{Subject: setup.Subject, Programs: alone(setup)})
			for i := range b.N {
				e, err := (&Search{Subject: setup.Subject, Programs: alone(setup)}).estimateProgram(b.Context(), setup.Program, uint64(i))
				require.NoError(b, err)
				ratio := e.Executions / float64(r.Executions)
				worst = max(worst, ratio, 1/ratio)
			}
			b.ReportMetric(worst, "times-off")
		})
	}
}
