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

func badLargeProof(h *model.History, v *flaw) string {
	if len(v.ops) > 200 {
		return fmt.Sprintf("the proof has %d operations", len(v.ops))
	}
	if searchSmall(h.Part(v.ops)) {
		return "the proof is not rejected"
	}
	return ""
}
