package linearize

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// crowded has so many processes put a value in at the same time.
func crowded(k model.Kind, processes, capacity int) *model.History {
	h := &model.History{Kind: k, Params: model.Params{Capacity: uint64(capacity)}}
	for p := range processes {
		h.Ops = append(h.Ops, model.Operation{Op: k.Ops()[0], Result: model.OK, Value: uint64(p), Process: uint32(p), Call: 0, Return: 100})
	}
	return h
}

// Few operations that all overlap have more orders than anybody can try: 21 of
// them 5·10¹⁹. Who waits for the general checker there never returns, whatever
// the limits are, and fills the memory.
func TestFewOperationsThatAllOverlap(t *testing.T) {
	for _, k := range []model.Kind{model.FIFO, model.Bag} {
		r := Check(t.Context(), crowded(k, 21, 20), Options{})
		require.Len(t, r.Violations, 1, k)
		assert.Equal(t, Overfull, r.Violations[0].Kind, k)
		assert.Len(t, r.Violations[0].Ops, 21, "any 20 of them fit")
		assert.Equal(t, model.Linearizable, Check(t.Context(), crowded(k, 20, 20), Options{}).Verdict, k)

		h := crowded(k, 15, 20)
		h.Ops = append(h.Ops, model.Operation{Op: k.Ops()[0], Result: model.Full, Process: 99, Call: 0, Return: 100})
		r = Check(t.Context(), h, Options{})
		require.Len(t, r.Violations, 1, k)
		assert.Equal(t, FalseFull, r.Violations[0].Kind, "15 values never fill it")
	}
}

// One put too many among puts that all overlap is certain by counting. The
// general checker would go through all orders in which they may have come, which
// for a dozen takes longer than anybody waits: the verdict must not wait for it.
func TestOneTooManyAtOnce(t *testing.T) {
	for _, capacity := range []int{2, 8, 11, 16, 40} {
		out := ask(context.Background(), crowded(model.FIFO, capacity+1, capacity), nil, true)
		require.Equal(t, model.Violation, out.verdict, out.reason)
		assert.Equal(t, Overfull, out.violation.Kind)
		assert.Len(t, out.violation.Ops, capacity+1, "with one less there is room")
		assert.Equal(t, model.Linearizable, ask(context.Background(), crowded(model.FIFO, capacity, capacity), nil, true).verdict)
	}
}

// Removals that never came back may have taken one value or another, so that
// the general checker has many states to look at in every step.
func TestFewOperationsWithManyOutcomes(t *testing.T) {
	h := crowded(model.Bag, 12, 12)
	for p := range 10 {
		h.Ops = append(h.Ops, model.Operation{Op: model.Take, Result: model.Unknown, Process: uint32(50 + p), Return: model.Never})
	}
	h.Ops = append(h.Ops, model.Operation{Op: model.Take, Result: model.Empty, Process: 99, Call: 110, Return: 111})
	r := Check(t.Context(), h, Options{})
	require.Len(t, r.Violations, 1)
	assert.Equal(t, FalseEmpty, r.Violations[0].Kind, "ten removals do not take twelve values")
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
	assert.Len(t, out.violation.Ops, 21)
	assert.Equal(t, model.Undecided, confirmed(21, false).verdict)
	assert.Equal(t, model.Violation, confirmed(5, false).verdict, "5 operations have 120 orders")
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
