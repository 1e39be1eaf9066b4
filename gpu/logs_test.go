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

func (w *written) begin(process int, at uint64) {
	binary.LittleEndian.PutUint64(w.at(process)[32:], at)
}

func (w *written) record(process, i int, value, stamp uint64, op model.Op, result model.Result, size uint32) {
	b := w.at(process)[headBytes+i*recordBytes:]
	binary.LittleEndian.PutUint64(b, value)
	binary.LittleEndian.PutUint32(b[8:], uint32(stamp))
	binary.LittleEndian.PutUint32(b[12:], uint32(op)|uint32(result)<<4|size<<8|uint32(stamp>>32)<<16)
	if binary.LittleEndian.Uint32(w.at(process)[20:]) != stateStarted {
		binary.LittleEndian.PutUint32(w.at(process)[16:], uint32(i+1))
	}
}

func TestLogsBecomeAHistory(t *testing.T) {
	w := newWritten(t, "abp:capacity=8", nil)
	w.Resolution = 32
	w.begin(0, 100)
	w.record(0, 0, 1, 132, model.Push, model.OK, 0)
	w.record(0, 1, 2, 196, model.Push, model.Full, 0)
	w.begin(1, 110)
	w.record(1, 0, 1, 174, model.Steal, model.OK, 0)
	w.begin(3, 120)
	w.record(3, 0, 0, 120, model.Steal, model.Abort, 0)
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

// Records hold 48 bits of the clock, which go round every three days.
func TestStampsGoRound(t *testing.T) {
	w := newWritten(t, "abp", nil)
	const day = 1<<60 + 1<<48 - 10
	w.begin(0, day)
	w.record(0, 0, 1, day+5, model.Push, model.OK, 0)
	w.record(0, 1, 2, day+15, model.Push, model.OK, 0)
	w.record(0, 2, 3, day+15, model.Push, model.OK, 0)
	w.record(0, 3, 4, day+1<<33, model.Push, model.OK, 0)
	h, _, _, err := w.history(w.log)
	require.NoError(t, err)
	var stamps []uint64
	for _, o := range h.Ops {
		stamps = append(stamps, o.Call-day, o.Return-day)
	}
	assert.Equal(t, []uint64{0, 5, 5, 15, 15, 15, 15, 1 << 33}, stamps)
}

func TestRangesAreUnpacked(t *testing.T) {
	w := newWritten(t, "the", nil)
	w.begin(0, 100)
	w.record(0, 0, 5|9<<32, 101, model.Push, model.OK, 4)
	w.begin(1, 100)
	w.record(1, 0, 8|9<<32, 101, model.Steal, model.OK, 3)
	w.record(1, 1, math.MaxUint32|0<<32, 111, model.Steal, model.OK, 1)
	h, _, _, err := w.history(w.log)
	require.NoError(t, err)
	require.NoError(t, h.Validate())
	assert.Equal(t, []model.Operation{
		{Op: model.Push, Result: model.OK, Value: 5, To: 9, Call: 100, Return: 101},
		{Op: model.Steal, Result: model.OK, Value: 8, To: 9, Size: 3, Call: 100, Return: 101, Process: 1},
		{Op: model.Steal, Result: model.OK, Value: math.MaxUint32, To: 1 << 32, Size: 1, Call: 101, Return: 111, Process: 1},
	}, h.Ops)
}

// Indices of 32 bits that go round are the ones that were put in.
func TestIndicesAboveABaseGoRound(t *testing.T) {
	w := newWritten(t, "the:base=4294967200", nil)
	w.record(0, 0, 5|9<<32, 1, model.Push, model.OK, 4)
	w.record(0, 1, 4294967290|5<<32, 2, model.Push, model.OK, 4)
	h, _, _, err := w.history(w.log)
	require.NoError(t, err)
	assert.EqualValues(t, 1<<32+5, h.Ops[0].Value)
	assert.EqualValues(t, 1<<32+9, h.Ops[0].To)
	assert.EqualValues(t, 4294967290, h.Ops[1].Value)
	assert.EqualValues(t, 1<<32+5, h.Ops[1].To)
}

func TestGarbageStaysAViolation(t *testing.T) {
	w := newWritten(t, "tz", nil)
	w.record(0, 0, 1<<63+1, 101, model.Deq, model.OK, 0)
	h, _, _, err := w.history(w.log)
	require.NoError(t, err)
	require.NoError(t, h.Validate(), "a value that nobody can have put in is for the checker to refuse")
	assert.EqualValues(t, model.MaxValue, h.Ops[0].Value)
}

// What follows a pause was called when the pause ended. A pause is no operation.
func TestPausesEndWithTheNextCall(t *testing.T) {
	w := newWritten(t, "static", func(o *Options) { o.Phases = 2 })
	assert.Equal(t, 5, w.capacity(), "room for the pause between two phases")
	w.begin(0, 100)
	w.record(0, 0, 1, 110, model.Put, model.OK, 0)
	w.record(0, 1, 0, 500, opPause, model.OK, 0)
	w.record(0, 2, 1, 520, model.Take, model.OK, 0)
	w.begin(1, 100)
	w.record(1, 0, 2, 130, model.Put, model.OK, 0)
	h, _, _, err := w.history(w.log)
	require.NoError(t, err)
	require.NoError(t, h.Validate())
	assert.Equal(t, []model.Operation{
		{Op: model.Put, Result: model.OK, Value: 1, Call: 100, Return: 110},
		{Op: model.Take, Result: model.OK, Value: 1, Call: 500, Return: 520},
		{Op: model.Put, Result: model.OK, Value: 2, Call: 100, Return: 130, Process: 1},
	}, h.Ops)
}

func TestAHangKeepsWhatWasRecorded(t *testing.T) {
	w := newWritten(t, "abp", nil)
	w.head(0, stateStarted, 0)
	w.begin(0, 100)
	w.record(0, 0, 1, 105, model.Push, model.OK, 0)
	w.record(0, 1, 2, 105, model.Push, model.Unknown, 0) // announced
	h, _, hang, err := w.history(w.log)
	require.NoError(t, err)
	require.NoError(t, h.Validate())
	assert.Equal(t, "process 0 of object 0 did not end", hang)
	require.Len(t, h.Ops, 2)
	assert.True(t, h.Ops[1].Pending())
	assert.EqualValues(t, 2, h.Ops[1].Value, "what was being put in may be inside")

	w = newWritten(t, "blocking", nil)
	w.record(2, 0, 0, 105, model.Deq, model.Unknown, 0)
	w.head(2, stateStuck, 1)
	h, _, hang, err = w.history(w.log)
	require.NoError(t, err)
	assert.Equal(t, "process 0 of object 1 gave up waiting", hang)
	assert.True(t, h.Ops[0].Pending())
}

// Where clocks are far apart, processes wait for the spread between two
// operations: returns are widened by it, and still no two operations overlap.
func TestReturnsAreWidenedByTheSpread(t *testing.T) {
	w := newWritten(t, "abp", func(o *Options) { o.Spread = 50 })
	b := w.run(addresses{}, 1)
	assert.EqualValues(t, flagRecord|flagApart, binary.LittleEndian.Uint32(b[4:]))
	assert.EqualValues(t, 51, binary.LittleEndian.Uint64(b[136:]), "what the kernel waits for")
	w.begin(0, 100)
	w.record(0, 0, 1, 110, model.Push, model.OK, 0)
	w.record(0, 1, 2, 210, model.Push, model.OK, 0)
	h, _, _, err := w.history(w.log)
	require.NoError(t, err)
	require.NoError(t, h.Validate())
	assert.Equal(t, []model.Operation{
		{Op: model.Push, Result: model.OK, Value: 1, Call: 100, Return: 160},
		{Op: model.Push, Result: model.OK, Value: 2, Call: 161, Return: 260},
	}, h.Ops)
}

// Whether a bounded queue was full is hard to decide where stamps tie, so its
// processes wait for the next tick of the clock.
func TestStampsOfABoundedQueueDoNotTie(t *testing.T) {
	w := newWritten(t, "blocking", nil)
	assert.EqualValues(t, 1, w.apart())
	w.begin(0, 100)
	w.record(0, 0, 1, 132, model.Enq, model.OK, 0)
	w.record(0, 1, 0, 196, model.Deq, model.Empty, 0)
	h, _, _, err := w.history(w.log)
	require.NoError(t, err)
	assert.EqualValues(t, 133, h.Ops[1].Call)
	for _, spec := range []string{"abp", "tz", "the", "static", "list"} {
		assert.Zero(t, newWritten(t, spec, nil).apart(), spec)
	}
	assert.EqualValues(t, 1, newWritten(t, "tz:declare=8", nil).apart())
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
