package queuetest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
	"stealproof/ref"
)

// refusing is a deque that says full, or empty, whatever happens.
type refusing struct {
	*counterDeque
	puts, takes bool
}

func (d refusing) Push(m ref.Memory, v uint64) model.Result {
	if d.puts {
		m.Load(d.full, plain)
		return model.Full
	}
	return d.counterDeque.Push(m, v)
}

func (d refusing) Steal(m ref.Memory) (uint64, model.Result) {
	m.Load(d.full, plain)
	return 0, model.Abort
}

func (d refusing) Pop(m ref.Memory) (uint64, model.Result) {
	if d.takes {
		return d.Steal(m)
	}
	return d.counterDeque.Pop(m)
}

// A queue that does nothing breaks no promise, and fails all the same.
func TestAQueueThatDoesNothingWasNotTested(t *testing.T) {
	t.Chdir(t.TempDir())
	q := quick(NewDeque("refusing", func(s *ref.Space) Deque { return refusing{newCounterDeque(s), true, false} }))
	r := find(t, q)
	assert.Equal(t, model.NotRun, r.Verdict)
	s := during(t, "TestX", func(s *stand) { Check(s, q) })
	assert.True(t, s.failed)
	assert.Regexp(t, `^stealproof: not run: nothing was tested, since the queue never puts anything in: of [0-9]+ operations that should, none was ok\n`, s.out.String())
	assert.Contains(t, s.out.String(), "push: ok never, full always; pop: ok never, empty always; steal: ok never, empty never, abort always")

	bag := quick(NewBag("keeps-all", func(s *ref.Space) Bag { return oneWay{s.Word("word", 0)} }))
	r = find(t, bag)
	assert.Equal(t, model.NotRun, r.Verdict)
	assert.Contains(t, r.String(), "the queue never takes anything out")
}

// usedUp is a deque on an array that is not circular: what was pushed once takes its
// room for ever.
type usedUp struct {
	*counterDeque
	pushed ref.Location
}

func (d usedUp) Push(m ref.Memory, v uint64) (r model.Result) {
	if m.Load(d.pushed, plain) == 2 {
		return model.Full
	}
	if r = d.counterDeque.Push(m, v); r == model.OK {
		m.FetchAdd(d.pushed, 1, plain)
	}
	return r
}

func TestFullsThoughThereIsRoom(t *testing.T) {
	r := find(t, quick(NewDeque("used-up", func(s *ref.Space) Deque { return usedUp{newCounterDeque(s), s.Word("pushed", 0)} })))
	require.Equal(t, model.Linearizable, r.Verdict, "%s", r)
	assert.Equal(t, 1, r.Looked.Room)
	assert.Positive(t, r.Looked.Roomy)
	assert.Less(t, r.Looked.Roomy, r.Looked.Fulls, "some find the one slot taken")
	assert.Regexp(t, `\nfull though there was room: [0-9]+% of the fulls`, r.Looked.String())

	r = find(t, quick(bad(func(*counterDeque) {})))
	require.Equal(t, model.Linearizable, r.Verdict, "%s", r)
	assert.Zero(t, r.Looked.Roomy, "one that is full when it says so")
	assert.Positive(t, r.Looked.Fulls)
}
