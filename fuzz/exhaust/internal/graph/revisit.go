package graph

import (
	"slices"

	"stealproof/ref"
)

// revisits are the graphs in which a read that was made earlier reads a write that
// is about to be made. All that was added behind the read is taken out, but what the
// write needs: its prefix. So that each graph comes about once, that is done from
// one graph only of those that differ in what is taken out: the one in which it is
// as it would be made at first, which is that each read reads the last write in
// coherence that there was, and each write comes last. A rival is an atomic that
// has overwritten what the write overwrites: it must not stay.
func (r *Run) revisits(write event, rival int, location ref.Location) {
	f := &r.facts
	prefix := f.prefixOf(write.process, write.source)
	for _, read := range f.reads[location] {
		switch {
		case within(prefix, r.graph[read].process, f.events[read].number):
		case rival >= 0 && rival != int(read) && r.graph[rival].added < r.graph[read].added:
		case r.mayRevisit(read, prefix):
			r.Found = append(r.Found, r.revisited(read, write, prefix))
		}
	}
}

// rivalOf is the atomic that has overwritten the write of an event.
func (r *Run) rivalOf(source int, location ref.Location) int {
	order := r.facts.order[location]
	return int(order[slices.Index(order, int16(source))+1])
}

// mayRevisit says whether all that would be taken out is as it would be made at
// first.
func (r *Run) mayRevisit(read int16, prefix []int16) bool {
	since := r.graph[read].added
	for i := range r.graph {
		e := &r.graph[i]
		if e.added < since && e.written < since || within(prefix, e.process, r.facts.events[i].number) {
			continue
		}
		if e.added < since || !r.first(int16(i), prefix) {
			return false
		}
	}
	return true
}

// first says whether an event is as it would be made at first, where the prefix of
// the write had been made before it.
func (r *Run) first(i int16, prefix []int16) bool {
	e, facts := &r.graph[i], &r.facts.events[i]
	order := r.facts.order[facts.location]
	there := func(w int16, when int32) bool {
		return r.graph[w].written <= when || within(prefix, r.graph[w].process, r.facts.events[w].number)
	}
	if facts.reads {
		if e.source >= 0 && !there(e.source, e.added) {
			return false
		}
		for k := len(order) - 1; k >= 0 && order[k] != e.source; k-- {
			if order[k] != i && there(order[k], e.added) {
				return false
			}
		}
	}
	if !facts.writes {
		return true
	}
	for k := len(order) - 1; order[k] != i; k-- {
		if there(order[k], e.written) {
			return false
		}
	}
	for _, other := range r.facts.reads[facts.location] {
		if r.graph[other].source == i && r.graph[other].added < e.written {
			return false
		}
	}
	return true
}

// revisited is the graph in which a read reads a write.
func (r *Run) revisited(read int16, write event, prefix []int16) Graph {
	since := r.graph[read].added
	g := make(Graph, 0, len(r.graph)+1)
	now := make([]int16, len(r.graph))
	for i, e := range r.graph {
		now[i] = fromStart
		if i == int(read) || e.added > since && !within(prefix, e.process, r.facts.events[i].number) {
			continue
		}
		now[i] = int16(len(g))
		if e.source >= 0 {
			e.source = now[e.source]
		}
		if r.facts.events[i].writes && i >= r.phaseFrom {
			e.place = r.placeOf(int16(i), now)
		}
		g = append(g, e)
	}
	if write.source >= 0 {
		write.source = now[write.source]
	}
	write.place = anyPlace
	write.added, write.written = r.clock, r.clock+1
	g = append(g, write)
	again := r.graph[read]
	again.source, again.place, again.written = int16(len(g)-1), anyPlace, r.clock+3
	return append(g, again)
}

// placeOf is the place of a write among those that are kept and made before it.
func (r *Run) placeOf(i int16, now []int16) int16 {
	order := r.facts.order[r.facts.events[i].location]
	for k := len(order) - 1; order[k] != i; k-- {
	}
	place := int16(lastPlace)
	for k := len(order) - 1; order[k] != i; k-- {
		if w := order[k]; w < i && now[w] >= 0 {
			place = now[w]
		}
	}
	return place
}
