package monitor

import (
	"context"
	"fmt"
	"testing"

	"stealproof/linearize/internal/certify"
	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// TestLargeHistories certifies verdicts on histories far beyond porcupine, as
// they are and with a fault, with coarse clocks and without.
func TestLargeHistories(t *testing.T) {
	n := testkit.Amount(testing.Short(), 5_000, 20_000, 50_000)
	for _, k := range model.Kinds {
		for _, load := range []string{"full", "empty", "balanced"} {
			for _, coarse := range []uint64{1, 8, 64} {
				t.Run(fmt.Sprintf("%v/%s/tick=%d", k, load, coarse), func(t *testing.T) {
					h := testkit.Large(k, 16, load, n)
					testkit.Coarsen(h, coarse)
					if err := h.Validate(); err != nil {
						t.Fatal(err)
					}
					out := Decide(context.Background(), h, nil, true)
					if out.Verdict != model.Linearizable {
						t.Fatalf("%v: %s %+v", out.Verdict, out.Reason, out.Violation)
					}
					if err := certify.Replay(h, out.Order); err != nil {
						t.Fatal(err)
					}
					testkit.Spoil(h)
					out = Decide(context.Background(), h, nil, true)
					if out.Verdict != model.Violation {
						t.Fatalf("with a fault: %v %s", out.Verdict, out.Reason)
					}
					if msg := badLargeProof(h, &out.Violation); msg != "" {
						t.Fatal(msg)
					}
				})
			}
		}
	}
}

func badLargeProof(h *model.History, v *finding.Violation) string {
	if len(v.Ops) > 200 {
		return fmt.Sprintf("the proof has %d operations", len(v.Ops))
	}
	if general.Small(h.Part(v.Ops)) {
		return "the proof is not rejected"
	}
	return ""
}
