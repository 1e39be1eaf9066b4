package gpu

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// written is a log as a kernel leaves it.
type written struct {
	*layout
	log []byte
}

func newWritten(t testing.TB, spec string, change func(o *Options)) *written {
	t.Helper()
	o := Defaults()
	o.Objects, o.Processes, o.Operations = 2, 2, 4
	var err error
	o.Spec, err = model.ParseSpec(spec)
	require.NoError(t, err)
	if change != nil {
		change(&o)
	}
	require.NoError(t, o.Check())
	c, err := Resolve(o.Spec)
	require.NoError(t, err)
	l := newLayout(o, c)
	w := &written{l, make([]byte, l.logBytes())}
	for p := range l.processes() {
		w.head(p, stateDone, 0)
	}
	return w
}

func (w *written) at(process int) []byte { return w.log[uint64(process)*w.logStride:][:w.logStride] }

func (w *written) head(process int, state uint32, count int) {
	b := w.at(process)
	binary.LittleEndian.PutUint64(b, guardWord)
	binary.LittleEndian.PutUint32(b[8:], uint32(process/w.Processes))
	binary.LittleEndian.PutUint32(b[12:], uint32(process%w.Processes))
	binary.LittleEndian.PutUint32(b[16:], uint32(count))
	binary.LittleEndian.PutUint32(b[20:], state)
}

func (w *written) record(process, i int, call, value uint64, took uint32, op model.Op, result model.Result, size uint16) {
	b := w.at(process)[headBytes+i*recordBytes:]
	binary.LittleEndian.PutUint64(b, call)
	binary.LittleEndian.PutUint64(b[8:], value)
	binary.LittleEndian.PutUint32(b[16:], took)
	b[20], b[21] = byte(op), byte(result)
	binary.LittleEndian.PutUint16(b[22:], size)
	if binary.LittleEndian.Uint32(w.at(process)[20:]) != stateStarted {
		binary.LittleEndian.PutUint32(w.at(process)[16:], uint32(i+1))
	}
}

func TestLogsBecomeAHistory(t *testing.T) {
	w := newWritten(t, "abp:capacity=8", nil)
	w.Resolution = 32
	w.record(0, 0, 100, 1, 32, model.Push, model.OK, 0)
	w.record(0, 1, 132, 2, 64, model.Push, model.Full, 0)
	w.record(1, 0, 110, 1, 64, model.Steal, model.OK, 0)
	w.record(3, 0, 120, 0, 0, model.Steal, model.Abort, 0)
	h, dropped, hang, err := w.history(w.log)
	require.NoError(t, err)
	require.NoError(t, h.Validate())
	assert.Zero(t, dropped)
	assert.Empty(t, hang)
	assert.Equal(t, model.WSDeque, h.Kind)
	assert.Equal(t, model.Params{Capacity: 8}, h.Params)
	assert.Equal(t, model.Clock{Source: "globaltimer", Unit: "ns", Resolution: 32}, h.Clock)
	assert.Equal(t, []model.Operation{
		{Op: model.Push, Result: model.OK, Value: 1, Call: 100, Return: 132},
		{Op: model.Push, Result: model.Full, Value: 2, Call: 132, Return: 196},
		{Op: model.Steal, Result: model.OK, Value: 1, Call: 110, Return: 174, Process: 1},
		{Op: model.Steal, Result: model.Abort, Value: model.NoValue, Call: 120, Return: 120, Object: 1, Process: 1},
	}, h.Ops)
}

func TestRangesAreUnpacked(t *testing.T) {
	w := newWritten(t, "the", nil)
	w.record(0, 0, 100, 5|9<<32, 1, model.Push, model.OK, 4)
	w.record(1, 0, 100, 8|9<<32, 1, model.Steal, model.OK, 3)
	w.record(1, 1, 110, math.MaxUint32|0<<32, 1, model.Steal, model.OK, 1)
	h, _, _, err := w.history(w.log)
	require.NoError(t, err)
	require.NoError(t, h.Validate())
	assert.Equal(t, []model.Operation{
		{Op: model.Push, Result: model.OK, Value: 5, To: 9, Call: 100, Return: 101},
		{Op: model.Steal, Result: model.OK, Value: 8, To: 9, Size: 3, Call: 100, Return: 101, Process: 1},
		{Op: model.Steal, Result: model.OK, Value: math.MaxUint32, To: 1 << 32, Size: 1, Call: 110, Return: 111, Process: 1},
	}, h.Ops)
}

func TestGarbageStaysAViolation(t *testing.T) {
	w := newWritten(t, "tz", nil)
	w.record(0, 0, 100, 1<<63+1, 1, model.Deq, model.OK, 0)
	h, _, _, err := w.history(w.log)
	require.NoError(t, err)
	require.NoError(t, h.Validate(), "a value that nobody can have put in is for the checker to refuse")
	assert.EqualValues(t, model.MaxValue, h.Ops[0].Value)
}

func TestAHangKeepsWhatWasRecorded(t *testing.T) {
	w := newWritten(t, "abp", nil)
	w.head(0, stateStarted, 0)
	w.record(0, 0, 100, 1, 5, model.Push, model.OK, 0)
	w.record(0, 1, 200, 2, 0, model.Push, model.Unknown, 0) // announced
	h, _, hang, err := w.history(w.log)
	require.NoError(t, err)
	require.NoError(t, h.Validate())
	assert.Equal(t, "process 0 of object 0 did not end", hang)
	require.Len(t, h.Ops, 2)
	assert.True(t, h.Ops[1].Pending())
	assert.EqualValues(t, 2, h.Ops[1].Value, "what was being put in may be inside")

	w = newWritten(t, "blocking", nil)
	w.record(2, 0, 100, 0, 5, model.Deq, model.Unknown, 0)
	w.head(2, stateStuck, 1)
	h, _, hang, err = w.history(w.log)
	require.NoError(t, err)
	assert.Equal(t, "process 0 of object 1 gave up waiting", hang)
	assert.True(t, h.Ops[0].Pending())
}

func TestReturnsAreWidenedWithinTheProcess(t *testing.T) {
	w := newWritten(t, "abp", func(o *Options) { o.Spread = 50 })
	w.record(0, 0, 100, 1, 10, model.Push, model.OK, 0)
	w.record(0, 1, 200, 2, 10, model.Push, model.OK, 0)
	w.record(0, 2, 230, 3, 10, model.Push, model.OK, 0)
	w.record(1, 0, 100, 3, math.MaxUint32, model.Steal, model.OK, 0)
	w.record(1, 1, 7e9, 3, 10, model.Steal, model.Abort, 0)
	h, _, _, err := w.history(w.log)
	require.NoError(t, err)
	require.NoError(t, h.Validate())
	var returns []uint64
	for _, o := range h.Ops {
		returns = append(returns, o.Return)
	}
	assert.Equal(t, []uint64{160, 230, 290, 7e9, 7e9 + 60}, returns)
}

func TestBrokenLogsAreRefused(t *testing.T) {
	for want, spoil := range map[string]func(w *written){
		"the log of process 1 of object 0 was overwritten: the kernel writes outside of its memory":              func(w *written) { w.at(1)[0]++ },
		"the log of process 0 of object 1 was overwritten: the kernel writes outside of its memory":              func(w *written) { w.at(2)[8] = 7 },
		"something was written behind the log of process 1 of object 1: the kernel writes outside of its memory": func(w *written) { w.at(3)[headBytes+4*recordBytes] = 1 },
		"the log of process 0 of object 0 claims 5 records where there is room for 4":                            func(w *written) { w.at(0)[16] = 5 },
	} {
		w := newWritten(t, "abp", nil)
		spoil(w)
		_, _, _, err := w.history(w.log)
		assert.EqualError(t, err, want)
	}
}

func TestDroppedOperationsAreCounted(t *testing.T) {
	w := newWritten(t, "abp", nil)
	binary.LittleEndian.PutUint64(w.at(1)[24:], 3)
	_, dropped, _, err := w.history(w.log)
	require.NoError(t, err)
	assert.EqualValues(t, 3, dropped)
}

func TestWritesBehindObjectsAreFound(t *testing.T) {
	w := newWritten(t, "abp", nil)
	w.withObjects(100)
	memory := make([]byte, w.memoryBytes())
	for i := range memory {
		memory[i] = memoryGuardByte
	}
	require.NoError(t, w.checkMemory(memory, 100))
	memory[w.objectStride+100+3] = 0
	assert.EqualError(t, w.checkMemory(memory, 100), "3 bytes behind object 1 were written: the kernel writes outside of its memory")
}
