package schedule

import (
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/fuzz/internal/given"
	"stealproof/model"
	"stealproof/ref"
)

func strategyOf(tb testing.TB, schedule string, setup *ref.Setup) (Strategy, uint64) {
	tb.Helper()
	s, err := model.ParseSchedule(schedule)
	require.NoError(tb, err)
	st, seed, err := New(s, setup)
	require.NoError(tb, err)
	return st, seed
}

// execute runs a program once; the execution is valid until the simulation is
// used again, which it is not.
func run(tb testing.TB, spec, program, schedule string) *ref.Execution {
	tb.Helper()
	setup := given.Setup(tb, spec, program)
	st, seed := strategyOf(tb, schedule, setup)
	sim := ref.NewSim(setup)
	tb.Cleanup(sim.Close)
	st.Begin(seed)
	return sim.Run(st)
}
