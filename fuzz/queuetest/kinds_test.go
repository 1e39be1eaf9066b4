package queuetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/choice"
	"stealproof/fuzz/internal/given"
	"stealproof/model"
	"stealproof/ref"
)

// The other kinds, under a lock, hold; and each is found out when it takes
// without removing.

type listFIFO struct {
	lock, head, tail ref.Location
	items            ref.Array
	keeps            bool
}

const room = 3

func newListFIFO(s *ref.Space) *listFIFO {
	return &listFIFO{lock: s.Word("lock", 0), head: s.Word("head", 0), tail: s.Word("tail", 0), items: s.Array("items", room, 0)}
}

func (q *listFIFO) locked(m ref.Memory, f func()) { (&counterDeque{lock: q.lock}).locked(m, f) }

func (q *listFIFO) Enq(m ref.Memory, v uint64) (r model.Result) {
	q.locked(m, func() {
		tail := m.Load(q.tail, plain)
		if r = model.Full; tail-m.Load(q.head, plain) < room {
			m.Store(q.items.At(tail%room), v, plain)
			m.Store(q.tail, tail+1, plain)
			r = model.OK
		}
	})
	return r
}

func (q *listFIFO) Deq(m ref.Memory) (v uint64, r model.Result) {
	q.locked(m, func() {
		head := m.Load(q.head, plain)
		if r = model.Empty; head < m.Load(q.tail, plain) {
			v, r = m.Load(q.items.At(head%room), plain), model.OK
			if !q.keeps {
				m.Store(q.head, head+1, plain)
			}
		}
	})
	return v, r
}

func (q *listFIFO) Put(m ref.Memory, v uint64) model.Result { return q.Enq(m, v) }

func (q *listFIFO) Take(m ref.Memory) (uint64, model.Result) { return q.Deq(m) }

type lockedRange struct {
	lock, low, high ref.Location
	keeps           bool
}

func newLockedRange(s *ref.Space) *lockedRange {
	return &lockedRange{lock: s.Word("lock", 0), low: s.Word("low", 0), high: s.Word("high", 0)}
}

func (r *lockedRange) locked(m ref.Memory, f func()) { (&counterDeque{lock: r.lock}).locked(m, f) }

func (r *lockedRange) Push(m ref.Memory, from, to uint64) (res model.Result) {
	r.locked(m, func() {
		low, high := m.Load(r.low, plain), m.Load(r.high, plain)
		switch {
		case low == high:
			m.Store(r.high, to, plain)
		case low != to:
			res = model.Full
			return
		}
		m.Store(r.low, from, plain)
		res = model.OK
	})
	return res
}

func (r *lockedRange) Pop(m ref.Memory, most uint64) (from, to uint64, res model.Result) {
	r.locked(m, func() {
		from = m.Load(r.low, plain)
		high := m.Load(r.high, plain)
		to = min(from+most, high)
		if res = model.Empty; from < high {
			res = model.OK
			if !r.keeps {
				m.Store(r.low, to, plain)
			}
		}
	})
	return from, to, res
}

func (r *lockedRange) Steal(m ref.Memory, most uint64) (from, to uint64, res model.Result) {
	r.locked(m, func() {
		low := m.Load(r.low, plain)
		to = m.Load(r.high, plain)
		from = max(low, to-min(most, to))
		if res = model.Empty; low < to {
			m.Store(r.high, from, plain)
			res = model.OK
		}
	})
	return from, to, res
}

func TestEveryKind(t *testing.T) {
	some := map[string]string{"bag": "0: put put take\n1: take\n", "range": "0: push[1,3) pop(1)\n1: steal(1)\n"}
	for name, build := range map[string]func(keeps bool) Queue{
		"fifo": func(keeps bool) Queue {
			return NewFIFO("list-fifo", func(s *ref.Space) FIFO { q := newListFIFO(s); q.keeps = keeps; return q })
		},
		"bag": func(keeps bool) Queue {
			return NewBag("list-bag", func(s *ref.Space) Bag { q := newListFIFO(s); q.keeps = keeps; return q })
		},
		"range": func(keeps bool) Queue {
			return NewRange("locked-range", func(s *ref.Space) Range { r := newLockedRange(s); r.keeps = keeps; return r })
		},
	} {
		t.Run(name, func(t *testing.T) {
			q := build(false)
			if q.Kind != model.Range {
				q.Capacity = room
			}
			if name == "fifo" || given.Large() { // all programs of two operations and more
				r := find(t, quick(q))
				require.Equal(t, model.Linearizable, r.Verdict, "%s", r.text())
				assert.Positive(t, r.Programs)
			} else {
				r := looked(t, q, "sc", some[name])
				assert.Equal(t, 1, r.Programs, "%s", r.text())
				assert.Nil(t, r.Failure, "%s", r.text())
			}
			r := find(t, quick(build(true)))
			require.Equal(t, model.Violation, r.Verdict)
			assert.Contains(t, []string{"duplicate", "invented"}, r.Failure.Finding.Kind, "a range is pushed over what should be gone")
			assert.LessOrEqual(t, r.Shrunk.To.Operations, 4)
		})
	}
}

// A queue made by hand knows its process, and may have a host between phases.
type perProcess struct {
	slots ref.Array
	ends  ref.Location
}

func (p *perProcess) Do(m ref.Memory, o *model.Operation) {
	slot := p.slots.At(uint64(o.Process))
	if o.Op == model.Put {
		if m.Load(slot, plain) != 0 {
			o.Result = model.Full
			return
		}
		m.Store(slot, o.Value, plain)
		o.Result = model.OK
		return
	}
	o.Result = model.Abort // others may have something
	if v := m.Load(slot, plain); v != 0 {
		m.Store(slot, 0, plain)
		o.Value, o.Result = v, model.OK
	}
}

func (p *perProcess) NextPhase(m ref.Memory) { m.FetchAdd(p.ends, 1, plain) }

func TestAQueueMadeByHand(t *testing.T) {
	r := find(t, quick(Queue{Name: "per-process", Kind: model.Bag, Build: func(s *ref.Space, processes int) ref.Structure {
		return &perProcess{s.Array("slots", processes, 0), s.Word("ends", 0)}
	}}))
	assert.Equal(t, model.Linearizable, r.Verdict, "%s", r)
}

// twoLooks reads the same word on two lines, one after the other: that is no
// spinning, and both reads must be explored with something in between.
type twoLooks struct{ *counterDeque }

func (d twoLooks) Steal(m ref.Memory) (uint64, model.Result) {
	first := d.look(m)
	second := d.look(m)
	if first != second {
		return 7, model.OK // a value that nobody put in
	}
	return 0, model.Abort
}

// look is called from two lines: the line of the access is not all that matters.
func (d twoLooks) look(m ref.Memory) uint64 { return m.Load(d.full, plain) }

func TestTwoLooksAtTheSameWordAreNoSpinning(t *testing.T) {
	q := NewDeque("two-looks", func(s *ref.Space) Deque { return twoLooks{newCounterDeque(s)} })
	q.Capacity, q.Checks = 1, 1 // found by exhaustive exploration or not at all
	r := find(t, q)
	require.Equal(t, model.Violation, r.Verdict, "%s", r)
	assert.Equal(t, "invented", r.Failure.Finding.Kind)
	assert.Contains(t, r.Failure.Case.Note, "exhaustive")
}

// Bytes are a program and a schedule: whatever they are, a good queue holds, and a
// broken one is found by some.
func FuzzLockedDeque(f *testing.F) {
	f.Add([]byte{2, 3, 2, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1})
	f.Add([]byte{})
	f.Fuzz(MakeFuzz(mended()))
}

func TestBytesFindABrokenQueue(t *testing.T) {
	found := 0
	random := choice.NewRandom(1)
	for range 40 {
		data := make([]byte, 30)
		for i := range data {
			data[i] = byte(random.IntN(256))
		}
		x, err := newQueueTest(unlocked(), Flags{})
		require.NoError(t, err)
		r, err := x.watched(t.Context(), func(ctx context.Context) { x.runBytes(ctx, data) })
		require.NoError(t, err)
		require.NotEqual(t, model.Undecided, r.Verdict)
		if r.Verdict == model.Violation {
			found++
			assert.LessOrEqual(t, r.Shrunk.To.Operations, 3)
		}
	}
	assert.Positive(t, found)
}
