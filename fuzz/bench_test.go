package fuzz

import (
	"testing"

	"stealproof/model"
	"stealproof/ref"
)

func mustSetup(tb testing.TB, spec, program string) *ref.Setup {
	tb.Helper()
	sp, err := model.ParseSpec(spec)
	if err != nil {
		tb.Fatal(err)
	}
	d, err := ref.FindDesign(sp.Structure)
	if err != nil {
		tb.Fatal(err)
	}
	p, err := model.ParseProgram(d.Kind, program)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := ref.Prepare(sp, p)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// BenchmarkExecutions is the figure of the README: executions of abp with one
// owner and two thieves, 8 operations in all, history recorded, verdict not
// counted. The floor is a bare switch between coroutines, see ref.
func BenchmarkExecutions(b *testing.B) {
	for _, strategy := range []string{"random", "pct:depth=3", "round-robin", "mix"} {
		b.Run(strategy, func(b *testing.B) {
			setup := mustSetup(b, "abp", "0: push push pop pop\n1: steal steal\n2: steal steal\n")
			schedule, err := model.ParseSchedule(strategy)
			if err != nil {
				b.Fatal(err)
			}
			st, _, err := NewStrategy(schedule, setup)
			if err != nil {
				b.Fatal(err)
			}
			sim := ref.NewSim(setup)
			defer sim.Close()
			steps := 0
			b.ReportAllocs()
			for i := range b.N {
				st.Begin(uint64(i))
				e := sim.Run(st)
				if e.Ending != ref.Complete || len(e.History.Ops) != 8 {
					b.Fatalf("%v with %d operations", e.Ending, len(e.History.Ops))
				}
				steps += e.Steps
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "executions/s")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/access")
		})
	}
}
