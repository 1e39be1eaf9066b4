package buffering

import (
	"stealproof/ref"
	"stealproof/ref/axioms"
)

// Note makes the search begin with an execution without load buffering, as all with
// load buffering come from such: with the graphs in which one of its reads reads a write
// that comes behind it, in program order and reads-from together, but does not depend on
// it, nor must take effect behind it. Of the rest only that is kept which the two depend
// on.
//
// Atomics are an exception. Only one of them can read a write, so that of two the later
// one depends on the earlier one, unless they come the other way round. Where the later
// one is made in any case, the search begins with what the two depend on, and leaves open
// what they read.
//
// An atomic may also keep a later access of its location from reading what it reads,
// unless it reads what comes of that. Without load buffering the two are never together
// then. The axiom of each location forbids it, if all accesses there are morally strong.
// Where they are not, the search begins with nothing.
func (s *Search) Note(trace []ref.Event) {
	g := make(graph, s.setup.Processes())
	made := map[int]id{} // by step
	for i := range trace {
		e := &trace[i]
		r := id{int16(e.Process), int16(len(g[e.Process]))}
		if !e.Silent {
			made[e.Step] = r
		}
		entry := entry{source: nobody, location: e.Location, value: e.Before}
		if e.Kind != ref.Fence && e.Kind != ref.Store {
			entry.is, entry.source = read, initially
			if e.Source > 0 {
				entry.source = made[e.Source]
			}
		}
		g[e.Process] = append(g[e.Process], entry)
	}
	m := s.make(g)
	if m == nil {
		return
	}
	m.allowed()
	if m.mixed() {
		s.Begin()
	}
	behind := m.reach()
	cause := m.x.Relation("cause")
	for _, w := range m.allWrites() {
		write := m.events[w.process][w.number].write
		for p, row := range g {
			for n := range row {
				r := id{int16(p), int16(n)}
				if row[n].is != read || int16(p) == w.process || row[n].location != m.at(w).Location {
					continue
				}
				from := m.events[p][n].read
				if !behind[from][write] || cause.Has(from, write) || depends(g.behind(r), w.process, m.writeDepends(w)) {
					continue
				}
				s.beginWith(m.seed(r, w))
			}
		}
	}
	m.exchange(behind, cause)
}

// exchange begins with the graphs in which an atomic may come before another one of its
// location: one that comes before what its own process has done before it.
func (m *made) exchange(behind [][]bool, cause axioms.Rel) {
	atomics := map[ref.Location][]id{}
	for p, c := range m.course {
		for n := range c.count {
			if a := &c.Made[n]; a.Reads && a.Kind != ref.Load {
				atomics[a.Location] = append(atomics[a.Location], id{int16(p), int16(n)})
			}
		}
	}
	for _, all := range atomics {
		for _, a := range all {
			if !m.writes(a) {
				continue
			}
			later := m.given.behind(a)
			for _, b := range all {
				from, before := m.events[a.process][a.number].read, m.events[b.process][b.number].read-1
				if a.process == b.process || before < 0 || m.graph.Events[before].Thread != int(b.process) {
					continue
				}
				if behind[from][before] && !cause.Has(from, before) && !depends(later, b.process, m.course[b.process].depends(b.number)) {
					m.search.beginWith(m.exchanged(a, b))
				}
			}
		}
	}
}

// Begin begins with the empty graph, from which all others come.
func (s *Search) Begin() { s.beginWith(make(graph, s.setup.Processes())) }

func (s *Search) beginWith(g graph) {
	if key := g.key(); !s.begun[key] {
		s.begun[key] = true
		s.begins = append(s.begins, g)
	}
}

// Begins says with how many graphs it begins.
func (s *Search) Begins() int { return len(s.begins) }

// mixed says whether there is an atomic at a location where two accesses are not morally
// strong.
func (m *made) mixed() bool {
	type access struct{ thread, event int }
	at := map[ref.Location][]access{}
	atomics := map[ref.Location]bool{}
	for p, row := range m.events {
		for n, e := range row {
			a := &m.course[p].Made[n]
			for _, event := range []int{e.read, e.write} {
				if event >= 0 {
					at[a.Location] = append(at[a.Location], access{p, event})
				}
			}
			atomics[a.Location] = atomics[a.Location] || a.Reads && a.Writes
		}
	}
	for l, list := range at {
		if !atomics[l] {
			continue
		}
		for _, a := range list {
			for _, b := range list {
				if a.thread != b.thread && !m.x.MorallyStrong(a.event, b.event) {
					return true
				}
			}
		}
	}
	return false
}

// seed is the graph in which a read reads a write, with what the two depend on.
func (m *made) seed(r, w id) graph {
	g := m.neededBy(r, m.course[r.process].depends(r.number), w, m.writeDepends(w))
	g.set(r, entry{is: read, fixed: true, source: w, value: m.at(w).Written, location: m.at(w).Location, depends: m.course[r.process].depends(r.number), from: m.writeDepends(w)})
	return g
}

// exchanged is the graph with what it depends on whether and where two atomics are made,
// but not what they read.
func (m *made) exchanged(a, b id) graph {
	return m.neededBy(a, m.course[a.process].depends(a.number), b, m.course[b.process].depends(b.number))
}

// neededBy is the graph of the reads that two accesses depend on.
func (m *made) neededBy(a id, onA ref.Reads, b id, onB ref.Reads) graph {
	needed := make([]ref.Reads, len(m.given))
	m.given.needed(needed, a.process, onA)
	m.given.needed(needed, b.process, onB)
	g := m.given.clone()
	for p, row := range g {
		for n := range row {
			if row[n].fixed = true; row[n].is != read || !needed[p].Has(n) {
				row[n] = entry{}
			}
		}
	}
	return g
}

// reach says of each event which ones come behind it, in program order and reads-from
// together.
func (m *made) reach() [][]bool {
	next := m.follows()
	all := make([][]bool, len(next))
	for i := range next {
		all[i] = make([]bool, len(next))
		left := []int{i}
		for len(left) > 0 {
			e := left[len(left)-1]
			left = left[:len(left)-1]
			for _, j := range next[e] {
				if !all[i][j] {
					all[i][j] = true
					left = append(left, j)
				}
			}
		}
	}
	return all
}
