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
// choices.
type every struct {
	choices []int // place among the enabled, at each access
	options []int
}

func (w *every) Next(v *ref.View) int {
	if v.Step == len(w.choices) {
		w.choices = append(w.choices, 0)
		w.options = append(w.options, 0)
	}
	w.options[v.Step] = len(v.Enabled)
	return v.Enabled[w.choices[v.Step]]
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
	} {
		setup := mustSetup(t, c.spec, c.program)
		all := map[historyKey]bool{}
		interleavings := 0
		sim := ref.NewSim(setup)
		for w := (&every{}); ; {
			e := sim.Run(w)
			require.NotEqual(t, ref.Cut, e.Ending)
			interleavings++
			if e.Ending == ref.Complete {
				all[keyOf(e.History)] = true
			}
			if !w.advance() {
				break
			}
		}
		sim.Close()
		s := newSearch(setup.Processes())
		x := &Exhaust{Setup: setup}
		r := exhaustAll(x, s)
		assert.Equal(t, all, s.seen, "%s\n%s", c.spec, c.program)
		assert.LessOrEqual(t, r.Executions, interleavings)
		t.Logf("%s: %d interleavings, %d executed, %d cut, %d histories", c.spec, interleavings, r.Executions, r.Cut, len(all))
	}
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
	r = (&Exhaust{Setup: mustSetup(t, "tz:variant=skeleton", "0: deq"), Accesses: 500}).Run(context.Background())
	assert.Equal(t, model.Undecided, r.Verdict, "an execution was cut")
}
