package ref

import (
	"iter"
	"testing"
)

// BenchmarkSchedulingPoint is the cost of an access at which another process
// goes on, and of one at which the same does, beside the floor: handing over
// between two bare coroutines.
func BenchmarkSchedulingPoint(b *testing.B) {
	b.Run("bare-switch", func(b *testing.B) {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			for yield(struct{}{}) {
			}
		})
		defer stop()
		for b.Loop() {
			next()
		}
	})
	b.Run("switch", func(b *testing.B) { benchAccesses(b, alternate{}) })
	b.Run("stay", func(b *testing.B) { benchAccesses(b, inTurn{}) })
}

// alternate hands over at every access.
type alternate struct{}

func (alternate) Next(v *View) int {
	for _, p := range v.Enabled {
		if p != v.Last {
			return p
		}
	}
	return v.Enabled[0]
}

func benchAccesses(b *testing.B, s Scheduler) {
	sim := NewSim(mustSetup(b, "abp", "0: [push pop]*1000\n1: [steal]*2000"))
	defer sim.Close()
	steps := 0
	for b.Loop() {
		steps += sim.Run(s).Steps
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/access")
}
