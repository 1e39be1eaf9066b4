package monitor

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// One put too many among puts that all overlap is certain by counting. The
// general checker would go through all orders in which they may have come, which
// for a dozen takes longer than anybody waits: the verdict must not wait for it.
func TestOneTooManyAtOnce(t *testing.T) {
	for _, capacity := range []int{2, 8, 16, 11, 40}[:testkit.Amount(testing.Short(), 2, 3, 5)] {
		out := Decide(context.Background(), testkit.Crowded(model.FIFO, capacity+1, capacity), nil, true)
		require.Equal(t, model.Violation, out.Verdict, out.Reason)
		assert.Equal(t, finding.Overfull, out.Violation.Kind)
		assert.Len(t, out.Violation.Ops, capacity+1, "with one less there is room")
		assert.Equal(t, model.Linearizable, Decide(context.Background(), testkit.Crowded(model.FIFO, capacity, capacity), nil, true).Verdict)
	}
}

// What the general checker does not soon refute stands if it is certain
// without it, and is otherwise open.
func TestProofsThatAreNotSoonFound(t *testing.T) {
	confirmed := func(processes int, certain bool) finding.Finding {
		var set []uint32
		for i := range processes {
			set = append(set, uint32(i))
		}
		return confirm(testkit.Crowded(model.FIFO, processes, processes-1), finding.Overfull, "too many", set, certain)
	}
	out := confirmed(21, true)
	assert.Equal(t, model.Violation, out.Verdict)
	assert.Len(t, out.Violation.Ops, 21)
	assert.Equal(t, model.Undecided, confirmed(21, false).Verdict)
	assert.Equal(t, model.Violation, confirmed(5, false).Verdict, "5 operations have 120 orders")
}
