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
