package queuetest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/mutate"
	"stealproof/fuzz/progress"
	"stealproof/fuzz/queuetest"
	"stealproof/model"
	"stealproof/ref/ptx"
)

// A kernel, as a compiler made it, is tested as a queue in Go is. This one takes 'the
// turn of this cell has not come' for 'the ring is empty'.
func ExampleOf() {
	module, err := ptx.Open("../../gpu/examples/ticket-trusts-turn.ptx")
	if err != nil {
		fmt.Println(err)
		return
	}
	ring, err := module.Foreign(model.FIFO, ptx.Setup{})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := queuetest.Find(context.Background(), queuetest.Of(ring), queuetest.Flags{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report)
	fmt.Print(report.Failure.Case.Program)
	// Output:
	// violation (false-empty): process 1 found the queue empty in [9,10] (deq), but value 2 was inside all that time: process 1 enqueued 2 in [4,8], and it never left
	// 0: enq
	// 1: enq deq
}

func ring(t *testing.T) queuetest.Queue {
	t.Helper()
	m, err := ptx.Open("../../gpu/examples/ticket.ptx")
	require.NoError(t, err)
	f, err := m.Foreign(model.FIFO, ptx.Setup{})
	require.NoError(t, err)
	q := queuetest.Of(f)
	q.Checks = 300
	return q
}

func TestModule(t *testing.T) { queuetest.Check(t, ring(t)) }

func TestProgressOfAModule(t *testing.T) {
	queuetest.Progress(t, ring(t), map[model.Op]progress.Level{model.Enq: progress.LockFree, model.Deq: progress.Blocking})
}

// The accesses of a module have the names that it gives them.
func TestFencesOfAModule(t *testing.T) {
	if !given.Large() {
		t.Skip("a minute: make large")
	}
	q := ring(t)
	q.Shape = []int{2, 1}
	q.Checks = 3000
	r := queuetest.Fences(t, q)
	require.True(t, r.Exhausted)
	assert.Less(t, r.Cost, r.PublishedCost/3)
	for _, s := range r.Sites {
		assert.Regexp(t, `^ticket\.ptx:[0-9]+: [a-z]+$`, r.Design.Sites[s.Site])
	}
}

// Its mutants are patches of its text, of which none goes unnoticed.
func TestMutantsOfAModule(t *testing.T) {
	if !given.Large() {
		t.Skip("a minute: make large")
	}
	q := ring(t)
	q.Checks = 100
	assert.Greater(t, queuetest.Mutants(t, q, nil).Count(mutate.Killed), 30)
}

// Of a queue at which a block works together, with its lanes in the spec of what is saved.
func TestModuleOfABlock(t *testing.T) {
	find := func(file string) *queuetest.Report {
		m, err := ptx.Open("../../gpu/examples/" + file)
		require.NoError(t, err)
		f, err := m.Foreign(model.WSDeque, ptx.Setup{Lanes: 2})
		require.NoError(t, err)
		q := queuetest.Of(f)
		q.Checks = 100
		r, err := queuetest.Find(t.Context(), q, queuetest.Flags{Seed: 1})
		require.NoError(t, err)
		return r
	}
	r := find("block-deque-hasty.ptx")
	require.NotNil(t, r.Failure)
	assert.Equal(t, "block-deque-hasty-ptx:lanes=2", r.Failure.Case.Spec.String())
	assert.Contains(t, r.String(), "block-deque-hasty.ptx:")
	r = find("block-deque.ptx")
	assert.Nil(t, r.Failure)
	assert.Equal(t, model.Linearizable, r.Verdict)
}
