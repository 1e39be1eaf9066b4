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

// mustSubject is a structure of package ref, or one that only tests have.
func mustSubject(tb testing.TB, spec string) ref.Subject {
	tb.Helper()
	if q, known := testQueues[spec]; known {
		s, err := q.Subject(model.Spec{})
		require.NoError(tb, err)
		return s
	}
	s, err := ref.NewSubject(mustSpec(tb, spec), model.Spec{})
	require.NoError(tb, err)
	return s
}

func mustSetup(tb testing.TB, spec, program string) *ref.Setup {
	tb.Helper()
	return mustPrepare(tb, mustSubject(tb, spec), program)
}

func mustPrepare(tb testing.TB, s ref.Subject, program string) *ref.Setup {
	tb.Helper()
	p, err := s.ParseProgram(program)
	require.NoError(tb, err)
	setup, err := s.Prepare(p)
	require.NoError(tb, err)
	return setup
}

func subjectOf(tb testing.TB, c model.Case) ref.Subject {
	tb.Helper()
	s, err := SubjectOf(c)
	require.NoError(tb, err)
	return s
}

// on is the subject on another memory.
func on(tb testing.TB, memory string, s ref.Subject) ref.Subject {
	tb.Helper()
	s, err := s.On(mustSpec(tb, memory))
	require.NoError(tb, err)
	return s
}

// searchOf is the exhaustive search of one program.
func searchOf(s *ref.Setup) *Exhaust { return &Exhaust{Subject: s.Subject, Programs: alone(s)} }

// alone is the program of a setup, for a search of nothing else.
func alone(s *ref.Setup) []model.Program { return []model.Program{s.Program} }

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
