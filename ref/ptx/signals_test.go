package ptx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/compare"
	"stealproof/fuzz/exhaust"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx"
)

// Programs with signals do on a kernel what they do on the text beside it.
func TestSignalsOfModules(t *testing.T) {
	for _, memory := range []string{"sc", "ptx"} {
		beside, err := ref.NewSubject(model.Spec{Structure: "abp"}, model.Spec{Structure: memory})
		require.NoError(t, err)
		kernel := subject(t, "ptx/abp.ptx", model.WSDeque, ptx.Setup{Numbers: [8]uint64{2, 16, 128}}, beside.Config().Params().Capacity, memory)
		c := &compare.Comparison{Subjects: [2]ref.Subject{beside, kernel}, Programs: parsed(t, kernel,
			"0: push signal:a pop\n1: wait:a steal", "0: push signal:a\n1: wait:a.relaxed.gpu steal", "0: push push wait:b pop\n1: steal signal:b")}
		r, err := c.Run(t.Context())
		require.NoError(t, err)
		assert.True(t, r.Same(), "on %s: %+v", memory, r)
		assert.Equal(t, 3, r.Programs)
	}
}

// A signal is made by the first lane, behind all that its process did before, and whoever
// waits goes on with all lanes.
func TestSignalsOfLanes(t *testing.T) {
	for _, c := range []struct {
		file, memory string
		want         model.Verdict
	}{
		{"block-deque", "sc", model.Linearizable},
		{"block-deque", "ptx", model.Linearizable},
		{"block-deque-hasty", "ptx", model.Violation},
	} {
		s := subject(t, "examples/"+c.file+".ptx", model.WSDeque, ptx.Setup{Lanes: 2}, 0, c.memory)
		r, err := (&exhaust.Search{Subject: s, Programs: parsed(t, s, "0: push signal:a pop\n1: wait:a steal"), Jobs: 1}).Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, c.want, r.Verdict, "%s on %s", c.file, c.memory)
	}
	// what comes first by signals comes first: nobody finds the deque empty
	s := subject(t, "examples/block-deque.ptx", model.WSDeque, ptx.Setup{Lanes: 2}, 0, "ptx")
	setup, err := s.Prepare(parsed(t, s, "0: push signal:a\n1: wait:a steal")[0])
	require.NoError(t, err)
	sim := ref.NewSim(setup)
	defer sim.Close()
	for e := (&every{}); ; {
		x := sim.Run(e)
		require.Equal(t, ref.Complete, x.Ending, x.Fault)
		require.Equal(t, model.OK, x.History.Ops[1].Result)
		if !e.advance() {
			break
		}
	}
}

// Whether two threads are of one warp or of two makes no difference to a queue that has
// barriers of the block alone.
func TestLanesAreCompared(t *testing.T) {
	one := subject(t, "examples/block-deque.ptx", model.WSDeque, ptx.Setup{Lanes: 2}, 0, "sc")
	two, err := one.With(one.Spec().With("lanes", "2x1"))
	require.NoError(t, err)
	r, err := (&compare.Comparison{Subjects: [2]ref.Subject{one, two}, Programs: parsed(t, one, "0: push pop\n1: steal", "0: push push\n1: steal steal")}).Run(t.Context())
	require.NoError(t, err)
	assert.True(t, r.Same(), "%+v", r)
	assert.Greater(t, r.Histories, 10)
}

func parsed(t *testing.T, s ref.Subject, texts ...string) (all []model.Program) {
	t.Helper()
	for _, text := range texts {
		p, err := s.ParseProgram(text)
		require.NoError(t, err)
		all = append(all, p)
	}
	return all
}
