package replay_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/command"
	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

func TestReplayPrintsColumns(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"small.case": commandtest.SmallCase})
	o := commandtest.Run(t, "replay", "small.case")
	require.Equal(t, exit.Holds, o.Code, o.Err)
	assert.Empty(t, o.Err)
	for _, part := range []string{"structure abp, ", "step | process 0", "| process 1", "push(1)", "store tail: 0 -> 1", "= ok", "\nlinearizable\n"} {
		assert.Contains(t, o.Out, part)
	}
	assert.Equal(t, o, commandtest.Run(t, "replay", "small.case"), "the same case gives the same text")
	assert.Equal(t, o, commandtest.Reading(t, commandtest.SmallCase, "replay", "-"))
	commandtest.Reading(t, "push", "replay", "-").RequireRefused(t, `standard input: line 1: not a saved case: expected "stealproof-case 1"`)
}

func TestReplayOfWhatNoLongerComesOut(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"saved.case": strings.Replace(commandtest.SmallCase, "verdict: linearizable", "verdict: violation duplicate", 1)})
	o := commandtest.Run(t, "replay", "saved.case")
	assert.Equal(t, exit.Holds, o.Code, "the exit code is that of the verdict")
	assert.Contains(t, o.Out, "\nThe case was saved as: violation duplicate\n")
}

func TestReplayWritesTheHistory(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"small.case": commandtest.SmallCase})
	require.Equal(t, exit.Holds, commandtest.Run(t, "replay", "--history", "small.jsonl", "small.case").Code)
	assert.Equal(t, exit.Holds, commandtest.Run(t, "check", "small.jsonl").Code)
	commandtest.Run(t, "replay", "--history", "no/such/folder.jsonl", "small.case").RequireRefused(t, "no/such/folder.jsonl: no such file or directory")
}

func TestCasesThatCannotBeReplayed(t *testing.T) {
	with := func(old, new string) string { return strings.Replace(commandtest.BrokenCase, old, new, 1) }
	commandtest.InFolder(t, nil)
	require.NoError(t, os.Mkdir("folder.case", 0o755))
	for name, test := range map[string]struct{ text, want string }{
		"empty":           {"", `line 1: not a saved case: expected "stealproof-case 1"`},
		"a history":       {commandtest.Holding, `line 1: not a saved case: expected "stealproof-case 1"`},
		"binary":          {"\x00\xff", `line 1: not a saved case: expected "stealproof-case 1"`},
		"later version":   {with("case 1", "case 2"), `line 1: this is a case of version 2: expected version 1`},
		"unknown field":   {with("note:", "comment:"), `line 2: unknown field "comment": expected one of note, model, structure, memory, schedule, verdict, program`},
		"truncated":       {commandtest.BrokenCase[:strings.Index(commandtest.BrokenCase, "program")], `line 7: the case ends without a program: expected "program:" and a line per process`},
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
		"fields below":    {commandtest.BrokenCase + "verdict: violation\n", `line 10: expected "2: operations", found "verdict: violation"`},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile("it.case", []byte(test.text), 0o644))
			o := commandtest.Run(t, "replay", "it.case")
			assert.Equal(t, exit.Usage, o.Code)
			assert.Empty(t, o.Out, "no part of a verdict")
			assert.True(t, strings.HasPrefix(o.Err, "stealproof: it.case: "), o.Err)
			assert.Contains(t, o.Err, test.want)
			assert.Equal(t, 1, strings.Count(o.Err, "\n"), "one line: %s", o.Err)
		})
	}
	commandtest.Run(t, "replay", "missing.case").RequireRefused(t, "missing.case: no such file or directory")
	commandtest.Run(t, "replay", "folder.case").RequireRefused(t, "folder.case: there is no case below this folder: expected files that end in .case")
}

// untilRead cancels when the text is read to its end.
type untilRead struct {
	io.Reader
	cancel context.CancelFunc
}

func (u untilRead) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	if err != nil {
		u.cancel()
	}
	return n, err
}

// A case that takes long is not waited for.
func TestReplayInterruptedOnTheWay(t *testing.T) {
	text := strings.Replace(commandtest.SmallCase, "0: push pop", "0: [push pop]*100000", 1)
	ctx, cancel := context.WithCancel(t.Context())
	var out, errs bytes.Buffer
	code := command.Run(ctx, []string{"replay", "-"}, untilRead{strings.NewReader(text), cancel}, &out, &errs)
	assert.Equal(t, exit.Interrupted, code)
	assert.Empty(t, out.String())
	assert.Equal(t, "stealproof: interrupted\n", errs.String())
}

func TestReplayInterrupted(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"small.case": commandtest.SmallCase})
	o := commandtest.Cancelled(t, "replay", "small.case")
	assert.Equal(t, exit.Interrupted, o.Code)
	assert.Equal(t, "stealproof: interrupted\n", o.Err)
}
