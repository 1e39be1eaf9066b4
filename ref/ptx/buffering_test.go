package ptx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// The kernel, too, needs the sixth fence: without it there is a violation with load
// buffering, and none without. Nor does it acquire where it loses its swap.
func TestLoadBufferingOfTheKernel(t *testing.T) {
	verdict := func(patches, memory, program string) model.Verdict {
		s, err := patchedABP(t, patches)
		require.NoError(t, err)
		spec, err := model.ParseSpec(memory)
		require.NoError(t, err)
		s, err = s.On(spec)
		require.NoError(t, err)
		p, err := s.ParseProgram(program)
		require.NoError(t, err)
		return search(t, s, p).verdict
	}
	const once, twice = "0: push push pop push\n1: steal", "0: push pop push\n1: steal steal"
	assert.Equal(t, model.Linearizable, verdict("steal_fence_task_head.drop", "ptx", once))
	assert.Equal(t, model.Violation, verdict("steal_fence_task_head.drop", "ptx:buffering=yes", once))
	assert.Equal(t, model.Linearizable, verdict("push_read_tail.weak", "ptx:buffering=yes", once))
	assert.Equal(t, model.Violation, verdict("push_read_tail.weak", "ptx:buffering=yes", twice))
}
