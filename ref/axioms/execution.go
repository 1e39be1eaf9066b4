package axioms

import "slices"

// Execution holds the relations of a graph: those that the events alone
// determine, and those that follow from what reads from what and from the
// orders chosen. A search changes the latter and calls Update.
type Execution struct {
	Graph *Graph
	Model Model
	s     *space
	fixed int // mark after the relations that never change

	hasBarriers, hasProxies bool

	// Determined by the events.
	id, po, sameLocation, sameAddress, poLoc, rmw, dep, interThread Rel
	strong                                                          Rel // morally strong pairs
	releasePattern, acquirePattern                                  Rel
	write, initFirst                                                Rel

	// Determined by the choices.
	rf, barrier, fenceOrder, obs, sync, base, cause Rel
	kept                                            Rel // of what is caused, where there are proxies
	settled                                         int // mark after these
	co, fr                                          Rel
}

// NewExecution works out what the events determine.
func NewExecution(m Model, g *Graph) *Execution {
	x := &Execution{Graph: g, Model: m, s: newSpace(len(g.Events))}
	x.id = x.s.identity(func(int) bool { return true })
	x.po = x.pairs(x.inProgramOrder)
	x.sameLocation = x.pairs(func(i, j int) bool {
		a, b := &g.Events[i], &g.Events[j]
		return a.Accesses() && b.Accesses() && a.Location == b.Location
	})
	x.interThread = x.pairs(func(i, j int) bool { return g.Events[i].Thread != g.Events[j].Thread })
	x.hasProxies = m == PTX && slices.ContainsFunc(g.Events, func(e Event) bool { return e.Proxy != Generic || e.Alias != 0 })
	x.sameAddress = x.sameLocation
	x.poLoc = x.po.and(x.sameLocation)
	if x.hasProxies {
		x.sameAddress = x.pairs(func(i, j int) bool { return x.sameLocation.Has(i, j) && g.Events[i].Alias == g.Events[j].Alias })
		x.poLoc = x.po.and(x.pairs(x.sameAddressAndProxy))
	}
	x.rmw = x.listed(g.RMW)
	x.dep = x.listed(g.Deps)
	x.write = x.those(func(e *Event) bool { return e.Kind == Write })
	x.hasBarriers = slices.ContainsFunc(g.Events, func(e Event) bool { return e.IsBarrier() })
	x.initFirst = x.pairs(func(i, j int) bool {
		return g.Events[i].Thread == Initial && g.Events[j].Kind == Write && g.Events[j].Thread != Initial && x.sameLocation.Has(i, j)
	})
	x.strong = x.pairs(x.morallyStrong)
	x.releasePattern = x.releasePatterns()
	x.acquirePattern = x.acquirePatterns()
	x.fixed = x.s.mark()
	return x
}

// Update works out what follows from the choices that the graph now holds.
func (x *Execution) Update() {
	x.s.release(x.fixed)
	x.rf = x.listed(x.Graph.RF)
	x.fenceOrder = x.listed(x.Graph.FenceOrder)
	x.barrier = x.s.empty()
	if x.hasBarriers {
		x.barrier = x.barriers()
	}
	x.Model.derive(x)
	x.settled = x.s.mark()
	x.Order()
}

// Order works out what follows from a change of Graph.CO alone.
func (x *Execution) Order() {
	x.s.release(x.settled)
	x.co = x.coherence()
	x.fr = x.rf.inverse().then(x.co)
}

func (x *Execution) pairs(related func(i, j int) bool) Rel {
	r := x.s.empty()
	for i := range x.s.n {
		for j := range x.s.n {
			if related(i, j) {
				r.add(i, j)
			}
		}
	}
	return r
}

func (x *Execution) listed(pairs []Pair) Rel {
	r := x.s.empty()
	for _, p := range pairs {
		r.add(p.From, p.To)
	}
	return r
}

// those is the identity on the events that are so.
func (x *Execution) those(are func(e *Event) bool) Rel {
	return x.s.identity(func(i int) bool { return are(&x.Graph.Events[i]) })
}

func (x *Execution) inProgramOrder(i, j int) bool {
	a, b := x.Graph.Events[i].Thread, x.Graph.Events[j].Thread
	return i < j && a == b && a != Initial
}

// coherence is the least order of writes that the choices allow: initial
// writes first, then what was chosen, program order of a location, causality,
// and whatever follows by transitivity. It is a cycle if they contradict.
func (x *Execution) coherence() Rel {
	caused := x.write.then(x.cause.or(x.poLoc).and(x.sameLocation), x.write)
	return x.initFirst.or(caused, x.listed(x.Graph.CO)).repeated()
}

// barriers relates the events that meet at a barrier: who syncs learns of all
// that others did before they came, who only arrives learns nothing.
func (x *Execution) barriers() Rel {
	return x.pairs(func(i, j int) bool {
		a, b := &x.Graph.Events[i], &x.Graph.Events[j]
		return a.IsBarrier() && b.Kind == BarrierSync && a.Thread != b.Thread &&
			a.Phase != UnknownPhase && a.Phase == b.Phase && x.Graph.Places[a.Thread] == x.Graph.Places[b.Thread]
	})
}

// CO is the order of writes, closed under what must follow.
func (x *Execution) CO() Rel { return x.co }

// Happened is what happened before what: by base causality or program order.
func (x *Execution) Happened() Rel { return x.base.or(x.po) }

// MorallyStrong says whether two events are.
func (x *Execution) MorallyStrong(i, j int) bool { return x.strong.Has(i, j) }

// ChosenCO is the order of writes as it was chosen, without what the axioms ask
// for beside it: for those who look at executions that are forbidden.
func (x *Execution) ChosenCO() Rel {
	return x.initFirst.or(x.listed(x.Graph.CO)).repeated()
}

// Relation is one of the relations by name, for those who draw or explain:
// po, rf, co, fr, sync (without barriers), barrier, cause.
func (x *Execution) Relation(name string) Rel {
	switch name {
	case "po":
		return x.po
	case "rf":
		return x.rf
	case "co":
		return x.co
	case "fr":
		return x.fr
	case "sync":
		return x.sync.minus(x.barrier)
	case "barrier":
		return x.barrier
	case "cause":
		return x.cause
	}
	return x.s.empty()
}
