package axioms

// Cycles, for explanations. Speed does not matter here.

// edges is a relation with a name for each kind of edge.
type edges []struct {
	name string
	rel  Rel
}

// tree has, for each event, the last step of a shortest path to it from one.
type tree []Step

// from walks from an event to all that can be reached from there.
func (es edges) from(start int) tree {
	n := es[0].rel.s.n
	came := make(tree, n)
	queue := append(make([]int, 0, n+1), start)
	for k := 0; k < len(queue); k++ {
		at := queue[k]
		for _, e := range es {
			e.rel.each(at, func(next int) {
				if came[next].Relation == "" {
					came[next] = Step{at, next, e.name}
					queue = append(queue, next)
				}
			})
		}
	}
	return came
}

// path is a shortest one of at least one step from the root of the tree, or nil.
func (t tree) path(root, to int) []Step {
	if t[to].Relation == "" {
		return nil
	}
	length := 1
	for at := t[to].From; at != root; at = t[at].From {
		length++
	}
	path := make([]Step, length)
	for at := to; length > 0; at = path[length].From {
		length--
		path[length] = t[at]
	}
	return path
}

// shortest finds a shortest path of at least one edge, or nil.
func (es edges) shortest(from, to int) []Step { return es.from(from).path(from, to) }

// cycle finds a shortest one, or nil.
func (es edges) cycle() []Step {
	var best []Step
	for i := range es[0].rel.s.n {
		best = shorter(best, es.shortest(i, i))
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
	var best []Step
	if x.keeps(from, to) {
		best = x.basePath(from, to)
		if x.hasProxies && x.po.Has(from, to) {
			best = shorter(best, []Step{{from, to, "po"}})
		}
	}
	observed := edges{{"rf", x.rf.and(x.strong)}, {"rmw", x.rmw}}.from(from)
	for _, read := range x.obs.of(from) {
		first := observed.path(from, read)
		if !x.keeps(read, to) {
			continue
		}
		if x.hasProxies && x.po.Has(read, to) {
			best = shorter(best, append(first[:len(first):len(first)], Step{read, to, "po"}))
		}
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
	before, behind := around.from(from), make([]tree, x.s.n)
	for _, s := range x.sync.Pairs() {
		var path []Step
		if s.From != from {
			if path = before.path(from, s.From); path == nil {
				continue
			}
		}
		path = append(path, Step{s.From, s.To, x.syncName(s)})
		if s.To != to {
			if behind[s.To] == nil {
				behind[s.To] = around.from(s.To)
			}
			rest := behind[s.To].path(s.To, to)
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
