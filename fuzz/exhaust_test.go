package fuzz

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

// every walks through all interleavings, the plain way: the odometer of
// choices. Who would only spin is left out, or there would be no end.
type every struct {
	ref.Newest
	choices []int // place among the enabled, at each access
	options []int
}

func (w *every) Next(v *ref.View) int {
	if v.Step == len(w.choices) {
		w.choices = append(w.choices, 0)
		w.options = append(w.options, 0)
	}
	var able []int
	for _, p := range v.Enabled {
		if !v.Waits(p) {
			able = append(able, p)
		}
	}
	if len(able) == 0 {
		able = []int{v.Enabled[(v.Last+1)%len(v.Enabled)]}
	}
	w.options[v.Step] = len(able)
	return able[w.choices[v.Step]]
}

func (w *every) advance() bool {
	for len(w.choices) > 0 {
		last := len(w.choices) - 1
		if w.choices[last]++; w.choices[last] < w.options[last] {
			return true
		}
		w.choices, w.options = w.choices[:last], w.options[:last]
	}
	return false
}

// The reduced search sees exactly the histories that all interleavings have.
// It is compared with them one by one on programs small enough for that.
func TestReductionLosesNoHistory(t *testing.T) {
	for _, c := range []struct{ spec, program string }{
		{"abp", "0: push pop\n1: steal"},
		{"abp", "0: push push\n1: steal steal"},
		{"abp", "0: push\n1: steal\n2: steal"},
		{"abp:defect=tail-before-head", "0: push pop\n1: steal"},
		{"abp:width=0", "0: push pop\n1: steal"},
		{"abp:capacity=1", "0: push push\n1: steal"},
		{"static", "0: put put\n1: put\n2: put"},
		{"static:defect=take-in-put-phase", "0: put\n1: put take"},
		{"static", "0: put | take\n1: put | take"},
		{"the:defect=steal-unlocked", "0: push[4,8) pop(1)\n1: steal(1)"},
		{"blocking:defect=no-lock", "0: enq\n1: enq\n2: deq"},
		{"blocking:defect=no-lock", "0: enq deq\n1: deq enq"},
		{"list:defect=no-lock", "0: push[4,8) pop(3)\n1: pop(2)"},
		{"blocking", "0: enq deq\n1: enq"},
		{"list", "0: push[4,8) pop(3)\n1: pop(2)"},
		{"the", "0: push[4,8) pop(1)\n1: steal(1)"},
		{"the", "0: push[4,5) pop(2)\n1: steal(1)"},
		{"blocking:defect=lock-in-two-steps", "0: enq\n1: enq"},
		{"blocking", "0: enq\n1: enq\n2: deq"},
		{"the", "0: push[4,6) pop(1)\n1: steal(1)\n2: steal(1)"},
		{"tz:capacity=3", "0: enq\n1: deq"},
		{"tz:capacity=3,variant=original", "0: enq\n1: deq deq"},
	} {
		setup := mustSetup(t, c.spec, c.program)
		sees(t, setup, 1<<20)
	}
}

// The same on random programs of every structure, defects included.
func TestReductionLosesNoHistoryOfRandomPrograms(t *testing.T) {
	programs := 300
	if testing.Short() {
		programs = 30
	}
	shapes := []Shape{{1, 1}, {2, 1}, {1, 1, 1}, {2, 2}, {3, 1}, {2, 1, 1}}
	compared := 0
	for i := range programs {
		random := NewRandom(uint64(i))
		spec := mustSpec(t, Register[random.IntN(len(Register))].Spec)
		if random.IntN(3) == 0 {
			spec = mustSpec(t, spec.Structure)
		}
		if spec.Settings["variant"] == "skeleton" {
			continue // it waits in a loop of several accesses
		}
		config, err := ref.Resolve(spec)
		require.NoError(t, err)
		setup, err := ref.Prepare(spec, NewProgram(config, shapes[random.IntN(len(shapes))], random))
		require.NoError(t, err)
		if sees(t, setup, 20_000) {
			compared++
		}
	}
	assert.Greater(t, compared, programs/4, "too few programs were small enough")
}

// sees compares the histories of the reduced search with those of all
// interleavings, unless these are more than so many.
func sees(t *testing.T, setup *ref.Setup, most int) bool {
	all := map[historyKey]bool{}
	interleavings, broken := 0, 0
	sim := ref.NewSim(setup)
	defer sim.Close()
	sim.Patience = patienceOfSearch
	for w := (&every{}); ; {
		e := sim.Run(w)
		require.NotEqual(t, ref.Cut, e.Ending)
		if interleavings++; interleavings > most {
			return false
		}
		if e.Ending == ref.Complete {
			all[keyOf(e.History)] = true
		} else {
			broken++
		}
		if !w.advance() {
			break
		}
	}
	s := newSearch(setup.Processes())
	r := exhaustAll(&Exhaust{Setup: setup}, s)
	if broken > 0 { // a fault ends an execution, and with it what it would have led to
		require.Equal(t, model.Violation, r.Verdict, "%s\n%s", setup.Spec, setup.Program)
		return true
	}
	require.Equal(t, all, s.seen, "%s\n%s", setup.Spec, setup.Program)
	assert.LessOrEqual(t, r.Executions, interleavings)
	return true
}

// exhaustAll goes on behind a violation.
func exhaustAll(x *Exhaust, s *search) *Exhausted {
	sim := ref.NewSim(x.Setup)
	defer sim.Close()
	sim.Tracing = true
	r := &Exhausted{Verdict: model.Linearizable}
	for {
		x.once(sim, s, r)
		if !s.backtrack() {
			return r
		}
	}
}

// Small programs of the structures whose executions all end are exhausted, and
// hold; the planted defects that fit into such a program are found.
func TestExhaustSmallPrograms(t *testing.T) {
	for _, c := range []struct {
		spec, program string
		want          model.Verdict
	}{
		{"abp", "0: push push pop pop\n1: steal steal", model.Linearizable},
		{"abp", "0: push pop push\n1: steal\n2: steal", model.Linearizable},
		{"static", "0: put | take | take\n1: put | take | take", model.Linearizable},
		{"abp:defect=tail-before-task", "0: push\n1: steal", model.Violation},
		{"abp:defect=tail-before-head", "0: push pop push\n1: steal", model.Violation},
		{"abp:defect=task-after-cas", "0: push pop push\n1: steal", model.Violation},
		{"abp:defect=head-before-tail", "0: push push pop\n1: steal steal", model.Violation},
		{"abp:defect=head-reset-first", "0: push push pop pop\n1: steal steal", model.Violation},
		{"abp:width=1", "0: [push pop]*2\n1: steal", model.Violation},
		{"tz:capacity=4", "0: enq enq\n1: deq\n2: deq", model.Linearizable},
		{"tz:capacity=4,variant=original", "0: enq enq\n1: deq\n2: deq", model.Violation},
		{"blocking", "0: enq deq\n1: enq deq", model.Linearizable},
		{"blocking:defect=lock-in-two-steps", "0: enq deq\n1: enq deq", model.Violation},
		{"the", "0: push[4,8) pop(2) pop(3)\n1: steal(3)", model.Linearizable},
		{"the:fill=end-first", "0: push[6,8)\n1: steal(3)", model.Violation},
		{"list", "0: push[4,8) pop(3)\n1: pop(2) pop(2)", model.Linearizable},
	} {
		r := (&Exhaust{Setup: mustSetup(t, c.spec, c.program)}).Run(context.Background())
		assert.Equal(t, c.want, r.Verdict, "%s\n%s", c.spec, c.program)
		if c.want == model.Violation {
			require.NotNil(t, r.Failure)
			assert.False(t, linearize.CheckSmall(r.Failure.History))
			again, err := RunCase(r.Failure.Case)
			require.NoError(t, err)
			assert.True(t, again.Expected())
		} else {
			assert.True(t, r.Complete)
		}
		t.Logf("%s: %d executed, %d cut, %d histories in %s", c.spec, r.Executions, r.Cut, r.Histories, r.Elapsed)
	}
}

// A search that ends early is no success.
func TestExhaustWithLimits(t *testing.T) {
	setup := mustSetup(t, "abp", "0: push push pop pop\n1: steal steal")
	r := (&Exhaust{Setup: setup, Limit: 10}).Run(context.Background())
	assert.Equal(t, model.Undecided, r.Verdict)
	assert.False(t, r.Complete)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.Equal(t, model.Undecided, (&Exhaust{Setup: setup}).Run(ctx).Verdict)
	r = (&Exhaust{Setup: setup, Accesses: 20}).Run(context.Background())
	assert.Equal(t, model.Undecided, r.Verdict, "every execution was cut")
	r = (&Exhaust{Setup: mustSetup(t, "blocking:variant=printed", "0: enq")}).Run(context.Background())
	assert.Equal(t, model.Linearizable, r.Verdict)
	r = (&Exhaust{Setup: mustSetup(t, "tz:variant=skeleton", "0: deq")}).Run(context.Background())
	assert.Equal(t, KindStuck, r.Failure.Finding.Kind)
}
