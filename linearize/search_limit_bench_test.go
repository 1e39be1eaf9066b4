package linearize

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/limits"
	"stealproof/linearize/internal/machine"
	"stealproof/linearize/internal/monitor"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// BenchmarkSearchAfterMonitor prints, for correct histories that the monitors
// leave open, how large ones the general search decides, in what time and
// memory, going up by factors of two until one takes more than a quarter of a
// minute or one and a half GiB:
//
//	go test -run '^$' -bench SearchAfterMonitor -benchtime 1x -timeout 0 ./linearize
//
// The limits in allowance.go rest on it.
func BenchmarkSearchAfterMonitor(b *testing.B) {
	for _, s := range leftOpen {
		for _, processes := range []int{4, 16, 64} {
			b.Run(fmt.Sprintf("%s/%d-processes", s.name, processes), func(b *testing.B) {
				for b.Loop() {
					searchLarger(b, func(n int) *model.History { return s.make(n, processes) })
				}
			})
		}
	}
}

const searchMemory = 3 << 29

func searchLarger(b *testing.B, larger func(n int) *model.History) {
	for n := 64; n*n/8 < searchMemory; n *= 2 {
		h := larger(n)
		if monitor.Decide(b.Context(), h, nil, false).Verdict != model.Undecided {
			continue
		}
		runtime.GC()
		start, before := time.Now(), machine.Heap()
		g := limits.New(b.Context(), start, limits.Limits{Memory: before + searchMemory, Timeout: 15 * time.Second})
		stop := g.Start()
		verdict := general.Search(general.Excerpt{History: h}, stop)
		fmt.Printf("%s: %d operations: %v in %.3f s, %.0f MiB, %d steps\n",
			b.Name(), n, verdict, time.Since(start).Seconds(), float64(machine.Heap()-before)/(1<<20), stop.Steps.Load())
		g.Done(stop)
		g.Close()
		if verdict == model.Undecided {
			return
		}
	}
}

var leftOpen = []struct {
	name string
	make func(n, processes int) *model.History
}{
	{"fifo-equal-values", func(n, p int) *model.History { return equalValues(testkit.Large(model.FIFO, p, "balanced", n)) }},
	{"wsdeque-equal-values", func(n, p int) *model.History { return equalValues(testkit.Large(model.WSDeque, p, "balanced", n)) }},
	{"full-wsdeque-equal-values", func(n, p int) *model.History { return equalValues(testkit.Large(model.WSDeque, p, "full", n)) }},
	{"bag-equal-values", func(n, p int) *model.History { return equalValues(testkit.Large(model.Bag, p, "balanced", n)) }},
	{"bounded-fifo", boundedLeftOpen},
	{"range-lost-steals", func(n, p int) *model.History { return loseSteals(testkit.Large(model.Range, p, "balanced", n)) }},
}

// equalValues leaves a hundred different ones.
func equalValues(h *model.History) *model.History {
	for i := range h.Ops {
		if o := &h.Ops[i]; o.Value != model.NoValue {
			o.Value %= 100
		}
	}
	return h
}

// boundedLeftOpen is the first of some histories of a bounded queue that the
// monitor leaves open, if it does so of any.
func boundedLeftOpen(n, processes int) (h *model.History) {
	for _, capacity := range []uint64{32, 8, 128, 4} {
		for _, load := range []string{"busy", "full"} {
			h = testkit.Drawn(rand.New(rand.NewPCG(uint64(processes), capacity)), model.FIFO, processes, load, n, capacity)
			if monitor.Decide(context.Background(), h, nil, false).Verdict == model.Undecided {
				return h
			}
		}
	}
	return h
}

// loseSteals lets the last operation of four processes never come back, where
// it is a steal.
func loseSteals(h *model.History) *model.History {
	seen := map[uint32]bool{}
	for i := len(h.Ops) - 1; i >= 0; i-- {
		o := &h.Ops[i]
		if o.Op == model.Steal && o.Result == model.OK && !seen[o.Process] && len(seen) < 4 {
			o.Result, o.Return, o.Value, o.To = model.Unknown, model.Never, model.NoValue, 0
		}
		seen[o.Process] = true
	}
	return h
}
