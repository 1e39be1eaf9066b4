package ref

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// oneTask is somebody else's structure: a box for one task.
type oneTask struct{ task Location }

func (b oneTask) Do(m Memory, o *model.Operation) {
	a := Access{Order: SC, Scope: GPU, Site: 0}
	if o.Op == model.Put {
		o.Result = model.Full
		if _, swapped := m.CompareAndSwap(b.task, 0, o.Value, a); swapped {
			o.Result = model.OK
		}
		return
	}
	o.Result = model.Empty
	if v := m.Load(b.task, a); v != 0 {
		o.Result = model.Abort
		if _, swapped := m.CompareAndSwap(b.task, v, 0, a); swapped {
			o.Value, o.Result = v, model.OK
		}
	}
}

// A structure that is not of this package runs as ours do, under its own name.
func TestForeignStructures(t *testing.T) {
	processes := 0
	s, err := Foreign{Name: "one-task", Kind: model.Bag, Capacity: 1, Build: func(sp *Space, n int) Structure {
		processes = n
		return oneTask{sp.Word("task", 0)}
	}}.Subject(model.Spec{})
	require.NoError(t, err)
	p, err := model.ParseProgram(model.Bag, "0: put put take\n1: take")
	require.NoError(t, err)
	setup, err := s.Prepare(p)
	require.NoError(t, err)
	sim := NewSim(setup)
	defer sim.Close()
	e := sim.Run(inTurn{})
	assert.Equal(t, "ok full 1 empty", results(e.History))
	assert.Equal(t, uint64(1), e.History.Params.Capacity)
	assert.Equal(t, 2, processes)

	_, err = s.With(model.Spec{Structure: "abp"})
	assert.EqualError(t, err, `unknown structure "abp": expected one-task`)
	_, err = s.With(model.Spec{Structure: "one-task", Settings: model.Settings{"width": "1"}})
	assert.EqualError(t, err, `structure one-task: unknown setting "width": expected one of defect, mutant, orders`)
	_, err = FindDesign("one-task")
	assert.Error(t, err, "nothing is registered")
}

// What is not made is said of each memory, and not of one that makes it.
func TestWhatExecutionsLeaveOutIsSaid(t *testing.T) {
	for memory, want := range map[string]string{
		"sc": "weaker than sequential consistency", "ptx": "load buffering: ", "ptx:place=block": "load buffering: ",
		"ptx:buffering=yes": "load buffering in random programs, ",
	} {
		spec, err := model.ParseSpec(memory)
		require.NoError(t, err)
		s, err := NewSubject(model.Spec{Structure: "abp"}, spec)
		require.NoError(t, err)
		assert.Contains(t, s.NotMade(), want, memory)
	}
}
