package linearize

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// Few operations that all overlap have more orders than anybody can try: 21 of
// them 5·10¹⁹. Who waits for the general checker there never returns, whatever
// the limits are, and fills the memory.
func TestFewOperationsThatAllOverlap(t *testing.T) {
	for _, k := range []model.Kind{model.FIFO, model.Bag}[:testkit.Amount(testing.Short(), 1, 2, 2)] {
		r := Check(t.Context(), testkit.Crowded(k, 21, 20), Options{})
		require.Len(t, r.Violations, 1, k)
		assert.Equal(t, finding.Overfull, r.Violations[0].Kind, k)
		assert.Len(t, r.Violations[0].Ops, 21, "any 20 of them fit")
		assert.Equal(t, model.Linearizable, Check(t.Context(), testkit.Crowded(k, 20, 20), Options{}).Verdict, k)

		h := testkit.Crowded(k, 15, 20)
		h.Ops = append(h.Ops, model.Operation{Op: k.Ops()[0], Result: model.Full, Process: 99, Call: 0, Return: 100})
		r = Check(t.Context(), h, Options{})
		require.Len(t, r.Violations, 1, k)
		assert.Equal(t, finding.FalseFull, r.Violations[0].Kind, "15 values never fill it")
	}
}

// Removals that never came back may have taken one value or another, so that
// the general checker has many states to look at in every step.
func TestFewOperationsWithManyOutcomes(t *testing.T) {
	if testing.Short() {
		t.Skip("many outcomes take seconds")
	}
	h := testkit.Crowded(model.Bag, 12, 12)
	for p := range 10 {
		h.Ops = append(h.Ops, model.Operation{Op: model.Take, Result: model.Unknown, Process: uint32(50 + p), Return: model.Never})
	}
	h.Ops = append(h.Ops, model.Operation{Op: model.Take, Result: model.Empty, Process: 99, Call: 110, Return: 111})
	r := Check(t.Context(), h, Options{})
	require.Len(t, r.Violations, 1)
	assert.Equal(t, finding.FalseEmpty, r.Violations[0].Kind, "ten removals do not take twelve values")
}

// A steal that never came back may have taken all that the owner then missed. In
// how many ways it may have is more than the general checker follows; that it
// gives up is no proof that there is no order.
func TestGivingUpIsNoProof(t *testing.T) {
	for _, n := range []uint64{10, 1024, 1024 + 1, 1_000_000} {
		h := testkit.Read(model.Range, "",
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
