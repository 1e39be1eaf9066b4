package monitor

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/linearize/internal/testkit"
	"stealproof/linearize/internal/timing"
)

// The most that may be inside is what counting at every stamp says, across the
// ends of blocks and of rows of blocks.
func TestMostInsideIsWhatCountingSays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range testkit.Amount(testing.Short(), 6, 10, 30) {
		n := 1 + r.IntN(10*countBlock)
		times, _ := timing.NewClock(0, 1<<40, 1<<15)
		l := &ledger{Clock: times}
		var calls, gone []uint64
		var called, left []uint64
		for i := range n {
			at := r.Uint64N(uint64(4 * n))
			called, calls = append(called, at), append(calls, l.Pack(at, uint32(i)))
			if r.IntN(4) > 0 {
				at += r.Uint64N(uint64(n))
				left, gone = append(left, at), append(gone, l.Pack(at, uint32(i)))
			}
		}
		slices.Sort(calls)
		slices.Sort(gone)
		most := newMostInside(l, calls, gone)
		for range 50 {
			from := r.Uint64N(uint64(5 * n))
			to := from + r.Uint64N(uint64(5*n))
			want := 0
			for at := from; at <= to; at++ {
				inside := 0
				for _, c := range called {
					if c <= at {
						inside++
					}
				}
				for _, g := range left {
					if g < at {
						inside--
					}
				}
				want = max(want, inside)
			}
			assert.Equal(t, uint64(want), most.during(from, to), "%d operations, from %d to %d", n, from, to)
		}
	}
}
