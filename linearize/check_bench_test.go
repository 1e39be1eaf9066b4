package linearize

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// BenchmarkCheckLarge measures what is promised of large correct histories, on
// one core, from the operations in memory, as a reader has left them, to the verdict
// (what validation adds says BenchmarkValidation):
//
//	go test -run '^$' -bench CheckLarge -benchtime 1x -cpu 1 -timeout 0 ./linearize
//
// Mops/s is to be at least 8. x-sort is how often slices.Sort could have
// sorted the calls and returns of the same history meanwhile, as they stand in
// it; at most 2. allocB/op is all that was allocated, more than what was ever in use
// at once; at most 64. x-growth is how much longer one history of ten million
// operations takes than one of a million, of which ten lie in memory and are
// checked in turn, so that both come from there; at most 12. x-cached is how
// much longer it takes than one of a million that was checked just before, and
// x-reading the same for a loop that only reads every operation once: more than
// ten where a million of them fit the cache.
func BenchmarkCheckLarge(b *testing.B) {
	for _, k := range []model.Kind{model.FIFO, model.WSDeque, model.Range} {
		for _, processes := range []int{4, 64, 1024} {
			for _, load := range []string{"full", "empty", "balanced"} {
				for _, lines := range []string{"by-time", "by-process"} {
					name := fmt.Sprintf("%v/%d-processes/%s/%s", k, processes, load, lines)
					b.Run(name, func(b *testing.B) { benchmarkSizes(b, k, processes, load, lines) })
				}
			}
		}
	}
}

func benchmarkSizes(b *testing.B, k model.Kind, processes int, load, lines string) {
	var small, cached, smallRead time.Duration
	b.Run("1M", func(b *testing.B) {
		h := linedUp(testkit.Large(k, processes, load, 1_000_000), lines)
		cached, smallRead = measureCheck(b, h, model.Linearizable), readTime(h)
		small = inTurn(b, h)
	})
	b.Run("10M", func(b *testing.B) {
		h := linedUp(testkit.Large(k, processes, load, 10_000_000), lines)
		large := measureCheck(b, h, model.Linearizable)
		if small > 0 {
			b.ReportMetric(large.Seconds()/small.Seconds(), "x-growth")
			b.ReportMetric(large.Seconds()/cached.Seconds(), "x-cached")
			b.ReportMetric(readTime(h).Seconds()/smallRead.Seconds(), "x-reading")
		}
	})
}

// inTurn is how long one of ten copies of a history takes, checked one after
// the other.
func inTurn(b *testing.B, h *model.History) time.Duration {
	var copies [10]*model.History
	for i := range copies {
		copies[i] = h.With(slices.Clone(h.Ops))
	}
	runtime.GC()
	start := time.Now()
	for _, h := range copies {
		if r := Check(b.Context(), h, Options{Validated: true}); r.Verdict != model.Linearizable {
			b.Fatal(r.Verdict, r.Undecided, r.Violations)
		}
	}
	return time.Since(start) / time.Duration(len(copies))
}

// linedUp brings the operations into the order of a file: as they happened, or
// process by process.
func linedUp(h *model.History, lines string) *model.History {
	if lines == "by-process" {
		slices.SortFunc(h.Ops, func(a, b model.Operation) int {
			return cmp.Or(cmp.Compare(a.Process, b.Process), cmp.Compare(a.Call, b.Call))
		})
	}
	return h
}

// measureCheck reports the metrics of BenchmarkCheckLarge.
func measureCheck(b *testing.B, h *model.History, want model.Verdict) time.Duration {
	floor := sortTime(h)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	best := time.Duration(1<<63 - 1)
	for b.Loop() {
		start := time.Now()
		if r := Check(b.Context(), h, Options{Validated: true}); r.Verdict != want {
			b.Fatal(r.Verdict, r.Undecided, r.Violations)
		}
		best = min(best, time.Since(start))
	}
	runtime.ReadMemStats(&after)
	n := float64(len(h.Ops))
	b.ReportMetric(n/best.Seconds()/1e6, "Mops/s")
	b.ReportMetric(best.Seconds()/floor.Seconds(), "x-sort")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/n, "allocB/op")
	b.ReportMetric(0, "ns/op")
	return best
}

func sortTime(h *model.History) time.Duration {
	times := make([]uint64, 0, 2*len(h.Ops))
	for i := range h.Ops {
		times = append(times, h.Ops[i].Call, h.Ops[i].Return)
	}
	start := time.Now()
	slices.Sort(times)
	return time.Since(start)
}

// readTime is what it takes to read every operation, the second time.
func readTime(h *model.History) time.Duration {
	sum, best := uint64(0), time.Duration(1<<63-1)
	for range 3 {
		start := time.Now()
		for i := range h.Ops {
			sum += h.Ops[i].Call
		}
		best = min(best, time.Since(start))
	}
	runtime.KeepAlive(sum)
	return best
}
