package exhaust

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
)

// Queues of tests: a lock, with a way to wait for it, and a slot of one value.
// What they do is wrong or right as the test says.
var testQueues = func() map[string]ref.Foreign {
	queues := map[string]ref.Foreign{}
	for name, acquire := range acquires {
		name = "test-" + name
		queues[name] = ref.Foreign{Name: name, Kind: model.FIFO, Build: func(s *ref.Space, _ int) ref.Structure {
			return &slot{lock: s.Word("lock", 0), ticket: s.Word("ticket", 0), full: s.Word("full", 0), value: s.Word("value", 0), acquire: acquire}
		}}
	}
	return queues
}()

type slot struct {
	lock, ticket, full, value ref.Location
	acquire                   func(q *slot, m ref.Memory) bool
}

func site(n uint8) ref.Access { return ref.Access{Order: ref.SC, Scope: ref.GPU, Site: n} }

func (q *slot) Do(m ref.Memory, o *model.Operation) {
	if !q.acquire(q, m) {
		if o.Result = model.Full; o.Op == model.Deq { // a lie, if there is a value
			o.Result, o.Value = model.Empty, model.NoValue
		}
		return
	}
	full := m.Load(q.full, site(10)) == 1
	switch {
	case o.Op == model.Enq && full:
		o.Result = model.Full
	case o.Op == model.Enq:
		m.Store(q.value, o.Value, site(11))
		m.Store(q.full, 1, site(12))
		o.Result = model.OK
	case full:
		o.Value, o.Result = m.Load(q.value, site(13)), model.OK
		m.Store(q.full, 0, site(14))
	default:
		o.Value, o.Result = model.NoValue, model.Empty
	}
	m.Store(q.lock, 0, site(15))
}

func (q *slot) try(m ref.Memory) bool {
	_, swapped := m.CompareAndSwap(q.lock, 0, 1, site(1))
	return swapped
}

func swapped(_ uint64, ok bool) bool { return ok }

var acquires = map[string]func(q *slot, m ref.Memory) bool{
	// one access again and again
	"spin": func(q *slot, m ref.Memory) bool {
		for !q.try(m) {
		}
		return true
	},
	// a read, then a swap
	"read-swap": func(q *slot, m ref.Memory) bool {
		for m.Load(q.lock, site(2)) != 0 || !q.try(m) {
		}
		return true
	},
	// a loop of two accesses to two locations, of which the second never changes
	"two-reads": func(q *slot, m ref.Memory) bool {
		for !q.try(m) {
			m.Load(q.ticket, site(3))
		}
		return true
	},
	// a loop that reads two locations which others write, the lock last
	"guarded": func(q *slot, m ref.Memory) bool {
		for m.Load(q.full, site(4)) > 1 || !q.try(m) {
		}
		return true
	},
	// the same with no order at all, so that old values can be read for ever
	"weak-reads": func(q *slot, m ref.Memory) bool {
		for !swapped(m.CompareAndSwap(q.lock, 0, 1, ref.Access{Order: ref.Acquire, Scope: ref.GPU, Site: 6})) {
			for m.Load(q.ticket, ref.Access{Order: ref.Weak, Site: 7}) == 0 && m.Load(q.lock, ref.Access{Order: ref.Relaxed, Scope: ref.GPU, Site: 8}) != 0 {
			}
		}
		return true
	},
	// a loop that ends when nobody comes
	"waits-for-ever": func(q *slot, m ref.Memory) bool {
		for m.Load(q.ticket, site(4)) == 0 {
			m.Load(q.full, site(5))
		}
		return true
	},
	// the planted counters: who gives up after some attempts tells a lie
	"gives-up-after-2": givesUp(2, false),
	"gives-up-after-3": givesUp(3, true),
	"gives-up-after-9": givesUp(9, false),
	// an sc swap is two accesses on the weak memory: just below its limit of 100
	"gives-up-after-40": givesUp(40, false),
	// who has tried in vain tells a lie, however often that was
	"sulks": func(q *slot, m ref.Memory) bool {
		tried := false
		for !q.try(m) {
			tried = true
		}
		if tried {
			m.Store(q.lock, 0, site(15))
		}
		return !tried
	},
	// a loop that looks at nothing
	"silent": func(*slot, ref.Memory) bool {
		<-released
		return false
	},
	"panics": func(q *slot, m ref.Memory) bool {
		if m.Load(q.full, site(5)) == 1 {
			panic("a queue that cannot be asked twice")
		}
		return q.try(m)
	},
	"remembers": func(q *slot, m ref.Memory) bool {
		outside++
		if outside%3 == 0 {
			m.Load(q.ticket, site(3))
		}
		for !q.try(m) {
		}
		return true
	},
}

var (
	released = make(chan struct{})
	outside  int
)

func givesUp(after int, reads bool) func(q *slot, m ref.Memory) bool {
	return func(q *slot, m ref.Memory) bool {
		for range after {
			if reads {
				m.Load(q.ticket, site(3))
			}
			if q.try(m) {
				return true
			}
		}
		return false
	}
}

// Loops of one access and of several are recognised without a hint: the search
// ends, and finds the histories of all interleavings in which each process makes
// a few accesses in vain.
func TestSpinsOfSeveralAccesses(t *testing.T) {
	for _, c := range []struct {
		spec, program string
		patience      int
	}{
		{"test-spin", "0: enq\n1: deq", 4},
		{"test-read-swap", "0: enq\n1: deq", 4},
		{"test-two-reads", "0: enq\n1: deq", 5},
		{"test-guarded", "0: enq\n1: deq", 5},
		{"test-guarded", "0: enq enq\n1: deq", given.Amount(testing.Short(), 0, 0, 5)},
		{"tz:variant=skeleton,capacity=3", "0: enq\n1: deq", 7},
		{"blocking:variant=printed", "0: enq\n1: deq", 4},
	} {
		if c.patience == 0 {
			continue // a million interleavings: for make large
		}
		setup := setupOf(t, c.spec, c.program)
		assert.True(t, seesWith(t, setup, 1<<21, c.patience), "%s\n%s: too many interleavings to compare", c.spec, c.program)
		r := exhaust(t, &Search{Subject: setup.Subject, Programs: alone(setup)})
		assert.NotEqual(t, model.Undecided, r.Verdict, c.spec)
	}
}

// A loop that gives up after some attempts is no spin, however alike its turns
// are: what comes after it is explored. Here that is a lie, told while another
// process holds the lock.
func TestRetryCountersAreExploredToTheirEnd(t *testing.T) {
	for _, spec := range []string{"test-gives-up-after-2", "test-gives-up-after-3", "test-gives-up-after-9"} {
		r := exhaust(t, searchOf(setupOf(t, spec, "0: enq enq\n1: deq")))
		require.NotNil(t, r.Failure, spec)
		assert.Equal(t, "false-empty", r.Failure.Finding.Kind, r.Failure.Finding.Explanation)
	}
	assert.True(t, exhaust(t, searchOf(setupOf(t, "test-spin", "0: enq enq\n1: deq"))).Complete, "who does not give up does not lie")
	for _, spec := range []string{"test-gives-up-after-2", "test-gives-up-after-3"} {
		assert.True(t, seesWith(t, setupOf(t, spec, "0: enq\n1: deq"), 1<<21, 100), spec)
	}
}

// What is different behind a failed round is seen, though executions are made
// without such rounds at first.
func TestFailedRoundsThatMatter(t *testing.T) {
	for _, jobs := range []int{1, 3} {
		x := searchOf(setupOf(t, "test-sulks", "0: enq enq\n1: deq"))
		x.Jobs = jobs
		r := exhaust(t, x)
		require.NotNil(t, r.Failure)
		assert.Equal(t, "false-empty", r.Failure.Finding.Kind)
	}
}

// A structure that does not behave ends the search, not the program, and is
// named with the choices that lead there.
func TestStructuresThatMisbehave(t *testing.T) {
	setup := setupOf(t, "test-silent", "0: enq\n1: deq")
	_, err := (&Search{Subject: setup.Subject, Programs: alone(setup), Patience: 50 * time.Millisecond}).Run(context.Background())
	close(released) // what hangs goes on and ends
	var silent *silentError
	require.ErrorAs(t, err, &silent)
	assert.Equal(t, 0, silent.Process)
	assert.ErrorContains(t, err, "process 0 has made no access for 50ms, in its operation 1 (enq)")

	r := exhaust(t, searchOf(setupOf(t, "test-panics", "0: enq enq\n1: deq")))
	require.NotNil(t, r.Failure)
	assert.Equal(t, fuzz.KindFault, r.Failure.Finding.Kind)
	assert.Contains(t, r.Failure.Finding.Explanation, "a queue that cannot be asked twice")
	assert.NotEmpty(t, r.Failure.Case.Schedule.Choices)

	alone := searchOf(setupOf(t, "test-remembers", "0: enq\n1: deq"))
	alone.Jobs = 1
	_, err = alone.Run(context.Background())
	assert.ErrorIs(t, err, errNotRepeatable)
}

// The same on the weak memory, where it is told apart from searches that go on.
func TestSilentOperationsOnWeakMemory(t *testing.T) {
	released := make(chan struct{})
	defer close(released) // what hangs goes on and ends
	hangs := ref.Foreign{Name: "hangs", Kind: model.FIFO, Build: func(s *ref.Space, _ int) ref.Structure {
		return hanging{word: s.Word("word", 0), until: released}
	}}
	s, err := hangs.Subject(model.Spec{Structure: ref.MemoryPTX})
	require.NoError(t, err)
	p, err := s.ParseProgram("0: enq\n1: deq")
	require.NoError(t, err)
	_, err = (&Search{Subject: s, Programs: []model.Program{p}, Patience: 50 * time.Millisecond}).Run(t.Context())
	var silent *silentError
	require.ErrorAs(t, err, &silent)
	assert.Equal(t, 1, silent.Process)
	assert.NotEmpty(t, silent.Choices)
	assert.ErrorContains(t, err, "process 1 has made no access for 50ms, in its operation 1 (deq)")
}

// hanging is a queue whose dequeue makes an access, and then none any more.
type hanging struct {
	word  ref.Location
	until chan struct{}
}

func (q hanging) Do(m ref.Memory, o *model.Operation) {
	m.Load(q.word, site(1))
	if o.Result = model.Full; o.Op == model.Deq {
		o.Result = model.Empty
		<-q.until
	}
}

// A structure of somebody else is searched like ours, whatever the memory, with as
// many programs as one likes.
func TestManyProgramsOfAForeignStructure(t *testing.T) {
	for _, memory := range []string{"sc", "ptx"} {
		s, err := testQueues["test-spin"].Subject(given.Spec(t, memory))
		require.NoError(t, err)
		all, err := programs.All(s, programs.Bounds{Shape: programs.Shape{1, 1}})
		require.NoError(t, err)
		r := exhaust(t, &Search{Subject: s, Programs: all})
		assert.Equal(t, model.Linearizable, r.Verdict, memory)
		assert.Equal(t, len(all), r.Exhausted, memory)
	}
}
