package model_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

func program(t testing.TB, k model.Kind, text string) model.Program {
	t.Helper()
	p, err := model.ParseProgram(k, text)
	require.NoError(t, err)
	return p
}

// calls prints an expanded program, a string per process.
func calls(p model.Program) []string {
	var all []string
	for _, process := range p.Expand() {
		var words []string
		for _, c := range process {
			words = append(words, c.String())
		}
		all = append(all, strings.Join(words, " "))
	}
	return all
}

func TestProgramPrintsItself(t *testing.T) {
	tests := []struct {
		kind       model.Kind
		text, want string
	}{
		{model.WSDeque, "0: push pop\n1: steal", "0: push pop\n1: steal\n"},
		{model.WSDeque, "\n # a comment\n0:\tpush(7)push@3 # another\r\n\n1:steal@65536|\n", "0: push(7) push@3\n1: steal@65536 |\n"},
		{model.FIFO, "0:\n1: [enq [deq]*2]*3", "0:\n1: [enq [deq]*2]*3\n"},
		{model.Range, "0: push[8,16) pop(4)@2 push(last)@2 | pop(1)", "0: push[8,16) pop(4)@2 push(last)@2 | pop(1)\n"},
		{model.Bag, "0: put(0) take|take", "0: put(0) take | take\n"},
		{model.FIFO, "0: enq(9223372036854775807)", "0: enq(9223372036854775807)\n"},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, program(t, test.kind, test.text).String())
	}
}

func TestBadPrograms(t *testing.T) {
	nested := strings.Repeat("[", 9) + "push" + strings.Repeat("]*1", 9)
	tests := []struct {
		kind       model.Kind
		text, want string
	}{
		{model.WSDeque, "", `the program has no process: expected lines like "0: push"`},
		{model.FIFO, "# nothing\n\n", `the program has no process: expected lines like "0: enq"`},
		{model.FIFO, "enq", `line 1: expected "0: operations", found "enq"`},
		{model.FIFO, "0: enq\n\n1 deq", `line 3: expected "1: operations", found "1 deq"`},
		{model.FIFO, "0: enq\ndeq:", `line 2: expected "1: operations", found "deq:"`},
		{model.FIFO, "1: enq", `line 1: processes are numbered in order: expected 0, found 1`},
		{model.FIFO, "0: enq\n0: enq", `line 2: processes are numbered in order: expected 1, found 0`},
		{model.FIFO, "0: push", `line 1: model fifo has no operation "push": expected one of enq, deq`},
		{model.WSDeque, "0: psuh", `line 1: model wsdeque has no operation "psuh": expected one of push, pop, steal`},
		{model.WSDeque, "0: push, pop", `line 1: expected an operation, found ", pop"`},
		{model.WSDeque, "0: push ]", `line 1: expected an operation, found "]"`},
		{model.WSDeque, "0: [push pop", `line 1: expected "]*" and a number at ""`},
		{model.WSDeque, "0: [push] pop", `line 1: expected "]*" and a number at "] pop"`},
		{model.WSDeque, "0: [push]*", `line 1: expected a number below 2^63 at ""`},
		{model.WSDeque, "0: [push]*x", `line 1: expected a number below 2^63 at "x"`},
		{model.WSDeque, "0: [push]*9223372036854775808", `line 1: expected a number below 2^63 at "9223372036854775808"`},
		{model.WSDeque, "0: [push]*0", `line 1: a group needs an operation and 1 to 16777216 repetitions`},
		{model.WSDeque, "0: []*2", `line 1: a group needs an operation and 1 to 16777216 repetitions`},
		{model.WSDeque, "0: [push]*16777217", `line 1: a group needs an operation and 1 to 16777216 repetitions`},
		{model.WSDeque, "0: " + nested, `line 1: groups are nested more than 8 deep`},
		{model.WSDeque, "0: push(", `line 1: push: expected a value, as in (7)`},
		{model.WSDeque, "0: push(7", `line 1: push: expected a value, as in (7)`},
		{model.WSDeque, "0: push(-1)", `line 1: push: expected a value, as in (7)`},
		{model.WSDeque, "0: push(9223372036854775808)", `line 1: push: expected a value, as in (7)`},
		{model.WSDeque, "0: pop(7)", `line 1: expected an operation, found "(7)"`},
		{model.WSDeque, "0: push@", `line 1: push: expected an object number up to 65536 behind '@'`},
		{model.WSDeque, "0: push@65537", `line 1: push: expected an object number up to 65536 behind '@'`},
		{model.Range, "0: push", `line 1: push: expected an interval, as in [8,16), or (last)`},
		{model.Range, "0: push(7)", `line 1: push: expected an interval, as in [8,16), or (last)`},
		{model.Range, "0: push[8,16]", `line 1: push: expected an interval, as in [8,16), or (last)`},
		{model.Range, "0: push[8 16)", `line 1: push: expected an interval, as in [8,16), or (last)`},
		{model.Range, "0: push[,16)", `line 1: push: expected an interval, as in [8,16), or (last)`},
		{model.Range, "0: push[8,8)", `line 1: push: the interval [8,8) is empty`},
		{model.Range, "0: push[1,2)\n1: steal", `line 2: steal: expected a size, as in (4)`},
		{model.Range, "0: pop(0)", `line 1: pop: the size must be at least 1`},
		{model.WSDeque, "0: " + strings.Repeat("x", 1000), `line 1: model wsdeque has no operation "` + strings.Repeat("x", 40) + `": expected one of push, pop, steal`},
	}
	for _, test := range tests {
		p, err := model.ParseProgram(test.kind, test.text)
		assert.EqualError(t, err, test.want, test.text)
		assert.Empty(t, p)
	}
}

// The product of these repetitions is 2^72, and 0 in 64 bits.
func TestHugeProgramsAreRefusedBeforeTheyAreExpanded(t *testing.T) {
	for _, text := range []string{
		"0: [[[push]*16777216]*16777216]*16777216",
		"0: [[[[[[[[push]*16777216]*16777216]*16777216]*16777216]*16777216]*16777216]*16777216]*16777216",
		"0: [[push]*16777216]*2",
		"0: [push push]*16777216",
		"0: push [push]*16777216",
		"0: push\n1: [steal]*16777216",
		"0: [[push]*4294967]*4294967 [[push]*16777216]*16777216",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		_, err := model.ParseProgram(model.WSDeque, text)
		assert.EqualError(t, err, "the program has more than 16777216 operations: at most that many are supported", text)
		assert.Less(t, time.Since(start), time.Second, text)
		runtime.ReadMemStats(&after)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20), text)
	}
	assert.Equal(t, 1<<24, program(t, model.WSDeque, "0: [push]*16777216").Len())
}

func TestExpand(t *testing.T) {
	tests := []struct {
		name string
		kind model.Kind
		text string
		want []string
	}{
		{"values count over the processes", model.FIFO, "0: enq enq deq\n1: enq", []string{"enq(1) enq(2) deq", "enq(3)"}},
		{"values that are named are left out", model.FIFO, "0: enq enq(2) enq\n1: enq(1) enq", []string{"enq(3) enq(2) enq(4)", "enq(1) enq(5)"}},
		{"also those of groups", model.Bag, "0: [put [put(1)]*2]*2", []string{"put(2) put(1) put(1) put(3) put(1) put(1)"}},
		{"the largest value leaves room for the others", model.FIFO, "0: enq(9223372036854775807) enq", []string{"enq(9223372036854775807) enq(1)"}},
		{"groups", model.WSDeque, "0: [push [pop push]*2]*2\n1:", []string{"push(1) pop push(2) pop push(3) push(4) pop push(5) pop push(6)", ""}},
		{"phases and objects stay", model.WSDeque, "0: push@1 | push", []string{"push(1)@1 | push(2)"}},
		{"ranges bring their own", model.Range, "0: push[8,16) [pop(2) push(last)]*2", []string{"push[8,16) pop(2) push(last) pop(2) push(last)"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := program(t, test.kind, test.text)
			assert.Equal(t, test.want, calls(p))
			assert.Equal(t, test.want, calls(p), "the program itself stays as it is")
		})
	}
}

func TestLenAndObjects(t *testing.T) {
	p := program(t, model.WSDeque, "0: push@2 [push pop [pop]*3]*4 |\n1: steal")
	assert.Equal(t, 1+4*5+1+1, p.Len())
	assert.Equal(t, 3, p.Objects())
	assert.Equal(t, 1, program(t, model.WSDeque, "0:").Objects())
}

func TestProgramValidate(t *testing.T) {
	tests := []struct {
		kind       model.Kind
		shared     bool
		text, want string
	}{
		{model.WSDeque, false, "0: push pop steal\n1: steal\n2: push@1 steal", ""},
		{model.WSDeque, false, "0: push\n1: steal pop", "process 1 calls pop on object 0, whose owner is process 0: only the owner may"},
		{model.WSDeque, false, "0: push@3\n1: [steal push@3]*2", "process 1 calls push on object 3, whose owner is process 0: only the owner may"},
		{model.Range, false, "0: push[1,2)\n1: pop(1)", "process 1 calls pop on object 0, whose owner is process 0: only the owner may"},
		{model.Range, true, "0: push[1,2)\n1: pop(1)", ""},
		{model.Bag, false, "0: put | take |\n1: [put |]*2", ""},
		{model.Bag, false, "0: put | take\n1: put | take\n2: [put |]*2", "process 2 has 2 ends of phases, process 0 has 1: all must have the same"},
		{model.FIFO, false, "0: enq\n1: enq |", "process 1 has 1 ends of phases, process 0 has 0: all must have the same"},
	}
	for _, test := range tests {
		err := program(t, test.kind, test.text).Validate(test.kind, model.Params{Shared: test.shared})
		if test.want == "" {
			assert.NoError(t, err, test.text)
		} else {
			assert.EqualError(t, err, test.want, test.text)
		}
	}
	assert.EqualError(t, program(t, model.FIFO, "0:\n1: enq").Validate(model.Bag, model.Params{}),
		`process 1: model bag has no operation "enq": expected one of put, take`)
}

func TestProgramCloneSharesNothing(t *testing.T) {
	p := program(t, model.WSDeque, "0: push [pop [push]*2]*3")
	text := p.String()
	c := p.Clone()
	assert.Equal(t, p, c)
	c.Processes[0][0].Call.Op = model.Pop
	c.Processes[0][1].Times = 9
	c.Processes[0][1].Group[1].Group[0].Call.Value = 5
	assert.Equal(t, text, p.String())
	assert.NotEqual(t, text, c.String())
}

func TestCallsMakeSteps(t *testing.T) {
	p := model.Program{Processes: [][]model.Step{model.Calls(model.Call{Op: model.Push, Value: 4}, model.Call{Op: model.Pop, Value: model.NoValue})}}
	assert.Equal(t, "0: push(4) pop\n", p.String())
}
