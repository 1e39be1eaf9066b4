package queuetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
	"stealproof/ref"
)

// deferring is a slot of one value whose operations give the lock back in a
// deferred call.
type deferring struct{ lock, full, value ref.Location }

func newDeferring(s *ref.Space) FIFO {
	return deferring{s.Word("lock", 0), s.Word("full", 0), s.Word("value", 0)}
}

func (q deferring) acquire(m ref.Memory) {
	for {
		if _, got := m.CompareAndSwap(q.lock, 0, 1, plain); got {
			return
		}
	}
}

func (q deferring) Enq(m ref.Memory, v uint64) model.Result {
	q.acquire(m)
	defer m.Store(q.lock, 0, plain)
	if m.Load(q.full, plain) == 1 {
		return model.Full
	}
	m.Store(q.value, v, plain)
	m.Store(q.full, 1, plain)
	return model.OK
}

func (q deferring) Deq(m ref.Memory) (uint64, model.Result) {
	q.acquire(m)
	defer m.Store(q.lock, 0, plain)
	if m.Load(q.full, plain) == 0 {
		return 0, model.Empty
	}
	v := m.Load(q.value, plain)
	m.Store(q.full, 0, plain)
	return v, model.OK
}

// oneWay is a bag that takes what it is given and never gives it back: a take does
// not even look.
type oneWay struct{ word ref.Location }

func (b oneWay) Put(m ref.Memory, v uint64) model.Result {
	m.Store(b.word, v, plain)
	return model.OK
}

func (oneWay) Take(ref.Memory) (uint64, model.Result) { return 0, model.Abort }

// looked is what comes of every execution of one small program.
func looked(t *testing.T, q Queue, memory, program string) *Report {
	t.Helper()
	x, err := newQueueTest(q, Flags{Seed: 1, Memory: model.Spec{Structure: memory}})
	require.NoError(t, err)
	p, err := x.subject.ParseProgram(program)
	require.NoError(t, err)
	r, err := x.watched(t.Context(), func(ctx context.Context) {
		x.exhaust(ctx, p)
		x.runProgram(ctx, p, 0, 100)
	})
	require.NoError(t, err)
	return r
}

// A search cuts executions in the middle of operations: what these have deferred
// is no access of theirs, and nobody is to blame for it.
func TestDeferredUnlockIsNoFault(t *testing.T) {
	for _, memory := range []string{ref.MemorySC, ref.MemoryPTX} {
		r := looked(t, NewFIFO("deferring", newDeferring), memory, "0: enq\n1: deq")
		assert.Nil(t, r.Failure, "%s: %s", memory, r)
		assert.Equal(t, 1, r.Programs, memory)
	}
}

// What makes no access claims nothing that others must agree with.
func TestOperationsWithoutAccessRaiseNoAlarm(t *testing.T) {
	for _, memory := range []string{ref.MemorySC, ref.MemoryPTX} {
		r := looked(t, NewBag("one-way", func(s *ref.Space) Bag { return oneWay{s.Word("word", 0)} }), memory, "0: take put\n1: take\n2: take put")
		assert.Nil(t, r.Failure, "%s: %s", memory, r)
		assert.Equal(t, 1, r.Programs, memory)
	}
}
