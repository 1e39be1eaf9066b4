package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// aCase is the shortest run by which a counter without bits hands a task out
// twice; small variations of it are what users get wrong.
const aCase = `stealproof-case 1
note: a thief sleeps, and the task is taken meanwhile
model: wsdeque
structure: abp:width=0
schedule: choices:0*3,1*3,0*99
verdict: linearizable
program:
0: push pop
1: steal
`

const smallCase = `stealproof-case 1
model: wsdeque
structure: abp
schedule: round-robin:seed=0,preemptions=0
verdict: linearizable
program:
0: push pop
1: steal
`

func TestReplayPrintsColumns(t *testing.T) {
	inFolder(t, map[string]string{"small.case": smallCase})
	o := stealproof(t, "replay", "small.case")
	require.Equal(t, exitHolds, o.code, o.err)
	assert.Empty(t, o.err)
	for _, part := range []string{"structure abp, ", "step | process 0", "| process 1", "push(1)", "store tail: 0 -> 1", "= ok", "\nlinearizable\n"} {
		assert.Contains(t, o.out, part)
	}
	assert.Equal(t, o, stealproof(t, "replay", "small.case"), "the same case gives the same text")
	assert.Equal(t, o, stealproofReading(t, smallCase, "replay", "-"))
}

func TestReplayOfWhatNoLongerComesOut(t *testing.T) {
	inFolder(t, map[string]string{"saved.case": strings.Replace(smallCase, "verdict: linearizable", "verdict: violation duplicate", 1)})
	o := stealproof(t, "replay", "saved.case")
	assert.Equal(t, exitHolds, o.code, "the exit code is that of the verdict")
	assert.Contains(t, o.out, "\nThe case was saved as: violation duplicate\n")
}

func TestReplayWritesTheHistory(t *testing.T) {
	inFolder(t, map[string]string{"small.case": smallCase})
	require.Equal(t, exitHolds, stealproof(t, "replay", "--history", "small.jsonl", "small.case").code)
	assert.Equal(t, exitHolds, stealproof(t, "check", "small.jsonl").code)
	stealproof(t, "replay", "--history", "no/such/folder.jsonl", "small.case").requireRefused(t, "no/such/folder.jsonl: no such file or directory")
}

func TestCasesThatCannotBeReplayed(t *testing.T) {
	with := func(old, new string) string { return strings.Replace(aCase, old, new, 1) }
	inFolder(t, nil)
	require.NoError(t, os.Mkdir("folder.case", 0o755))
	for name, test := range map[string]struct{ text, want string }{
		"empty":           {"", `line 1: not a saved case: expected "stealproof-case 1"`},
		"a history":       {holding, `line 1: not a saved case: expected "stealproof-case 1"`},
		"binary":          {"\x00\xff", `line 1: not a saved case: expected "stealproof-case 1"`},
		"later version":   {with("case 1", "case 2"), `line 1: this is a case of version 2: expected version 1`},
		"unknown field":   {with("note:", "comment:"), `line 2: unknown field "comment": expected one of note, model, structure, memory, schedule, verdict, program`},
		"truncated":       {aCase[:strings.Index(aCase, "program")], `line 7: the case ends without a program: expected "program:" and a line per process`},
		"no model":        {with("model: wsdeque\n", ""), `line 6: the field "model" is missing: expected it before the program`},
		"other model":     {with("model: wsdeque", "model: fifo"), `line 8: model fifo has no operation "push": expected one of enq, deq`},
		"bad operation":   {with("1: steal", "1: stael"), `line 9: model wsdeque has no operation "stael": expected one of push, pop, steal`},
		"bad choice":      {with("choices:0*3", "choices:0*3*3"), `line 5: choice "0*3*3": expected a process, process/outcome, or either *times`},
		"two owners":      {with("1: steal", "1: pop"), `structure abp: process 1 calls pop on object 0, whose owner is process 0: only the owner may`},
		"no structure":    {with("abp:width=0", "apb"), `unknown structure "apb": expected one of abp, tz, the, blocking, static, list`},
		"no such setting": {with("width=0", "length=0"), `structure abp: unknown setting "length": expected one of defect, mutant, orders, variant, width, capacity`},
		"no strategy":     {with("choices:0*3,1*3,0*99", "luck"), `unknown strategy "luck": expected one of `},
		"too many":        {with("1*3", "1*90"), `: the structure or the program has changed since the schedule was saved`},
		"no such process": {with("0*3,1*3", "2"), `choice 1 is process 2, which cannot go on ([0 1] can): the structure or the program has changed since the schedule was saved`},
		"native":          {with("choices:0*3,1*3,0*99", "native"), `the case has no schedule: it comes from a native run, which cannot be repeated`},
		"fields below":    {aCase + "verdict: violation\n", `line 10: expected "2: operations", found "verdict: violation"`},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile("it.case", []byte(test.text), 0o644))
			o := stealproof(t, "replay", "it.case")
			assert.Equal(t, exitUsage, o.code)
			assert.Empty(t, o.out, "no part of a verdict")
			assert.True(t, strings.HasPrefix(o.err, "stealproof: it.case: "), o.err)
			assert.Contains(t, o.err, test.want)
			assert.Equal(t, 1, strings.Count(o.err, "\n"), "one line: %s", o.err)
		})
	}
	stealproof(t, "replay", "missing.case").requireRefused(t, "missing.case: no such file or directory")
	stealproof(t, "replay", "folder.case").requireRefused(t, "folder.case: is a directory")
}

func TestReplayInterrupted(t *testing.T) {
	inFolder(t, map[string]string{"small.case": smallCase})
	o := stealproofCancelled(t, "replay", "small.case")
	assert.Equal(t, exitInterrupted, o.code)
	assert.Equal(t, "stealproof: interrupted\n", o.err)
}
