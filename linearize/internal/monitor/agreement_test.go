package monitor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"stealproof/linearize/internal/certify"
	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/testkit"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// TestAgreement holds every monitor against porcupine on random histories.
// For the long run:
//
//	STEALPROOF_AGREEMENT=5000000 go test -run TestAgreement -timeout 0 ./linearize/internal/monitor
func TestAgreement(t *testing.T) {
	count := testkit.Amount(testing.Short(), 1_000, 4_000, 20_000)
	if text := os.Getenv("STEALPROOF_AGREEMENT"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("STEALPROOF_AGREEMENT: %v", err)
		}
		count = n
	}
	seed := uint64(1)
	if text := os.Getenv("STEALPROOF_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	for _, k := range model.Kinds {
		t.Run(k.String(), func(t *testing.T) {
			inParts(t, count, func(t *testing.T, part, count int) {
				r := rand.New(rand.NewPCG(seed, uint64(part)<<8|uint64(k)))
				c := newComparison()
				for n := range count {
					h := testkit.Random(r, k)
					if msg := c.compare(h); msg != "" {
						t.Fatalf("history %d: %s\n%s", n, msg, testkit.Describe(h))
					}
				}
				t.Log(c)
			})
		})
	}
}

// inParts splits a long comparison into parts that run beside each other, the
// same ones on every machine.
func inParts(t *testing.T, count int, run func(t *testing.T, part, count int)) {
	const most = 50_000
	for part := 0; part*most < count; part++ {
		t.Run(fmt.Sprintf("part %d", part), func(t *testing.T) {
			t.Parallel()
			run(t, part, min(most, count-part*most))
		})
	}
}

// comparison counts what was compared, and why monitors stayed undecided.
type comparison struct {
	verdicts map[model.Verdict]int
	reasons  map[string]int
}

func newComparison() *comparison { return &comparison{map[model.Verdict]int{}, map[string]int{}} }

func (c *comparison) String() string {
	return fmt.Sprintf("linearizable %d, violation %d, undecided %d %v",
		c.verdicts[model.Linearizable], c.verdicts[model.Violation], c.verdicts[model.Undecided], c.reasons)
}

// compare returns what is wrong with the monitor's answer, if anything.
func (c *comparison) compare(h *model.History) string {
	out := Decide(context.Background(), h, nil, true)
	c.verdicts[out.Verdict]++
	switch out.Verdict {
	case model.Linearizable:
		if err := certify.Replay(h, out.Order); err != nil {
			return fmt.Sprintf("certificate of %v: %v", out.Order, err)
		}
		if !general.Small(h) {
			return "the monitor says linearizable, porcupine does not"
		}
	case model.Violation:
		if general.Small(h) {
			return fmt.Sprintf("the monitor says %+v, porcupine says linearizable", out.Violation)
		}
		return badProof(h, &out.Violation)
	case model.Undecided:
		reason, _, _ := strings.Cut(out.Reason, ";")
		c.reasons[strings.Map(dropDigits, reason)]++
		if out.Reason == unconfirmed {
			return unconfirmed
		}
		if !hasExcuse(h) {
			return "undecided without need: " + out.Reason
		}
	default:
		return "no verdict"
	}
	return ""
}

func dropDigits(r rune) rune {
	if r >= '0' && r <= '9' {
		return -1
	}
	return r
}

// hasExcuse says whether a monitor may stay undecided.
func hasExcuse(h *model.History) bool {
	if repeats(h) || h.Params.Shared {
		return true
	}
	if h.Kind == model.WSDeque && timing.FindTies(h.Ops, timing.NewSurvey(h.Ops)) == nil {
		return false
	}
	return h.HasLost() && (h.Kind == model.Range || h.Kind == model.WSDeque)
}

// badProof says what is wrong with a violation's operations: they must be
// closed under values, have no legal order, and need every value.
func badProof(h *model.History, v *finding.Violation) string {
	if len(v.Ops) == 0 || !slices.IsSorted(v.Ops) || len(slices.Compact(slices.Clone(v.Ops))) != len(v.Ops) {
		return fmt.Sprintf("the violation's operations are %v", v.Ops)
	}
	if v.Kind == "" || v.Explanation == "" {
		return "the violation is not explained"
	}
	if general.Small(h.Part(v.Ops)) {
		return fmt.Sprintf("the proof %v of %q is not rejected", v.Ops, v.Explanation)
	}
	if h.Kind == model.Range || v.Kind == finding.FalseFull {
		return ""
	}
	for _, i := range v.Ops {
		if fewer := without(h, v.Ops, i); len(fewer) < len(v.Ops) && len(fewer) > 0 && !general.Small(h.Part(fewer)) {
			return fmt.Sprintf("the proof %v does not need operation %d", v.Ops, i)
		}
	}
	return notClosed(h, v)
}

func notClosed(h *model.History, v *finding.Violation) string {
	for _, i := range v.Ops {
		for j := range h.Ops {
			a, b := &h.Ops[i], &h.Ops[j]
			if (a.PutsIn() || a.TakesOut()) && (b.PutsIn() || b.TakesOut()) && a.Value == b.Value && !slices.Contains(v.Ops, j) {
				return fmt.Sprintf("the proof %v has operation %d and not %d on the same value", v.Ops, i, j)
			}
		}
	}
	return ""
}

func repeats(h *model.History) bool {
	for i := range h.Ops {
		for j := range i {
			a, b := &h.Ops[i], &h.Ops[j]
			if !a.PutsIn() || !b.PutsIn() {
				continue
			}
			if a.Value == b.Value || h.Kind == model.Range && a.Value < b.To && b.Value < a.To {
				return true
			}
		}
	}
	return false
}
