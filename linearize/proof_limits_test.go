package linearize

import (
	"context"
	"fmt"
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
		var lines []string
		for i := range capacity + 1 {
			lines = append(lines, fmt.Sprintf(`{"process":%d,"op":"enq","result":"ok","value":%d,"call":0,"return":10}`, i, i))
		}
		h := historyWith(t, model.FIFO, fmt.Sprintf(`"capacity":%d`, capacity), lines...)
		out := ask(context.Background(), h, nil, true)
		require.Equal(t, model.Violation, out.verdict, out.reason)
		assert.Equal(t, Overfull, out.violation.Kind)
		assert.Len(t, out.violation.Ops, capacity+1, "with one less there is room")

		h = historyWith(t, model.FIFO, fmt.Sprintf(`"capacity":%d`, capacity), lines[:capacity]...)
		assert.Equal(t, model.Linearizable, ask(context.Background(), h, nil, true).verdict)
	}
}

// A steal that never came back may have taken all that the owner then missed. In
// how many ways it may have is more than the general checker follows; that it
// gives up is no proof that there is no order.
func TestGivingUpIsNoProof(t *testing.T) {
	for _, n := range []uint64{10, maxStates, maxStates + 1, 1_000_000} {
		h := history(t, model.Range,
			fmt.Sprintf(`{"process":0,"op":"push","result":"ok","range":[0,%d],"call":0,"return":1}`, n),
			fmt.Sprintf(`{"process":1,"op":"steal","size":%d,"call":2}`, n),
			`{"process":0,"op":"pop","result":"empty","size":1,"call":10,"return":11}`)
		for _, checker := range []Checker{Auto, Monitor} {
			verdict := Check(context.Background(), h, Options{Checker: checker}).Verdict
			assert.NotEqual(t, model.Violation, verdict, "%d indices, %s", n, checker)
		}

		h.Ops[1].Call = 12 // too late to have taken anything
		assert.Equal(t, model.Violation, Check(context.Background(), h, Options{}).Verdict, "%d indices", n)
	}
}
