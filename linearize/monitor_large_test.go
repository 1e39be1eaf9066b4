package linearize

import (
	"context"
	"fmt"
	"testing"

	"stealproof/model"
)

// TestLargeHistories certifies verdicts on histories far beyond porcupine, as
// they are and with a fault, with coarse clocks and without.
func TestLargeHistories(t *testing.T) {
	n := 50_000
	if testing.Short() {
		n = 20_000
	}
	for _, k := range model.Kinds {
		for _, load := range []string{"full", "empty", "balanced"} {
			for _, coarse := range []uint64{1, 8, 64} {
				t.Run(fmt.Sprintf("%v/%s/tick=%d", k, load, coarse), func(t *testing.T) {
					h := largeHistory(k, 16, load, n)
					coarsen(h, coarse)
					if err := h.Validate(); err != nil {
						t.Fatal(err)
					}
					out := ask(context.Background(), h, nil, true)
					if out.verdict != model.Linearizable {
						t.Fatalf("%v: %s %+v", out.verdict, out.reason, out.violation)
					}
					if err := certify(h, out.order); err != nil {
						t.Fatal(err)
					}
					spoil(h)
					out = ask(context.Background(), h, nil, true)
					if out.verdict != model.Violation {
						t.Fatalf("with a fault: %v %s", out.verdict, out.reason)
					}
					if msg := badLargeProof(h, &out.violation); msg != "" {
						t.Fatal(msg)
					}
				})
			}
		}
	}
}

func coarsen(h *model.History, tick uint64) {
	for i := range h.Ops {
		o := &h.Ops[i]
		o.Call, o.Return = o.Call/tick, o.Return/tick
	}
}

// spoil makes the last steal or take that came back with something claim to
// have found nothing, and so does another one, long after everything.
func spoil(h *model.History) {
	for i := len(h.Ops) - 1; i >= 0; i-- {
		if o := &h.Ops[i]; o.TakesOut() && o.Op != model.Pop {
			o.Result = model.Empty
			h.Ops = append(h.Ops, model.Operation{Op: o.Op, Result: model.Empty, Process: 1 << 20, Call: 1 << 50, Return: 1<<50 + 1})
			return
		}
	}
}

func badLargeProof(h *model.History, v *Violation) string {
	if len(v.Ops) > 200 {
		return fmt.Sprintf("the proof has %d operations", len(v.Ops))
	}
	if CheckSmall(part(h, v.Ops)) {
		return "the proof is not rejected"
	}
	return ""
}
