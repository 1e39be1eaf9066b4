package queuetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/fuzz/mutate"
	"stealproof/fuzz/progress"
	"stealproof/model"
	"stealproof/ref"
)

// handover is a queue of one value whose state says what there is to do: 0 nothing
// inside, 1 a value comes, 2 it is there, 3 it goes. Nobody waits.
type handover struct{ state, value ref.Location }

func newHandover(s *ref.Space) FIFO { return handover{s.Word("state", 0), s.Word("value", 0)} }

var (
	relaxed = ref.Access{Order: ref.Relaxed, Scope: ref.GPU}
	acqRel  = ref.Access{Order: ref.AcqRel, Scope: ref.GPU}
	release = ref.Access{Order: ref.Release, Scope: ref.GPU}
)

func (q handover) Enq(m ref.Memory, v uint64) model.Result {
	if _, mine := m.CompareAndSwap(q.state, 0, 1, acqRel); !mine {
		return model.Full
	}
	m.Store(q.value, v, relaxed)
	m.Store(q.state, 2, release)
	return model.OK
}

func (q handover) Deq(m ref.Memory) (uint64, model.Result) {
	if _, mine := m.CompareAndSwap(q.state, 2, 3, acqRel); !mine { // that it releases serves nobody
		return 0, model.Empty
	}
	v := m.Load(q.value, relaxed)
	m.Store(q.state, 0, release)
	return v, model.OK
}

func ownQueue() Queue {
	q := NewFIFO("handover", newHandover)
	q.Checks = 1000
	return q
}

// The orders that a queue of one's own needs are found, and named after its lines.
func TestFencesOfOnesOwnQueue(t *testing.T) {
	a := Fences(t, ownQueue())
	found := map[string]string{}
	for _, s := range a.Sites {
		found[a.Design.Sites[s.Site]] = a.Sufficient[s.Site].String()
	}
	assert.Equal(t, "release", found["enq: write state"], found)
	assert.Equal(t, "acq_rel", found["deq: swap state"], "so the store behind it needs no order")
	assert.Equal(t, "weak", found["enq: write value"], found)
	assert.Less(t, a.Cost, a.PublishedCost)
	assert.True(t, a.Exhausted)
}

// Mutants of a queue of one's own are killed, and a reason for one that is not
// needed is refused.
func TestMutantsOfOnesOwnQueue(t *testing.T) {
	const useless = "whoever finds it used up says full, which claims nothing without a capacity"
	reasons := map[string]string{
		"enq-swap-state.twice": useless, "enq-swap-state.never": useless,
		"deq-write-state.drop": useless, "deq-write-state.plus-one": useless, "deq-write-state.minus-one": useless,
		"deq-swap-state.drop": "a lie",
	}
	var score *mutate.Score
	s := during(t, t.Name(), func(s *stand) {
		score = Mutants(s, ownQueue(), reasons)
	})
	assert.True(t, s.failed)
	assert.Contains(t, s.out.String(), "there is a reason for deq-swap-state.drop, which does not live on")
	assert.NotContains(t, s.out.String(), "nobody notices")
	assert.Equal(t, len(reasons)-1, score.Count(mutate.Survivor))
	assert.Zero(t, score.Count(mutate.NotJudged))
	assert.Greater(t, score.Count(mutate.Killed), 20)
}

// Nobody waits in a queue without a loop; whoever says that somebody does is wrong.
func TestProgressOfOnesOwnQueue(t *testing.T) {
	r := Progress(t, ownQueue(), map[model.Op]progress.Level{model.Enq: progress.WaitFree})
	for _, op := range r.Ops {
		assert.Equal(t, progress.WaitFree, op.Level)
		assert.Equal(t, 3, op.Own)
	}
	failing := during(t, t.Name(), func(s *stand) {
		Progress(s, ownQueue(), map[model.Op]progress.Level{model.Deq: progress.Blocking})
	})
	assert.True(t, failing.failed)
	assert.Contains(t, failing.out.String(), "deq    wait-free, at most 3 accesses of its own; EXPECTED blocking")

	blocks := Progress(t, NewFIFO("deferring", newDeferring), map[model.Op]progress.Level{model.Deq: progress.Blocking})
	assert.Contains(t, fmt.Sprint(blocks.Ops[0].Stops), `enq before "enq: read full" (full)`, "the points are lines of the queue")
}
