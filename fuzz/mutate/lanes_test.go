package mutate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx"
)

// The lines that lanes come to are noted as those of a process that is alone.
func TestVisitsOfLanes(t *testing.T) {
	m, err := ptx.Open("../../gpu/examples/warp-ring.ptx")
	require.NoError(t, err)
	f, err := m.Foreign(model.FIFO, ptx.Setup{Lanes: 3})
	require.NoError(t, err)
	s, err := f.Subject(model.Spec{})
	require.NoError(t, err)
	var came visits
	p, err := s.ParseProgram("0: enq enq enq\n1: deq")
	require.NoError(t, err)
	setup, err := s.Around(came.watch).Prepare(p)
	require.NoError(t, err)
	sim := ref.NewSim(setup)
	defer sim.Close()
	sim.Tracing = true
	walk := &schedule.Walk{}
	walk.Begin(1)
	e := sim.Run(walk)
	require.Equal(t, ref.Complete, e.Ending, e.Fault)
	seen := map[int]bool{}
	for i := range e.Trace {
		if at := int(e.Trace[i].Access.Site); at < len(s.Design().Sites) {
			seen[at] = true
		}
	}
	require.Greater(t, len(seen), 5)
	for site := range s.Design().Sites {
		assert.Equal(t, seen[site], came.at(site), s.Design().Sites[site])
	}
}
