package fuzz

import (
	"testing"

	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/schedule"
	"stealproof/linearize"
	"stealproof/ref"
)

const benchProgram = "0: push push pop pop\n1: steal steal\n2: steal steal\n"

// BenchmarkExecutions is the figure of the README: executions of abp with one
// owner and two thieves, 8 operations in all, history recorded, verdict not
// counted.
func BenchmarkExecutions(b *testing.B) {
	for _, strategy := range []string{"random", "pct:depth=3", "round-robin", "mix"} {
		b.Run(strategy, func(b *testing.B) { benchExecutions(b, strategy, func(*ref.Execution) bool { return true }) })
	}
}

// BenchmarkJudgedExecutions counts porcupine's verdict as well.
func BenchmarkJudgedExecutions(b *testing.B) {
	benchExecutions(b, schedule.Default, func(e *ref.Execution) bool { return linearize.CheckSmall(e.History) })
}

func benchExecutions(b *testing.B, strategy string, judge func(*ref.Execution) bool) {
	setup := given.Setup(b, "abp", benchProgram)
	st, _ := mustStrategy(b, strategy, setup)
	sim := ref.NewSim(setup)
	defer sim.Close()
	steps := 0
	b.ReportAllocs()
	for i := range b.N {
		st.Begin(uint64(i))
		e := sim.Run(st)
		if e.Ending != ref.Complete || len(e.History.Ops) != 8 || !judge(e) {
			b.Fatalf("%v with %d operations", e.Ending, len(e.History.Ops))
		}
		steps += e.Steps
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "executions/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/access")
}

// BenchmarkWeakExecutions is the same program on the memory of the PTX model,
// with the verdict.
func BenchmarkWeakExecutions(b *testing.B) {
	setup := given.Prepare(b, given.On(b, "ptx", given.Subject(b, "abp")), benchProgram)
	st, _ := mustStrategy(b, schedule.Default, setup)
	sim := ref.NewSim(setup)
	defer sim.Close()
	b.ReportAllocs()
	for i := range b.N {
		st.Begin(uint64(i))
		if e := sim.Run(st); !Holds(e) {
			b.Fatal("a violation")
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "executions/s")
}
