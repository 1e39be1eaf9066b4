package axioms

// The model of PTX 6.0 and later; proxies stand in proxies.go. Quotations of the ISA are in
// our own words; its sections have the names that the comments give.

// morallyStrong, section "Morally Strong Operations": two events are morally
// strong if they are related in program order, or each is strong and its scope
// includes the other's thread; if both take the same proxy; and, if both access
// memory, they overlap completely, which here means that they are of one virtual
// address.
func (x *Execution) morallyStrong(i, j int) bool {
	a, b := &x.Graph.Events[i], &x.Graph.Events[j]
	if a.Accesses() && b.Accesses() && a.Location != b.Location {
		return false
	}
	if x.hasProxies && (a.Proxy != b.Proxy || a.Accesses() && b.Accesses() && a.Alias != b.Alias) {
		return false
	}
	if x.po.Has(i, j) || x.po.Has(j, i) {
		return true
	}
	return i != j && a.strong() && b.strong() && a.Thread != b.Thread && x.includes(a, b) && x.includes(b, a)
}

func (x *Execution) includes(a, b *Event) bool {
	return x.Graph.Places[a.Thread].shares(x.Graph.Places[b.Thread], a.Scope)
}

// observation, section "Observation Order": a write precedes a read that reads
// its value, where the two are morally strong, and whatever follows through
// atomic read-modify-writes.
func (x *Execution) observation() Rel {
	reads := x.rf.and(x.strong)
	return reads.then(x.rmw.then(reads).repeated().orSame())
}

// releasePatterns, section "Release and Acquire Patterns", from the first event
// of each pattern to its last, a strong write on the location: a release write;
// one, then in program order a strong write of that location, which no model but
// PTX knows; a fence that releases, then in program order a strong write.
func (x *Execution) releasePatterns() Rel {
	release := x.those(func(e *Event) bool { return e.Kind == Write && e.Order.Releases() })
	fence := x.those(func(e *Event) bool { return e.Kind == Fence && e.Order.Releases() })
	strongWrite := x.those(func(e *Event) bool { return e.Kind == Write && x.Model.counts(e) })
	patterns := release.or(fence.then(x.po, strongWrite))
	if x.Model != PTX {
		return patterns
	}
	return patterns.or(release.then(x.po.and(x.sameAddress), strongWrite))
}

// acquirePatterns, same section, from the first event of each pattern, a strong
// read on the location, to its last: an acquire read; a strong read, then in
// program order an acquire read of that location, which no model but PTX knows; a
// strong read, then in program order a fence that acquires.
func (x *Execution) acquirePatterns() Rel {
	acquire := x.those(func(e *Event) bool { return e.Kind == Read && e.Order.Acquires() })
	fence := x.those(func(e *Event) bool { return e.Kind == Fence && e.Order.Acquires() })
	strongRead := x.those(func(e *Event) bool { return e.Kind == Read && x.Model.counts(e) })
	patterns := acquire.or(strongRead.then(x.po, fence))
	if x.Model != PTX {
		return patterns
	}
	return patterns.or(strongRead.then(x.po.and(x.sameAddress), acquire))
}

// synchronizes, sections "Synchronizes" and "Fence-SC Order": a release pattern
// whose write is observed by the read of an acquire pattern, where the first
// event of the one and the last event of the other are morally strong; morally
// strong sc fences, in their order; barriers.
func (x *Execution) synchronizes() Rel {
	patterns := x.releasePattern.then(x.obs, x.acquirePattern)
	return patterns.or(x.fenceOrder).and(x.strong).or(x.barrier)
}

// baseCausality, section "Causality Order": synchronization, at least once,
// with program order before, between and after.
func (x *Execution) baseCausality() Rel {
	return x.po.orSame().then(x.sync.then(x.po.orSame()).repeated())
}

// causality, same section: base causality; or observation, followed by base
// causality or by program order of the location; of both, what proxies keep.
func (x *Execution) causality() Rel {
	if x.hasProxies {
		x.kept = x.keptByProxies()
		kept := x.base.or(x.po).and(x.kept)
		return kept.or(x.obs.then(kept))
	}
	return x.base.or(x.obs.then(x.base.or(x.poLoc)))
}

func derivePTX(x *Execution) {
	x.obs = x.observation()
	x.sync = x.synchronizes()
	x.base = x.baseCausality()
	x.cause = x.causality()
}

var ptxAxioms = []Axiom{
	{Name: "no thin air", holds: noThinAir, cycle: noThinAirCycle},
	{Name: "fence-sc", holds: fenceSC, cycle: fenceSCCycle},
	{Name: "coherence", holds: coherence, cycle: coherenceCycle, ordersWrites: true},
	{Name: "sc per location", holds: scPerLocation, cycle: scPerLocationCycle},
	{Name: "atomicity", holds: atomicity, cycle: atomicityCycle},
	{Name: "causality", holds: causalityAxiom, cycle: causalityCycle},
	barrierRounds,
}

// coherence: writes of one location that causality orders are ordered so in the
// coherence order, which is an order.
func coherence(x *Execution) bool { return x.co.irreflexive() }

// fenceSC: sc fences that causality orders are ordered so among each other. As
// their order is part of causality, this is that causality never leads from an
// sc fence to itself.
func fenceSC(x *Execution) bool {
	for i := range x.Graph.Events {
		if x.isSCFence(i) && x.cause.Has(i, i) {
			return false
		}
	}
	return true
}

func (x *Execution) isSCFence(i int) bool {
	e := &x.Graph.Events[i]
	return e.Kind == Fence && e.Order == SC
}

// atomicity: between what an atomic read and what it wrote there is no write
// that is morally strong with it.
func atomicity(x *Execution) bool {
	return x.fr.and(x.strong).then(x.co.and(x.strong)).and(x.rmw).isEmpty()
}

// noThinAir: no value comes about by computing it from itself: reads-from and
// dependencies have no cycle.
func noThinAir(x *Execution) bool { return x.rf.or(x.dep).acyclic() }

// scPerLocation: on each location, morally strong communication does not
// contradict program order.
func scPerLocation(x *Execution) bool {
	return x.rf.or(x.co, x.fr).and(x.strong).or(x.poLoc).acyclic()
}

// causalityAxiom: communication does not contradict causality: no read sees a
// write that comes after it, nor one that causality has hidden by another.
func causalityAxiom(x *Execution) bool {
	return x.rf.or(x.fr).then(x.cause).irreflexive()
}
