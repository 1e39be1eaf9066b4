package exhaust

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
)

// everyWeak walks through all interleavings and all picks.
type everyWeak struct {
	decisions, options []int
	at                 int
}

func (w *everyWeak) decide(n int) int {
	if w.at == len(w.decisions) {
		w.decisions, w.options = append(w.decisions, 0), append(w.options, n)
	}
	w.at++
	return w.decisions[w.at-1]
}

func (w *everyWeak) Next(v *ref.View) int        { return v.Enabled[w.decide(len(v.Enabled))] }
func (w *everyWeak) Pick(_ *ref.View, n int) int { return w.decide(n) }

func (w *everyWeak) advance() bool {
	w.at = 0
	for n := len(w.decisions) - 1; n >= 0; n-- {
		if w.decisions[n]++; w.decisions[n] < w.options[n] {
			return true
		}
		w.decisions, w.options = w.decisions[:n], w.options[:n]
	}
	return false
}

// One order per execution graph sees exactly the histories that all orders and
// all picks have.
func TestWeakSearchLosesNoHistory(t *testing.T) {
	for _, c := range []struct{ memory, spec, program string }{
		{"ptx", "abp", "0: push\n1: steal"},
		{"ptx", "abp:variant=book", "0: push\n1: steal"},
		{"ptx", "abp:variant=book", "0: push pop\n1: steal"},
		{"ptx", "abp", "0: push pop\n1: steal"},
		{"ptx", "abp:variant=release2011", "0: push pop\n1: steal"},
		{"ptx:place=block", "abp:orders=pop-fence-tail-head.acq_rel", "0: push pop\n1: steal"},
		{"ptx", "abp:variant=book", "0: push\n1: steal\n2: steal"},
		{"ptx", "static", "0: put\n1: put"},
	} {
		setup := weakSetupOf(t, c.memory, c.spec, c.program)
		all := map[HistoryKey]bool{}
		interleavings := 0
		sim := ref.NewSim(setup)
		for w := (&everyWeak{}); ; {
			e := sim.Run(w)
			require.Equal(t, ref.Complete, e.Ending)
			all[weakKeyOf(e.History, e.Precedence())] = true
			if interleavings++; !w.advance() || interleavings > 2_000_000 {
				break
			}
		}
		sim.Close()
		graphs := map[HistoryKey]bool{}
		r := &Result{}
		sim = ref.NewSim(setup)
		sim.Tracing, sim.AlwaysPick = true, true
		for w := (&weakSearch{}); ; {
			w.begin(setup.Threads(), setup.Space.Len())
			e := sim.Run(w)
			w.noteLast(e)
			if w.dead {
				r.DeadEnds++
			} else {
				require.Equal(t, ref.Complete, e.Ending)
				r.Executions++
				graphs[weakKeyOf(e.History, e.Precedence())] = true
			}
			if w.again() {
				*r = Result{}
			} else if !w.advance() {
				break
			}
		}
		sim.Close()
		t.Logf("%s %s: %d interleavings, %d graphs, %d dead ends, %d histories", c.spec, c.memory, interleavings, r.Executions, r.DeadEnds, len(graphs))
		assert.Equal(t, all, graphs, "%s\n%s", c.spec, c.program)
	}
}

// With all its orders a structure holds in every execution graph of a program.
func TestExhaustOnWeakMemory(t *testing.T) {
	for _, c := range []struct{ spec, program string }{
		{"abp", "0: push pop\n1: steal"},
		{"abp", "0: push pop push\n1: steal"},
		{"abp", "0: push pop push pop\n1: steal"},
		{"abp", "0: push push pop\n1: steal"},
		{"abp", "0: push push pop\n1: steal\n2: steal"},
		{"tz:capacity=4", "0: enq\n1: deq"},
		{"abp", "0: push push pop pop\n1: steal steal"},
		{"abp", "0: push push pop pop\n1: steal\n2: steal"},
		{"abp", "0: push pop push pop\n1: steal\n2: steal"},
		{"abp", "0: push push push pop pop pop\n1: steal steal\n2: steal"},
		{"the", "0: push[4,8) pop(1)\n1: steal(1)"},
		{"the", "0: push[4,8) pop(2) pop(3)\n1: steal(3)"},
		{"blocking", "0: enq\n1: enq deq"},
	} {
		setup := weakSetupOf(t, "ptx", c.spec, c.program)
		r, err := (&Search{Subject: setup.Subject, Programs: alone(setup)}).Run(context.Background())
		require.NoError(t, err)
		assert.Equal(t, model.Linearizable, r.Verdict, "%s\n%s", c.spec, c.program)
		assert.True(t, r.Complete)
		t.Logf("%s %q: %d graphs, %d dead ends, %d histories, %s", c.spec, c.program, r.Executions, r.DeadEnds, r.Histories, r.Elapsed)
	}
}

// The first program that fails is found whatever the number of workers, and a
// limit is no success.
func TestExhaustProgramsOnWeakMemory(t *testing.T) {
	subject := given.On(t, "ptx", given.Subject(t, "abp:orders=push-fence-task-tail.weak"))
	programs, err := programs.All(subject, programs.Bounds{Shape: programs.Shape{3, 2}})
	require.NoError(t, err)
	var first *Result
	for _, jobs := range []int{1, 2, 5} {
		r, err := (&Search{Subject: subject, Programs: programs, Jobs: jobs}).Run(context.Background())
		require.NoError(t, err)
		require.NotNil(t, r.Failure)
		assert.Equal(t, model.Violation, r.Verdict)
		assert.Equal(t, 2, r.Failure.Case.Program.Len(), "a push and a steal suffice")
		if first == nil {
			first = r
		}
		assert.Equal(t, first.Failure.Case, r.Failure.Case)
		assert.Equal(t, first.Executions, r.Executions)
	}
	x := searchOf(weakSetupOf(t, "ptx", "abp", "0: push push pop\n1: steal\n2: steal"))
	x.Limit = 10
	r, err := x.Run(context.Background())
	require.NoError(t, err)
	assert.Equal(t, model.Undecided, r.Verdict)
	assert.False(t, r.Complete)
}
