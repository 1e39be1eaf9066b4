package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

func mustStrategy(tb testing.TB, text string, setup *ref.Setup) (schedule.Strategy, uint64) {
	tb.Helper()
	s, err := model.ParseSchedule(text)
	require.NoError(tb, err)
	st, seed, err := schedule.New(s, setup)
	require.NoError(tb, err)
	return st, seed
}

// execute runs a program once; the execution is valid until the simulation is
// used again, which it is not.
func execute(tb testing.TB, spec, program, text string) *ref.Execution {
	tb.Helper()
	setup := given.Setup(tb, spec, program)
	st, seed := mustStrategy(tb, text, setup)
	sim := ref.NewSim(setup)
	tb.Cleanup(sim.Close)
	st.Begin(seed)
	return sim.Run(st)
}
