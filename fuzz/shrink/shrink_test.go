package shrink

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/exhaust"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/model"
)

// failing finds a planted defect: a case of ten operations or more.
func failing(t *testing.T, p fuzz.Planted) model.Case {
	t.Helper()
	r, err := p.Find(t.Context(), 11*7919)
	require.NoError(t, err)
	require.NotNil(t, r.Failure, p.Spec)
	return r.Failure.Case
}

func shrunk(t *testing.T, c model.Case) *Result {
	t.Helper()
	r, err := (&Search{Subject: given.CaseSubject(t, c), Case: c}).Run(t.Context())
	require.NoError(t, err)
	return r
}

// shrinkLong take as long as all the others that are shrunk when it is not make large.
var shrinkLong = []string{"blocking:defect=enq-unlocked", "tz:capacity=4,defect=no-help-tail", "tz:defect=enq-store"}

// Every planted defect shrinks to a case that fails for the same reason and
// replays, and the median has at most six operations: few enough to be
// understood. With -v it prints the table.
func TestShrunkDefectsAreSmall(t *testing.T) {
	var mu sync.Mutex
	var rows []string
	var sizes []int
	t.Run("each", func(t *testing.T) {
		for i, p := range fuzz.Register {
			t.Run(p.Spec, func(t *testing.T) {
				t.Parallel()
				if testing.Short() && (i%12 > 0 || p.Runs > 1000) {
					t.Skip("a twelfth of the quickly found ones will do")
				}
				if !given.Large() && (i%3 > 0 || p.Runs > 2000 || slices.Contains(shrinkLong, p.Spec)) {
					t.Skip("a third of those that are found and shrunk soon; make large has all")
				}
				c := failing(t, p)
				s := shrunk(t, c)
				assert.True(t, s.Complete)
				assert.False(t, s.From.Less(s.To))
				assert.Equal(t, c.Found, s.Failure.Case.Found)
				again, err := fuzz.RunCase(mustCase(t, s.Failure.Case.String()))
				require.NoError(t, err)
				assert.True(t, again.Expected())
				mu.Lock()
				defer mu.Unlock()
				sizes = append(sizes, s.To.Operations)
				rows = append(rows, fmt.Sprintf("%-52s %-12s %2d of %d -> %2d of %d, %4d -> %d preemptions, exact %v", p.Spec, c.Found, s.From.Operations, s.From.Processes, s.To.Operations, s.To.Processes, s.From.Preemptions, s.To.Preemptions, s.Exact))
			})
		}
	})
	slices.Sort(rows)
	slices.Sort(sizes)
	t.Logf("operations of processes:\n%s", strings.Join(rows, "\n"))
	require.NotEmpty(t, sizes)
	t.Logf("median of %d: %d operations", len(sizes), sizes[len(sizes)/2])
	assert.LessOrEqual(t, sizes[len(sizes)/2], 6)
}

func mustCase(t *testing.T, text string) model.Case {
	t.Helper()
	c, err := model.ParseCase(text)
	require.NoError(t, err)
	return c
}

// Shrinking from a large random program reaches as few operations as there can
// be: what an exhaustive search over all programs, smallest first, finds to be
// the least for this kind of violation.
func TestShrinkingReachesTheMinimum(t *testing.T) {
	for _, spec := range []string{
		"abp:defect=tail-before-task", "abp:defect=tail-before-head", "abp:defect=task-after-cas", "abp:defect=head-before-tail",
		"abp:defect=head-reset-first", "abp:defect=steal-store", "abp:defect=steal-off-by-one", "abp:defect=pop-off-by-one",
		"abp:defect=pop-store", "abp:defect=tail-not-reset", "abp:defect=counter-kept-on-swap", "abp:defect=counter-kept-on-store",
		"abp:capacity=2,defect=no-capacity-check", "abp:width=0", "abp:width=1",
		"tz:defect=tail-read-late", "tz:variant=original", "tz:capacity=3,defect=no-full-check", "tz:defect=deq-store",
		"tz:capacity=3,defect=no-help-head", "tz:defect=empty-unchecked", "tz:capacity=3,defect=full-as-enqueued",
		"blocking:defect=no-lock", "blocking:defect=deq-unlocked", "blocking:defect=lock-in-two-steps", "blocking:defect=unlock-early",
		"blocking:defect=empty-off-by-one",
	} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			i := slices.IndexFunc(fuzz.Register, func(p fuzz.Planted) bool { return p.Spec == spec })
			require.GreaterOrEqual(t, i, 0)
			p := fuzz.Register[i]
			if !given.Large() && p.Runs > 1000 || testing.Short() && i%2 > 0 {
				t.Skip("takes more than a second: make large")
			}
			s := shrunk(t, failing(t, p))
			assert.Equal(t, leastOperations(t, s.Failure.Case), s.To.Operations, "%s", s.Failure.Case)
		})
	}
}

// leastOperations looks at every program of 1, 2, 3 … operations of up to three
// processes, until one fails as the case does. One that fails in another way is
// searched for this one with up to three preemptions.
func leastOperations(t *testing.T, c model.Case) int {
	subject := given.Subject(t, c.Spec.String())
	again, err := fuzz.RunCase(c)
	require.NoError(t, err)
	for n := 1; n <= 6; n++ {
		for _, shape := range shapesOf(n) {
			programs, err := programs.All(subject, programs.Bounds{Shape: shape, Exactly: true})
			require.NoError(t, err)
			for _, p := range programs {
				if failsAs(t, c, p, reasonOf(again.Finding)) {
					return n
				}
			}
		}
	}
	t.Fatal("not even with six operations")
	return 0
}

// shapesOf shares operations among up to three processes, of which the first
// may have none.
func shapesOf(n int) (all []programs.Shape) {
	for a := 0; a <= n; a++ {
		for b := 0; b <= n-a; b++ {
			all = append(all, programs.Shape{a, b, n - a - b})
		}
	}
	return all
}

func failsAs(t *testing.T, c model.Case, p model.Program, why reason) bool {
	r, err := (&exhaust.Search{Subject: given.Subject(t, c.Spec.String()), Programs: []model.Program{p}, Accesses: 1000}).Run(t.Context())
	require.NoError(t, err)
	if r.Failure == nil {
		require.True(t, r.Complete)
		return false
	}
	if reasonOf(r.Failure.Finding) == why {
		return true
	}
	setup := given.Prepare(t, given.CaseSubject(t, c), p.String())
	k := &shrinker{Search: &Search{Subject: given.CaseSubject(t, c), Case: c}, ctx: context.Background(), reason: why, best: &specimen{program: p, size: Size{Accesses: 1000}}}
	return k.bounded(setup, 3, 100_000) != nil
}

// A limit of accesses ends it at the same place every time, with what is smallest so
// far.
func TestShrinkingEndsAtALimitOfAccesses(t *testing.T) {
	c := failing(t, fuzz.Register[0])
	whole := shrunk(t, c)
	require.True(t, whole.Complete)
	const most = 100
	require.Greater(t, whole.Spent, most)
	var first *Result
	for range 2 {
		r, err := (&Search{Subject: given.CaseSubject(t, c), Case: c, Accesses: most}).Run(t.Context())
		require.NoError(t, err)
		assert.False(t, r.Complete)
		assert.Greater(t, r.Spent, most)
		assert.Less(t, r.Spent, whole.Spent)
		assert.False(t, r.From.Less(r.To))
		assert.Equal(t, c.Found, r.Failure.Case.Found)
		if first != nil {
			assert.Equal(t, first.Failure.Case.String(), r.Failure.Case.String())
			assert.Equal(t, first.Spent, r.Spent)
		}
		first = r
	}
}
