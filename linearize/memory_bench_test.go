package linearize

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// BenchmarkMemory says how much is in use at once, at most, beyond the records:
// with a declared capacity, where the monitors alone do not decide, and without
// one. Garbage is collected often meanwhile, and looked at every millisecond.
//
//	go test -run '^$' -bench Memory -benchtime 1x -timeout 0 ./linearize
//
// peakB/op is to be at most 64.
func BenchmarkMemory(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	for _, k := range []model.Kind{model.FIFO, model.Bag, model.WSDeque, model.Range} {
		for _, capacity := range []uint64{0, 8, 1000} {
			for _, load := range []string{"full", "balanced", "empty"} {
				b.Run(fmt.Sprintf("%v/capacity=%d/%s", k, capacity, load), func(b *testing.B) {
					benchmarkMemory(b, testkit.Bounded(k, 16, load, 2_000_000, capacity))
				})
			}
		}
	}
}

// BenchmarkMemoryShared is the same for shared ranges.
//
//	go test -run '^$' -bench MemoryShared -benchtime 1x -timeout 0 ./linearize
func BenchmarkMemoryShared(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	for _, s := range testkit.EverySharedLoad() {
		b.Run(fmt.Sprintf("%+v", s), func(b *testing.B) {
			benchmarkMemory(b, testkit.Shared(rand.New(rand.NewPCG(1, s.Capacity)), s, 16, 1_000_000))
		})
	}
}

func benchmarkMemory(b *testing.B, h *model.History) {
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var most atomic.Uint64
	for b.Loop() {
		stop := watchHeap(&most)
		r := Check(b.Context(), h, Options{Timeout: 20 * time.Second})
		stop()
		if r.Verdict == model.Violation {
			b.Fatal("a correct history was refused: ", r.Violations)
		}
	}
	b.ReportMetric(float64(most.Load()-before.HeapAlloc)/float64(len(h.Ops)), "peakB/op")
	b.ReportMetric(0, "ns/op")
}

// watchHeap keeps the largest size of the heap until it is stopped.
func watchHeap(most *atomic.Uint64) (stop func()) {
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most.Store(max(most.Load(), m.HeapAlloc))
			select {
			case <-over:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	return func() {
		close(over)
		<-ended
	}
}
