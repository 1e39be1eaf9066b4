package exhaust

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"stealproof/fuzz/programs"
	"stealproof/model"
)

// How many executions all clients of so many calls have, how many histories, how long
// that takes and how much memory it needs; see docs/exhaustive.md. STEALPROOF_CALLS is
// the most calls, STEALPROOF_SECONDS how long the processors may take for one number of
// calls until greater ones are left out.
func BenchmarkClients(b *testing.B) {
	most, limit := 5, 10*time.Second
	if n, err := strconv.Atoi(os.Getenv("STEALPROOF_CALLS")); err == nil {
		most = n
	}
	if n, err := strconv.Atoi(os.Getenv("STEALPROOF_SECONDS")); err == nil {
		limit = time.Duration(n) * time.Second
	}
	for _, spec := range []string{"abp", "chase-lev", "the", "treiber", "herlihy-wing", "michael-scott", "tz:capacity=4"} {
		for _, memory := range []string{"sc", "ptx"} {
			for calls := 1; calls <= most; calls++ {
				over := false
				b.Run(fmt.Sprintf("%s/%s/%d", spec, memory, calls), func(b *testing.B) {
					subject := weakSetupOf(b, memory, spec, "0:").Subject
					list, err := programs.Clients(subject, programs.Bounds{Phases: 1, Size: 1}, calls)
					require.NoError(b, err)
					for b.Loop() {
						runtime.GC()
						before := processorTime(b)
						x := &Search{Subject: subject, Programs: list, Clients: true}
						r := exhaust(b, x)
						require.Equal(b, model.Linearizable, r.Verdict)
						spent := processorTime(b) - before
						over = spent > limit
						b.ReportMetric(spent.Seconds(), "processor-s")
						b.ReportMetric(float64(len(list)), "programs")
						b.ReportMetric(float64(r.Executions), "executions")
						b.ReportMetric(float64(r.Cut+r.DeadEnds), "cut")
						var m runtime.MemStats
						runtime.ReadMemStats(&m)
						b.ReportMetric(float64(m.Sys>>20), "MiB")
						if r.Executions <= 500 {
							y := exhaust(b, &Search{Subject: subject, Programs: list, AllHistories: true})
							b.ReportMetric(float64(y.Histories), "histories")
						}
						b.ReportMetric(r.Elapsed.Seconds(), "s")
						b.ReportMetric(0, "ns/op")
					}
				})
				if over {
					break
				}
			}
		}
	}
}

// processorTime is what the processors have done for this program so far: unlike the clock it says
// little of what else they do.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
