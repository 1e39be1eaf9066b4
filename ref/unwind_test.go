package ref

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// guarded is a queue whose operations give their lock back in a deferred call, and
// put a fence before that.
type guarded struct{ lock, entered Location }

func (q guarded) Do(m Memory, o *model.Operation) {
	a := Access{Order: AcqRel, Scope: GPU, Site: 0}
	for {
		if _, swapped := m.CompareAndSwap(q.lock, 0, 1, a); swapped {
			break
		}
	}
	defer m.Store(q.lock, 0, Access{Order: Release, Scope: GPU, Site: 0})
	defer m.Fence(a)
	m.FetchAdd(q.entered, 1, a)
	if o.Result = model.Full; o.Op == model.Deq {
		o.Result = model.Empty
	}
}

// atMost stops an execution after so many accesses.
type atMost struct {
	inTurn
	steps int
}

func (s atMost) Next(v *View) int {
	if v.Step >= s.steps {
		return Stop
	}
	return s.inTurn.Next(v)
}

// What an operation has deferred makes no access once the execution was cut, on
// any memory, and the next execution is as good as the first.
func TestDeferredAccessesOfCutExecutions(t *testing.T) {
	for _, memory := range []string{MemorySC, MemoryPTX} {
		s, err := Foreign{Name: "guarded", Kind: model.FIFO, Build: func(s *Space, _ int) Structure {
			return guarded{s.Word("lock", 0), s.Word("entered", 0)}
		}}.Subject(model.Spec{Structure: memory})
		require.NoError(t, err)
		p, err := s.ParseProgram("0: enq deq\n1: deq")
		require.NoError(t, err)
		setup, err := s.Prepare(p)
		require.NoError(t, err)
		sim := NewSim(setup)
		defer sim.Close()
		sim.Tracing = true
		for steps := range 9 {
			e := sim.Run(atMost{steps: steps})
			assert.Equal(t, Cut, e.Ending, "%s: %s", memory, e.Fault)
			assert.Equal(t, steps, e.Steps, memory)
			for _, ev := range e.Trace {
				assert.LessOrEqual(t, ev.Step, steps, memory)
			}
			whole := sim.Run(inTurn{})
			assert.Equal(t, Complete, whole.Ending, memory)
			assert.Equal(t, "full empty empty", results(whole.History), memory)
		}
	}
}

// aloof is a bag that nobody ever gets anything out of, and that does not even look.
type aloof struct{ word Location }

func (b aloof) Do(m Memory, o *model.Operation) {
	if o.Result = model.Abort; o.Op == model.Put {
		m.Store(b.word, o.Value, Access{Order: Relaxed, Scope: GPU, Site: 0})
		o.Result = model.OK
	}
}

// An operation without an access precedes what follows a later access of its
// process, or the end of its phase, and nothing else of other processes.
func TestOperationsWithoutAccessOnAWeakMemory(t *testing.T) {
	s, err := Foreign{Name: "aloof", Kind: model.Bag, Build: func(s *Space, _ int) Structure { return aloof{s.Word("word", 0)} }}.Subject(model.Spec{Structure: MemoryPTX})
	require.NoError(t, err)
	for program, want := range map[string]model.Precedence{
		"0: take\n1: take":         {{0, 0}, {0, 0}},
		"0: take put\n1: take":     {{0, 0}, {0, 0}, {0, 0}},
		"0: take |\n1: | take put": {{0, 0}, {1, 0}, {1, 0}},
	} {
		p, err := s.ParseProgram(program)
		require.NoError(t, err)
		setup, err := s.Prepare(p)
		require.NoError(t, err)
		sim := NewSim(setup)
		assert.Equal(t, want, sim.Run(inTurn{}).Precedence(), program)
		sim.Close()
	}
}
