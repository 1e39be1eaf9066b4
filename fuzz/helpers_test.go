package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
	"stealproof/ref"
)

func mustSpec(tb testing.TB, text string) model.Spec {
	tb.Helper()
	s, err := model.ParseSpec(text)
	require.NoError(tb, err)
	return s
}

func mustSetup(tb testing.TB, spec, program string) *ref.Setup {
	tb.Helper()
	sp := mustSpec(tb, spec)
	d, err := ref.FindDesign(sp.Structure)
	require.NoError(tb, err)
	p, err := model.ParseProgram(d.Kind, program)
	require.NoError(tb, err)
	s, err := ref.Prepare(sp, p)
	require.NoError(tb, err)
	return s
}

func mustStrategy(tb testing.TB, schedule string, setup *ref.Setup) (Strategy, uint64) {
	tb.Helper()
	s, err := model.ParseSchedule(schedule)
	require.NoError(tb, err)
	st, seed, err := NewStrategy(s, setup)
	require.NoError(tb, err)
	return st, seed
}

// execute runs a program once; the execution is valid until the simulation is
// used again, which it is not.
func execute(tb testing.TB, spec, program, schedule string) *ref.Execution {
	tb.Helper()
	setup := mustSetup(tb, spec, program)
	st, seed := mustStrategy(tb, schedule, setup)
	sim := ref.NewSim(setup)
	tb.Cleanup(sim.Close)
	st.Begin(seed)
	return sim.Run(st)
}
