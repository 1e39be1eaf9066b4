package exhaust

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/litmus"
)

// name says which graph it is, whatever the order of its events.
func (r *graphRun) name() string {
	at := func(i int16) string {
		if i < 0 {
			return "-"
		}
		return fmt.Sprintf("%d.%d", r.graph[i].process, r.facts.events[i].number)
	}
	text := ""
	for p := range r.facts.counts {
		for i, e := range r.graph {
			if int(e.process) == p {
				text += at(int16(i)) + "<" + at(e.source) + " "
			}
		}
	}
	for l, order := range r.facts.order {
		text += fmt.Sprint(l, ":")
		for _, w := range order {
			text += at(w) + " "
		}
	}
	return text
}

// everyGraph calls do with every graph, and says how many were dead ends, and
// whether all were fit.
func everyGraph(tb testing.TB, setup *ref.Setup, do func(*ref.Execution, *graphRun, *ref.Sim)) (graphs, dead int, fit bool) {
	sim := ref.NewSim(setup)
	defer sim.Close()
	sim.Tracing, sim.AlwaysPick, sim.OpenFences = true, true, true
	r := &graphRun{}
	for left := []graph{{}}; len(left) > 0; {
		g := left[len(left)-1]
		left = left[:len(left)-1]
		r.begin(g, setup.Processes(), setup.Space.Len())
		e := sim.Run(r)
		if !e.Fit() {
			return 0, 0, false
		}
		require.False(tb, r.lost, "%v: %v", g, r.graph)
		left = append(left, r.found...)
		if r.dead || r.blocked {
			dead++
			continue
		}
		require.Equal(tb, ref.Complete, e.Ending, "%s: %v: %v", e.Fault, g, r.graph)
		graphs++
		do(e, r, sim)
	}
	return graphs, dead, true
}

// Every graph is made once, and all outcomes come about.
func TestGraphsAgreeWithTheAxioms(t *testing.T) {
	programs := agreementPrograms
	if testing.Short() {
		programs = 300
	}
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
		n, d, fit := everyGraph(t, s.setup, func(e *ref.Execution, r *graphRun, sim *ref.Sim) {
			names[r.name()]++
			s.outcomes(sim, got)
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

var _ = model.Put
