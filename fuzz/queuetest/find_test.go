package queuetest

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/model"
	"stealproof/ref"
)

func find(t *testing.T, q Queue) *Report {
	t.Helper()
	r, err := Find(t.Context(), q, Flags{Seed: 1, Short: true})
	require.NoError(t, err)
	return r
}

// The base of the bad structures is a good one: what is found in them is what was
// planted. Its lock makes processes wait, which is not called stuck.
func TestTheBaseHolds(t *testing.T) {
	r := find(t, bad(func(*counterDeque) {}))
	assert.Equal(t, model.Linearizable, r.Verdict, "%s", r)
	assert.Greater(t, r.Programs, 5, "spinning at the lock is recognised, so small programs come to an end")
	assert.Greater(t, r.Executions, 10_000)
}

// Everything that a structure under test can do wrong is reported, with the
// schedule, and nothing takes the test down.
func TestBadStructures(t *testing.T) {
	released.Store(false)
	t.Cleanup(func() { released.Store(true) })
	calls := 0 // beyond the memory
	for name, test := range map[string]struct {
		plant func(d *counterDeque)
		kind  string
		says  []string
	}{
		"panics": {func(d *counterDeque) {
			d.bad = func(m ref.Memory) {
				var none []int
				_ = none[m.Load(d.full, plain)]
			}
		}, fuzz.KindFault, []string{"process 0: panic: runtime error: index out of range [0] with length 0\n", "find_test.go:"}},
		"leaves the array": {func(d *counterDeque) {
			d.bad = func(m ref.Memory) { m.Load((ref.Array{}).At(3), plain) }
		}, fuzz.KindFault, []string{"[3] is outside of the array"}},
		"never gives the lock back": {func(d *counterDeque) { d.keep = true }, fuzz.KindStuck, []string{"these never come back"}},
		"waits for ever, with accesses": {func(d *counterDeque) {
			d.bad = func(m ref.Memory) {
				for m.Load(d.full, plain) < 2 {
				}
			}
		}, fuzz.KindStuck, []string{"steal of process"}},
		"keeps state in a field": {func(d *counterDeque) {
			steals := 0
			d.bad = func(m ref.Memory) {
				if steals++; steals%2 == 0 {
					m.Load(d.task, plain)
				}
			}
		}, KindStateful, []string{"the same schedule gave another execution the second time", "ref.Space"}},
		"depends on something else": {func(d *counterDeque) {
			d.bad = func(m ref.Memory) {
				if calls++; calls%7 == 0 {
					m.Load(d.task, plain)
				}
			}
		}, KindStateful, []string{"Access "}},
		"has a goroutine that it waits for": {func(d *counterDeque) { d.bad = waitedFor(d) }, fuzz.KindFault, []string{"steal accesses memory from a goroutine of its own"}},
		"loops without an access": {func(d *counterDeque) {
			d.bad = func(m ref.Memory) {
				for m.Load(d.full, plain) == 1 {
					for forever() {
					}
				}
			}
		}, KindEndless, []string{"steal has neither returned nor made an access for 300ms, since its access number 1", "goes on until the test binary ends"}},
		"waits for a goroutine that was stopped": {func(d *counterDeque) { d.bad = answered(d) }, KindEndless, []string{"a goroutine of its own that accessed memory and was stopped"}},
	} {
		t.Run(name, func(t *testing.T) {
			q := bad(test.plant)
			if test.kind == KindEndless {
				q.Patience = 300 * time.Millisecond
			}
			r := find(t, q)
			require.Equal(t, model.Violation, r.Verdict, "%s", r)
			assert.Equal(t, test.kind, r.Failure.Finding.Kind, "%s", r)
			for _, part := range test.says {
				assert.Contains(t, r.String(), part)
			}
			c, err := model.ParseCase(r.Failure.Case.String())
			require.NoError(t, err, "the case can be saved")
			assert.NotEmpty(t, c.Program.Processes)
			assert.Contains(t, c.Program.String(), "steal", "shrunk or not, the operation is there")
			if test.kind == fuzz.KindStuck {
				assert.Less(t, strings.Count(r.text(), "\n"), 60, "what is the same for ever is left out: %s", r.text())
				assert.Contains(t, r.text(), " rows left out: the same for ever)\n")
			}
			t.Log(r.text())
		})
	}
}

// released ends the loops that never end, so that they do not slow other tests.
var released atomic.Bool

func forever() bool { return !released.Load() }

// An execution that only a limit ends is undecided: it may be the scheduler that
// starves somebody.
func TestWhatNeverSettlesIsUndecided(t *testing.T) {
	q := bad(func(d *counterDeque) {
		d.bad = func(m ref.Memory) {
			for {
				m.FetchAdd(d.task, 1, plain)
			}
		}
	})
	q.Accesses, q.Checks = 500, 100
	r := find(t, q)
	assert.Equal(t, model.Undecided, r.Verdict)
	assert.Positive(t, r.Open)
	assert.Contains(t, r.String(), "did not come to an end")
	require.NotNil(t, r.Failure, "the first one is there to be looked at")
	assert.Regexp(t, `\n +500 \|.* add task: [0-9]+ -> [0-9]+`, r.text(), "with its last access")
	assert.Less(t, strings.Count(r.text(), "\n"), 100, "and not all of them")
}

// A queue that cannot be tested at all is refused.
func TestQueuesThatCannotBeTested(t *testing.T) {
	good := bad(func(*counterDeque) {})
	for want, change := range map[string]func(q *Queue){
		`name "My Deque": expected lower-case letters, digits and dashes`:        func(q *Queue) { q.Name = "My Deque" },
		`name "": expected lower-case letters, digits and dashes`:                func(q *Queue) { q.Name = "" },
		`name "abp": it is that of a structure of package ref, expected another`: func(q *Queue) { q.Name = "abp" },
		`queue bad: nothing builds it: expected the field Build`:                 func(q *Queue) { q.Build = nil },
		`structure bad: panic: it was built as nil`:                              func(q *Queue) { q.Build = func(*ref.Space, int) ref.Structure { return nil } },
		`structure bad: panic: no memory`:                                        func(q *Queue) { q.Build = func(*ref.Space, int) ref.Structure { panic("no memory") } },
		`structure bad: unknown model "invalid(0)"`:                              func(q *Queue) { q.Kind = 0 },
		`structure bad: only a range can be shared`:                              func(q *Queue) { q.Shared = true },
		`unknown strategy "luck": expected one of `:                              func(q *Queue) { q.Strategy = "luck" },
		`strategy pct: depth=0: expected a number from 1 to `:                    func(q *Queue) { q.Strategy = "pct:depth=0" },
		`queue bad: schedule "pct:depth": setting "depth": expected name=value`:  func(q *Queue) { q.Strategy = "pct:depth" },
	} {
		q := good
		change(&q)
		_, err := Find(t.Context(), q, Flags{})
		require.ErrorContains(t, err, strings.TrimSuffix(want, " "))
	}
	_, err := Find(t.Context(), good, Flags{Memory: model.Spec{Structure: "soup"}})
	assert.ErrorContains(t, err, `unknown memory "soup": expected one of sc, ptx, rc11, tso`)
}

// A context that ends leaves the test undecided, never a success.
func TestFindThatIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := Find(ctx, bad(func(*counterDeque) {}), Flags{})
	require.NoError(t, err)
	assert.Equal(t, model.Undecided, r.Verdict)
	assert.Contains(t, r.String(), "undecided: stopped after 0 programs and 0 executions")
}
