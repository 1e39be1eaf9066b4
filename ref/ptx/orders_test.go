package ptx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
	"stealproof/ref"
)

// A name behind "// site" does not say what is done there, so that an order which the
// access cannot have is refused when it is made.
func TestOrdersOfNamedSites(t *testing.T) {
	s, err := patchedABP(t, "")
	require.NoError(t, err)
	s, err = s.On(model.Spec{Structure: ref.MemoryPTX})
	require.NoError(t, err)
	program, err := s.ParseProgram("0: push pop\n1: steal")
	require.NoError(t, err)
	for orders, fault := range map[string]string{
		"pop_fence_tail_head.acq_rel+push_write_task.release": "",
		"push_write_task.acquire":                             "orders=push_write_task.acquire: a store of +",
	} {
		with, err := s.With(s.Spec().With("orders", orders))
		require.NoError(t, err, orders)
		setup, err := with.Prepare(program)
		require.NoError(t, err)
		sim := ref.NewSim(setup)
		e := sim.Run(first{})
		assert.Equal(t, fault != "", e.Misuse, orders)
		assert.Contains(t, e.Fault, fault)
		sim.Close()
	}
}

// first lets the first process go on that can, and takes the first outcome.
type first struct{}

func (first) Next(v *ref.View) int        { return v.Enabled[0] }
func (first) Pick(_ *ref.View, _ int) int { return 0 }
