package queuetest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/internal/queues"
	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

func tested(f ref.Foreign) Queue {
	return quick(Queue{Name: f.Name, Kind: f.Kind, Anonymous: f.Anonymous, Build: f.Build})
}

// A queue that breaks only where two processes have an order from outside is found, and
// what is shown is the smallest client with its signal.
func TestAnOrderFromOutside(t *testing.T) {
	ptx := model.Spec{Structure: "ptx"}
	r, err := Find(t.Context(), tested(queues.HerlihyWing()), Flags{Seed: 1, Memory: ptx, Short: true})
	require.NoError(t, err)
	assert.Equal(t, model.Linearizable, r.Verdict, r)
	assert.Equal(t, 3, r.Clients)
	assert.Contains(t, r.String(), "; all clients of up to 3 calls; ")

	buffering := model.Spec{Structure: "ptx", Settings: model.Settings{"buffering": "yes"}}
	r, err = Find(t.Context(), tested(queues.HerlihyWing()), Flags{Seed: 1, Memory: buffering, Short: true})
	require.NoError(t, err)
	assert.Equal(t, model.Linearizable, r.Verdict, r)
	assert.Equal(t, 3, r.Clients, "these without load buffering")
	assert.Contains(t, r.Looked.NotMade, "load buffering in random programs, and in clients with signals")

	hasty := tested(queues.HastyHerlihyWing())
	r, err = Find(t.Context(), hasty, Flags{Seed: 1, Short: true})
	require.NoError(t, err)
	assert.Equal(t, model.Linearizable, r.Verdict, r)
	assert.Zero(t, r.Clients)
	hasty.Clients = 2
	r, err = Find(t.Context(), hasty, Flags{Seed: 1, Memory: ptx, Short: true})
	require.NoError(t, err)
	assert.Equal(t, model.Linearizable, r.Verdict, r)

	hasty.Clients = 0
	r, err = Find(t.Context(), hasty, Flags{Seed: 1, Memory: ptx, Short: true})
	require.NoError(t, err)
	require.Equal(t, model.Violation, r.Verdict, r)
	assert.Equal(t, linearize.Order, r.Failure.Finding.Kind)
	assert.Equal(t, "0: enq signal:a\n1: wait:a enq\n2: deq\n", r.Failure.Case.Program.String())
	subject, err := queues.HastyHerlihyWing().Subject(ptx)
	require.NoError(t, err)
	again, err := fuzz.RunCaseOf(subject, r.Failure.Case)
	require.NoError(t, err)
	assert.True(t, again.Expected())
}
