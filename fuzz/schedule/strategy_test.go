package schedule

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/internal/given"
	"stealproof/model"
	"stealproof/ref"
)

// twoThieves is a program in which there is much to choose.
const twoThieves = "0: push push pop pop\n1: steal steal\n2: steal steal\n"

// The same seed and strategy give the same execution: choices and history.
func TestSameSeedSameExecution(t *testing.T) {
	for _, schedule := range []string{"random:seed=3", "pct:depth=3,seed=3", "round-robin:seed=3", "mix:seed=3", "directed:at=head#2,process=1", "bytes:hex=0001000201", "choices:0,1,0"} {
		a := run(t, "abp", twoThieves, schedule)
		b := run(t, "abp", twoThieves, schedule)
		assert.Equal(t, a.Choices(), b.Choices(), schedule)
		assert.Equal(t, a.History.Ops, b.History.Ops, schedule)
	}
}

// These choices were made once and must be made for ever, on every machine:
// saved seeds stay meaningful.
func TestChoicesAreFixedForEver(t *testing.T) {
	for schedule, want := range goldenChoices {
		assert.Equal(t, want, run(t, "abp", twoThieves, schedule).Choices().String(), schedule)
	}
}

var goldenChoices = map[string]string{
	"random:seed=1":              "1,2*2,1*2,2*2,1,0*16",
	"pct:depth=3,seed=1":         "2*4,1*4,0*16",
	"round-robin:seed=4":         "2*4,0*6,1*8,0*7",
	"mix:seed=9":                 "0*6,1*8,2*4,0*7",
	"bytes:hex=0001000200000001": "0,1*2,0*4,1*4,0*8,2*4",
}

func TestUnknownSettingsAreRefused(t *testing.T) {
	setup := given.Setup(t, "abp", twoThieves)
	for schedule, want := range map[string]string{
		"rabdom":                              `unknown strategy "rabdom": expected one of bytes, choices, directed, mix, pct, random, round-robin`,
		"random:sed=1":                        `strategy random: unknown setting "sed": expected one of seed`,
		"pct:depth=0":                         "strategy pct: depth=0: expected a number from 1 to 100",
		"directed:at=heat#2":                  "strategy directed: at=heat: no such location: expected one of head, tail, tasks[0..15]",
		"directed:at=head#0":                  "strategy directed: at=head#0: expected a location and the number of an access to it, as in head#2",
		"directed:at=head#2,until=then":       "strategy directed: until=then: expected same, writes-N or others",
		"directed:at=head#2,process=3":        "strategy directed: process=3: expected a number from 0 to 2",
		"bytes:hex=zz":                        "strategy bytes: encoding/hex: invalid byte: U+007A 'z'",
		"round-robin:preemptions=-1":          "strategy round-robin: preemptions=-1: expected a number from 0 to 1000",
		"round-robin:preemptions=2,reserve=1": `strategy round-robin: unknown setting "reserve": expected one of seed, preemptions, steps`,
	} {
		s, err := model.ParseSchedule(schedule)
		require.NoError(t, err, schedule)
		_, _, err = New(s, setup)
		assert.EqualError(t, err, want, schedule)
	}
}

// No strategy lets a process spin for ever on a lock that another one holds,
// and none cuts a correct blocking structure short.
func TestNobodySpinsForEver(t *testing.T) {
	const program = "0: enq enq deq\n1: enq deq deq\n2: enq enq deq\n"
	setup := given.Setup(t, "blocking", program)
	for _, schedule := range []string{"random", "pct:depth=2", "pct:depth=5", "round-robin", "mix", "directed:at=lock#2,process=1,until=others", "bytes:hex=0102010201"} {
		st, _ := strategyOf(t, schedule, setup)
		sim := ref.NewSim(setup)
		for seed := range uint64(300) {
			st.Begin(seed)
			require.Equal(t, ref.Complete, sim.Run(st).Ending, "%s, seed %d", schedule, seed)
		}
		sim.Close()
	}
}

// The walk reaches every process at every moment; PCT preempts no more often
// than its depth allows.
func TestStrategiesDoWhatTheySay(t *testing.T) {
	setup := given.Setup(t, "abp", twoThieves)
	switches := func(schedule string) (most int) {
		st, _ := strategyOf(t, schedule, setup)
		sim := ref.NewSim(setup)
		defer sim.Close()
		for seed := range uint64(500) {
			st.Begin(seed)
			most = max(most, len(sim.Run(st).Choices())-1)
		}
		return most
	}
	assert.LessOrEqual(t, switches("pct:depth=1"), 2, "three processes one after the other")
	assert.LessOrEqual(t, switches("pct:depth=2"), 3)
	assert.LessOrEqual(t, switches("round-robin:preemptions=0"), 2)
	assert.LessOrEqual(t, switches("round-robin:preemptions=1"), 3)
	assert.Greater(t, switches("random"), 10)
}
