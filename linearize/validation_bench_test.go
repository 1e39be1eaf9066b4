package linearize

import (
	"fmt"
	"math"
	"testing"
	"time"

	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// BenchmarkValidation says how much of a check the validation of the history is,
// as it is where nobody vouches for it:
//
//	go test -run '^$' -bench Validation -benchtime 100x -cpu 1 ./linearize
//
// x-check is how many times as long the check takes with it as without.
func BenchmarkValidation(b *testing.B) {
	for _, k := range model.Kinds {
		for _, processes := range []int{4, 64, 1024} {
			for _, lines := range []string{"by-time", "by-process"} {
				b.Run(fmt.Sprintf("%v/%d-processes/%s", k, processes, lines), func(b *testing.B) {
					benchmarkValidation(b, linedUp(testkit.Large(k, processes, "balanced", 100_000), lines))
				})
			}
		}
	}
}

func benchmarkValidation(b *testing.B, h *model.History) {
	with, without := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		for _, vouched := range []bool{false, true} {
			start := time.Now()
			if r := Check(b.Context(), h, Options{Validated: vouched}); r.Verdict != model.Linearizable {
				b.Fatal(r.Verdict, r.Undecided, r.Violations)
			}
			if took := time.Since(start); vouched {
				without = min(without, took)
			} else {
				with = min(with, took)
			}
		}
	}
	b.ReportMetric(float64(with)/float64(without), "x-check")
	b.ReportMetric(0, "ns/op")
}
