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
type alternate struct{ Newest }

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

// BenchmarkResets is how often an owner resets head on real atomics, with
// nobody stealing, and how long counters of 8, 16 and 32 bits last at that
// rate. A push and a pop of the last task are one reset.
func BenchmarkResets(b *testing.B) {
	setup := mustSetup(b, "abp", "0: [push pop]*1")
	n := NewNative(setup)
	n.Naps = 0
	r := n.newRun()
	p := &nativeProcess{run: r}
	ops := setup.ops
	for b.Loop() {
		setup.do(p, &ops[0])
		setup.do(p, &ops[1])
	}
	rate := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(rate, "resets/s")
	b.ReportMetric(float64(1<<8)/rate*1e6, "µs-to-wrap-8-bits")
	b.ReportMetric(float64(1<<16)/rate*1e3, "ms-to-wrap-16-bits")
	b.ReportMetric(float64(1<<32)/rate, "s-to-wrap-32-bits")
}
