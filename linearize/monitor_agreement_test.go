package linearize

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// TestAgreement holds every monitor against porcupine on random histories.
// For the long run:
//
//	STEALPROOF_AGREEMENT=5000000 go test -run TestAgreement -timeout 0 ./linearize
func TestAgreement(t *testing.T) {
	count := 20_000
	if testing.Short() {
		count = 2_000
	}
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
					h := randomHistory(r, k)
					if msg := c.compare(h); msg != "" {
						t.Fatalf("history %d: %s\n%s", n, msg, describe(h))
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
	out := ask(context.Background(), h, nil, true)
	c.verdicts[out.verdict]++
	switch out.verdict {
	case model.Linearizable:
		if err := certify(h, out.order); err != nil {
			return fmt.Sprintf("certificate of %v: %v", out.order, err)
		}
		if !CheckSmall(h) {
			return "the monitor says linearizable, porcupine does not"
		}
	case model.Violation:
		if CheckSmall(h) {
			return fmt.Sprintf("the monitor says %+v, porcupine says linearizable", out.violation)
		}
		return badProof(h, &out.violation)
	case model.Undecided:
		reason, _, _ := strings.Cut(out.reason, ";")
		c.reasons[strings.Map(dropDigits, reason)]++
		if out.reason == unconfirmed {
			return unconfirmed
		}
		if !hasExcuse(h) {
			return "undecided without need: " + out.reason
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
	if h.Kind == model.WSDeque && findTies(h.Ops, newSurvey(h.Ops)) == nil {
		return false
	}
	return hasPendingRemoval(h) && (h.Kind == model.Range || h.Kind == model.WSDeque)
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

// badProof says what is wrong with a violation's operations: they must be
// closed under values, have no legal order, and need every value.
func badProof(h *model.History, v *Violation) string {
	if len(v.Ops) == 0 || !slices.IsSorted(v.Ops) || len(slices.Compact(slices.Clone(v.Ops))) != len(v.Ops) {
		return fmt.Sprintf("the violation's operations are %v", v.Ops)
	}
	if v.Kind == "" || v.Explanation == "" {
		return "the violation is not explained"
	}
	if CheckSmall(part(h, v.Ops)) {
		return fmt.Sprintf("the proof %v of %q is not rejected", v.Ops, v.Explanation)
	}
	if h.Kind == model.Range || v.Kind == FalseFull {
		return ""
	}
	for _, i := range v.Ops {
		if fewer := without(h, v.Ops, i); len(fewer) < len(v.Ops) && len(fewer) > 0 && !CheckSmall(part(h, fewer)) {
			return fmt.Sprintf("the proof %v does not need operation %d", v.Ops, i)
		}
	}
	return notClosed(h, v)
}

func notClosed(h *model.History, v *Violation) string {
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

func describe(h *model.History) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %+v\n", h.Kind, h.Params)
	for i, at := range h.ByProcess() {
		o := &h.Ops[at]
		back := strconv.FormatUint(o.Return, 10)
		if o.Pending() {
			back = "-"
		}
		_ = i
		fmt.Fprintf(&b, "%3d: process %d %s size %d [%d,%s]\n", at, o.Process, wording.Phrase(o), o.Size, o.Call, back)
	}
	return b.String()
}
