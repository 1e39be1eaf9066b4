package exhaust

import (
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/fuzz/internal/given"
	"stealproof/model"
	"stealproof/ref"
)

// searchOf is the exhaustive search of one program.
func searchOf(s *ref.Setup) *Search { return &Search{Subject: s.Subject, Programs: alone(s)} }

// alone is the program of a setup, for a search of nothing else.
func alone(s *ref.Setup) []model.Program { return []model.Program{s.Program} }

// setupOf is a program on a structure of package ref, or on a queue of tests.
func setupOf(tb testing.TB, spec, program string) *ref.Setup {
	tb.Helper()
	return weakSetupOf(tb, "sc", spec, program)
}

func weakSetupOf(tb testing.TB, memory, spec, program string) *ref.Setup {
	tb.Helper()
	if q, known := testQueues[spec]; known {
		s, err := q.Subject(model.Spec{})
		require.NoError(tb, err)
		return given.Prepare(tb, given.On(tb, memory, s), program)
	}
	return given.Prepare(tb, given.On(tb, memory, given.Subject(tb, spec)), program)
}
