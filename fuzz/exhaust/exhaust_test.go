package exhaust

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/choice"
	"stealproof/fuzz/exhaust/internal/rounds"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

// every walks through all interleavings, the plain way: the odometer of
// choices. Who has made so many accesses since memory changed is left out, or
// who would only repeat its last access, or there would be no end.
type every struct {
	ref.Newest
	patience int   // 0 for the other rule
	choices  []int // place among the enabled, at each access
	options  []int
}

func (w *every) waits(v *ref.View, p int) bool {
	if w.patience > 0 {
		return v.Repeats(p) >= w.patience
	}
	return v.Waits(p)
}

func (w *every) Next(v *ref.View) int {
	if v.Step == len(w.choices) {
		w.choices = append(w.choices, 0)
		w.options = append(w.options, 0)
	}
	var able []int
	for _, p := range v.Enabled {
		if !w.waits(v, p) {
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
		setup := given.Setup(t, c.spec, c.program)
		sees(t, setup, 1<<20)
	}
}

// The same on random programs of every structure, defects included.
func TestReductionLosesNoHistoryOfRandomPrograms(t *testing.T) {
	count, most := given.Amount(testing.Short(), 30, 60, 300), given.Amount(testing.Short(), 1_000, 3_000, 20_000)
	shapes := []programs.Shape{{1, 1}, {2, 1}, {1, 1, 1}, {2, 2}, {3, 1}, {2, 1, 1}}
	compared := 0
	for i := range count {
		random := choice.NewRandom(uint64(i))
		spec := given.Spec(t, fuzz.Register[random.IntN(len(fuzz.Register))].Spec)
		if random.IntN(3) == 0 {
			spec = given.Spec(t, spec.Structure)
		}
		subject := given.Subject(t, spec.String())
		setup, err := subject.Prepare(programs.New(subject, shapes[random.IntN(len(shapes))], random))
		require.NoError(t, err)
		if sees(t, setup, most) {
			compared++
		}
	}
	assert.Greater(t, compared, count/4, "too few programs were small enough")
}

// sees compares the histories of the reduced search, in parts of several sizes,
// with those of all interleavings, unless these are more than so many.
func sees(t *testing.T, setup *ref.Setup, most int) bool {
	return seesWith(t, setup, most, 0)
}

func seesWith(t *testing.T, setup *ref.Setup, most, patience int) bool {
	all := map[HistoryKey]bool{}
	interleavings, broken := 0, 0
	sim := ref.NewSim(setup)
	defer sim.Close()
	sim.Patience = 100
	for w := (&every{patience: patience}); ; {
		e := sim.Run(w)
		if e.Ending == ref.Cut { // asked millions of times
			require.Fail(t, "an execution was cut", "%s\n%s", setup.Subject.Spec(), setup.Program)
		}
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
	for _, part := range []int{0, 1, 3} {
		keys, executed, failed := histories(setup, part)
		if broken > 0 { // a fault ends an execution, and with it what it would have led to
			require.True(t, failed, "%s\n%s", setup.Subject.Spec(), setup.Program)
			return true
		}
		require.False(t, failed)
		require.Equal(t, all, keys, "%s\n%s", setup.Subject.Spec(), setup.Program)
		assert.LessOrEqual(t, executed, interleavings)
	}
	return true
}

// histories returns all histories that the reduced search finds, violations or
// not. Behind so many executions it gives a part away, to do later.
func histories(setup *ref.Setup, part int) (keys map[HistoryKey]bool, executed int, failed bool) {
	x := newExplorer(&exhausting{setup: setup, seen: newSeen(1), book: rounds.NewBook()}, defaultAccesses, true, false)
	defer x.close()
	keys = map[HistoryKey]bool{}
	x.orders.found = func(k orderKey) bool {
		keys[k.sum()] = true
		return true
	}
	tasks := []*task{{}}
	for len(tasks) > 0 {
		t := tasks[0]
		tasks = tasks[1:]
		x.search.load(t)
		for since := 1; ; since++ {
			o := x.once()
			if o.err != nil {
				panic(o.err)
			}
			if !o.cut {
				executed++
			}
			failed = failed || o.failure != nil
			if !x.search.backtrack() {
				break
			}
			if part > 0 && since%part == 0 {
				tasks = append(x.split(t), tasks...)
			}
		}
	}
	return keys, executed, failed
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
		r := exhaust(t, searchOf(given.Setup(t, c.spec, c.program)))
		assert.Equal(t, c.want, r.Verdict, "%s\n%s", c.spec, c.program)
		if c.want == model.Violation {
			require.NotNil(t, r.Failure)
			assert.False(t, linearize.CheckSmall(r.Failure.History))
			again, err := fuzz.RunCase(r.Failure.Case)
			require.NoError(t, err)
			assert.True(t, again.Expected())
		} else {
			assert.True(t, r.Complete)
		}
		t.Logf("%s: %d executed, %d cut, %d histories in %s", c.spec, r.Executions, r.Cut, r.Histories, r.Elapsed)
	}
}

// exhaust runs a search that must not fail.
func exhaust(t testing.TB, x *Search) *Result {
	t.Helper()
	r, err := x.Run(t.Context())
	require.NoError(t, err)
	return r
}

// A search that ends early is no success.
func TestExhaustWithLimits(t *testing.T) {
	setup := given.Setup(t, "abp", "0: push push pop pop\n1: steal steal")
	r := exhaust(t, &Search{Subject: setup.Subject, Programs: alone(setup), Limit: 10, Jobs: 1})
	assert.Equal(t, model.Undecided, r.Verdict)
	assert.Equal(t, 10, r.Executions)
	assert.False(t, r.Complete)
	assert.True(t, r.Checkpoint.Left())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := (&Search{Subject: setup.Subject, Programs: alone(setup)}).Run(ctx)
	require.NoError(t, err)
	assert.Equal(t, model.Undecided, r.Verdict)
	r = exhaust(t, &Search{Subject: setup.Subject, Programs: alone(setup), Accesses: 20})
	assert.Equal(t, model.Undecided, r.Verdict, "every execution was cut")
	r = exhaust(t, searchOf(given.Setup(t, "blocking:variant=printed", "0: enq")))
	assert.Equal(t, model.Linearizable, r.Verdict)
	r = exhaust(t, searchOf(given.Setup(t, "tz:variant=skeleton", "0: deq")))
	require.NotNil(t, r.Failure)
	assert.Equal(t, fuzz.KindStuck, r.Failure.Finding.Kind)
}
