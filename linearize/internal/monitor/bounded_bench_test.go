package monitor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// BenchmarkBounded says how many correct histories of bounded queues and bags
// are decided: with room for 1 to 128 values; mostly full, the same with
// processes that never rest, mostly empty and balanced; with a fine clock and one so coarse that operations of a process
// tie. worst-s is the longest time that one took.
//
//	go test -run '^$' -bench 'Bounded' -benchtime 1x -timeout 0 ./linearize/internal/monitor
func BenchmarkBounded(b *testing.B) {
	for _, k := range []model.Kind{model.FIFO, model.Bag} {
		for _, n := range []int{1_000, 10_000, 100_000} {
			for _, processes := range []int{4, 16, 64, 256} {
				b.Run(fmt.Sprintf("%v/%d/%d-processes", k, n, processes), func(b *testing.B) {
					for b.Loop() {
						benchmarkBounded(b, k, n, processes)
					}
				})
			}
		}
	}
}

func benchmarkBounded(b *testing.B, k model.Kind, n, processes int) {
	var t decisions
	for _, capacity := range []uint64{1, 2, 4, 8, 32, 128} {
		for _, load := range []string{"full", "busy", "balanced", "empty"} {
			for _, tick := range []uint64{1, 16} {
				h := testkit.Drawn(rand.New(rand.NewPCG(uint64(processes), capacity)), k, processes, load, n, capacity)
				testkit.Coarsen(h, tick)
				t.ask(b, h)
			}
		}
	}
	t.report(b)
}

// decisions count how many correct histories are decided, and keep how long the
// worst of them took.
type decisions struct {
	decided, all int
	worst        time.Duration
}

func (t *decisions) ask(b *testing.B, h *model.History) {
	start := time.Now()
	switch out := Decide(context.Background(), h, nil, true); out.Verdict {
	case model.Linearizable:
		t.decided++
	case model.Violation:
		b.Fatal("a correct history was refused: ", out.Violation)
	}
	t.worst = max(t.worst, time.Since(start))
	t.all++
}

func (t *decisions) report(b *testing.B) {
	b.ReportMetric(float64(t.decided), "decided")
	b.ReportMetric(float64(t.all), "histories")
	b.ReportMetric(t.worst.Seconds(), "worst-s")
	b.ReportMetric(0, "ns/op")
}
