package axioms

// A barrier with a number of participants is used in rounds: when so many have
// come the round is over, and who comes later waits for the next one. Rounds of
// one barrier therefore come one after another: nobody who comes to a later
// round has come before somebody of an earlier one. That is so in all models.
var barrierRounds = Axiom{Name: "barrier rounds", holds: roundsInOrder, cycle: roundsCycle}

// inTime are the relations that a model puts in time: what stands before a
// barrier is over when its thread comes there, what stands behind it begins
// when the thread goes on.
func (x *Execution) inTime() edges {
	around := edges{{"po", x.po}, {"barrier", x.barrier}}
	switch x.Model {
	case SequentialConsistency:
		return append(around, x.communicating("rf", x.rf)[1:]...)
	case TSO:
		barriers := x.those(func(e *Event) bool { return e.IsBarrier() })
		kept := tsoOrder(x).or(barriers.then(x.po), x.po.then(barriers))
		return append(edges{{"barrier", x.barrier}}, x.totalStoreEdges(kept)...)
	}
	return append(around, edges{{"fence order", x.fenceOrder}, {"sync", x.sync.minus(x.barrier.or(x.fenceOrder))}}...)
}

func (x *Execution) inPhase(phase int) []int {
	var all []int
	for i := range x.Graph.Events {
		if e := &x.Graph.Events[i]; e.IsBarrier() && e.Phase == phase {
			all = append(all, i)
		}
	}
	return all
}

// eachPairOfRounds visits the pairs of events in an earlier and a later round of
// one barrier.
func (x *Execution) eachPairOfRounds(visit func(earlier, later int)) {
	for _, phases := range x.Graph.Rounds {
		for k := range phases {
			for _, earlier := range x.inPhase(phases[k]) {
				for _, phase := range phases[k+1:] {
					for _, later := range x.inPhase(phase) {
						visit(earlier, later)
					}
				}
			}
		}
	}
}

func (x *Execution) roundOrder() Rel {
	order := x.s.empty()
	x.eachPairOfRounds(order.add)
	return order
}

func roundsInOrder(x *Execution) bool {
	if len(x.Graph.Rounds) == 0 {
		return true
	}
	before := x.roundOrder()
	for _, e := range x.inTime() {
		before = before.or(e.rel)
	}
	before = before.repeated()
	inOrder := true
	x.eachPairOfRounds(func(earlier, later int) { inOrder = inOrder && !before.Has(later, earlier) })
	return inOrder
}

func roundsCycle(x *Execution) []Step {
	around := append(x.inTime(), edges{{"round", x.roundOrder()}}...)
	var best []Step
	x.eachPairOfRounds(func(earlier, later int) {
		if path := around.shortest(later, earlier); path != nil {
			best = shorter(best, append(x.spell(path), Step{earlier, later, "round"}))
		}
	})
	return best
}
