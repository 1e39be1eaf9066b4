package axioms

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
	return x.spell(x.totalStoreEdges(tsoOrder(x)).cycle())
}

// totalStoreEdges are what is put in order under TSO: the order kept within a
// thread and by barriers, and communication but for what a thread reads from its
// own buffer.
func (x *Execution) totalStoreEdges(kept Rel) edges {
	return edges{{"po", kept.and(x.po)}, {"base", kept.minus(x.po)}, {"rf", x.rf.and(x.interThread)}, {"co", x.co}, {"fr", x.fr}}
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
	order := edges{{"psc", partialOrder(x)}}
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
