package litmus

import (
	"stealproof/ref/axioms"
)

// combination is one path of each thread, as a graph that lacks its choices.
type combination struct {
	test  *Test
	model axioms.Model
	paths []*path
	graph *axioms.Graph
	x     *axioms.Execution

	instructions []*Instruction
	details      []*pathEvent // of each event; nil for initial writes
	reads        []int        // events
	readOf       [][]int      // events, by thread and number of the read
	barriers     []int        // events
}

// build makes the graph of one path of each thread.
func build(t *Test, m axioms.Model, paths []*path) *combination {
	c := &combination{test: t, model: m, paths: paths, graph: &axioms.Graph{}}
	for location, value := range t.Initial {
		c.add(axioms.Event{Thread: axioms.Initial, Kind: axioms.Write, Location: location, Value: value}, nil)
	}
	for thread, p := range paths {
		c.graph.Places = append(c.graph.Places, t.Threads[thread].Place)
		c.readOf = append(c.readOf, make([]int, p.reads))
		for k := range p.events {
			c.addOf(thread, &p.events[k])
		}
	}
	c.x = axioms.NewExecution(m, c.graph)
	return c
}

func (c *combination) add(e axioms.Event, d *pathEvent) {
	c.graph.Events = append(c.graph.Events, e)
	c.details = append(c.details, d)
	var i *Instruction
	if d != nil {
		i = d.instruction
	}
	c.instructions = append(c.instructions, i)
}

func (c *combination) addOf(thread int, d *pathEvent) {
	at := len(c.graph.Events)
	e := axioms.Event{Thread: thread, Kind: d.kind, Order: d.order, Scope: d.instruction.Scope, Atomic: d.atomic, Phase: axioms.UnknownPhase}
	switch {
	case e.Accesses():
		e.Location, e.Proxy, e.Alias = d.location, d.instruction.Proxy, d.instruction.Alias
	case e.Kind == axioms.ProxyFence:
		e.Proxy = d.instruction.Proxy
	}
	c.add(e, d)
	switch {
	case d.kind == axioms.Read:
		c.readOf[thread][d.read] = at
		c.reads = append(c.reads, at)
	case e.IsBarrier():
		c.barriers = append(c.barriers, at)
	}
	if d.rmwOf != none {
		c.graph.RMW = append(c.graph.RMW, axioms.Pair{From: c.readOf[thread][d.rmwOf], To: at})
	}
	for _, r := range d.depends {
		c.graph.Deps = append(c.graph.Deps, axioms.Pair{From: c.readOf[thread][r], To: at})
	}
}

// sources lists the writes that a read may read from, but for those that every
// model excludes: later ones of its own thread, and what its own thread has
// overwritten before (under PTX: at the same address, through the same proxy). It
// lists those too if anything goes.
func (c *combination) sources(read int, anything bool) []int {
	r := &c.graph.Events[read]
	own := func(w *axioms.Event) bool {
		return w.Thread == r.Thread && w.Location == r.Location && (c.model != axioms.PTX || w.Proxy == r.Proxy && w.Alias == r.Alias)
	}
	last := none // such a write before the read
	for i := range read {
		if e := &c.graph.Events[i]; e.Kind == axioms.Write && own(e) {
			last = i
		}
	}
	var all []int
	for i := range c.graph.Events {
		w := &c.graph.Events[i]
		if w.Kind != axioms.Write || w.Location != r.Location {
			continue
		}
		if !anything && (own(w) && i != last || w.Thread == axioms.Initial && last != none) {
			continue
		}
		all = append(all, i)
	}
	return all
}
