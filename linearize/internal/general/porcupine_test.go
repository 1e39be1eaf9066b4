package general

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

func TestSearchAgreesWithBruteForce(t *testing.T) {
	rounds := 25_000
	if testing.Short() {
		rounds = 3_000
	}
	for _, k := range model.Kinds {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			r := testkit.NewTiny(k, 1)
			seen := map[bool]int{}
			for range rounds {
				h := r.Next(6)
				want := testkit.BruteForce(h)
				seen[want]++
				require.Equal(t, want, Small(h), "%s", testkit.Describe(h))
			}
			// Too few of one sort would show nothing.
			require.Greater(t, seen[true], rounds/5, "legal histories")
			require.Greater(t, seen[false], rounds/5, "illegal histories")
		})
	}
}

// The order of a process holds even where its operations touch: here process
// 1 put 5 in and only then took it out, at the same stamp. Intervals alone say
// that the two are concurrent, and that 'empty' in between is fine.
func TestOrderOfAProcessHoldsWhereStampsTie(t *testing.T) {
	h := testkit.Read(model.FIFO, "",
		`{"process":1,"op":"enq","result":"ok","value":5,"call":10,"return":10}`,
		`{"process":1,"op":"deq","result":"empty","call":10,"return":10}`)
	require.False(t, Small(h))
	require.False(t, testkit.BruteForce(h))

	m, ok := newSequential(Excerpt{History: h}, &Stopper{})
	require.True(t, ok)
	require.Equal(t, 1, m.marks)
	m.marks = 0 // what porcupine alone would say
	for i := range m.all {
		m.all[i].after, m.all[i].mark = none, none
	}
	require.EqualValues(t, "Ok", m.run())

	between := h.With(append([]model.Operation(nil), h.Ops...))
	between.Ops[1].Process = 2
	require.True(t, Small(between), "of different processes they are concurrent")
}

// Times beyond those of the general checker are compressed to ranks.
func TestHugeTimes(t *testing.T) {
	const far = model.Never - 10
	h := &model.History{Kind: model.FIFO, Ops: []model.Operation{
		{Op: model.Enq, Result: model.OK, Value: 1, Call: far, Return: far + 1},
		{Op: model.Deq, Result: model.Empty, Value: model.NoValue, Call: far + 2, Return: far + 3, Process: 1},
		{Op: model.Deq, Result: model.OK, Value: 1, Call: 3, Return: model.Never, Process: 2},
	}}
	require.True(t, Small(h), "the removal that never came back may explain the empty one")
	h.Ops[2].Call = far + 5
	require.False(t, Small(h))
}

// With very many operations at once a search that is told to stop has a long way
// back, which must not eat into the time of others. So at its deadline it gives up
// by itself, at once.
func TestDeadlineIsKeptWithoutBeingTold(t *testing.T) {
	stop := &Stopper{Deadline: time.Now().Add(50 * time.Millisecond)}
	require.Equal(t, model.Undecided, Search(Excerpt{History: testkit.Hard(8_000)}, stop))
	require.Empty(t, stop.Reason())
}
