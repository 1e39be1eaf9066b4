package ref

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// An operation is called at its first access and returns at its last.
func TestLogicalTimes(t *testing.T) {
	e := simulate(t, "abp", "0: push pop\n1: steal", 0, 1, 0, 1, 0)
	ops := e.History.Ops
	assert.Equal(t, [2]uint64{1, 5}, [2]uint64{ops[0].Call, ops[0].Return})
	assert.Equal(t, [2]uint64{2, 4}, [2]uint64{ops[2].Call, ops[2].Return}, "the steal saw no task")
	assert.Equal(t, "ok 1 empty", results(e.History))
	assert.Equal(t, "0,1,0,1,0*7", e.Choices().String())
	assert.NoError(t, e.History.Validate())
}

// The trace has every access, with what it saw and left behind.
func TestTrace(t *testing.T) {
	e := simulate(t, "abp", "0: push")
	require.Len(t, e.Trace, 4)
	var kinds []string
	for _, ev := range e.Trace {
		kinds = append(kinds, ev.Kind.String()+" "+ev.Access.Order.String()+" "+e.Setup.Config.Design.Sites[ev.Access.Site])
	}
	assert.Equal(t, []string{
		"load relaxed push: read tail", "store relaxed push: write task",
		"fence acq_rel push: fence task, tail", "store relaxed push: write tail",
	}, kinds)
	assert.Equal(t, uint64(0), e.Trace[3].Before)
	assert.Equal(t, uint64(1), e.Trace[3].After)
	assert.True(t, e.Trace[3].Changed())
	assert.Equal(t, "tail", e.Setup.Space.Name(e.Trace[3].Location))
}

// The published texts differ in their orders and fences, and in nothing else
// but the order of two reads in the release of 2011.
func TestVariantsDifferInFences(t *testing.T) {
	fences := func(variant string) string {
		var all []string
		for _, ev := range simulate(t, "abp:variant="+variant, "0: push push pop pop\n1: steal").Trace {
			if ev.Kind == Fence {
				all = append(all, ev.Access.Order.String())
			}
		}
		return strings.Join(all, " ")
	}
	assert.Equal(t, "acq_rel acq_rel sc sc acq_rel sc", fences("fenced"))
	assert.Equal(t, "", fences("book"))
	assert.Equal(t, "sc sc sc sc", fences("release2011"), "one in each push and pop; the steal finds nothing")
}

func TestAccessOutsideOfTheArrayIsAFault(t *testing.T) {
	e := simulate(t, "abp:capacity=2,defect=no-capacity-check", "0: push push push pop")
	assert.Equal(t, Faulted, e.Ending)
	assert.Equal(t, 0, e.FaultProcess)
	assert.Equal(t, "tasks[2] is outside of the array, which has 2 words", e.Fault)
	last := e.History.Ops[len(e.History.Ops)-1]
	assert.True(t, last.Pending())
	assert.Equal(t, model.Unknown, last.Result)
	assert.Len(t, e.History.Ops, 3, "the pop was never called")
}

// A simulation is fit for use after an execution that did not end well.
func TestSimRecovers(t *testing.T) {
	sim := NewSim(mustSetup(t, "abp:capacity=2,defect=no-capacity-check", "0: push push push\n1: steal steal"))
	defer sim.Close()
	for range 3 {
		assert.Equal(t, Faulted, sim.Run(inTurn{}).Ending)
		sim.Limit = 4
		assert.Equal(t, Cut, sim.Run(inTurn{}).Ending)
		sim.Limit = DefaultLimit
	}
}

// A panic of the algorithm is a fault with its message, not the end of the
// program.
func TestPanicIsAFault(t *testing.T) {
	setup := mustSetup(t, "abp", "0: push\n1: steal")
	setup.structures[0] = panicking{}
	sim := NewSim(setup)
	defer sim.Close()
	e := sim.Run(inTurn{})
	assert.Equal(t, Faulted, e.Ending)
	assert.Contains(t, e.Fault, "panic: out of luck")
	n := NewNative(setup).Run(context.Background(), 1)
	assert.Equal(t, Faulted, n.Ending)
	assert.Contains(t, n.Fault, "panic: out of luck")
}

type panicking struct{}

func (panicking) Do(m Memory, _ *model.Operation) {
	m.Load(0, Access{})
	panic("out of luck")
}

// What comes back must be a result that a history can say.
func TestNonsenseIsAFault(t *testing.T) {
	setup := mustSetup(t, "abp", "0: push\n1: steal")
	setup.structures[0] = nonsense{}
	sim := NewSim(setup)
	defer sim.Close()
	assert.Equal(t, "push came back with abort", sim.Run(inTurn{}).Fault)
}

type nonsense struct{}

func (nonsense) Do(m Memory, o *model.Operation) {
	m.Load(0, Access{})
	o.Result = model.Abort
}

// Who waits on a memory that nobody changes any more is stuck; who waits for a
// process that will still change it is not.
func TestStuck(t *testing.T) {
	for program, want := range map[string]Ending{
		"0: deq\n1: enq":     Complete,
		"0: deq\n1: enq deq": Stuck,
		"0: deq":             Stuck,
	} {
		sim := NewSim(mustSetup(t, "tz:variant=skeleton", program))
		e := sim.Run(alternate{})
		assert.Equal(t, want, e.Ending, program)
		pending := 0
		for _, o := range e.History.Ops {
			if o.Pending() {
				assert.Equal(t, model.Unknown, o.Result)
				pending++
			}
		}
		assert.Equal(t, want == Stuck, pending == 1, program)
		sim.Close()
	}
}

func TestSchedulerMayStop(t *testing.T) {
	sim := NewSim(mustSetup(t, "abp", "0: push"))
	defer sim.Close()
	e := sim.Run(stopper{})
	assert.Equal(t, Cut, e.Ending)
	assert.Empty(t, e.History.Ops)
}

type stopper struct{ Newest }

func (stopper) Next(*View) int { return Stop }

// A scheduler that chooses somebody who cannot go on is a bug of the scheduler
// and must not pass for one of the structure.
func TestBadChoicePanics(t *testing.T) {
	sim := NewSim(mustSetup(t, "abp", "0: push"))
	f := follow{rest: []int{0, 3}}
	assert.PanicsWithValue(t, badChoice("ref: the scheduler chose process 3 at step 1, enabled are [0]"), func() { sim.Run(&f) })
}

// Native runs give valid histories, keep the phases apart, and end with their
// context even if a process would wait for ever.
func TestNative(t *testing.T) {
	n := NewNative(mustSetup(t, "static", "0: put put | take take | take\n1: put | take take | take"))
	for seed := range uint64(200) {
		e := n.Run(context.Background(), seed)
		require.Equal(t, Complete, e.Ending, e.Fault)
		require.NoError(t, e.History.Validate())
		require.Len(t, e.History.Ops, 9)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	e := NewNative(mustSetup(t, "tz:variant=skeleton", "0: deq\n1: enq deq deq")).Run(ctx, 1)
	assert.Equal(t, Cut, e.Ending)
	assert.NoError(t, e.History.Validate())
}

// A phase ends for everybody even if one process has finished its program or
// has faulted.
func TestPhasesEndWithAFault(t *testing.T) {
	setup := mustSetup(t, "static:capacity=1,defect=no-capacity-check", "0: put put | take\n1: | take")
	for range 50 {
		assert.Equal(t, Faulted, NewNative(setup).Run(context.Background(), 1).Ending)
	}
	sim := NewSim(setup)
	defer sim.Close()
	assert.Equal(t, Faulted, sim.Run(inTurn{}).Ending)
}
