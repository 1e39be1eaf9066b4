package queuetest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/model"
	"stealproof/ref"
)

// What no memory has is an error of the text, which names the line: nothing is said
// of the queue, and nothing is saved.
func TestWhatNoMemoryHasIsNoViolation(t *testing.T) {
	loads := func(o ref.Order) func(*counterDeque) func(ref.Memory) {
		return func(d *counterDeque) func(ref.Memory) {
			return func(m ref.Memory) { m.Load(d.full, ref.Access{Order: o}) }
		}
	}
	stores := func(o ref.Order) func(*counterDeque) func(ref.Memory) {
		return func(d *counterDeque) func(ref.Memory) {
			return func(m ref.Memory) { m.Store(d.task, 0, ref.Access{Order: o}) }
		}
	}
	for says, plant := range map[string]func(d *counterDeque) func(ref.Memory){
		"a load of full cannot be release: expected one of weak, relaxed, acquire, sc":   loads(ref.Release),
		"a load of full cannot be acq_rel: expected one of weak, relaxed, acquire, sc":   loads(ref.AcqRel),
		"a load of full cannot be order 99: expected one of weak, relaxed, acquire, sc":  loads(99),
		"a store of task cannot be acquire: expected one of weak, relaxed, release, sc":  stores(ref.Acquire),
		"a store of task cannot be order 99: expected one of weak, relaxed, release, sc": stores(99),
		"a cas of full cannot be order 6: expected one of weak, relaxed, acquire, release, acq_rel, sc": func(d *counterDeque) func(ref.Memory) {
			return func(m ref.Memory) { m.CompareAndSwap(d.full, 7, 7, ref.Access{Order: 6}) }
		},
		"a fence cannot be relaxed: expected one of weak, acquire, release, acq_rel, sc": func(*counterDeque) func(ref.Memory) {
			return func(m ref.Memory) { m.Fence(ref.Access{Order: ref.Relaxed}) }
		},
	} {
		for _, memory := range []string{"sc", "ptx"} {
			t.Run(memory+" "+says, func(t *testing.T) {
				t.Chdir(t.TempDir())
				q := quick(bad(func(d *counterDeque) { d.bad = plant(d) }))
				_, err := Find(t.Context(), q, Flags{Memory: model.Spec{Structure: memory}})
				require.Error(t, err)
				assert.Regexp(t, `^queue bad: misuse_test\.go:[0-9]+: `, err.Error())
				assert.Contains(t, err.Error(), says)

				s := during(t, "TestX", func(s *stand) { Check(s, q) })
				assert.True(t, s.failed)
				assert.Equal(t, "stealproof: "+err.Error()+"\n", s.out.String())
				assert.NoDirExists(t, "testdata")
			})
		}
	}
}

// The same on real atomics.
func TestWhatNoMemoryHasIsRefusedOnRealAtomicsToo(t *testing.T) {
	subject, err := ref.Foreign{Name: "store-acquires", Kind: model.Bag, Build: func(s *ref.Space, _ int) ref.Structure {
		word := s.Word("word", 0)
		return structure(func(m ref.Memory, o *model.Operation) {
			m.Store(word, 1, ref.Access{Order: ref.Acquire})
			o.Result = model.Full
		})
	}}.Subject(model.Spec{})
	require.NoError(t, err)
	program, err := subject.ParseProgram("0: put\n")
	require.NoError(t, err)
	setup, err := subject.Prepare(program)
	require.NoError(t, err)
	f := fuzz.Judge(ref.NewNative(setup).Run(t.Context(), 1))
	assert.Equal(t, fuzz.KindMisuse, f.Kind)
	assert.Contains(t, f.Explanation, "a store of word cannot be acquire")
}

// grower lays out memory when it is used.
type grower struct {
	*counterDeque
	space *ref.Space
}

func (g grower) Push(m ref.Memory, v uint64) model.Result {
	m.Store(g.space.Word("another", 0), v, plain)
	return model.OK
}

func TestMemoryIsLaidOutBeforeTheFirstOperation(t *testing.T) {
	q := quick(NewDeque("grower", func(s *ref.Space) Deque { return grower{newCounterDeque(s), s} }))
	_, err := Find(t.Context(), q, Flags{})
	require.Error(t, err)
	assert.Regexp(t, `^queue grower: misuse_test\.go:[0-9]+: another is laid out by an operation, and all memory is laid out before the first one`, err.Error())
	q = quick(bad(func(d *counterDeque) {
		d.bad = func(ref.Memory) {}
	}))
	build := q.Build
	q.Build = func(s *ref.Space, processes int) ref.Structure {
		inner := build(s, processes)
		return structure(func(m ref.Memory, o *model.Operation) {
			s.Set(0, 1)
			inner.Do(m, o)
		})
	}
	_, err = Find(t.Context(), q, Flags{})
	assert.ErrorContains(t, err, "lock is laid out by an operation")
}

// An access without a scope is one of the GPU, where processes do not share a block.
func TestAnAccessWithoutAScopeReachesOthers(t *testing.T) {
	for scope, want := range map[ref.Access]model.Verdict{
		{}:                 model.Linearizable,
		{Scope: ref.GPU}:   model.Linearizable,
		{Scope: ref.Block}: model.Violation,
	} {
		q := quick(NewDeque("letter-box", func(s *ref.Space) Deque {
			raise, look := scope, scope
			raise.Order, look.Order = ref.Release, ref.Acquire
			return letterBox{s.Word("flag", 0), s.Word("letter", 0), raise, look}
		}))
		q.Shape = []int{2, 2}
		r, err := Find(t.Context(), q, Flags{Seed: 1, Memory: model.Spec{Structure: "ptx"}, Short: true})
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, "%+v: %s", scope, r)
	}
}
