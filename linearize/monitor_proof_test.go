package linearize

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// One put too many among puts that all overlap is certain by counting. The
// general checker would go through all orders in which they may have come, which
// for a dozen takes longer than anybody waits: the verdict must not wait for it.
func TestOneTooManyAtOnce(t *testing.T) {
	for _, capacity := range []int{2, 8, 11, 16, 40} {
		out := ask(context.Background(), crowded(model.FIFO, capacity+1, capacity), nil, true)
		require.Equal(t, model.Violation, out.verdict, out.reason)
		assert.Equal(t, Overfull, out.violation.kind)
		assert.Len(t, out.violation.ops, capacity+1, "with one less there is room")
		assert.Equal(t, model.Linearizable, ask(context.Background(), crowded(model.FIFO, capacity, capacity), nil, true).verdict)
	}
}

// What the general checker does not soon refute stands if it is certain
// without it, and is otherwise open.
func TestProofsThatAreNotSoonFound(t *testing.T) {
	confirmed := func(processes int, certain bool) outcome {
		var set []uint32
		for i := range processes {
			set = append(set, uint32(i))
		}
		return confirm(crowded(model.FIFO, processes, processes-1), Overfull, "too many", set, certain)
	}
	out := confirmed(21, true)
	assert.Equal(t, model.Violation, out.verdict)
	assert.Len(t, out.violation.ops, 21)
	assert.Equal(t, model.Undecided, confirmed(21, false).verdict)
	assert.Equal(t, model.Violation, confirmed(5, false).verdict, "5 operations have 120 orders")
}
