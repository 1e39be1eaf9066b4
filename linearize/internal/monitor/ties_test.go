package monitor

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/certify"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

func done(process uint32, o model.Op, value, call, ret uint64) model.Operation {
	return model.Operation{Op: o, Result: model.OK, Value: value, Process: process, Call: call, Return: ret}
}

// The theorem that a queue's history with distinct values is legal unless two
// values contradict each other holds for intervals. With the order of a
// process at tied stamps it does not: here four values contradict each other
// in a circle, 1 before 2 before 3 before 4 before 1, and any three of them
// have a legal order.
func TestFourValuesInACircle(t *testing.T) {
	expectMinimalViolation(t, &model.History{Kind: model.FIFO, Ops: []model.Operation{
		done(0, model.Enq, 1, 0, 1), done(0, model.Enq, 2, 1, 2),
		done(1, model.Enq, 3, 0, 1), done(1, model.Enq, 4, 1, 2),
		done(2, model.Deq, 2, 3, 4), done(2, model.Deq, 3, 4, 5),
		done(3, model.Deq, 4, 3, 4), done(3, model.Deq, 1, 4, 5),
	}}, 8)
}

// Each value of this bag is fine with what intervals say: both are inside only
// at stamp 1. But each would have to be taken before the other is put.
func TestTakenBeforeTheOtherIsPut(t *testing.T) {
	expectMinimalViolation(t, &model.History{Kind: model.Bag, Ops: []model.Operation{
		done(0, model.Take, 1, 0, 1), done(0, model.Put, 2, 1, 2),
		done(1, model.Take, 2, 0, 1), done(1, model.Put, 1, 1, 2),
	}}, 4)
}

// An empty at the stamp at which its process put a value in: no value covers
// that stamp, as intervals go.
func TestEmptyAfterOwnPut(t *testing.T) {
	empty := model.Operation{Op: model.Deq, Result: model.Empty, Process: 0, Call: 1, Return: 1}
	expectMinimalViolation(t, &model.History{Kind: model.FIFO, Ops: []model.Operation{
		done(0, model.Enq, 1, 0, 1), empty, done(1, model.Deq, 1, 2, 3),
	}}, 3)
}

func expectMinimalViolation(t *testing.T, h *model.History, ops int) {
	t.Helper()
	if err := h.Validate(); err != nil {
		t.Fatal(err)
	}
	out := Decide(context.Background(), h, nil, true)
	if out.Verdict != model.Violation || len(out.Violation.Ops) != ops {
		t.Fatalf("got %v of %v (%s), expected a violation of %d operations", out.Verdict, out.Violation.Ops, out.Reason, ops)
	}
	if msg := badProof(h, &out.Violation); msg != "" {
		t.Fatal(msg)
	}
}

// Whatever a process did at one stamp is gone over once, not once for each of its
// operations: with the latter this test would not end.
func TestVeryManyAtOneStamp(t *testing.T) {
	for _, k := range model.Kinds {
		put, remove := k.Ops()[0], k.Ops()[len(k.Ops())-1]
		process := uint32(0)
		if remove == model.Steal {
			process = 1
		}
		for _, every := range []int{0, 3} { // so many come with a value
			if every > 0 && k == model.Range {
				continue // its indices would have to be below one another
			}
			h := &model.History{Kind: k}
			for i := range testkit.Amount(testing.Short(), 50_000, 50_000, 200_000) {
				if every > 0 && i%every == 0 {
					h.Ops = append(h.Ops, done(0, put, uint64(i), 1, 1), done(process, remove, uint64(i), 1, 1))
				}
				h.Ops = append(h.Ops, model.Operation{Op: remove, Result: model.Empty, Value: model.NoValue, Process: process, Call: 1, Return: 1})
			}
			out := Decide(t.Context(), h, nil, true)
			require.Equal(t, model.Linearizable, out.Verdict, out.Reason)
			require.NoError(t, certify.Replay(h, out.Order))
		}
	}
}
