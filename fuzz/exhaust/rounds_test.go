package exhaust

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/exhaust/internal/rounds"
	"stealproof/fuzz/internal/given"
	"stealproof/model"
	"stealproof/ref"
)

// loopy is a structure whose operations are random, with loops that wait.
type loopy struct {
	words ref.Array
	steps [3][2][]loopyStep // of each process, of what puts and what takes
}

type loopyStep struct {
	kind  int
	at    [2]uint64
	value uint64
}

const loopyWords = 2

func randomLoopy(r *rand.Rand) ref.Foreign {
	var q loopy
	for p := range q.steps {
		for op := range q.steps[p] {
			kinds := [2][]int{{0, 0, 0, 1, 2}, {2, 3, 4, 5, 6, 7}}[op]
			for range 1 + r.IntN(2) + 1 - op {
				q.steps[p][op] = append(q.steps[p][op], loopyStep{kinds[r.IntN(len(kinds))], [2]uint64{r.Uint64N(loopyWords), r.Uint64N(loopyWords)}, 1 + r.Uint64N(2)/uint64(1+op)})
			}
		}
	}
	return ref.Foreign{Name: "loopy", Kind: model.FIFO, Build: func(s *ref.Space, _ int) ref.Structure {
		built := q
		built.words = s.Array("words", loopyWords, 0)
		return &built
	}}
}

func (q *loopy) Do(m ref.Memory, o *model.Operation) {
	relaxed := ref.Access{Order: ref.Relaxed, Scope: ref.GPU}
	code, sum := 0, uint64(0)
	if o.Op == model.Deq {
		code = 1
	}
	for _, s := range q.steps[o.Process][code] {
		at, other := q.words.At(s.at[0]), q.words.At(s.at[1])
		switch s.kind {
		case 0:
			m.FetchAdd(at, s.value, clAcquire)
		case 1:
			m.Store(at, s.value, clRelease)
		case 2:
			sum = 4*sum + m.Load(at, relaxed)
		case 3: // waits for one word
			for m.Load(at, clAcquire) < s.value {
			}
		case 4: // for one of two
			for m.Load(at, clAcquire) < s.value && m.Load(other, relaxed) < s.value {
			}
		case 5: // for two
			for m.Load(at, relaxed)+m.Load(other, relaxed) < s.value {
			}
		case 6: // until it can take something away
			for v := m.Load(at, relaxed); ; v = m.Load(at, relaxed) {
				if v > 0 && swapped(m.CompareAndSwap(at, v, v-1, clAcquire)) {
					sum = 4*sum + v
					break
				}
			}
		default: // the same, without looking
			for !swapped(m.CompareAndSwap(at, s.value, 0, clSC)) {
			}
		}
	}
	if o.Result = model.OK; o.Op == model.Deq {
		o.Value = sum
	}
}

// strict are the histories of a search, with failed rounds or without: of those
// with the same results, what precedes each operation.
func strict(setup *ref.Setup, prunes bool) (all map[HistoryKey][][]uint64, executed int, failed, matters bool) {
	x := newExplorer(&exhausting{setup: setup, seen: newSeen(1), book: rounds.NewBook()}, defaultAccesses, true, prunes)
	defer x.close()
	all = map[HistoryKey][][]uint64{}
	x.orders.found = func(orderKey) bool {
		before := make([]uint64, x.orders.ops)
		returned := uint64(0)
		for _, i := range x.orders.word {
			p := &x.orders.points[i]
			if p.begins {
				before[p.op] = returned
			}
			if p.ends {
				returned |= 1 << p.op
			}
		}
		all[x.orders.outcome] = append(all[x.orders.outcome], before)
		return true
	}
	x.search.load(&task{})
	for more := true; more; more = x.search.backtrack() {
		o := x.once()
		if o.err != nil {
			panic(o.err)
		}
		failed = failed || o.failure != nil
		if !o.cut {
			executed++
		}
	}
	return all, executed, failed, x.search.matters
}

// covers says whether each of these histories has one with the same results in which
// at least as much precedes each operation.
func covers(strict, all map[HistoryKey][][]uint64) error {
	for results, list := range all {
		for _, before := range list {
			if !hasStricter(strict[results], before) {
				return fmt.Errorf("%v: nothing is as strict as %v", results, before)
			}
		}
	}
	return nil
}

func hasStricter(list [][]uint64, before []uint64) bool {
	for _, other := range list {
		stricter := true
		for i := range before {
			stricter = stricter && before[i]&^other[i] == 0
		}
		if stricter {
			return true
		}
	}
	return false
}

// Random programs with loops that wait: without failed rounds, the search finds a
// history for each that there is, with the same results and as strict; and what gets
// stuck does so without them, too.
func TestExecutionsWithoutFailedRoundsSuffice(t *testing.T) {
	count := 200
	switch {
	case given.Large():
		count = 5_000
	case testing.Short():
		count = 60
	}
	random := rand.New(rand.NewPCG(7, 8))
	texts := []string{"0: enq deq\n1: deq", "0: enq\n1: deq\n2: enq", "0: enq deq\n1: deq enq", "0: enq\n1: enq deq\n2: deq"}
	every, without, stuck, mattered := 0, 0, 0, 0
	for i := range count {
		s, err := randomLoopy(random).Subject(model.Spec{})
		require.NoError(t, err)
		setup := given.Prepare(t, s, texts[random.IntN(len(texts))])
		all, n, failed, _ := strict(setup, false)
		some, m, failedToo, matters := strict(setup, true)
		if matters {
			mattered++
			continue
		}
		require.Equal(t, failed, failedToo, "%d", i)
		require.NoError(t, covers(some, all), "%d", i)
		require.NoError(t, covers(all, some), "%d", i)
		every, without = every+n, without+m
		if failed {
			stuck++
		}
	}
	t.Logf("%d programs, %d of them stuck, %d left to the search with failed rounds: %d executions, %d without failed rounds", count, stuck, mattered, every, without)
	assert.Greater(t, 3*(count-stuck), count)
	assert.Greater(t, count, 5*mattered)
	assert.Greater(t, every, 2*without)
}

// Who waits in the queue of Herlihy & Wing makes no round in vain.
func TestWaitingDequeues(t *testing.T) {
	for _, c := range []struct {
		spec, program string
		executions    int
	}{
		{"waiting-herlihy-wing", "0: enq enq enq\n1: deq deq", 5},
		{"waiting-herlihy-wing", "0: enq enq enq\n1: deq\n2: deq", 12},
		{"waiting-herlihy-wing", "0: enq enq\n1: enq\n2: deq deq", 28},
		{"waiting-herlihy-wing", "0: enq\n1: enq\n2: enq\n3: deq deq", 90},
		{"waiting-herlihy-wing", "0: enq\n1: enq\n2: enq\n3: deq\n4: deq", 312},
		{"looking-herlihy-wing", "0: enq enq enq\n1: deq\n2: deq", 24},
		{"looking-herlihy-wing", "0: enq\n1: enq\n2: enq\n3: deq\n4: deq", 396},
	} {
		x := searchOf(setupOf(t, c.spec, c.program))
		x.Jobs = 1
		r := exhaust(t, x)
		assert.Equal(t, model.Linearizable, r.Verdict)
		assert.Equal(t, c.executions, r.Executions, "%s\n%s", c.spec, c.program)
		t.Logf("%s %q: %d executions, %d cut, %s", c.spec, c.program, r.Executions, r.Cut, r.Elapsed)
	}
}
