package linearize

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// TestAgreementOnSeveralObjects holds whole checks against porcupine, on
// histories of several objects whose lines are mixed, or object by object.
func TestAgreementOnSeveralObjects(t *testing.T) {
	rounds := testkit.Amount(testing.Short(), 200, 1_000, 3_000)
	for _, k := range model.Kinds {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(11, uint64(k)))
			verdicts := map[model.Verdict]int{}
			for range rounds {
				h := severalObjects(r, k)
				report := Check(t.Context(), h, Options{Jobs: 1 + r.IntN(3)})
				verdicts[report.Verdict]++
				require.Equal(t, CheckSmall(h), report.Verdict == model.Linearizable, testkit.Describe(h))
				for _, v := range report.Violations {
					require.False(t, CheckSmall(h.Part(v.Ops)), testkit.Describe(h))
					for _, i := range v.Ops {
						require.Equal(t, v.Object, h.Ops[i].Object)
					}
				}
			}
			require.Zero(t, verdicts[model.Undecided])
			require.Greater(t, verdicts[model.Linearizable], rounds/20)
		})
	}
}

func severalObjects(r *rand.Rand, k model.Kind) *model.History {
	h := testkit.Random(r, k)
	for n := 1 + r.IntN(3); n > 0; n-- {
		more := testkit.Random(r, k)
		for i := range more.Ops {
			more.Ops[i].Object = uint32(n * 1000)
		}
		h.Ops = append(h.Ops, more.Ops...)
	}
	if r.IntN(3) > 0 {
		r.Shuffle(len(h.Ops), func(i, j int) { h.Ops[i], h.Ops[j] = h.Ops[j], h.Ops[i] })
	}
	return h
}

// BenchmarkObjects measures how much faster several objects are decided with
// all cores than with one:
//
//	go test -run '^$' -bench Objects -benchtime 1x -timeout 0 ./linearize
func BenchmarkObjects(b *testing.B) {
	const n = 4_000_000
	for _, objects := range []int{64, 10_000} {
		for _, lines := range []string{"by-object", "by-time"} {
			b.Run(fmt.Sprintf("%d/%s", objects, lines), func(b *testing.B) {
				h := manyObjects(objects, n/objects)
				if lines == "by-time" {
					slices.SortStableFunc(h.Ops, func(a, b model.Operation) int { return int(a.Call) - int(b.Call) })
				}
				one, all := time.Duration(1<<63-1), time.Duration(1<<63-1)
				for b.Loop() {
					one = min(one, checkTime(b, h, 1))
					all = min(all, checkTime(b, h, runtime.GOMAXPROCS(0)))
				}
				b.ReportMetric(float64(n)/all.Seconds()/1e6, "Mops/s")
				b.ReportMetric(one.Seconds()/all.Seconds(), "x-one-core")
				b.ReportMetric(float64(runtime.GOMAXPROCS(0)), "cores")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func manyObjects(objects, each int) *model.History {
	h := &model.History{Kind: model.WSDeque}
	for id := range objects {
		part := testkit.Large(h.Kind, 8, "balanced", each)
		for i := range part.Ops {
			part.Ops[i].Object = uint32(id)
		}
		h.Ops = append(h.Ops, part.Ops...)
	}
	return h
}

func checkTime(b *testing.B, h *model.History, jobs int) time.Duration {
	start := time.Now()
	if r := Check(b.Context(), h, Options{Jobs: jobs}); r.Verdict != model.Linearizable {
		b.Fatal(r.Verdict)
	}
	return time.Since(start)
}
