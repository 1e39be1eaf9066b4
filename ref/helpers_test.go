package ref

import (
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

func mustSubject(tb testing.TB, spec string) Subject {
	tb.Helper()
	parsed, err := model.ParseSpec(spec)
	require.NoError(tb, err)
	s, err := NewSubject(parsed, model.Spec{})
	require.NoError(tb, err)
	return s
}

func mustSetup(tb testing.TB, spec, program string) *Setup {
	tb.Helper()
	s := mustSubject(tb, spec)
	p, err := s.ParseProgram(program)
	require.NoError(tb, err)
	setup, err := s.Prepare(p)
	require.NoError(tb, err)
	return setup
}

// inTurn runs each process to its end before the next begins.
type inTurn struct{ Newest }

func (inTurn) Next(v *View) int {
	for _, p := range v.Enabled {
		if p == v.Last {
			return p
		}
	}
	return v.Enabled[0]
}

// follow follows a list of processes, then takes turns.
type follow struct {
	Newest
	rest []int
}

func (f *follow) Next(v *View) int {
	if len(f.rest) == 0 {
		return inTurn{}.Next(v)
	}
	c := f.rest[0]
	f.rest = f.rest[1:]
	return c
}

func simulate(tb testing.TB, spec, program string, choices ...int) *Execution {
	tb.Helper()
	sim := NewSim(mustSetup(tb, spec, program))
	tb.Cleanup(sim.Close)
	sim.Tracing = true
	return sim.Run(&follow{rest: choices})
}

// results prints what the operations of a history came back with.
func results(h *model.History) string {
	s := ""
	for i := range h.Ops {
		o := &h.Ops[i]
		if i > 0 {
			s += " "
		}
		s += resultOf(o)
	}
	return s
}
