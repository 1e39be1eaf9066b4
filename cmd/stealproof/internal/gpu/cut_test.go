package gpu

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/linearize"
	"stealproof/model"
)

// What is kept of an object must not say more than what had happened when its
// violation was complete: a removal that returned later, of a value whose put
// is cut off, would look invented.
func TestKeptObjectsAreAPrefix(t *testing.T) {
	op := func(process uint32, op model.Op, value, call, ret uint64) model.Operation {
		return model.Operation{Process: process, Op: op, Result: model.OK, Value: value, Call: call, Return: ret}
	}
	h := &model.History{Kind: model.FIFO, Ops: []model.Operation{
		op(0, model.Enq, 1, 1, 2),
		op(1, model.Deq, 1, 3, 4),
		op(2, model.Deq, 1, 5, 6), // the violation, complete at 6
		op(3, model.Deq, 2, 5, 9), // called before, returned after
		op(0, model.Enq, 2, 7, 8), // cut off
	}}
	r := &linearize.Report{Violations: []linearize.Violation{{Ops: []int{0, 1, 2}}}}
	kept := someObjects(h, r, 1)
	assert.NoError(t, kept.Validate())
	assert.Len(t, kept.Ops, 4)
	assert.True(t, kept.Ops[3].Pending())
	assert.Equal(t, model.Unknown, kept.Ops[3].Result)
	assert.False(t, linearize.CheckSmall(kept))
	kept.Ops = kept.Ops[:2:2]
	kept.Ops = append(kept.Ops, unfinished(op(3, model.Deq, 2, 5, 9)))
	assert.True(t, linearize.CheckSmall(kept), "without the violation the rest is in order")
}
