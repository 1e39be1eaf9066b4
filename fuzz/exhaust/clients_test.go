package exhaust

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
)

// brokenClients are the sets of signals that some graph of a program does not endure,
// found from the graphs of the program.
func brokenClients(t *testing.T, s ref.Subject, p model.Program) [][]uint64 {
	x := &Search{Subject: s, Programs: []model.Program{p}, Clients: true}
	w, err := x.weakWalk(p, &atomic.Pointer[pulse]{})
	require.NoError(t, err)
	defer w.sim.Close()
	defer w.graphs.clients.close()
	var found [][]uint64
	seen := map[string]bool{}
	w.graphs.clients.each = func(waits []uint64) bool {
		if key := fmt.Sprint(waits); !seen[key] {
			seen[key] = true
			found = append(found, waits)
		}
		return true
	}
	require.Empty(t, w.runGraphs(context.Background(), nil), "%s", p)
	return found
}

// everyOrder are all orders from outside that the operations of a program may have: for
// each those that precede it, closed under what precedes these.
func everyOrder(p model.Program, do func(waits []uint64)) {
	var process []int
	for id, calls := range p.Expand() {
		for range calls {
			process = append(process, id)
		}
	}
	n := len(process)
	seen := map[string]bool{}
	var grow func(i, j int, before []uint64)
	grow = func(i, j int, before []uint64) {
		if j == n {
			i, j = i+1, 0
		}
		if i < n {
			grow(i, j+1, before)
			if process[i] != process[j] && before[j]>>i&1 == 0 && before[i]>>j&1 == 0 {
				with := closedWith(before, i, j)
				grow(i, j+1, with)
			}
			return
		}
		waits := make([]uint64, n)
		for i := range before {
			for j := range bitsOf(before[i]) {
				if process[i] != process[j] {
					waits[i] |= 1 << j
				}
			}
		}
		if key := fmt.Sprint(before); !seen[key] {
			seen[key] = true
			do(waits)
		}
	}
	before := make([]uint64, n)
	for i := range n {
		for j := range i {
			if process[i] == process[j] {
				before[i] |= 1 << j
			}
		}
	}
	grow(0, 0, before)
}

func closedWith(before []uint64, i, j int) []uint64 {
	with := append([]uint64(nil), before...)
	for k := range with {
		if k == i || with[k]>>i&1 != 0 {
			with[k] |= with[j] | 1<<j
		}
	}
	return with
}

// within says whether what one client orders another one orders too.
func ordersWithin(p model.Program, few, many []uint64) bool {
	var closed []uint64
	everyProcess(p, func(i int, before uint64) { closed = append(closed, before|many[i]) })
	for changed := true; changed; {
		changed = false
		for i := range closed {
			for j := range bitsOf(closed[i]) {
				if closed[j]&^closed[i] != 0 {
					closed[i] |= closed[j]
					changed = true
				}
			}
		}
	}
	for i := range few {
		if few[i]&^closed[i] != 0 {
			return false
		}
	}
	return true
}

// everyProcess says of each operation which of its process come before it.
func everyProcess(p model.Program, do func(i int, before uint64)) {
	i := 0
	for _, calls := range p.Expand() {
		before := uint64(0)
		for range calls {
			do(i, before)
			before |= 1 << i
			i++
		}
	}
}

// All clients of small programs, one by one: each with its signals, in all executions.
// Those that break are those that are found from the graphs of the program without.
func TestClientsAreThoseOfAllSignals(t *testing.T) {
	for _, c := range []struct {
		spec  string
		shape programs.Shape
		large bool
	}{
		{"hasty-herlihy-wing", programs.Shape{1, 1, 1}, false},
		{"hasty-herlihy-wing", programs.Shape{2, 1}, false},
		{"herlihy-wing", programs.Shape{1, 1, 1}, false},
		{"abp", programs.Shape{2, 1}, false},
		{"abp:orders=push-fence-task-tail.weak", programs.Shape{1, 1, 1}, false},
		{"abp:orders=push-fence-task-tail.weak", programs.Shape{2, 1, 1}, true},
		{"abp:orders=pop-fence-tail-head.acq_rel", programs.Shape{2, 1, 1}, true},
		{"abp:orders=steal-fence-head-tail.acq_rel", programs.Shape{3, 1, 1}, true},
		{"chase-lev", programs.Shape{2, 1}, false},
		{"chase-lev", programs.Shape{2, 1, 1}, true},
		{"tz:capacity=4", programs.Shape{1, 1}, false},
		{"tz:capacity=4", programs.Shape{1, 1, 1}, true},
		{"tz:orders=enq-read-tail.relaxed+enq-swap-slot.relaxed+deq-read-slot.relaxed", programs.Shape{1, 1, 1}, true},
		{"herlihy-wing", programs.Shape{1, 1, 1, 1}, true},
	} {
		if c.large && !given.Large() {
			continue
		}
		subject := weakSetupOf(t, "ptx", c.spec, "0:").Subject
		list, err := programs.All(subject, programs.Bounds{Shape: c.shape, Exactly: true})
		require.NoError(t, err)
		breaking, asked, graphs := 0, 0, 0
		for _, p := range list {
			found := brokenClients(t, subject, p)
			for _, waits := range found {
				require.True(t, breaksBy(t, subject, p, waits, &graphs), "%s %v\n%s", c.spec, waits, p)
			}
			everyOrder(p, func(waits []uint64) {
				asked++
				if !breaksBy(t, subject, p, waits, &graphs) {
					return
				}
				breaking++
				some := false
				for _, few := range found {
					some = some || ordersWithin(p, few, waits)
				}
				require.True(t, some, "%s: %v is not found, only %v\n%s", c.spec, waits, found, p)
			})
		}
		t.Logf("%s %s: %d of %d clients break, in %d graphs", c.spec, c.shape, breaking, asked, graphs)
	}
}

// breaksBy searches the program with these signals.
func breaksBy(t *testing.T, s ref.Subject, p model.Program, waits []uint64, graphs *int) bool {
	setup, err := s.Prepare(p)
	require.NoError(t, err)
	c := newClientJudge(setup, defaultAccesses)
	for id, calls := range p.Expand() {
		for k := range calls {
			c.calls = append(c.calls, callPlace{id, k})
		}
	}
	r := exhaust(t, &Search{Subject: s, Programs: []model.Program{c.client(waits)}})
	require.NotEqual(t, model.Undecided, r.Verdict)
	*graphs += r.Executions
	return r.Failure != nil
}

// The smallest clients of orders that are too weak: no client with fewer calls breaks.
func TestSmallestClients(t *testing.T) {
	for _, c := range []struct {
		spec, kind, client string
		large              bool
	}{
		{"abp:variant=book", "invented", "0: push\n1: steal\n", false},
		{"abp:orders=push-fence-task-tail.weak", "invented", "0: push\n1: steal\n", false},
		{"abp:orders=steal-fence-tail-task.weak", "invented", "0: push\n1: steal\n", false},
		{"abp:orders=steal-fence-head-tail.acq_rel", "duplicate", "0: push push pop\n1: steal\n2: steal\n", false},
		{"abp:orders=pop-fence-tail-head.acq_rel", "duplicate", "0: push push pop\n1: steal\n2: steal\n", true},
		{"abp:orders=pop-fence-tail-head-on-reset.weak", "duplicate", "0: push push pop\n1: steal\n2: steal\n", false},
		{"blocking:orders=lock.relaxed", "invented", "0: enq\n1: deq\n", false},
		{"blocking:orders=unlock.relaxed", "invented", "0: enq\n1: deq\n", true},
		{"the:orders=pop-fence-beg-end.acq_rel", "order", "0: push[65535,65536) pop(1)\n1: steal(1)\n", false},
		{"the:orders=steal-fence-end-beg.acq_rel", "order", "0: push[65535,65536) pop(1)\n1: steal(1)\n", true},
		{"the:orders=steal-lock.relaxed", "order", "0: push[65535,65536)\n1: steal(1)\n2: steal(1)\n", true},
		{"the:orders=owner-lock.relaxed", "false-empty", "0: push[65535,65536) pop(1)\n1: steal(1)\n", true},
		{"the:orders=steal-unlock.relaxed", "false-empty", "0: push[65535,65536) pop(1)\n1: steal(1)\n", true},
		{"the:orders=owner-unlock.relaxed", "order", "0: push[65535,65536)\n1: steal(1)\n2: steal(1)\n", true},
		{"hasty-herlihy-wing", "order", "0: enq signal:a\n1: wait:a enq\n2: deq\n", false},
		{"relaxed-treiber", "false-empty", "0: put signal:a\n1: put\n2: wait:a take\n3: take\n", true},
	} {
		if c.large && !given.Large() {
			continue
		}
		subject := weakSetupOf(t, "ptx", c.spec, "0:").Subject
		list, err := programs.Clients(subject, programs.Bounds{Phases: 1, Size: 1}, 5)
		require.NoError(t, err)
		r := exhaust(t, &Search{Subject: subject, Programs: list, Clients: true})
		require.NotNil(t, r.Failure, c.spec)
		require.Equal(t, c.kind, r.Failure.Finding.Kind, c.spec)
		require.Equal(t, c.client, r.Failure.Case.Program.String(), c.spec)
	}
}
