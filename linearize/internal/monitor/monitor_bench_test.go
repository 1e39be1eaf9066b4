package monitor

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// BenchmarkMonitor measures the monitors alone on large correct histories, with
// the order written down, as for a certificate, against the time that
// slices.Sort takes for the same calls and returns; see BenchmarkCheckLarge:
//
//	STEALPROOF_BENCH_OPS=10000000 go test -run NONE -bench Monitor -benchtime 1x ./linearize/internal/monitor
func BenchmarkMonitor(b *testing.B) {
	n := 1_000_000
	if text := os.Getenv("STEALPROOF_BENCH_OPS"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	for _, k := range []model.Kind{model.FIFO, model.WSDeque, model.Range, model.Bag} {
		for _, processes := range []int{4, 64, 1024} {
			for _, load := range []string{"full", "empty", "balanced"} {
				for _, grouped := range []bool{false, true} {
					name := fmt.Sprintf("%v/processes=%d/%s/grouped=%v", k, processes, load, grouped)
					b.Run(name, func(b *testing.B) { benchmarkMonitor(b, k, processes, load, n, grouped) })
				}
			}
		}
	}
}

func benchmarkMonitor(b *testing.B, k model.Kind, processes int, load string, n int, grouped bool) {
	h := testkit.Large(k, processes, load, n)
	if grouped {
		slices.SortStableFunc(h.Ops, func(a, b model.Operation) int { return int(a.Process) - int(b.Process) })
	}
	times := make([]uint64, 0, 2*n)
	for i := range h.Ops {
		times = append(times, h.Ops[i].Call, h.Ops[i].Return)
	}
	start := time.Now()
	slices.Sort(times)
	floor := time.Since(start)
	times = nil
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b.ResetTimer()
	for range b.N {
		if out := Decide(context.Background(), h, nil, true); out.Verdict != model.Linearizable {
			b.Fatal(out.Verdict, out.Reason, out.Violation)
		}
	}
	b.StopTimer()
	runtime.ReadMemStats(&after)
	each := b.Elapsed() / time.Duration(b.N)
	b.ReportMetric(float64(n)/each.Seconds()/1e6, "Mops/s")
	b.ReportMetric(each.Seconds()/floor.Seconds(), "x-sort")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/float64(n), "allocB/op")
}
