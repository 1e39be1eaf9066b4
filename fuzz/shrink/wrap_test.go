package shrink

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/internal/given"
	"stealproof/model"
)

// A counter of 16 bits needs 65536 resets, whatever the program had: what is
// left is exactly that, by bisection, for each one less fails no more. Half a
// million accesses leave no room for a search, only for the old schedule.
func TestShrinkingAWrap(t *testing.T) {
	if testing.Short() {
		t.Skip("shrinks schedules of half a million choices")
	}
	for _, test := range []struct {
		spec, program, schedule, want string
	}{
		{"abp:width=4", "0: [push pop]*40\n1: steal steal\n2: steal", "directed:process=1,at=head#2,until=same,after=3", "0: [push pop]*16\n1: steal\n"},
		{"abp:width=16", "0: push pop [push pop]*70000 push push pop\n1: steal steal", "directed:process=1,at=head#2,until=same,after=12", "0: [push pop]*65536\n1: steal\n"},
	} {
		if !given.Large() && test.spec == "abp:width=16" { // make large has it
			continue
		}
		c := savedCaseOf(t, test.spec, test.program, test.schedule)
		s := shrunk(t, c)
		assert.True(t, s.Complete)
		assert.Equal(t, "duplicate", s.Failure.Case.Found)
		assert.Equal(t, expanded(t, test.want), s.Failure.Case.Program.Expand(), "%s", s.Failure.Case.Program)
		again, err := fuzz.RunCase(s.Failure.Case)
		require.NoError(t, err)
		assert.True(t, again.Expected())
		t.Logf("%s: %s -> %s: %sin %s, tried %d, %.200s", test.spec, s.From, s.To, s.Failure.Case.Program, s.Elapsed, s.Tried, s.Failure.Case.Schedule)
	}
}

// caseOf executes a program under a schedule and keeps what came of it.
func savedCaseOf(t *testing.T, spec, program, schedule string) model.Case {
	t.Helper()
	setup := given.Setup(t, spec, program)
	s, err := model.ParseSchedule(schedule)
	require.NoError(t, err)
	c := model.Case{Kind: setup.Config.Design.Kind, Spec: setup.Subject.Spec(), Program: setup.Program, Schedule: s}
	r, err := fuzz.RunCase(c)
	require.NoError(t, err)
	c.Verdict, c.Found = r.Finding.Verdict, r.Finding.Kind
	return c
}

func expanded(t *testing.T, program string) [][]model.Call {
	t.Helper()
	p, err := model.ParseProgram(model.WSDeque, program)
	require.NoError(t, err)
	return p.Expand()
}
