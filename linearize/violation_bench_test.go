package linearize

import (
	"fmt"
	"testing"
	"time"

	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// BenchmarkViolationAtTheEnd measures how long it takes to find, minimise and
// explain a violation among the last of 10 million operations:
//
//	go test -run '^$' -bench ViolationAtTheEnd -benchtime 1x -cpu 1 -timeout 0 ./linearize
//
// x-clean is that time by that of the clean verdict on the same history; at
// most 2. shown is how many operations the report names.
func BenchmarkViolationAtTheEnd(b *testing.B) {
	const n = 10_000_000
	for _, k := range []model.Kind{model.FIFO, model.WSDeque, model.Range} {
		for _, load := range []string{"full", "empty"} {
			for _, fault := range faults {
				b.Run(fmt.Sprintf("%v/%s/%s", k, load, fault.name), func(b *testing.B) {
					h := testkit.Large(k, 64, load, n)
					start := time.Now()
					if r := Check(b.Context(), h, Options{}); r.Verdict != model.Linearizable {
						b.Fatal(r.Verdict)
					}
					clean := time.Since(start)
					fault.plant(h)
					measureViolation(b, h, clean)
				})
			}
		}
	}
}

var faults = []struct {
	name  string
	plant func(h *model.History)
}{
	{"false-empty", testkit.Spoil},
	{"duplicate", takeTwice},
	{"order", swapLast},
}

// takeTwice lets the last removal take what another one took.
func takeTwice(h *model.History) {
	last := lastTakes(h, 2)
	a, b := &h.Ops[last[0]], &h.Ops[last[1]]
	a.Value, a.To, a.Size = b.Value, b.To, b.Size
}

// swapLast lets two late removals take what the other one took.
func swapLast(h *model.History) {
	last := lastTakes(h, 2000)
	a, b := &h.Ops[last[0]], &h.Ops[last[1999]]
	a.Value, b.Value = b.Value, a.Value
	a.To, b.To, a.Size, b.Size = b.To, a.To, b.Size, a.Size
}

// lastTakes are the places of the last removals of a value by others than an
// owner, the last one first.
func lastTakes(h *model.History, n int) []int {
	var places []int
	for i := len(h.Ops) - 1; len(places) < n; i-- {
		if o := &h.Ops[i]; o.TakesOut() && o.Op != model.Pop {
			places = append(places, i)
		}
	}
	return places
}

func measureViolation(b *testing.B, h *model.History, clean time.Duration) {
	shown := 0
	best := time.Duration(1<<63 - 1)
	for b.Loop() {
		start := time.Now()
		r := Check(b.Context(), h, Options{})
		best = min(best, time.Since(start))
		if r.Verdict != model.Violation {
			b.Fatal(r.Verdict, r.Undecided)
		}
		shown = len(r.Violations[0].Ops)
	}
	b.ReportMetric(best.Seconds(), "s")
	b.ReportMetric(best.Seconds()/clean.Seconds(), "x-clean")
	b.ReportMetric(float64(shown), "shown")
	b.ReportMetric(0, "ns/op")
}
