package linearize

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// BenchmarkLargestDecided prints the largest correct history that porcupine
// and the monitors each decide within 10 seconds, going up by a factor of 2:
//
//	go test -run '^$' -bench LargestDecided -benchtime 1x -timeout 0 ./linearize
//
// It ends at mostDecided operations, which the monitors decide in less.
func BenchmarkLargestDecided(b *testing.B) {
	const limit = 10 * time.Second
	for _, k := range []model.Kind{model.FIFO, model.WSDeque, model.Range} {
		for _, processes := range []int{4, 16, 64} {
			b.Run(fmt.Sprintf("%v/%d-processes", k, processes), func(b *testing.B) {
				for b.Loop() {
					slow, slowTime := largestDecided(b, Porcupine, k, processes, 32, limit)
					fast, fastTime := largestDecided(b, Monitor, k, processes, 1<<20, limit)
					b.ReportMetric(float64(slow), "porcupine-ops")
					b.ReportMetric(slowTime.Seconds(), "porcupine-s")
					b.ReportMetric(float64(fast), "monitor-ops")
					b.ReportMetric(fastTime.Seconds(), "monitor-s")
					b.ReportMetric(0, "ns/op")
				}
			})
		}
	}
}

const mostDecided = 1 << 25

func largestDecided(b *testing.B, c Checker, k model.Kind, processes, n int, limit time.Duration) (ops int, took time.Duration) {
	for ; n <= mostDecided; n *= 2 {
		h := testkit.Large(k, processes, "balanced", n)
		runtime.GC()
		r := Check(b.Context(), h, Options{Checker: c, Timeout: limit, Memory: 8 << 30})
		if r.Verdict != model.Linearizable {
			break
		}
		ops, took = n, r.Elapsed
	}
	return ops, took
}
