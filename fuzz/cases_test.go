package fuzz

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/trace"
	"stealproof/linearize"
	"stealproof/model"
)

// Every stored case comes out as it was saved, and the violations of the
// histories are rejected again from the few operations that are shown.
func TestStoredCases(t *testing.T) {
	all, err := StoredCases()
	require.NoError(t, err)
	require.NotEmpty(t, all)
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			r, err := RunCase(s.Case)
			require.NoError(t, err)
			assert.True(t, r.Expected(), "saved as %s %s, now %s %s: %s", s.Case.Verdict, s.Case.Found, r.Finding.Verdict, r.Finding.Kind, r.Finding.Explanation)
			if v := r.Finding.Violation; v != nil {
				assert.Positive(t, r.Fatal)
				assert.False(t, linearize.CheckSmall(r.Execution.History.With(r.Matter)))
			}
		})
	}
}

// A case that was found replays to the same history, from its text.
func TestFoundCasesReplay(t *testing.T) {
	for _, p := range Register {
		if p.Runs > 5000 {
			continue
		}
		r, err := p.Find(t.Context(), 3)
		require.NoError(t, err)
		if r.Failure == nil {
			continue // the bound is for other seeds, see TestEveryPlantedDefectIsFound
		}
		c, err := model.ParseCase(r.Failure.Case.String())
		require.NoError(t, err)
		again, err := RunCase(c)
		require.NoError(t, err, p.Spec)
		assert.True(t, again.Expected(), p.Spec)
		assert.Equal(t, r.Failure.History.Ops, again.Execution.History.Ops, p.Spec)
	}
}

// The columns show every access of a short execution once, in its process's
// column, and mark the fatal one.
func TestColumns(t *testing.T) {
	all, err := StoredCases()
	require.NoError(t, err)
	for _, s := range all {
		if s.Name != "abp-width0.case" {
			continue
		}
		r, err := RunCase(s.Case)
		require.NoError(t, err)
		var b strings.Builder
		require.NoError(t, trace.WriteColumns(&b, r.Execution, r.Matter, r.Fatal))
		assert.Equal(t, columnsOfWidth0, b.String())
		return
	}
	t.Fatal("the case is gone")
}

const columnsOfWidth0 = `    step | process 0                           | process 1
         | push(1)                             |
       1 |   load tail: 0                      |
       2 |   store tasks[0]: 0 -> 1            |
         |   fence.acq_rel.gpu                 |
       3 |   store tail: 0 -> 1                |
         | = ok                                |
         |                                     | steal
       4 |                                     |   load head: {0,ctr 0}
         |                                     |   fence.sc.gpu
       5 |                                     |   load tail: 1
         |                                     |   fence.acq_rel.gpu
       6 |                                     |   load tasks[0]: 1
         |                                     |   fence.acq_rel.gpu
         | pop                                 |
       7 |   load tail: 1                      |
       8 |   store tail: 1 -> 0                |
         |   fence.sc.gpu                      |
       9 |   load tasks[0]: 1                  |
      10 |   load head: {0,ctr 0}              |
      11 |   store tail: 0 -> 0                |
         |   fence.acq_rel.gpu                 |
      12 |   swap head: {0,ctr 0} -> {0,ctr 0} |
         | = 1                                 |
      13 |                                     |   swap head: {0,ctr 0} -> {1,ctr 0}  <== fatal
         |                                     | = 1
`

// A replay that no longer fits says so; it does not go on with something else.
func TestReplayThatDoesNotFit(t *testing.T) {
	const text = "stealproof-case 1\nmodel: wsdeque\nstructure: abp\nschedule: choices:%s\nverdict: linearizable\nprogram:\n0: push\n1: steal\n"
	for choices, want := range map[string]string{
		"1*3,0":   "choice 3 is process 1, which cannot go on ([0] can)",
		"0*3,1*9": "the execution ended after 7 accesses, the schedule has 12 choices",
		"2":       "choice 1 is process 2, which cannot go on ([0 1] can)",
	} {
		c, err := model.ParseCase(fmt.Sprintf(text, choices))
		require.NoError(t, err)
		_, err = RunCase(c)
		require.ErrorContains(t, err, want)
	}
}
