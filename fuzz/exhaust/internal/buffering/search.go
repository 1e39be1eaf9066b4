// Package buffering makes the execution graphs of a program in which program order and
// reads-from have a cycle: load buffering. A load reads what a store writes that comes
// into being only later, which the model of PTX allows where the store does not depend
// on the load.
//
// It is a search by revisiting that tracks dependencies, as HMC (Kokologiannakis &
// Vafeiadis 2020). A graph is what some reads read. Each process is executed again, by
// itself, with what the graph says that its reads have read, up to the first read of
// which it says nothing. That one reads any write that is there. And where a write is
// there that a read could have read, had it come earlier, the read is revisited: it
// reads that write, and every read that depends on it is taken out of the graph, unless
// it is the write that depends on it. So a write may be known before its process has
// come to it: what it depends on is in the graph, and so it will come, with the same
// value. Whether it does is looked at, and whether the axioms (ref/axioms) allow what
// is there is asked of every graph.
//
// A graph that was met before is known by what its reads read, so that none is made
// twice. Coherence decides nothing but whether the axioms allow a graph, and is chosen
// when all is there.
package buffering

import (
	"context"

	"stealproof/ref"
)

// Search makes graphs of a program.
type Search struct {
	setup *ref.Setup
	// All makes the other graphs as well, those without load buffering.
	All bool
	// Incomplete: some graphs were not made, since a process makes too many accesses.
	Incomplete bool
	// Blocked counts the graphs in which somebody waits for what never comes.
	Blocked int
	// Stuck are those of them that have load buffering, and in which all who wait have
	// read what no write follows.
	Stuck int

	places  *placing
	courses *courses
	begins  []graph
	begun   map[string]bool
	seen    map[string]bool
	shown   map[string]bool // complete graphs
	left    []graph
}

// New prepares a search.
func New(setup *ref.Setup) *Search {
	return &Search{setup: setup, places: placingOf(setup), courses: newCourses(setup), begun: map[string]bool{}}
}

// Run shows all complete graphs to do. Where it turns out that accesses depend on more
// than was known, it begins anew: then what was shown is void, and it says so.
func (s *Search) Run(ctx context.Context, void func(), do func(*Complete)) (finished bool) {
	for {
		s.courses.forget()
		s.seen, s.shown, s.left = map[string]bool{}, map[string]bool{}, nil
		s.Incomplete, s.Blocked, s.Stuck = false, 0, 0
		for _, g := range s.begins {
			s.push(g)
		}
		for len(s.left) > 0 {
			if ctx.Err() != nil {
				return false
			}
			g := s.left[len(s.left)-1]
			s.left = s.left[:len(s.left)-1]
			s.extend(g, do)
		}
		if !s.courses.grew {
			return true
		}
		void()
	}
}

func (s *Search) push(g graph) {
	if key := g.key(); !s.seen[key] {
		s.seen[key] = true
		s.left = append(s.left, g)
	}
}

// extend makes the graphs that follow one.
func (s *Search) extend(g graph, do func(*Complete)) {
	m := s.make(g)
	if m == nil {
		return
	}
	if !m.allowed() {
		s.opens(m)
		return
	}
	for _, w := range m.allWrites() {
		s.revisits(m, w)
	}
	r, blocked := m.next()
	switch {
	case r == nobody && (blocked || !m.whole()):
		s.Blocked++
		if m.whole() && m.buffered() && m.fair() {
			s.Stuck++
		}
	case r == nobody:
		if key := m.given.reads(); !s.shown[key] && (s.All || m.buffered()) {
			s.shown[key] = true
			m.ordered(do)
		}
	default:
		for _, source := range m.sources(r) {
			s.push(m.reading(r, source))
		}
	}
}

// revisits are the graphs in which a read that was there reads a write that has come.
func (s *Search) revisits(m *made, w id) {
	write := m.at(w)
	for p, row := range m.given {
		for n := range row {
			r := id{int16(p), int16(n)}
			if d := &row[n]; d.is == unknown || d.fixed || d.source == w || d.location != write.Location || r == w || !m.present(r) {
				continue
			}
			if int16(p) == w.process {
				continue // later, no axiom of a location allows it; earlier, it was tried when the read came
			}
			behind := m.given.behind(r)
			if depends(behind, w.process, m.writeDepends(w)) {
				continue
			}
			s.push(m.revisited(r, w, behind))
		}
	}
}

// opens are the graphs in which a read is left open that keeps a later one of its
// process from reading what it reads, at the same location: an atomic that would have
// to come between a write and what overwrites it, as long as it reads something else.
func (s *Search) opens(m *made) {
	for p, row := range m.given {
		for n := range row {
			r := id{int16(p), int16(n)}
			if e := &row[n]; e.is != read || e.fixed || !m.present(r) || m.at(r).Kind == ref.Load || !m.again(r) {
				continue
			}
			if o := s.make(m.opened(r)); o != nil && o.allowed() {
				s.push(o.given)
			}
		}
	}
}

// again says whether the process of a read reads the same location later.
func (m *made) again(r id) bool {
	row := m.given[r.process]
	for n := int(r.number) + 1; n < len(row); n++ {
		if row[n].is == read && row[n].location == row[r.number].location {
			return true
		}
	}
	return false
}
