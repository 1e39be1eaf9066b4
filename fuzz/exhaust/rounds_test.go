package exhaust

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/exhaust/internal/graph"
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

// Kinds of loops that learn something in a round which another round does not need.
const (
	looksAside = 8 + iota
	looksAsideRelaxed
)

// randomLoopy is one with loops, some of which may be of further kinds.
func randomLoopy(r *rand.Rand, further ...int) ref.Foreign {
	var q loopy
	for p := range q.steps {
		for op := range q.steps[p] {
			kinds := [2][]int{{0, 0, 0, 1, 2}, append([]int{2, 3, 4, 5, 6, 7}, further...)}[op]
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
		case looksAside: // waits, and acquires from another word in between
			for m.Load(at, relaxed) < s.value {
				m.Load(other, clAcquire)
			}
		case looksAsideRelaxed: // and acquires only in the end
			for m.Load(at, relaxed) < s.value {
				m.Load(other, relaxed)
			}
			m.Fence(ref.Access{Order: ref.AcqRel, Scope: ref.GPU})
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

// On the weak memory neither, if it looks before it swaps. A swap that leaves nothing behind
// in an empty slot is a write there, which others may read.
func TestWaitingDequeuesOnWeakMemory(t *testing.T) {
	for _, c := range []struct {
		program string
		graphs  int
	}{
		{"0: enq enq\n1: deq\n2: deq", 16},
		{"0: enq enq enq\n1: deq deq", 5},
		{"0: enq enq\n1: enq\n2: deq deq", 28},
	} {
		if testing.Short() && c.graphs > 20 {
			continue
		}
		r := exhaust(t, searchOf(weakSetupOf(t, "ptx", "looking-herlihy-wing", c.program)))
		assert.Equal(t, model.Linearizable, r.Verdict)
		assert.Equal(t, c.graphs, r.Executions, "%s", c.program)
		t.Logf("%q: %d graphs, %d dead ends, %s", c.program, r.Executions, r.DeadEnds, r.Elapsed)
	}
}

// precedences are, of each outcome of a program on a weak memory, what precedes each
// operation, as bits, in the graphs that are made; nil if they are too many, or not of the
// kind.
func precedences(t *testing.T, setup *ref.Setup, r *graph.Rounds, most int) (all map[HistoryKey][][]uint64, made int, stuck bool) {
	sim := ref.NewSim(setup)
	defer sim.Close()
	sim.Tracing, sim.AlwaysPick, sim.OpenFences = true, true, true
	run := &graph.Run{Rounds: r}
	if r != nil {
		r.Sim = sim
	}
	all = map[HistoryKey][][]uint64{}
	runs := 0
	for left := []graph.Graph{{}}; len(left) > 0; runs++ {
		g := left[len(left)-1]
		left = left[:len(left)-1]
		run.Begin(g, setup.Threads(), setup.Space.Len(), nil)
		e := sim.Run(run)
		run.Finish(e)
		if !e.Fit() || runs == most {
			return nil, 0, false
		}
		require.False(t, run.Lost)
		left = append(left, run.Found...)
		stuck = stuck || run.Stalled
		if !run.Dead && !run.Blocked {
			made++
			results := ResultsKey(e.History)
			fenceClassOf(e).ordered(func(c *fenceClass) {
				all[results] = append(all[results], slices.Clone(c.forced[:len(c.Causes)]))
			})
		}
	}
	return all, made, stuck
}

// ordered calls do with the parts of a class in which nothing is open.
func (c *fenceClass) ordered(do func(*fenceClass)) {
	c.relate()
	for i := range c.Causes {
		for j := range bitsOf(c.possible[i] &^ c.forced[i]) {
			f, g := c.open(i, j)
			c.with(f, g).ordered(do)
			c.with(g, f).ordered(do)
			return
		}
	}
	do(c)
}

// Without failed rounds that teach nothing, the graphs of random programs with loops that
// wait have for each history one with the same results and as strict; and what gets stuck
// does so without them, too. Where the rule is mistaken, that is seen.
func TestGraphsWithoutFailedRoundsSuffice(t *testing.T) {
	mistakes := []func(*ref.View, int, *ref.Known) bool{
		func(*ref.View, int, *ref.Known) bool { return false },
		func(v *ref.View, p int, _ *ref.Known) bool { // what the end of the round teaches is not seen
			now := v.Known(p)
			return v.Taught(p, &now, false)
		},
	}
	caught := make([]int, len(mistakes))
	random := rand.New(rand.NewPCG(11, 12))
	texts := []string{"0: enq deq\n1: deq", "0: enq\n1: deq\n2: enq", "0: enq deq\n1: deq enq", "0: enq\n1: deq\n2: deq", "0: enq deq\n1: enq\n2: deq deq"}
	every, without, stuck, mattered, compared := 0, 0, 0, 0, 0
	for i := range given.Amount(testing.Short(), 20, 120, 600) {
		s, err := randomLoopy(random, looksAside, looksAside, looksAside, looksAsideRelaxed, looksAsideRelaxed).Subject(model.Spec{})
		require.NoError(t, err)
		setup := given.Prepare(t, given.On(t, "ptx", s), texts[random.IntN(len(texts))])
		const most = 400
		all, n, isStuck := precedences(t, setup, nil, most)
		if all == nil {
			continue
		}
		r := &graph.Rounds{Book: rounds.NewBook()}
		some, m, isStuckToo := precedences(t, setup, r, most)
		if r.Matters {
			mattered++
			continue
		}
		require.Equal(t, isStuck, isStuckToo, "%d", i)
		require.NoError(t, covers(some, all), "%d\n%s", i, setup.Program)
		require.NoError(t, covers(all, some), "%d\n%s", i, setup.Program)
		compared, every, without = compared+1, every+n, without+m
		if isStuck {
			stuck++
		}
		for k, mistake := range mistakes {
			if wrong, _, _ := precedences(t, setup, &graph.Rounds{Book: rounds.NewBook(), Teaches: mistake}, most); covers(wrong, all) != nil {
				caught[k]++
			}
		}
	}
	t.Logf("%d programs, %d of them stuck, %d left to the search with failed rounds: %d graphs, %d without failed rounds; mistakes were caught %d times", compared, stuck, mattered, every, without, caught)
	assert.Positive(t, compared)
	assert.Greater(t, every, without)
	if !testing.Short() {
		assert.NotContains(t, caught, 0)
	}
}
