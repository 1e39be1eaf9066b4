package shrink

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx"
)

// blocks is a deque at which blocks work.
func blocks(t *testing.T, lanes, patch string) ref.Subject {
	t.Helper()
	m, err := ptx.Open("../../gpu/examples/block-deque.ptx")
	require.NoError(t, err)
	setup, err := ptx.Setup{}.WithLanes(lanes)
	require.NoError(t, err)
	f, err := m.Foreign(model.WSDeque, setup)
	require.NoError(t, err)
	s, err := f.Subject(model.Spec{Structure: ref.MemoryPTX})
	require.NoError(t, err)
	if patch != "" {
		s, err = s.With(s.Spec().With("patch", patch))
		require.NoError(t, err)
	}
	return s
}

// Lanes go on one after the other, unless one is preempted: with few preemptions there
// are few schedules, and what is shrunk has few.
func TestShrinkingLanes(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of executions of eight threads")
	}
	fence := ""
	for _, site := range blocks(t, "2", "").Design().Sites {
		if place, is := strings.CutSuffix(site, ": fence"); is {
			fence = place
			break
		}
	}
	s := blocks(t, "2x2", fence+".drop")
	strategy, err := model.ParseSchedule("mix:seed=1")
	require.NoError(t, err)
	r, err := (&fuzz.Campaign{Subject: s, Schedule: strategy, Runs: 3000}).Run(t.Context())
	require.NoError(t, err)
	require.NotNil(t, r.Failure)
	small, err := (&Search{Subject: s, Case: r.Failure.Case}).Run(t.Context())
	require.NoError(t, err)
	assert.True(t, small.Exact)
	assert.Equal(t, 5, small.To.Operations)
	assert.Zero(t, small.To.Preemptions, "%s", small.Failure.Case)
	assert.Equal(t, s.Spec(), small.Failure.Case.Spec)
	assert.Less(t, small.Spent, 1_000_000)
}

// With lanes too, fewest makes the schedules with no more preemptions than its bound, each
// once.
func TestFewestWithLanes(t *testing.T) {
	s, err := blocks(t, "2x1", "").On(model.Spec{})
	require.NoError(t, err)
	p, err := s.ParseProgram("0: push\n1: steal")
	require.NoError(t, err)
	setup, err := s.Prepare(p)
	require.NoError(t, err)
	all := schedulesOf(setup, 1<<20)
	for bound := range 3 {
		want := map[string]int{}
		for choices, preemptions := range all {
			if preemptions <= bound {
				want[choices] = preemptions
			}
		}
		require.Equal(t, want, schedulesOf(setup, bound))
		assert.Greater(t, len(want), bound)
	}
	assert.Len(t, schedulesOf(setup, 0), 2, "one process first, or the other")
}
