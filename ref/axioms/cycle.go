package axioms

// Cycles, for explanations. Speed does not matter here.

// edges is a relation with a name for each kind of edge.
type edges []struct {
	name string
	rel  Rel
}

// shortest finds a shortest path of at least one edge, or nil.
func (es edges) shortest(from, to int) []Step {
	n := es[0].rel.s.n
	came := make([]*Step, n)
	queue := []int{from}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, e := range es {
			for _, next := range e.rel.of(at) {
				if came[next] != nil {
					continue
				}
				came[next] = &Step{at, next, e.name}
				if next == to {
					return backtrack(came, from, to)
				}
				queue = append(queue, next)
			}
		}
	}
	return nil
}

func backtrack(came []*Step, from, to int) []Step {
	var reversed []Step
	for at := to; len(reversed) == 0 || at != from; {
		s := *came[at]
		reversed = append(reversed, s)
		at = s.From
	}
	path := make([]Step, 0, len(reversed))
	for i := len(reversed) - 1; i >= 0; i-- {
		path = append(path, reversed[i])
	}
	return path
}

// cycle finds a shortest one, or nil.
func (es edges) cycle() []Step {
	var best []Step
	for i := range es[0].rel.s.n {
		if path := es.shortest(i, i); path != nil && (best == nil || len(path) < len(best)) {
			best = path
		}
	}
	return best
}

func shorter(best, path []Step) []Step {
	if path == nil || best != nil && len(best) <= len(path) {
		return best
	}
	return path
}

// causePath spells out causality from one event to another.
func (x *Execution) causePath(from, to int) []Step {
	best := x.basePath(from, to)
	observed := edges{{"rf", x.rf.and(x.strong)}, {"rmw", x.rmw}}
	for _, read := range x.obs.of(from) {
		first := observed.shortest(from, read)
		if x.poLoc.Has(read, to) {
			best = shorter(best, append(first[:len(first):len(first)], Step{read, to, "po-loc"}))
		}
		if rest := x.basePath(read, to); rest != nil {
			best = shorter(best, append(first[:len(first):len(first)], rest...))
		}
	}
	return best
}

// basePath spells out base causality: program order and synchronization, the
// latter at least once.
func (x *Execution) basePath(from, to int) []Step {
	if !x.base.Has(from, to) {
		return nil
	}
	around := edges{{"sync", x.sync.minus(x.barrier.or(x.fenceOrder))}, {"fence order", x.fenceOrder}, {"barrier", x.barrier}, {"po", x.po}}
	var best []Step
	for _, s := range x.sync.Pairs() {
		var path []Step
		if s.From != from {
			if path = around.shortest(from, s.From); path == nil {
				continue
			}
		}
		path = append(path, Step{s.From, s.To, x.syncName(s)})
		if s.To != to {
			rest := around.shortest(s.To, to)
			if rest == nil {
				continue
			}
			path = append(path, rest...)
		}
		best = shorter(best, path)
	}
	return best
}

func (x *Execution) syncName(p Pair) string {
	switch {
	case x.barrier.Has(p.From, p.To):
		return "barrier"
	case x.fenceOrder.Has(p.From, p.To):
		return "fence order"
	}
	return "sync"
}

// spell replaces steps of causality by what they are made of.
func (x *Execution) spell(steps []Step) []Step {
	var all []Step
	for _, s := range steps {
		var path []Step
		switch s.Relation {
		case "causality":
			path = x.causePath(s.From, s.To)
		case "base":
			path = x.basePath(s.From, s.To)
		}
		if path == nil {
			path = []Step{s}
		}
		all = append(all, path...)
	}
	return all
}

func noThinAirCycle(x *Execution) []Step { return edges{{"rf", x.rf}, {"dep", x.dep}}.cycle() }

func scPerLocationCycle(x *Execution) []Step {
	s := x.strong
	return edges{{"po-loc", x.poLoc}, {"rf", x.rf.and(s)}, {"co", x.co.and(s)}, {"fr", x.fr.and(s)}}.cycle()
}

func fenceSCCycle(x *Execution) []Step {
	var best []Step
	for i := range x.Graph.Events {
		if x.isSCFence(i) && x.cause.Has(i, i) {
			best = shorter(best, x.causePath(i, i))
		}
	}
	return best
}

func coherenceCycle(x *Execution) []Step {
	write := x.those(func(e *Event) bool { return e.Kind == Write })
	caused := write.then(x.cause, write).and(x.sameLocation)
	return x.spell(edges{
		{"po-loc", write.then(x.poLoc, write)}, {"co", x.initFirst.or(x.listed(x.Graph.CO))}, {"causality", caused},
	}.cycle())
}

func causalityCycle(x *Execution) []Step {
	var best []Step
	for _, com := range (edges{{"rf", x.rf}, {"fr", x.fr}}) {
		for _, p := range com.rel.Pairs() {
			if x.cause.Has(p.To, p.From) {
				path := append([]Step{{p.From, p.To, com.name}}, x.causePath(p.To, p.From)...)
				best = shorter(best, path)
			}
		}
	}
	return best
}

func atomicityCycle(x *Execution) []Step { return x.brokenAtomic(x.strong) }

func atomicityOfAllCycle(x *Execution) []Step { return x.brokenAtomic(x.co.or(x.fr)) }

func (x *Execution) brokenAtomic(among Rel) []Step {
	for _, p := range x.Graph.RMW {
		for _, between := range x.fr.and(among).of(p.From) {
			if x.co.and(among).Has(between, p.To) {
				return []Step{{p.From, between, "fr"}, {between, p.To, "co"}, {p.To, p.From, "rmw"}}
			}
		}
	}
	return nil
}

func (x *Execution) communicating(order string, kept Rel) edges {
	return edges{{order, kept}, {"rf", x.rf}, {"co", x.co}, {"fr", x.fr}}
}

func perLocationCycle(x *Execution) []Step { return x.communicating("po-loc", x.poLoc).cycle() }

func sequentialCycle(x *Execution) []Step {
	return x.spell(append(x.communicating("po", x.po), edges{{"base", x.betweenAccesses(x.base)}}...).cycle())
}

func totalStoreCycle(x *Execution) []Step {
	return edges{{"po", tsoOrder(x)}, {"rf", x.rf.and(x.interThread)}, {"co", x.co}, {"fr", x.fr}}.cycle()
}

func noLoadBufferingCycle(x *Execution) []Step { return edges{{"po", x.po}, {"rf", x.rf}}.cycle() }

func happensBeforeCycle(x *Execution) []Step {
	hb := x.betweenAccesses(happensBefore(x))
	communication := x.communicating("rf", x.rf)[1:]
	var best []Step
	if p := communication[1:2].cycle(); p != nil {
		best = p
	}
	for _, p := range hb.Pairs() {
		there := x.spell([]Step{{p.From, p.To, hbName(x, p)}})
		if p.From == p.To {
			best = shorter(best, there)
			continue
		}
		if back := communication.shortest(p.To, p.From); back != nil {
			best = shorter(best, append(there, back...))
		}
	}
	return best
}

func hbName(x *Execution, p Pair) string {
	if x.po.Has(p.From, p.To) {
		return "po"
	}
	return "base"
}

func partialSCCycle(x *Execution) []Step {
	hb := happensBefore(x)
	communication := x.communicating("rf", x.rf)[1:]
	order := edges{{"psc", fencesBySC(x)}}
	var all []Step
	for _, s := range order.cycle() {
		all = append(all, spellPSC(x, hb, communication, s)...)
	}
	return all
}

func spellPSC(x *Execution, hb Rel, communication edges, s Step) []Step {
	if p := (Pair{s.From, s.To}); hb.Has(p.From, p.To) {
		return x.spell([]Step{{p.From, p.To, hbName(x, p)}})
	}
	for _, a := range hb.of(s.From) {
		for _, b := range hb.inverse().of(s.To) {
			if middle := communication.shortest(a, b); middle != nil {
				first := x.spell([]Step{{s.From, a, hbName(x, Pair{s.From, a})}})
				last := x.spell([]Step{{b, s.To, hbName(x, Pair{b, s.To})}})
				return append(append(first, middle...), last...)
			}
		}
	}
	return []Step{s}
}
