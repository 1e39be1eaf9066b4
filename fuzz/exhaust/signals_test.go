package exhaust

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/internal/queues"
	"stealproof/model"
	"stealproof/ref"
)

func init() {
	for _, q := range []ref.Foreign{queues.HerlihyWing(), queues.HastyHerlihyWing(), queues.MichaelScott(), queues.Treiber(), queues.RelaxedTreiber()} {
		testQueues[q.Name] = q
	}
}

// The search sees exactly the histories that all interleavings have, and these are
// those of the program without signals in which the operations come in that order.
func TestReductionLosesNoHistoryWithSignals(t *testing.T) {
	for _, c := range []struct{ spec, program string }{
		{"static", "0: put signal:a\n1: wait:a put\n2: put"},
		{"static", "0: put signal:a | take\n1: wait:a put | wait:a take"},
		{"blocking:defect=no-lock", "0: enq signal:a\n1: wait:a enq"},
		{"blocking:defect=no-lock", "0: enq signal:a enq\n1: enq wait:a deq"},
		{"abp", "0: push signal:a pop\n1: wait:a steal"},
		{"abp", "0: signal:a push signal:b\n1: wait:a steal\n2: wait:b steal"},
		{"herlihy-wing", "0: enq signal:a\n1: wait:a enq\n2: deq"},
	} {
		sees(t, setupOf(t, c.spec, c.program), 1<<20)
	}
	ordered := historiesWhere(t, "0: enq signal:a\n1: wait:a enq\n2: deq", func(*model.History) bool { return true })
	some := historiesWhere(t, "0: enq\n1: enq\n2: deq", func(h *model.History) bool { return h.Ops[0].Return < h.Ops[1].Call })
	assert.Equal(t, some, ordered)
}

// historiesWhere are the histories of all interleavings, of those that are asked for.
func historiesWhere(t *testing.T, program string, asked func(*model.History) bool) map[HistoryKey]bool {
	sim := ref.NewSim(setupOf(t, "herlihy-wing", program))
	defer sim.Close()
	all := map[HistoryKey]bool{}
	for w := (&every{}); ; {
		e := sim.Run(w)
		require.Equal(t, ref.Complete, e.Ending)
		if asked(e.History) {
			all[keyOf(e.History)] = true
		}
		if !w.advance() {
			return all
		}
	}
}

// On a weak memory too, with graphs, with orders of fences one by one, and with all
// interleavings and outcomes.
func TestWeakSearchLosesNoHistoryWithSignals(t *testing.T) {
	for _, c := range []struct{ spec, program string }{
		{"static", "0: put signal:a\n1: wait:a put"},
		{"static", "0: put signal:a | take\n1: wait:a put | wait:a take"},
		{"abp", "0: push signal:a\n1: wait:a steal"},
		{"abp:variant=book", "0: push signal:a\n1: wait:a.relaxed.gpu steal"},
		{"hasty-herlihy-wing", "0: enq signal:a\n1: wait:a deq signal:b\n2: wait:b enq"},
		{"herlihy-wing", "0: enq signal:a\n1: wait:a.relaxed.gpu enq"},
	} {
		setup := weakSetupOf(t, "ptx", c.spec, c.program)
		all := map[HistoryKey]bool{}
		sim := ref.NewSim(setup)
		n := 0
		for w := (&everyWeak{}); n < 200_000; n++ {
			e := sim.Run(w)
			require.Equal(t, ref.Complete, e.Ending)
			all[weakKeyOf(e.History, e.Precedence())] = true
			if !w.advance() {
				break
			}
		}
		sim.Close()
		require.Less(t, n, 200_000, "%s\n%s", c.spec, c.program)
		one, _ := oneByOne(t, setup.Subject, setup.Program, 100_000)
		require.Equal(t, all, one, "%s\n%s", c.spec, c.program)
		got := map[HistoryKey]bool{}
		x := &Search{Subject: setup.Subject, Programs: alone(setup), AllHistories: true, EachHistory: func(k HistoryKey) { got[k] = true }}
		r := exhaust(t, x)
		if r.Verdict == model.Linearizable {
			require.Equal(t, all, got, "%s\n%s", c.spec, c.program)
		}
	}
}

// What a signal orders counts for the verdict. A queue whose processes each keep their
// own order breaks where two have one from outside, and only there; a relaxed signal
// orders nothing, nor does one whose scope does not reach.
func TestSignalsOrderWhatIsJudged(t *testing.T) {
	for _, c := range []struct {
		program  string
		violated bool
	}{
		{"0: enq\n1: enq\n2: deq", false},
		{"0: enq enq\n1: deq", false},
		{"0: enq signal:a\n1: wait:a enq\n2: deq", true},
		{"0: enq signal:a.release.gpu\n1: wait:a.acquire.gpu enq\n2: deq", true},
		{"0: enq signal:a.relaxed.gpu\n1: wait:a enq\n2: deq", false},
		{"0: enq signal:a\n1: wait:a.relaxed.sys enq\n2: deq", false},
		{"0: enq signal:a.release.cta\n1: wait:a enq\n2: deq", false},
		{"0: enq signal:a\n1: wait:a signal:b\n2: wait:b enq\n3: deq", true},
	} {
		r := exhaust(t, searchOf(weakSetupOf(t, "ptx", "hasty-herlihy-wing", c.program)))
		assert.Equal(t, c.violated, r.Failure != nil, c.program)
		assert.True(t, c.violated || r.Verdict == model.Linearizable, c.program)
		r = exhaust(t, searchOf(weakSetupOf(t, "ptx", "herlihy-wing", c.program)))
		assert.Equal(t, model.Linearizable, r.Verdict, c.program)
	}
}

// A wait reads the signal and nothing older, so what was done before the signal is seen.
func TestAWaitReadsTheSignal(t *testing.T) {
	for _, memory := range []string{"sc", "ptx"} {
		for program, want := range map[string]int{
			"0: enq signal:a\n1: wait:a deq":                     1,
			"0: enq\n1: deq":                                     3, // before the slot is taken, before the value is there, and after
			"0: enq signal:a.release.gpu\n1: wait:a deq":         1,
			"0: enq signal:a\n1: wait:a signal:b\n2: wait:b deq": 1,
		} {
			executions := 0
			x := searchOf(weakSetupOf(t, memory, "herlihy-wing", program))
			x.Each = func(e *ref.Execution) {
				executions++
				if want == 1 {
					assert.Equal(t, model.OK, e.History.Ops[1].Result, program)
				}
			}
			exhaust(t, x)
			assert.Equal(t, want, executions, program)
		}
	}
}
