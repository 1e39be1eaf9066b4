package explore_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// What explore finds is shown and saved as the smallest case: five operations
// are the least that overlook two resets.
func TestExploreShrinksWhatItFinds(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"explore", "abp:width=1", "--owner", "10", "--thieves", "2x2", "--save", "it.case"}
	o := commandtest.Run(t, args...)
	require.Equal(t, exit.Violation, o.Code, o.Err)
	assert.Contains(t, commandtest.Timeless(o.Out), "\nshrunk from 14 operations of 3 processes, 4 preemptions to 5 operations of 2 processes, 2 preemptions (nothing single can be left out, by all executions of what would remain), in TIME\n")
	assert.Contains(t, o.Out, "\nprogram:\n0: push pop push pop\n1: steal\n")
	small, err := os.ReadFile("it.case")
	require.NoError(t, err)
	assert.Contains(t, string(small), "; shrunk from 14 operations of 3 processes")

	o = commandtest.Run(t, append(args, "--no-shrink")...)
	require.Equal(t, exit.Violation, o.Code, o.Err)
	assert.NotContains(t, o.Out, "shrunk")
	large, err := os.ReadFile("it.case")
	require.NoError(t, err)
	assert.Greater(t, len(large), len(small))

	o = commandtest.Run(t, "replay", "--shrink", "--save", "again.case", "it.case")
	assert.Equal(t, exit.Violation, o.Code, o.Err)
	assert.Contains(t, o.Out, "<== fatal")
	again, err := os.ReadFile("again.case")
	require.NoError(t, err)
	assert.Equal(t, string(small), string(again), "shrunk at once or later is the same")
	o = commandtest.Run(t, "replay", "--shrink", "again.case")
	assert.Contains(t, o.Out, "not shrunk: 5 operations of 2 processes, 2 preemptions (nothing single can be left out")
}

func TestExhaustiveFailuresAreShrunk(t *testing.T) {
	o := commandtest.Run(t, "explore", "abp:defect=tail-before-task", "--exhaustive", "--owner", "2", "--thieves", "1x2")
	assert.Equal(t, exit.Violation, o.Code, o.Err)
	assert.Contains(t, o.Out, "\nnote: found by exhaustive exploration; shrunk from 2 operations of 2 processes")
	assert.Contains(t, o.Out, "\nprogram:\n0: push\n1: steal\n")
}

func TestShrinkingThatMakesNoSense(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"small.case": commandtest.SmallCase})
	commandtest.Run(t, "replay", "--shrink", "small.case").RequireRefused(t, "small.case: --shrink: there is nothing to shrink, the case is linearizable")
	commandtest.Run(t, "replay", "--save", "x.case", "small.case").RequireRefused(t, "--save does not apply without --shrink: the case is in a file already")
	commandtest.Run(t, "explore", "abp", "--memory", "native", "--no-shrink").RequireRefused(t, "--no-shrink does not apply to --memory native: what the machine did cannot be repeated, so it is never shrunk")
	require.NoError(t, os.WriteFile("bad.case", []byte(strings.Replace(commandtest.BrokenCase, "linearizable", "violation duplicate", 1)), 0o644))
	assert.Equal(t, exit.Usage, commandtest.Run(t, "replay", "--shrink", "bad.case").Code, "it does not fit, shrunk or not")
}
