package fuzz

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// correct are the structures that must hold under every program and schedule
// of these sizes. tz has room enough that no slot is used twice while somebody
// sleeps, which is as far as its two nulls go.
var correct = []string{
	"abp", "abp:variant=book", "abp:variant=release2011", "abp:capacity=2", "abp:width=32",
	"tz:capacity=24", "tz:capacity=24,every=1", "tz:capacity=24,every=5",
	"the", "the:compare=difference", "blocking", "blocking:capacity=2", "static", "list",
}

// draws makes a source of a property test's draws.
type draws struct{ t *rapid.T }

func (d draws) IntN(n int) int {
	if n <= 1 {
		return 0
	}
	return rapid.IntRange(0, n-1).Draw(d.t, "choice")
}

func drawnPrograms(spec string) *rapid.Generator[*ref.Setup] {
	return rapid.Custom(func(t *rapid.T) *ref.Setup {
		parsed, err := model.ParseSpec(spec)
		require.NoError(t, err)
		subject, err := ref.NewSubject(parsed, model.Spec{})
		require.NoError(t, err)
		shape := programs.Shape(rapid.SliceOfN(rapid.IntRange(1, 5), 1, 4).Draw(t, "shape"))
		setup, err := subject.Prepare(programs.New(subject, shape, draws{t}))
		require.NoError(t, err)
		return setup
	})
}

// schedules draws one of the strategies, or the bytes of choices.
func schedules() *rapid.Generator[model.Schedule] {
	return rapid.Custom(func(t *rapid.T) model.Schedule {
		texts := []string{"random", "pct:depth=2", "pct:depth=4", "round-robin", "round-robin:preemptions=5", "mix"}
		s, err := model.ParseSchedule(rapid.SampledFrom(texts).Draw(t, "strategy"))
		require.NoError(t, err)
		return schedule.WithSeed(s, rapid.Uint64Range(0, 1<<40).Draw(t, "seed"))
	})
}

// Every correct structure holds, simulated: whatever the program, and whoever
// goes next.
func TestStructuresHoldSimulated(t *testing.T) {
	for _, spec := range correct {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				setup := drawnPrograms(spec).Draw(t, "program")
				st, seed, err := schedule.New(schedules().Draw(t, "schedule"), setup)
				require.NoError(t, err)
				holdsUnder(t, setup, st, seed)
			})
		})
	}
}

func holdsUnder(t require.TestingT, setup *ref.Setup, st schedule.Strategy, seed uint64) {
	sim := ref.NewSim(setup)
	defer sim.Close()
	st.Begin(seed)
	e := sim.Run(st)
	require.NoError(t, e.History.Validate())
	f := Judge(e)
	require.Equal(t, model.Linearizable, f.Verdict, "%s\n%s\nchoices:%s", f.Explanation, setup.Program, e.Choices())
}

// The same on real atomics, with whatever the machine does.
func TestStructuresHoldNative(t *testing.T) {
	runs := given.Amount(testing.Short(), 100, 400, 3000)
	for _, spec := range correct {
		t.Run(spec, func(t *testing.T) {
			c := Campaign{Subject: given.Subject(t, spec), Shape: programs.Shape{12, 8, 8}, Seed: 1, Runs: runs, Native: true}
			if given.Spec(t, spec).Structure == "tz" {
				c.Subject = given.Subject(t, given.Spec(t, spec).With("capacity", "64").String())
			}
			r, err := c.Run(context.Background())
			require.NoError(t, err)
			if r.Failure != nil {
				t.Fatalf("%s\n%s", r.Failure.Finding.Explanation, r.Failure.Case.Program)
			}
			assert.Equal(t, model.Linearizable, r.Verdict)
			assert.Equal(t, runs, r.Executions)
		})
	}
}

// Real atomics do show a defect that needs no rare moment: a lock that nobody
// takes.
func TestNativeFindsAMissingLock(t *testing.T) {
	c := Campaign{Subject: given.Subject(t, "blocking:defect=no-lock"), Shape: programs.Shape{12, 8, 8}, Seed: 1, Runs: 100_000, Native: true}
	r, err := c.Run(context.Background())
	require.NoError(t, err)
	require.NotNil(t, r.Failure)
	_, err = RunCase(r.Failure.Case)
	assert.ErrorContains(t, err, "native run, which cannot be repeated")
}

// A campaign has the same result whatever the number of workers, and ends when
// it is told to.
func TestCampaignIsDeterministic(t *testing.T) {
	var first *Result
	for _, jobs := range []int{1, 2, 7} {
		c := Campaign{Subject: given.Subject(t, "abp:defect=tail-before-head"), Seed: 5, Runs: 20_000, Jobs: jobs, Schedule: model.Schedule{Strategy: schedule.Default}}
		r, err := c.Run(context.Background())
		require.NoError(t, err)
		require.NotNil(t, r.Failure)
		if first == nil {
			first = r
		}
		assert.Equal(t, first.Failure.Case.String(), r.Failure.Case.String())
	}
}

func TestCampaignEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	for _, native := range []bool{false, true} {
		c := Campaign{Subject: given.Subject(t, "abp"), Seed: 5, Runs: 1 << 40, Native: native, Schedule: model.Schedule{Strategy: schedule.Default}}
		r, err := c.Run(ctx)
		require.NoError(t, err)
		assert.NotEqual(t, model.Linearizable, r.Verdict, "a campaign that was cut short is no success")
	}
}
