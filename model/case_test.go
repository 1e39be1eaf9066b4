package model_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

const savedCase = `stealproof-case 1
note: a thief sleeps while the counter wraps
model: wsdeque
structure: abp:width=1
schedule: choices:0*12,1*3
verdict: violation duplicate
program:
0: push pop
1: steal
`

func TestCasePrintsItself(t *testing.T) {
	c, err := model.ParseCase(savedCase)
	require.NoError(t, err)
	assert.Equal(t, savedCase, c.String())
	assert.Equal(t, model.Violation, c.Verdict)
	assert.Equal(t, "duplicate", c.Found)
	assert.Equal(t, 15, c.Schedule.Choices.Len())
	assert.Equal(t, 3, c.Program.Len())
}

func TestCaseMayBeWrittenByHand(t *testing.T) {
	c, err := model.ParseCase("stealproof-case 1\r\n\r\n# why\r\nschedule: random:seed=7\r\n structure:  abp\r\nmodel: wsdeque\r\nprogram:\r\n# nothing yet\r\n0: push\r\n")
	require.NoError(t, err)
	assert.Equal(t, "stealproof-case 1\nmodel: wsdeque\nstructure: abp\nschedule: random:seed=7\nverdict: not run\nprogram:\n0: push\n", c.String())
}

func TestByteOrderMarkOfTexts(t *testing.T) {
	c, err := model.ParseCase("\ufeff" + savedCase)
	require.NoError(t, err)
	assert.Equal(t, savedCase, c.String())
	p, err := model.ParseProgram(model.WSDeque, "\ufeff0: push\n1: steal\n")
	require.NoError(t, err)
	assert.Equal(t, "0: push\n1: steal\n", p.String())
}

func TestNotesArePrintedOnOneLine(t *testing.T) {
	c, err := model.ParseCase(savedCase)
	require.NoError(t, err)
	c.Note = " two\nlines: and\ttabs "
	assert.Contains(t, c.String(), "\nnote: two lines: and tabs\n")

	c, err = model.ParseCase(strings.Replace(savedCase, "sleeps while", "sleeps  \t while", 1))
	require.NoError(t, err)
	assert.Equal(t, savedCase, c.String())
}

func TestBadCases(t *testing.T) {
	const fields = "stealproof-case 1\nmodel: wsdeque\nstructure: abp\nschedule: random\n"
	tests := []struct{ text, want string }{
		{"", `line 1: not a saved case: expected "stealproof-case 1"`},
		{"\n" + savedCase, `line 1: not a saved case: expected "stealproof-case 1"`},
		{`{"format":"stealproof-history"}`, `line 1: not a saved case: expected "stealproof-case 1"`},
		{"stealproof-case", `line 1: not a saved case: expected "stealproof-case 1"`},
		{"stealproof-case 99999999999999999999", `line 1: not a saved case: expected "stealproof-case 1"`},
		{"stealproof-case 2\nanything", `line 1: this is a case of version 2: expected version 1`},
		{"stealproof-case 1 or so", `line 1: expected "stealproof-case 1", found "stealproof-case 1 or so"`},
		{"stealproof-case 1", `line 1: the case ends without a program: expected "program:" and a line per process`},
		{"stealproof-case 1\n\nmodel: fifo\n", `line 4: the case ends without a program: expected "program:" and a line per process`},
		{"stealproof-case 1\nmodel fifo\n", `line 2: expected a field, as in "structure: abp", found "model fifo"`},
		{"stealproof-case 1\nmodel: fifo\n\nmodel: fifo\n", `line 4: field "model" is given twice`},
		{"stealproof-case 1\nmodel: queue\n", `line 2: unknown model "queue": expected one of wsdeque, fifo, range, bag`},
		{"stealproof-case 1\nseed: 7\n", `line 2: unknown field "seed": expected one of note, model, structure, memory, schedule, verdict, program`},
		{"stealproof-case 1\nstructure: a b\n", `line 2: structure "a b": expected a name, then settings as in "abp:width=2"`},
		{"stealproof-case 1\nschedule: choices:0*\n", `line 2: choice "0*": expected a process, process/outcome, or either *times`},
		{"stealproof-case 1\nschedule:\n", `line 2: schedule "": expected a strategy's name, then settings as in "random:seed=7"`},
		{"stealproof-case 1\nverdict: fine\n", `line 2: unknown verdict "fine": expected one of not run, undecided, linearizable, violation`},
		{"stealproof-case 1\nverdict: violation of order\n", `line 2: verdict "violation of order": expected one word behind "violation"`},
		{"stealproof-case 1\nmodel: fifo\nprogram:\n", `line 3: the field "structure" is missing: expected it before the program`},
		{"stealproof-case 1\nmodel: fifo\nstructure: tz\nprogram:\n0: enq\nschedule: random\n", `line 4: the field "schedule" is missing: expected it before the program`},
		{fields + "program:\n", `the program has no process: expected lines like "0: push"`},
		{fields + "program: 0: push\n", `line 5: expected the processes on lines of their own below "program:", found "0: push"`},
		{fields + "program:\n0: push\n\n1: enq\n", `line 8: model wsdeque has no operation "enq": expected one of push, pop, steal`},
		{fields + "program:\n0: push\nverdict: violation\n", `line 7: expected "1: operations", found "verdict: violation"`},
		{fields + "program:\n0: [[[push]*16777216]*16777216]*16777216", `the program has more than 16777216 operations: at most that many are supported`},
	}
	for _, test := range tests {
		c, err := model.ParseCase(test.text)
		assert.EqualError(t, err, test.want)
		assert.Empty(t, c, "nothing of a broken case is handed out")
	}
}
