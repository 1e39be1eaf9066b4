package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// Signals and waits are printed as they are read; what they have by themselves is left
// out.
func TestSignalsPrintThemselves(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"0: enq(1) signal:a\n1: wait:a deq", "0: enq(1) signal:a\n1: wait:a deq\n"},
		{"0: signal:a.release.sys\n1: wait:a.acquire.sys", "0: signal:a\n1: wait:a\n"},
		{"0: signal:b2.release.gpu|\n1: wait:b2.relaxed.cta |", "0: signal:b2.release.gpu |\n1: wait:b2.relaxed.cta |\n"},
		{"0: enq signal:a\n1: [deq wait:a]*2", "0: enq signal:a\n1: [deq wait:a]*2\n"},
	} {
		p := program(t, model.FIFO, test.text)
		assert.Equal(t, test.want, p.String())
		assert.NoError(t, p.Validate(model.FIFO, model.Params{}))
		assert.True(t, p.Synchronizes())
	}
	assert.False(t, program(t, model.FIFO, "0: enq | deq").Synchronizes())
}

func TestSignalsThatCannotBe(t *testing.T) {
	for _, text := range []string{"0: signal", "0: wait:", "0: signal:A", "0: signal:a.release", "0: signal:a.acquire.gpu", "0: wait:a.release.gpu", "0: wait:a.acquire.block", "0: wait:a.acquire.gpu.x"} {
		_, err := model.ParseProgram(model.FIFO, text)
		assert.ErrorContains(t, err, "line 1: ", text)
		assert.ErrorContains(t, err, "NAME", text)
	}
	const never = "the program cannot be executed to its end, whatever the object does: "
	for _, test := range []struct{ text, want string }{
		{"0: wait:a\n1: enq", "process 0 waits for signal a, which no process gives"},
		{"0: signal:a\n1: signal:a", "signal a is given twice, by process 0 and by process 1: give the second one another name"},
		{"0: [signal:a]*2", "signal a is given twice, by process 0 and by process 0: give the second one another name"},
		{"0: wait:a signal:a", never + "process 0 waits for signal a, which process 0 has not given"},
		{"0: wait:b signal:a\n1: wait:a signal:b", never + "process 0 waits for signal b, which process 1 has not given, process 1 waits for signal a, which process 0 has not given"},
		{"0: wait:a |\n1: | signal:a", never + "process 0 waits for signal a, which process 1 has not given, process 1 for the end of a phase"},
	} {
		assert.EqualError(t, program(t, model.FIFO, test.text).Validate(model.FIFO, model.Params{}), test.want)
	}
	assert.NoError(t, program(t, model.FIFO, "0: signal:a | wait:b\n1: | wait:a signal:b").Validate(model.FIFO, model.Params{}))
}

// A saved case keeps them.
func TestCasesKeepSignals(t *testing.T) {
	const text = "stealproof-case 1\nmodel: fifo\nstructure: tz\nschedule: choices:0*3,1*2\nverdict: linearizable\nprogram:\n0: enq signal:a\n1: wait:a.acquire.gpu deq\n"
	c, err := model.ParseCase(text)
	require.NoError(t, err)
	assert.Equal(t, text, c.String())
}
