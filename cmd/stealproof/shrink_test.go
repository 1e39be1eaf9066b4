package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What explore finds is shown and saved as the smallest case: five operations
// are the least that overlook two resets.
func TestExploreShrinksWhatItFinds(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"explore", "abp:width=1", "--owner", "10", "--thieves", "2x2", "--save", "it.case"}
	o := stealproof(t, args...)
	require.Equal(t, exitViolation, o.code, o.err)
	assert.Contains(t, timeless(o.out), "\nshrunk from 14 operations of 3 processes, 4 preemptions to 5 operations of 2 processes, 2 preemptions (nothing single can be left out, by all executions of what would remain), in TIME\n")
	assert.Contains(t, o.out, "\nprogram:\n0: push pop push pop\n1: steal\n")
	small, err := os.ReadFile("it.case")
	require.NoError(t, err)
	assert.Contains(t, string(small), "; shrunk from 14 operations of 3 processes")

	o = stealproof(t, append(args, "--no-shrink")...)
	require.Equal(t, exitViolation, o.code, o.err)
	assert.NotContains(t, o.out, "shrunk")
	large, err := os.ReadFile("it.case")
	require.NoError(t, err)
	assert.Greater(t, len(large), len(small))

	o = stealproof(t, "replay", "--shrink", "--save", "again.case", "it.case")
	assert.Equal(t, exitViolation, o.code, o.err)
	assert.Contains(t, o.out, "<== fatal")
	again, err := os.ReadFile("again.case")
	require.NoError(t, err)
	assert.Equal(t, string(small), string(again), "shrunk at once or later is the same")
	o = stealproof(t, "replay", "--shrink", "again.case")
	assert.Contains(t, o.out, "not shrunk: 5 operations of 2 processes, 2 preemptions (nothing single can be left out")
}

func TestExhaustiveFailuresAreShrunk(t *testing.T) {
	o := stealproof(t, "explore", "abp:defect=tail-before-task", "--exhaustive", "--owner", "2", "--thieves", "1x2")
	assert.Equal(t, exitViolation, o.code, o.err)
	assert.Contains(t, o.out, "\nnote: found by exhaustive exploration; shrunk from 2 operations of 2 processes")
	assert.Contains(t, o.out, "\nprogram:\n0: push\n1: steal\n")
}

func TestShrinkingThatMakesNoSense(t *testing.T) {
	inFolder(t, map[string]string{"small.case": smallCase})
	stealproof(t, "replay", "--shrink", "small.case").requireRefused(t, "small.case: --shrink: there is nothing to shrink, the case is linearizable")
	stealproof(t, "replay", "--save", "x.case", "small.case").requireRefused(t, "--save does not apply without --shrink: the case is in a file already")
	stealproof(t, "explore", "abp", "--memory", "native", "--no-shrink").requireRefused(t, "--no-shrink does not apply to --memory native: what the machine did cannot be repeated, so it is never shrunk")
	require.NoError(t, os.WriteFile("bad.case", []byte(strings.Replace(aCase, "linearizable", "violation duplicate", 1)), 0o644))
	assert.Equal(t, exitUsage, stealproof(t, "replay", "--shrink", "bad.case").code, "it does not fit, shrunk or not")
}
