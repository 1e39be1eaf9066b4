package buffering

import "stealproof/ref"

// Note makes the search begin with an execution without load buffering, as all with
// load buffering come from such: with the graphs in which one of its reads reads a write
// that comes behind it, in program order and reads-from together, but does not depend on
// it, nor must take effect behind it. Of the rest only that is kept which the two depend
// on.
//
// There is one exception. An atomic may keep a later access of its location from reading
// what it reads, unless it reads what comes of that. Without load buffering the two are
// never together then. The axiom of each location forbids it, if all accesses there are
// morally strong. Where they are not, the search begins with nothing.
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
	needed := make([]ref.Reads, len(m.given))
	m.given.needed(needed, w.process, m.writeDepends(w))
	m.given.needed(needed, r.process, m.course[r.process].depends(r.number))
	g := m.given.clone()
	for p, row := range g {
		for n := range row {
			if row[n].fixed = true; row[n].is != read || !needed[p].Has(n) {
				row[n] = entry{}
			}
		}
	}
	g.set(r, entry{is: read, fixed: true, source: w, value: m.at(w).Written, location: m.at(w).Location, depends: m.course[r.process].depends(r.number), from: m.writeDepends(w)})
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
