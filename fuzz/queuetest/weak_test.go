package queuetest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
	"stealproof/ref"
)

// letterBox hands one value over: push stores it and then raises a flag, steal
// looks at the flag and then reads. In between stands an order, or not.
type letterBox struct {
	flag, letter ref.Location
	raise, look  ref.Access
}

func (b letterBox) Push(m ref.Memory, v uint64) model.Result {
	if m.FetchAdd(b.flag, 0, plain) != 0 {
		return model.Full
	}
	m.Store(b.letter, v, ref.Access{Order: ref.Relaxed, Scope: ref.GPU})
	m.Store(b.flag, 1, b.raise)
	return model.OK
}

func (b letterBox) Steal(m ref.Memory) (uint64, model.Result) {
	if m.Load(b.flag, b.look) != 1 {
		return 0, model.Abort
	}
	v := m.Load(b.letter, ref.Access{Order: ref.Relaxed, Scope: ref.GPU})
	if _, swapped := m.CompareAndSwap(b.flag, 1, 2, plain); !swapped {
		return 0, model.Abort
	}
	return v, model.OK
}

// Pop is a steal by the owner: whoever comes too late finds nothing.
func (b letterBox) Pop(m ref.Memory) (uint64, model.Result) {
	v, r := b.Steal(m)
	if r == model.Abort {
		r = model.Empty
	}
	return v, r
}

func boxOf(raise, look ref.Order) Queue {
	return quick(NewDeque("letter-box", func(s *ref.Space) Deque {
		return letterBox{s.Word("flag", 0), s.Word("letter", 0), ref.Access{Order: raise, Scope: ref.GPU}, ref.Access{Order: look, Scope: ref.GPU}}
	}))
}

// On a weak memory an order that is missing is found, though on a sequentially
// consistent one it makes no difference.
func TestAQueueOnAWeakMemory(t *testing.T) {
	ptx := model.Spec{Structure: "ptx"}
	for _, test := range []struct {
		raise, look ref.Order
		memory      model.Spec
		want        model.Verdict
	}{
		{ref.Release, ref.Acquire, ptx, model.Linearizable},
		{ref.Relaxed, ref.Acquire, ptx, model.Violation},
		{ref.Release, ref.Relaxed, ptx, model.Violation},
		{ref.Relaxed, ref.Relaxed, model.Spec{}, model.Linearizable},
	} {
		q := boxOf(test.raise, test.look)
		q.Shape = []int{2, 2}
		r, err := Find(t.Context(), q, Flags{Seed: 1, Memory: test.memory, Short: true})
		require.NoError(t, err)
		assert.Equal(t, test.want, r.Verdict, "%s, %s: %s", test.raise, test.look, r.text())
		if r.Failure != nil && test.want == model.Violation {
			assert.Equal(t, "invented", r.Failure.Finding.Kind)
			assert.Equal(t, 1, r.Shrunk.To.Weak)
		}
	}
}

// A saved case runs on the memory that it was saved for, whatever the test asks for.
func TestSavedCasesKeepTheirMemory(t *testing.T) {
	t.Chdir(t.TempDir())
	q := boxOf(ref.Relaxed, ref.Acquire)
	q.Shape = []int{2, 2}
	onPTX := choices{seed: 1, memory: model.Spec{Structure: "ptx"}}
	s := during(t, "TestX", func(s *stand) { newChecker(s, q, onPTX).check() })
	require.True(t, s.failed)
	s = during(t, "TestX", func(s *stand) { newChecker(s, q, choices{seed: 1, memory: model.Spec{Structure: "sc"}}).check() })
	assert.True(t, s.failed)
	assert.Contains(t, s.out.String(), "fails again\nviolation (invented)")
	s = during(t, "TestX", func(s *stand) { newChecker(s, boxOf(ref.Release, ref.Acquire), choices{seed: 1}).check() })
	assert.False(t, s.failed, s.out.String())
}
