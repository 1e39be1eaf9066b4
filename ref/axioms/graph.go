package axioms

import "fmt"

// Pair relates one event to another, both as indices of Graph.Events.
type Pair struct{ From, To int }

// Graph is an execution, or a part of one.
type Graph struct {
	Places []Place // of each thread
	// Events of one thread stand in program order. Initial writes stand first.
	Events []Event
	// RMW ties the read of each atomic to its write.
	RMW []Pair
	// Deps are the dependencies: from a read to an event whose address, value
	// or execution is computed from what was read.
	Deps []Pair
	// RF leads from a write to a read of its value.
	RF []Pair
	// CO leads from a write to a later write of the same location. What
	// follows from program order, causality and transitivity, and that initial
	// writes come first, need not be said.
	CO []Pair
	// FenceOrder leads from an sc fence to a later one.
	FenceOrder []Pair
	// Rounds lists, for each barrier with a number of participants, the phases
	// of its events in the order in which they come about.
	Rounds [][]int
}

// Validate says what of a graph has no meaning, if anything.
func (g *Graph) Validate() error {
	for i := range g.Events {
		if err := g.validateEvent(i); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
	}
	return g.validatePairs()
}

func (g *Graph) validateEvent(i int) error {
	e := &g.Events[i]
	switch {
	case e.Thread < Initial || e.Thread >= len(g.Places):
		return fmt.Errorf("thread %d: expected one of %d", e.Thread, len(g.Places))
	case e.Kind > AliasFence || e.Order > SC || e.Scope > System || e.Proxy > Texture:
		return fmt.Errorf("unknown kind, order, scope or proxy")
	case e.Thread == Initial && e.Kind != Write:
		return fmt.Errorf("a %s of no thread: only initial writes are of no thread", e.Kind)
	case e.Thread == Initial && i > 0 && g.Events[i-1].Thread != Initial:
		return fmt.Errorf("initial writes must stand first")
	case e.Kind == Read && e.Order.Releases(), e.Kind == Write && e.Order.Acquires():
		return fmt.Errorf("a %s cannot have order %s", e.Kind, e.Order)
	case e.Kind == Fence && e.Order < Acquire:
		return fmt.Errorf("a fence cannot have order %s", e.Order)
	}
	for j := range i {
		if e.Thread == Initial && g.Events[j].Location == e.Location {
			return fmt.Errorf("location %d has two initial writes", e.Location)
		}
	}
	return nil
}

func (g *Graph) validatePairs() error {
	read := make([]bool, len(g.Events))
	for _, list := range []struct {
		name     string
		pairs    []Pair
		from, to Kind
		sameSpot bool
	}{
		{"rf", g.RF, Write, Read, true},
		{"co", g.CO, Write, Write, true},
		{"rmw", g.RMW, Read, Write, true},
		{"fence order", g.FenceOrder, Fence, Fence, false},
	} {
		for _, p := range list.pairs {
			if err := g.validatePair(p, list.from, list.to, list.sameSpot); err != nil {
				return fmt.Errorf("%s from event %d to %d: %w", list.name, p.From, p.To, err)
			}
			if list.to == Read {
				if read[p.To] {
					return fmt.Errorf("event %d reads from two writes", p.To)
				}
				read[p.To] = true
			}
		}
	}
	for _, p := range g.RMW {
		if g.Events[p.From].Thread != g.Events[p.To].Thread || p.From >= p.To {
			return fmt.Errorf("rmw from event %d to %d: expected a read, then a write of the same thread", p.From, p.To)
		}
	}
	for _, p := range g.Deps {
		if !g.inside(p) || g.Events[p.From].Kind != Read || g.Events[p.From].Thread != g.Events[p.To].Thread || p.From >= p.To {
			return fmt.Errorf("dependency from event %d to %d: expected a read, then another event of its thread", p.From, p.To)
		}
	}
	return nil
}

func (g *Graph) inside(p Pair) bool {
	return p.From >= 0 && p.To >= 0 && p.From < len(g.Events) && p.To < len(g.Events)
}

func (g *Graph) validatePair(p Pair, from, to Kind, sameSpot bool) error {
	if !g.inside(p) {
		return fmt.Errorf("there are %d events", len(g.Events))
	}
	a, b := &g.Events[p.From], &g.Events[p.To]
	switch {
	case a.Kind != from || b.Kind != to:
		return fmt.Errorf("expected a %s and a %s", from, to)
	case sameSpot && a.Location != b.Location:
		return fmt.Errorf("they are of different locations")
	case from == Fence && (a.Order != SC || b.Order != SC):
		return fmt.Errorf("expected sc fences")
	}
	return nil
}
