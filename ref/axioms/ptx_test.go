package axioms

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Helpers that make small graphs. Location 0 is x, location 1 is y.
const (
	x = 0
	y = 1
)

func initial(location int) Event { return Event{Thread: Initial, Kind: Write, Location: location} }

func access(thread int, k Kind, o Order, location int, value int64) Event {
	return Event{Thread: thread, Kind: k, Order: o, Scope: GPU, Location: location, Value: value}
}

func fence(thread int, o Order) Event {
	return Event{Thread: thread, Kind: Fence, Order: o, Scope: GPU}
}

func barrier(thread int, k Kind) Event { return Event{Thread: thread, Kind: k} }

// twoBlocks are two threads in blocks of their own, oneBlock two in the same.
var (
	twoBlocks = []Place{{CTA: 0}, {CTA: 1}}
	oneBlock  = []Place{{}, {}}
)

// violated lists the axioms that do not hold.
func violated(t testing.TB, m Model, g *Graph) (names []string) {
	t.Helper()
	require.NoError(t, g.Validate())
	e := NewExecution(m, g)
	e.Update()
	for _, a := range m.Axioms() {
		if !a.holds(e) {
			names = append(names, a.Name)
		}
	}
	if f := Check(m, g); assert.Equal(t, len(names) == 0, f == nil) && f != nil {
		assert.Contains(t, names, f.Axiom)
		requireCycle(t, f)
	}
	return names
}

func requireCycle(t testing.TB, f *Forbidden) {
	t.Helper()
	require.NotEmpty(t, f.Cycle, f)
	for i, s := range f.Cycle {
		require.Equal(t, s.To, f.Cycle[(i+1)%len(f.Cycle)].From, f)
	}
}

// TestEachAxiomForbidsWhatNoOtherDoes: for each axiom an execution that it
// alone forbids, so that leaving it out would let that through.
func TestEachAxiomForbidsWhatNoOtherDoes(t *testing.T) {
	messagePassing := []Event{
		initial(x), initial(y),
		access(0, Write, Weak, x, 1), access(0, Write, Release, y, 1),
		access(1, Read, Acquire, y, 1), access(1, Read, Weak, x, 0),
	}
	tests := map[string]*Graph{
		// Release and acquire make the first write of x visible; it is not seen.
		"causality": {Places: twoBlocks, Events: messagePassing, RF: []Pair{{3, 4}, {0, 5}}},
		// As before, but the second thread writes x, and comes first.
		"coherence": {Places: twoBlocks, Events: append(append([]Event{}, messagePassing[:5]...), access(1, Write, Weak, x, 2)),
			RF: []Pair{{3, 4}}, CO: []Pair{{5, 2}}},
		// A thread does not see its own write: weak, so that nothing else says so.
		"sc per location": {Places: twoBlocks, Events: []Event{initial(x), access(0, Write, Weak, x, 1), access(0, Read, Weak, x, 0)},
			RF: []Pair{{0, 2}}},
		// Another write comes between an exchange's read and its write.
		"atomicity": {Places: twoBlocks, Events: []Event{initial(x), access(0, Read, Relaxed, x, 0), access(0, Write, Relaxed, x, 1), access(1, Write, Relaxed, x, 2)},
			RMW: []Pair{{1, 2}}, RF: []Pair{{0, 1}}, CO: []Pair{{3, 2}}},
		// Two weak loads and stores, each store depending on the load before it.
		"no thin air": {Places: twoBlocks, Events: []Event{
			initial(x), initial(y), access(0, Read, Weak, x, 1), access(0, Write, Weak, y, 1), access(1, Read, Weak, y, 1), access(1, Write, Weak, x, 1)},
			RF: []Pair{{5, 2}, {3, 4}}, Deps: []Pair{{2, 3}, {4, 5}}},
		// A barrier orders two fences the other way than they are ordered.
		"fence-sc": {Places: oneBlock, Events: []Event{fence(0, SC), barrier(0, BarrierSync), barrier(1, BarrierSync), fence(1, SC)},
			FenceOrder: []Pair{{3, 0}}},
		// Who has come before, as its flag says, meets nobody in a later round.
		"barrier rounds": {Places: []Place{{}, {}, {}}, Events: []Event{
			initial(x), {Thread: 0, Kind: BarrierArrive, Phase: 1}, access(0, Write, Release, x, 1),
			access(1, Read, Acquire, x, 1), {Thread: 1, Kind: BarrierSync}, {Thread: 2, Kind: BarrierSync}},
			RF: []Pair{{2, 3}}, Rounds: [][]int{{0, 1}}},
	}
	for _, a := range PTX.Axioms() {
		t.Run(a.Name, func(t *testing.T) {
			require.Contains(t, tests, a.Name)
			assert.Equal(t, []string{a.Name}, violated(t, PTX, tests[a.Name]))
		})
	}
}

// TestMessagePassing: what of it matters, one by one.
func TestMessagePassing(t *testing.T) {
	graph := func(change func(e []Event)) *Graph {
		e := []Event{
			initial(x), initial(y),
			access(0, Write, Weak, x, 1), access(0, Write, Release, y, 1),
			access(1, Read, Acquire, y, 1), access(1, Read, Weak, x, 0),
		}
		change(e)
		return &Graph{Places: twoBlocks, Events: e, RF: []Pair{{3, 4}, {0, 5}}}
	}
	assert.NotEmpty(t, violated(t, PTX, graph(func([]Event) {})))
	assert.Empty(t, violated(t, PTX, graph(func(e []Event) { e[3].Order = Relaxed })), "no release")
	assert.Empty(t, violated(t, PTX, graph(func(e []Event) { e[4].Order = Relaxed })), "no acquire")
	assert.Empty(t, violated(t, PTX, graph(func(e []Event) { e[3].Scope = CTA })), "the writer's scope is too narrow")
	assert.Empty(t, violated(t, PTX, graph(func(e []Event) { e[4].Scope = CTA })), "the reader's scope is too narrow")
	for _, m := range []Model{RC11, TSO, SequentialConsistency} {
		assert.NotEmpty(t, violated(t, m, graph(func([]Event) {})), m)
	}
	assert.Empty(t, violated(t, RC11, graph(func(e []Event) { e[3].Order = Relaxed })), "no release")
	assert.NotEmpty(t, violated(t, TSO, graph(func(e []Event) { e[3].Order = Relaxed })), "TSO does not look at orders")
}

// TestPlaces: which threads share an instance of a scope.
func TestPlaces(t *testing.T) {
	a := Place{GPU: 0, Cluster: 0, CTA: 0}
	for _, c := range []struct {
		b    Place
		want [4]bool // cta, cluster, gpu, sys
	}{
		{Place{0, 0, 0}, [4]bool{true, true, true, true}},
		{Place{0, 0, 1}, [4]bool{false, true, true, true}},
		{Place{0, 1, 0}, [4]bool{false, false, true, true}}, // block 0 of another cluster
		{Place{1, 0, 0}, [4]bool{false, false, false, true}},
	} {
		for s := CTA; s <= System; s++ {
			assert.Equal(t, c.want[s], a.shares(c.b, s), "%v %s", c.b, s)
		}
	}
}

// TestOpen: what an unfinished graph lacks.
func TestOpen(t *testing.T) {
	g := &Graph{Places: twoBlocks, Events: []Event{
		initial(x), access(0, Write, Relaxed, x, 1), fence(0, SC), access(1, Write, Relaxed, x, 2), fence(1, SC), access(1, Read, Weak, x, 2),
	}}
	e := NewExecution(PTX, g)
	e.Update()
	assert.True(t, e.Allowed(), "what is missing forbids nothing")
	assert.Equal(t, []string{
		"writes 1 and 3 must be ordered",
		"sc fences 2 and 4 must be ordered",
		"event 5 (thread 1: read.weak of location 0: 2) reads from no write",
	}, e.Open())
	g.RF, g.CO, g.FenceOrder = []Pair{{3, 5}}, []Pair{{1, 3}}, []Pair{{2, 4}}
	e.Update()
	assert.Empty(t, e.Open())
	g.Events[1].Order = Weak
	g.CO = nil
	e = NewExecution(PTX, g)
	e.Update()
	assert.Empty(t, e.Open(), "writes that race weakly need no order; here the fences give them one")
}

func TestValidate(t *testing.T) {
	good := func() *Graph {
		return &Graph{Places: twoBlocks, Events: []Event{
			initial(x), access(0, Read, Relaxed, x, 0), access(0, Write, Relaxed, x, 1), access(1, Write, Weak, y, 1), fence(1, SC),
		}, RMW: []Pair{{1, 2}}, RF: []Pair{{0, 1}}, CO: []Pair{{0, 2}}, Deps: []Pair{{1, 2}}}
	}
	require.NoError(t, good().Validate())
	for want, change := range map[string]func(g *Graph){
		"event 1: thread 2: expected one of 2":                                            func(g *Graph) { g.Events[1].Thread = 2 },
		"event 2: a write cannot have order acquire":                                      func(g *Graph) { g.Events[2].Order = Acquire },
		"event 1: a read cannot have order release":                                       func(g *Graph) { g.Events[1].Order = Release },
		"event 4: a fence cannot have order relaxed":                                      func(g *Graph) { g.Events[4].Order = Relaxed },
		"event 2: a fence of no thread: only initial writes are of no thread":             func(g *Graph) { g.Events[2] = Event{Thread: Initial, Kind: Fence, Order: SC} },
		"event 3: initial writes must stand first":                                        func(g *Graph) { g.Events[3].Thread = Initial },
		"event 1: location 0 has two initial writes":                                      func(g *Graph) { g.Events[1] = initial(x) },
		"rf from event 3 to 1: they are of different locations":                           func(g *Graph) { g.RF[0].From = 3 },
		"rf from event 0 to 9: there are 5 events":                                        func(g *Graph) { g.RF[0].To = 9 },
		"event 1 reads from two writes":                                                   func(g *Graph) { g.RF = append(g.RF, Pair{2, 1}) },
		"co from event 0 to 1: expected a write and a write":                              func(g *Graph) { g.CO[0].To = 1 },
		"rmw from event 1 to 0: expected a read, then a write of the same thread":         func(g *Graph) { g.RMW[0].To = 0 },
		"dependency from event 2 to 1: expected a read, then another event of its thread": func(g *Graph) { g.Deps[0] = Pair{2, 1} },
		"fence order from event 4 to 3: expected a fence and a fence":                     func(g *Graph) { g.FenceOrder = []Pair{{4, 3}} },
		"event 4: unknown kind, order, scope or proxy":                                    func(g *Graph) { g.Events[4].Scope = 9 },
	} {
		g := good()
		change(g)
		assert.EqualError(t, g.Validate(), want)
	}
}

func TestParseModel(t *testing.T) {
	for _, m := range []Model{PTX, RC11, TSO, SequentialConsistency} {
		parsed, err := ParseModel(m.String())
		require.NoError(t, err)
		assert.Equal(t, m, parsed)
	}
	_, err := ParseModel("arm")
	assert.EqualError(t, err, `unknown memory model "arm": expected one of ptx, rc11, tso, sc`)
}
