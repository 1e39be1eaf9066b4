package linearize

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/limits"
	"stealproof/linearize/internal/monitor"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// Whoever decides, and whatever the verdict, it is confirmed.
func TestCertificatesOfEveryVerdict(t *testing.T) {
	rounds := testkit.Amount(testing.Short(), 150, 400, 2_000)
	for _, k := range model.Kinds {
		t.Run(k.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, uint64(k)))
			seen := map[string]int{}
			for range rounds {
				h := testkit.Random(r, k)
				for _, checker := range []Checker{Auto, Porcupine} {
					report := Check(t.Context(), h, Options{Certify: true, Checker: checker, Jobs: 1})
					require.NotEqual(t, model.Undecided, report.Verdict, "%v\n%s", report.Undecided, testkit.Describe(h))
					note := report.Notes[len(report.Notes)-1]
					require.True(t, strings.HasPrefix(note, "certificates: of 1 object"), note)
					for _, how := range []string{replayed, replayedSearched, rejectedAgain, uncertified} {
						if strings.Contains(note, how) {
							seen[how]++
						}
					}
				}
			}
			t.Log(seen)
			require.Positive(t, seen[replayed])
			require.Positive(t, seen[replayedSearched])
			require.Positive(t, seen[rejectedAgain])
			require.Less(t, seen[uncertified], rounds/20)
		})
	}
}

// An order that was found at the last moment is not replayed after it.
func TestNoCertificatesAfterTheTimeLimit(t *testing.T) {
	h := testkit.Large(model.FIFO, 4, "balanced", 1000)
	for _, c := range []struct {
		begun time.Time
		late  bool
	}{{time.Now(), false}, {time.Now().Add(-2 * time.Hour), true}} {
		options := Options{Timeout: time.Hour, Certify: true}
		checking := &checking{options: options, guard: limits.New(t.Context(), c.begun, options.limits(limits.Own{}))}
		o := split(h)[0]
		found := monitor.Decide(t.Context(), o.History, o.look, true)
		require.Equal(t, model.Linearizable, found.Verdict)
		r := checking.certified(o, result{Finding: found})
		checking.guard.Close()
		report := newReport(h, []*object{o}, []result{r}, true)
		if c.late {
			require.Equal(t, []Reason{{o.id, "the time limit of 1h0m0s was met"}}, report.Uncertified)
		} else {
			require.Empty(t, report.Uncertified)
		}
	}
}

func TestCertificatesOfALargeHistory(t *testing.T) {
	h := testkit.Large(model.WSDeque, 16, "balanced", 20_000)
	report := Check(t.Context(), h, Options{Certify: true})
	require.Equal(t, model.Linearizable, report.Verdict)
	require.Contains(t, report.Notes[0], replayed)
	testkit.Spoil(h)
	report = Check(t.Context(), h, Options{Certify: true})
	require.Equal(t, model.Violation, report.Verdict)
	require.Contains(t, report.Notes[0], rejectedAgain)
}
