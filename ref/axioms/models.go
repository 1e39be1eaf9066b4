package axioms

// Models to compare with. They know nothing of scopes.

// deriveBarriers keeps of causality what barriers bring about.
func deriveBarriers(x *Execution) {
	x.obs, x.sync = x.s.empty(), x.barrier
	x.base = x.baseCausality()
	x.cause = x.s.empty()
}

// betweenAccesses leaves out barrier events, which come before and after each
// other.
func (x *Execution) betweenAccesses(r Rel) Rel {
	others := x.those(func(e *Event) bool { return !e.IsBarrier() })
	return others.then(r, others)
}

func (x *Execution) communication() Rel { return x.rf.or(x.co, x.fr) }

// atomicityOfAll: no write at all comes between an atomic's read and write.
func atomicityOfAll(x *Execution) bool { return x.fr.then(x.co).and(x.rmw).isEmpty() }

// Sequential consistency: program order, barriers and communication have no
// cycle, so that some interleaving explains all reads.
var scAxioms = []Axiom{
	{Name: "sequential consistency", holds: sequentiallyConsistent, cycle: sequentialCycle, ordersWrites: true},
	{Name: "atomicity", holds: atomicityOfAll, cycle: atomicityOfAllCycle},
	barrierRounds,
}

func scOrder(x *Execution) Rel { return x.betweenAccesses(x.po.or(x.base)) }

func sequentiallyConsistent(x *Execution) bool { return scOrder(x).or(x.communication()).acyclic() }

// x86-TSO: a store waits in a buffer while its thread goes on, which reads its
// own stores from there. Atomics, sc fences, sc stores and barriers wait until the
// buffer is empty; acq_rel fences have nothing to do.
var tsoAxioms = []Axiom{
	{Name: "per location", holds: perLocation, cycle: perLocationCycle, ordersWrites: true},
	{Name: "total store order", holds: totalStoreOrder, cycle: totalStoreCycle},
	{Name: "atomicity", holds: atomicityOfAll, cycle: atomicityOfAllCycle},
	barrierRounds,
}

// perLocation: on each location, communication does not contradict program
// order.
func perLocation(x *Execution) bool { return x.communication().or(x.poLoc).acyclic() }

// tsoOrder is the program order that TSO keeps: all but that of a store before
// a load, and that too where something between them drains the buffer.
func tsoOrder(x *Execution) Rel {
	write := x.those(func(e *Event) bool { return e.Kind == Write })
	read := x.those(func(e *Event) bool { return e.Kind == Read })
	drains := x.those(func(e *Event) bool {
		return e.Atomic || (e.Kind == Fence || e.Kind == Write) && e.Order == SC || e.Kind == BarrierSync
	})
	po := x.po.orSame()
	drained := po.then(drains, po).minus(x.id)
	access := write.or(read) // a fence that drains nothing orders nothing
	return access.then(x.po.minus(write.then(x.po, read)).or(drained, x.base), access)
}

// totalStoreOrder: the order kept, and communication, but for a thread reading
// its own store from the buffer, have no cycle.
func totalStoreOrder(x *Execution) bool {
	return tsoOrder(x).or(x.externalCommunication()).acyclic()
}

func (x *Execution) externalCommunication() Rel {
	return x.rf.and(x.interThread).or(x.co, x.fr)
}

// RC11: C11 as repaired by Lahav and others, with the release sequences of C++20: a
// release is continued by atomics, and not by later stores of its thread. All accesses
// are atomic, weak ones relaxed.
var rc11Axioms = []Axiom{
	{Name: "no load buffering", holds: noLoadBuffering, cycle: noLoadBufferingCycle},
	{Name: "coherence", holds: happensBeforeCoherent, cycle: happensBeforeCycle, ordersWrites: true},
	{Name: "atomicity", holds: atomicityOfAll, cycle: atomicityOfAllCycle},
	{Name: "sc fences", holds: partialSC, cycle: partialSCCycle},
	barrierRounds,
}

// deriveRC11: base is happens-before, without the program order of one thread.
func deriveRC11(x *Execution) {
	x.obs = x.rf.then(x.rmw.then(x.rf).repeated().orSame())
	x.sync = x.releasePattern.then(x.obs, x.acquirePattern).and(x.interThread).or(x.barrier)
	x.base = x.baseCausality()
	x.cause = x.s.empty()
}

func happensBefore(x *Execution) Rel { return x.po.or(x.base) }

// noLoadBuffering: program order and reads-from have no cycle.
func noLoadBuffering(x *Execution) bool { return x.betweenAccesses(x.po.or(x.rf)).acyclic() }

// happensBeforeCoherent: communication does not contradict happens-before.
func happensBeforeCoherent(x *Execution) bool {
	hb := x.betweenAccesses(happensBefore(x))
	return hb.irreflexive() && hb.then(x.communication().repeated()).irreflexive() && x.co.irreflexive()
}

// partialSC: fences and accesses of order sc can be ordered so that happens-before and
// communication between them agree, as far as the model asks for that.
func partialSC(x *Execution) bool { return partialOrder(x).acyclic() }

// partialOrder is psc.
func partialOrder(x *Execution) Rel {
	hb := happensBefore(x)
	fence, access := x.s.identity(x.isSCFence), x.those(func(e *Event) bool { return e.Accesses() && e.Order == SC })
	fences := fence.then(hb.or(hb.then(x.communication().repeated(), hb)), fence)
	if access.isEmpty() {
		return fences
	}
	elsewhere := x.po.minus(x.sameLocation)
	between := x.po.or(elsewhere.then(hb, elsewhere), hb.and(x.sameLocation), x.co, x.fr)
	return fences.or(access.or(fence.then(hb.orSame())).then(between, access.or(hb.orSame().then(fence))))
}
