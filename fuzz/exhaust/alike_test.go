package exhaust

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/fuzz/exhaust/internal/rounds"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/internal/queues"
	"stealproof/model"
	"stealproof/ref"
)

// numberings calls do with all ways to number the processes in which only those change
// numbers that are alike.
func numberings(setup *ref.Setup, do func(number []int)) {
	n := setup.Processes()
	number := make([]int, 0, n)
	var next func()
	next = func() {
		p := len(number)
		if p == n {
			do(number)
			return
		}
		for q := range n {
			if !slices.Contains(number, q) && (q == p || setup.Alike(min(p, q), max(p, q))) {
				number = append(number, q)
				next()
				number = number[:p]
			}
		}
	}
	next()
}

// upToNumbers is the least key that the graph has if processes that are alike change
// their numbers.
func upToNumbers(setup *ref.Setup, r *graph.Run) string {
	least := ""
	numberings(setup, func(number []int) {
		if key := r.Key(number); least == "" || key < least {
			least = key
		}
	})
	return least
}

// resultsUpToNumbers is the same for the results and what precedes what.
func resultsUpToNumbers(setup *ref.Setup, h *model.History, before model.Precedence) HistoryKey {
	var least HistoryKey
	put := map[uint64]int{} // the process that put a value in
	calls := setup.Program.Expand()
	for p, row := range calls {
		for _, c := range row {
			if c.Op.Puts() && h.Kind != model.Range {
				put[c.Value] = p
			}
		}
	}
	numberings(setup, func(number []int) {
		value := map[uint64]uint64{} // as the other process puts it in
		for v, p := range put {
			i := slices.IndexFunc(calls[p], func(c model.Call) bool { return c.Value == v })
			value[v] = calls[number[p]][i].Value
		}
		n := setup.Processes()
		ops, rows := make([][]model.Operation, n), make([][][]int32, n)
		for i, o := range h.Ops {
			p := number[o.Process]
			if v, known := value[o.Value]; known {
				o.Value = v
			}
			row := make([]int32, n)
			for q, k := range before[i] {
				row[number[q]] = k
			}
			o.Process = uint32(p)
			ops[p], rows[p] = append(ops[p], o), append(rows[p], row)
		}
		key := weakKeyOf(&model.History{Kind: h.Kind, Ops: slices.Concat(ops...)}, slices.Concat(rows...))
		if least == (HistoryKey{}) || slices.Compare(key[:], least[:]) < 0 {
			least = key
		}
	})
	return least
}

// With processes that are alike told apart there are the same graphs, up to their
// numbers, and the same histories.
func TestOneOrderOfProcessesThatAreAlike(t *testing.T) {
	for i, c := range []struct {
		memory, spec, program string
	}{
		{"ptx", "abp", "0: push push pop\n1: steal\n2: steal"},
		{"ptx", "abp:variant=book", "0: push push\n1: steal\n2: steal"},
		{"ptx", "herlihy-wing", "0: enq\n1: enq\n2: enq\n3: deq"},
		{"ptx", "herlihy-wing", "0: enq\n1: enq\n2: deq\n3: deq"},
		{"ptx", "herlihy-wing", "0: enq deq\n1: enq deq"},
		{"ptx", "treiber", "0: put\n1: put\n2: take"},
		{"ptx", "treiber", "0: put\n1: put\n2: put"},
		{"ptx", "michael-scott", "0: enq\n1: enq\n2: deq"},
		{"ptx", "michael-scott", "0: enq deq\n1: enq deq"},
		{"ptx", "tz:capacity=4", "0: enq\n1: enq"},
		{"ptx", "tz:capacity=4", "0: enq\n1: deq\n2: deq"},
		{"ptx", "the", "0: push[4,8) pop(2)\n1: steal(1)\n2: steal(1)"},
		{"ptx", "list", "0: pop(1)\n1: pop(1)\n2: push[4,8)"},
		{"ptx", "blocking", "0: enq\n1: enq\n2: deq"},
		{"ptx", "abp", "0: push pop\n1: steal\n2: steal\n3: steal"},
		{"ptx:place=block", "abp", "0: push push\n1: steal\n2: steal\n3: steal steal"},
		{"ptx", "chase-lev", "0: push push pop\n1: steal\n2: steal\n3: steal"},
		{"ptx", "herlihy-wing", "0: enq deq\n1: deq\n2: enq deq\n3: deq"},
		{"ptx", "relaxed-treiber", "0: put\n1: put\n2: take\n3: take"},
		{"ptx", "abp:variant=release2011", "0: push push\n1: steal steal\n2: steal steal"},
	} {
		if i >= given.Amount(testing.Short(), 2, 14, 20) {
			continue
		}
		for _, memory := range []string{c.memory, "sc"} {
			setup := weakSetupOf(t, memory, c.spec, c.program)
			every, different, made := oneOfEach(t, setup)
			assert.Less(t, made, every, "%s\n%s", c.spec, c.program)
			t.Logf("%.30s %s %q: %d executions, %d up to numbers, %d made", c.spec, memory, c.program, every, different, made)
		}
	}
}

// oneOfEach compares the executions of a program with those that are made if processes that
// are alike are not told apart: how many there are, how many up to numbers, if that is
// known, and how many of them are made.
func oneOfEach(t *testing.T, setup *ref.Setup) (every, different, made int) {
	alike := alikeOf(setup)
	require.NotNil(t, alike, "%s", setup.Program)
	if !setup.Weak() {
		all, every := timedUpToNumbers(t, setup, nil)
		some, made := timedUpToNumbers(t, setup, alike)
		require.Equal(t, all, some, "%s", setup.Program)
		return every, made, made
	}
	want, all, every := graphsUpToNumbers(t, setup, nil)
	if want == nil {
		return 0, 0, 0
	}
	got, some, made := graphsUpToNumbers(t, setup, alike)
	for key := range want {
		require.Contains(t, got, key, "%s", setup.Program)
	}
	require.Len(t, got, len(want), "%s", setup.Program)
	require.Equal(t, all, some, "%s", setup.Program)
	return every, len(want), made
}

// graphsUpToNumbers are the graphs of a program, its histories, and how many graphs were
// made; nil if they are not of the kind.
func graphsUpToNumbers(t *testing.T, setup *ref.Setup, alike graph.Alike) (graphs map[string]int, histories map[HistoryKey]bool, n int) {
	graphs, histories = map[string]int{}, map[HistoryKey]bool{}
	n, _, fit := everyGraph(t, setup, alike, func(e *ref.Execution, r *graph.Run, _ *ref.Sim) {
		graphs[upToNumbers(setup, r)]++
		fenceClassOf(e).each(setup.Processes(), func(before model.Precedence) bool {
			histories[resultsUpToNumbers(setup, e.History, before)] = true
			return true
		})
	})
	if !fit {
		return nil, nil, 0
	}
	return graphs, histories, n
}

// timedUpToNumbers are the histories on the sequentially consistent memory, and how many
// executions were made for them.
func timedUpToNumbers(t *testing.T, setup *ref.Setup, alike graph.Alike) (histories map[HistoryKey]bool, n int) {
	x := newExplorer(&exhausting{setup: setup, seen: newSeen(1), book: rounds.NewBook(), alike: alike}, defaultAccesses, true, false)
	defer x.close()
	histories = map[HistoryKey]bool{}
	x.orders.found = func(orderKey) bool {
		before := make(model.Precedence, x.orders.ops)
		returned := make([]int32, setup.Processes())
		for _, i := range x.orders.word {
			p := &x.orders.points[i]
			if p.begins {
				before[p.op] = slices.Clone(returned)
			}
			if p.ends {
				returned[x.judged.Ops[p.op].Process]++
			}
		}
		histories[resultsUpToNumbers(setup, &x.judged, before)] = true
		return true
	}
	x.search.load(&task{})
	for more := true; more; more = x.search.backtrack() {
		o := x.once()
		require.NoError(t, o.err)
		require.Nil(t, o.failure)
		require.False(t, x.search.unlike())
		if !o.cut {
			n++
		}
	}
	return histories, n
}

// equals is a structure whose operations are random, and the same whoever calls them.
type equals struct {
	words, own ref.Array
	steps      [2][]equalStep // of what puts and of what takes
}

type equalStep struct {
	kind         int
	at, value    uint64
	order, fails ref.Access
	further      bool // not made if nothing was read so far
}

func randomEquals(r *rand.Rand) ref.Foreign {
	var q equals
	for op := range q.steps {
		for range 1 + r.IntN(3) {
			access := [][]ref.Access{{clRelaxed, clAcquire, clSC}, {clRelaxed, clRelease, clSC}, {clRelaxed, clAcquire, clRelease, clSC}}
			kind := r.IntN(7)
			orders := access[[]int{0, 0, 1, 1, 2, 2, 1}[kind]]
			q.steps[op] = append(q.steps[op], equalStep{kind, r.Uint64N(2), 1 + r.Uint64N(2), orders[r.IntN(len(orders))], clRelaxed, r.IntN(3) == 0})
		}
	}
	return ref.Foreign{Name: "equals", Kind: model.FIFO, Anonymous: true, Build: func(s *ref.Space, _ int) ref.Structure {
		built := q
		built.words, built.own = s.Array("words", 2, 0), s.Array("own", 8, 0)
		return &built
	}}
}

func (q *equals) Do(m ref.Memory, o *model.Operation) {
	code, sum := 0, uint64(0)
	if o.Op == model.Deq {
		code = 1
	}
	for _, s := range q.steps[code] {
		at := q.words.At(s.at)
		if s.further && sum == 0 {
			continue
		}
		switch s.kind {
		case 0, 1:
			sum = 4*sum + m.Load(at, s.order)
		case 2:
			m.Store(at, s.value, s.order)
		case 3:
			if code == 0 {
				m.Store(q.own.At(o.Value), s.value, s.order)
			}
		case 4:
			sum = 4*sum + m.FetchAdd(at, s.value, s.order)
		case 5:
			seen, _ := m.CompareAndSwap(at, s.value-1, s.value, s.order)
			sum = 4*sum + seen
		default:
			m.Fence(clSC)
		}
	}
	if o.Result = model.OK; o.Op == model.Deq {
		o.Value = 100 + sum // nothing that was put in
	}
}

// The same of structures whose operations are random.
func TestOneOrderOfProcessesOfRandomPrograms(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	texts := []string{"0: enq\n1: enq", "0: enq\n1: enq\n2: deq", "0: enq deq\n1: enq deq", "0: deq\n1: deq\n2: enq", "0: enq\n1: deq\n2: enq\n3: deq", "0: deq\n1: deq\n2: deq\n3: enq"}
	compared, graphs, kinds, executed := 0, 0, 0, 0
	timed, timedMade := 0, 0
	for range given.Amount(testing.Short(), 60, 300, 6_000) {
		s, err := randomEquals(random).Subject(model.Spec{})
		require.NoError(t, err)
		text := texts[random.IntN(len(texts))]
		setup := given.Prepare(t, given.On(t, "ptx", s), text)
		if !fewGraphs(setup, 1_500) {
			continue
		}
		if every, different, made := oneOfEach(t, setup); every > 0 {
			compared, graphs, kinds, executed = compared+1, graphs+every, kinds+different, executed+made
			every, _, made = oneOfEach(t, given.Prepare(t, s, text))
			timed, timedMade = timed+every, timedMade+made
		}
	}
	t.Logf("%d programs: %d graphs, %d up to numbers, %d made; %d executions on sc, %d made", compared, graphs, kinds, executed, timed, timedMade)
	assert.Positive(t, compared)
	assert.Less(t, 2*executed, graphs)
}

// fewGraphs says whether a program has no more than so many.
func fewGraphs(setup *ref.Setup, most int) bool {
	x := &Search{Subject: setup.Subject, Programs: alone(setup), AllHistories: true, Unjudged: true, EachHistory: func(HistoryKey) {}, Limit: most, everyProcess: true}
	r, err := x.Run(context.Background())
	return err == nil && r.Complete
}

// A structure that says that its operations do the same whoever calls them, and looks at
// the number of its process, has all its graphs.
func TestProcessesThatAreSaidToBeAlike(t *testing.T) {
	q := queues.HastyHerlihyWing()
	q.Anonymous = true
	s, err := q.Subject(model.Spec{})
	require.NoError(t, err)
	for _, memory := range []string{"sc", "ptx"} {
		setup := given.Prepare(t, given.On(t, memory, s), "0: enq deq\n1: enq deq\n2: enq")
		require.NotNil(t, alikeOf(setup))
		some, all := searchOf(setup), searchOf(setup)
		all.everyProcess = true
		assert.Equal(t, exhaust(t, all).Executions, exhaust(t, some).Executions)
	}
}
