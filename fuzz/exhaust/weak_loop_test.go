package exhaust

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// relaxedQueue is the array queue with hardly any order.
const relaxedQueue = "tz:capacity=4,orders=deq-check-head-after-scan.weak+deq-check-head-before-swap.weak+deq-check-head-in-scan.relaxed+deq-read-head.acquire+deq-read-next-slot.acquire+deq-read-next-tail-first.relaxed+deq-read-slot.acquire+deq-read-tail.relaxed+deq-read-tail-first.acquire+deq-read-tail-in-scan.weak+deq-read-vnull.weak+deq-read-vnull-for-slot-0.weak+deq-swap-head.release+deq-swap-slot.release+deq-swap-tail-to-help.release+deq-write-vnull.weak+enq-check-tail-after-scan.weak+enq-check-tail-before-swap.weak+enq-check-tail-in-scan.relaxed+enq-read-head.relaxed+enq-read-head-in-scan.weak+enq-read-next-slot.acquire+enq-read-slot.acquire+enq-read-slot-behind-head.relaxed+enq-read-tail.acquire+enq-swap-head-to-help.release+enq-swap-slot.release+enq-swap-tail.release+enq-write-vnull-to-help.weak"

// Operations that begin again go round loops of many accesses. However often
// they do so in random executions, no history comes of it that the search has
// not seen, and none fails.
func TestLoopsOnWeakMemoryLoseNoHistory(t *testing.T) {
	runs := given.Amount(testing.Short(), 500, 2_000, 20_000)
	for _, c := range []struct{ spec, program string }{
		{relaxedQueue, "0: enq\n1: enq"},
		{relaxedQueue, "0: enq\n1: deq"},
		{relaxedQueue, "0: enq deq\n1: deq"},
		{relaxedQueue, "0: enq enq\n1: deq"},
		{relaxedQueue, "0: deq\n1: enq deq"},
		{"tz:capacity=4", "0: enq\n1: deq"},
		{"tz:capacity=4,variant=original", "0: enq\n1: deq"},
		{"test-read-swap", "0: enq\n1: deq"},
		{"test-two-reads", "0: enq\n1: deq"},
		{"test-two-reads", "0: enq deq\n1: deq"},
		{"test-weak-reads", "0: enq deq\n1: enq"},
		{"test-weak-reads", "0: enq\n1: deq\n2: enq"},
	} {
		if c.spec == "test-two-reads" && c.program != "0: enq\n1: deq" && !given.Large() {
			continue // a hundred thousand executions
		}
		setup := weakSetupOf(t, "ptx", c.spec, c.program)
		seen := map[HistoryKey]bool{}
		r := exhaust(t, &Search{Subject: setup.Subject, Programs: alone(setup), EachHistory: func(k HistoryKey) { seen[k] = true }})
		require.True(t, r.Complete, c.program)
		assert.Equal(t, model.Linearizable, r.Verdict, c.program)
		sim := ref.NewSim(setup)
		for seed := range uint64(runs) {
			w := &schedule.Walk{}
			w.Begin(seed)
			e := sim.Run(w)
			require.Equal(t, ref.Complete, e.Ending)
			require.True(t, seen[weakKeyOf(e.History, e.Precedence())], "%s: run %d has another history", c.program, seed)
		}
		sim.Close()
		t.Logf("%s: %d graphs, %d dead ends, %d histories", c.program, r.Executions, r.DeadEnds, len(seen))
	}
}

// What is stuck on a weak memory is stuck with the newest values too: the saved
// schedule fails again.
func TestStuckOnWeakMemoryIsStuckAgain(t *testing.T) {
	for _, program := range []string{"0: enq", "0: enq\n1: deq", "0: enq\n1: deq\n2: enq enq"} {
		setup := weakSetupOf(t, "ptx", "test-waits-for-ever", program)
		r := exhaust(t, searchOf(setup))
		require.NotNil(t, r.Failure, program)
		assert.Equal(t, fuzz.KindStuck, r.Failure.Finding.Kind)
		again, err := fuzz.RunCaseOf(setup.Subject, r.Failure.Case)
		require.NoError(t, err)
		assert.True(t, again.Expected(), program)
	}
}

// A loop that gives up after some turns is none: what it does then is seen.
func TestLoopsThatGiveUpOnWeakMemory(t *testing.T) {
	for _, name := range []string{"gives-up-after-2", "gives-up-after-3", "gives-up-after-9", "gives-up-after-40"} {
		r := exhaust(t, searchOf(weakSetupOf(t, "ptx", "test-"+name, "0: enq enq\n1: deq")))
		require.NotNil(t, r.Failure, name)
		assert.NotEqual(t, fuzz.KindStuck, r.Failure.Finding.Kind)
	}
}
