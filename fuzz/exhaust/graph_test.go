package exhaust

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/litmus"
)

// everyGraph calls do with every graph, and says how many were dead ends, and
// whether all were fit.
func everyGraph(tb testing.TB, setup *ref.Setup, alike graph.Alike, do func(*ref.Execution, *graph.Run, *ref.Sim)) (graphs, dead int, fit bool) {
	sim := ref.NewSim(setup)
	defer sim.Close()
	sim.Tracing, sim.AlwaysPick, sim.OpenFences = true, true, true
	return everyGraphOf(tb, setup, sim, &graph.Run{}, alike, do)
}

func everyGraphOf(tb testing.TB, setup *ref.Setup, sim *ref.Sim, r *graph.Run, alike graph.Alike, do func(*ref.Execution, *graph.Run, *ref.Sim)) (graphs, dead int, fit bool) {
	sim.Foresees = r.Foresees
	for left := []graph.Graph{{}}; len(left) > 0; {
		g := left[len(left)-1]
		left = left[:len(left)-1]
		r.Begin(g, setup.Threads(), setup.Space.Len(), alike)
		e := sim.Run(r)
		r.Finish(e)
		if !e.Fit() {
			return 0, 0, false
		}
		require.False(tb, r.Lost, "%s", g)
		require.False(tb, r.Unlike, "%s", g)
		left = append(left, r.Found...)
		if r.Dead || r.Blocked {
			dead++
			continue
		}
		require.Equal(tb, ref.Complete, e.Ending, "%s: %s", e.Fault, g)
		graphs++
		do(e, r, sim)
	}
	return graphs, dead, true
}

// Every graph is made once, and all outcomes come about.
func TestGraphsAgreeWithTheAxioms(t *testing.T) {
	programs := agreementPrograms()
	random := rand.New(rand.NewPCG(5, 6))
	compared, graphs, dead := 0, 0, 0
	for i := range programs {
		text := randomOpen(random)
		if i%4 == 0 {
			text = randomLitmus(random)
		}
		test, err := litmus.Parse("test", text)
		require.NoError(t, err)
		want, all, fit := executedAs(t, test, true)
		if !fit {
			continue
		}
		s := threadsOf(t, test)
		got, names := map[string]bool{}, map[string]int{}
		n, d, fit := everyGraph(t, s.setup, nil, func(e *ref.Execution, r *graph.Run, sim *ref.Sim) {
			names[r.Key(nil)]++
			s.outcomes(sim.Finals, got)
		})
		require.True(t, fit)
		require.Equal(t, want, got, "%s", text)
		for name, n := range names {
			require.Equal(t, 1, n, "%s\n%s", text, name)
		}
		require.Equal(t, all, n, "%s", text)
		compared, graphs, dead = compared+1, graphs+n, dead+d
	}
	t.Logf("%d of %d programs are fit; %d graphs, %d dead ends", compared, programs, graphs, dead)
	assert.Greater(t, compared, programs/2)
}

// Graphs, judged for all orders of their fences, have exactly the histories that
// come about when the orders are taken one by one.
func TestGraphsHaveTheHistoriesOfAllOrders(t *testing.T) {
	most, programsOfEach := given.Amount(testing.Short(), 60, 120, 4_000), given.Amount(testing.Short(), 6, 25, 1_000)
	for _, c := range []struct {
		spec, memory string
		bounds       programs.Shape
	}{
		{"abp", "ptx", programs.Shape{4, 1, 1}},
		{"abp", "ptx", programs.Shape{3, 2, 2}},
		{"abp", "ptx:place=block", programs.Shape{3, 2}},
		{"abp:variant=release2011", "ptx", programs.Shape{3, 1, 1}},
		{"abp:variant=book", "ptx", programs.Shape{3, 1, 1}},
		{"abp:orders=pop-fence-tail-head.acq_rel", "ptx", programs.Shape{3, 2}},
		{"abp:orders=push-fence-task-tail.weak", "ptx", programs.Shape{3, 2}},
		{"tz:capacity=4", "ptx", programs.Shape{2, 1}},
		{relaxedQueue, "ptx", programs.Shape{2, 1}},
		{"the", "ptx", programs.Shape{3, 1}},
		{"blocking", "ptx", programs.Shape{2, 1}},
		{"static", "ptx", programs.Shape{1, 1}},
		{"test-read-swap", "ptx", programs.Shape{2, 1}},
		{"test-two-reads", "ptx", programs.Shape{2, 1}},
		{"test-weak-reads", "ptx", programs.Shape{2, 1, 1}},
	} {
		subject := weakSetupOf(t, c.memory, c.spec, "0:").Subject
		list, err := programs.All(subject, programs.Bounds{Shape: c.bounds})
		require.NoError(t, err)
		graphs, dead, executions, histories, compared := 0, 0, 0, 0, 0
		for i := 0; i < len(list); i += 1 + len(list)/programsOfEach {
			program := list[i]
			want, n := oneByOne(t, subject, program, most)
			if want == nil {
				continue
			}
			x := &Search{Subject: subject, Programs: []model.Program{program}}
			w, err := x.weakWalk(program, &atomic.Pointer[pulse]{})
			require.NoError(t, err)
			got := map[HistoryKey]bool{}
			names := map[string]int{}
			alike := 0
			g, d, fit := everyGraph(t, w.setup, nil, func(e *ref.Execution, r *graph.Run, _ *ref.Sim) {
				names[r.Key(nil)]++
				alike = max(alike, names[r.Key(nil)])
				fenceClassOf(e).each(w.setup.Processes(), func(before model.Precedence) bool {
					got[weakKeyOf(e.History, before)] = true
					return true
				})
			})
			w.sim.Close()
			if !fit {
				continue
			}
			require.Equal(t, 1, alike, "%s %s\n%s", c.spec, c.memory, program)
			require.Equal(t, want, got, "%s %s\n%s", c.spec, c.memory, program)
			graphs, dead, executions, histories, compared = graphs+g, dead+d, executions+n, histories+len(got), compared+1
		}
		assert.Positive(t, compared, c.spec)
		t.Logf("%.40s %s: %d of %d programs: %d graphs, %d dead ends, %d with orders of fences, %d histories", c.spec, c.memory, compared, len(list), graphs, dead, executions, histories)
	}
}

// oneByOne are the histories of a program with the orders of fences taken one by
// one, and how many executions those are, unless there are too many.
func oneByOne(tb testing.TB, subject ref.Subject, program model.Program, most int) (map[HistoryKey]bool, int) {
	x := &Search{Subject: subject, Programs: []model.Program{program}}
	w, err := x.weakWalk(program, &atomic.Pointer[pulse]{})
	require.NoError(tb, err)
	defer w.sim.Close()
	w.oneByOne()
	all := map[HistoryKey]bool{}
	for n := 0; !w.Complete; n++ {
		if n == 4*most || w.Executions == most {
			return nil, 0
		}
		e := w.once()
		if w.search.dead {
			w.DeadEnds++
		} else {
			require.Equal(tb, ref.Complete, e.Ending)
			w.Executions++
			all[weakKeyOf(e.History, e.Precedence())] = true
		}
		if w.search.again() {
			w.Executions, w.DeadEnds = 0, 0
			clear(all)
			continue
		}
		w.Complete = !w.search.advance()
	}
	return all, w.Executions
}
