package linearize

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"stealproof/linearize/internal/machine"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// BenchmarkCertify measures a check with and without --certify on large correct
// histories. B/op-held is how much the heap held at most beyond the records,
// garbage included:
//
//	STEALPROOF_BENCH_OPS=10000000 go test -run '^$' -bench Certify -benchtime 1x -cpu 1 -timeout 0 ./linearize
func BenchmarkCertify(b *testing.B) {
	n := 1_000_000
	if text := os.Getenv("STEALPROOF_BENCH_OPS"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	for _, k := range model.Kinds {
		h := testkit.Large(k, 64, "balanced", n)
		for _, certify := range []bool{false, true} {
			b.Run(fmt.Sprintf("%v/certify=%v", k, certify), func(b *testing.B) {
				runtime.GC()
				before, most, stop := machine.Heap(), uint64(0), make(chan bool)
				go func() {
					for {
						select {
						case stop <- true:
							return
						case <-time.After(10 * time.Millisecond):
							most = max(most, machine.Heap())
						}
					}
				}()
				for b.Loop() {
					if r := Check(b.Context(), h, Options{Certify: certify}); r.Verdict != model.Linearizable {
						b.Fatal(r.Verdict, r.Undecided)
					}
				}
				<-stop
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mops/s")
				b.ReportMetric(float64(max(most, before)-before)/float64(n), "B/op-held")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
