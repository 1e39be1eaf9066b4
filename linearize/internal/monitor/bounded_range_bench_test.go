package monitor

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"stealproof/linearize/internal/testkit"
)

// BenchmarkShared says how many correct histories of shared ranges are decided,
// in which every process pushes, pops and steals: with and without a capacity;
// mostly full, the same with processes that never rest, balanced and mostly
// empty; with indices that come once or again and again; with a fine clock and
// one so coarse that operations of a process tie. worst-s is the longest time
// that one took.
//
//	go test -run '^$' -bench Shared -benchtime 1x -timeout 0 ./linearize/internal/monitor
func BenchmarkShared(b *testing.B) {
	for _, n := range []int{1_000, 20_000, 100_000} {
		for _, processes := range []int{4, 16, 64, 256} {
			b.Run(fmt.Sprintf("%d/%d-processes", n, processes), func(b *testing.B) {
				for b.Loop() {
					benchmarkShared(b, n, processes)
				}
			})
		}
	}
}

func benchmarkShared(b *testing.B, n, processes int) {
	var t decisions
	for _, capacity := range []uint64{0, 8, 100} {
		for _, load := range testkit.SharedLoads {
			for _, again := range []bool{false, true} {
				for _, tick := range []uint64{1, 16} {
					s := testkit.SharedLoad{Load: load, Capacity: capacity, Again: again}
					h := testkit.Shared(rand.New(rand.NewPCG(uint64(processes), capacity)), s, processes, n)
					testkit.Coarsen(h, tick)
					t.ask(b, h)
				}
			}
		}
	}
	t.report(b)
}
