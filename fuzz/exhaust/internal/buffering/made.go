package buffering

import (
	"slices"

	"stealproof/ref"
	"stealproof/ref/axioms"
)

// made is a graph with the accesses that its processes make.
type made struct {
	search *Search
	given  graph
	course []*course
	// late are the writes that reads of the graph read and that are not there yet.
	late []id
	// holes are the reads that are left open.
	holes []ref.Reads
	open  bool // there are holes

	graph  *axioms.Graph
	start  []int     // of each location, the event of what is there at the start, or -1
	events [][]event // of each access
	x      *axioms.Execution
}

// event are the places of an access among the events of the axioms, or -1.
type event struct{ read, write, fence int }

// make executes the processes. It is nil if the graph is none: if a write that is read
// does not come, or not as it was.
func (s *Search) make(g graph) *made {
	m := &made{search: s, given: g, course: make([]*course, len(g)), holes: g.holes()}
	for _, holes := range m.holes {
		m.open = m.open || holes != ref.Reads{}
	}
	for p := range g {
		m.course[p] = s.courses.of(p, g[p])
		if m.course[p].TooLong() {
			s.Incomplete = true
			return nil
		}
	}
	for p, row := range g {
		for n := range row {
			e := &row[n]
			if e.is == unknown {
				continue
			}
			if !m.fits(id{int16(p), int16(n)}, e) {
				return nil
			}
		}
	}
	m.build()
	return m
}

// fits says whether a read, and the write that it reads, are there as the graph has
// them, or are still to come. What they depend on is noted.
func (m *made) fits(r id, e *entry) bool {
	c := m.course[r.process]
	switch {
	case m.present(r):
		a := &c.Made[r.number]
		if !a.Reads || a.Location != e.location {
			return false
		}
		e.depends = c.depends(r.number)
	case !c.Waits:
		return false
	}
	if e.is == hole || e.source == initially {
		return true
	}
	c = m.course[e.source.process]
	if !m.present(e.source) {
		if !slices.Contains(m.late, e.source) {
			m.late = append(m.late, e.source)
		}
		return c.Waits
	}
	w := &c.Made[e.source.number]
	e.from = m.writeDepends(e.source)
	return m.writes(e.source) && w.Location == e.location && w.Written == e.value
}

// isHole says whether what an access reads is left open.
func (m *made) isHole(i id) bool { return m.holes[i.process].Has(int(i.number)) }

// writes says whether an access writes, and nothing that is left open decides what.
func (m *made) writes(w id) bool {
	return m.at(w).Writes && !m.isHole(w) && !depends(m.holes, w.process, m.writeDepends(w))
}

// known says whether nothing that is left open decides whether and where an access is
// made.
func (m *made) known(i id) bool {
	return !depends(m.holes, i.process, m.course[i.process].depends(i.number))
}

// present says whether an access was made.
func (m *made) present(i id) bool { return int(i.number) < m.course[i.process].count }

func (m *made) at(i id) *ref.Made { return &m.course[i.process].Made[i.number] }

// writeDepends are the reads on which it depends whether, where and what an access
// writes.
func (m *made) writeDepends(w id) ref.Reads {
	return m.course[w.process].writeDepends(w.number)
}

// whole says whether all writes that are read have come, and nothing is left open.
func (m *made) whole() bool { return len(m.late) == 0 && !m.open }

// next is a read of which the graph says nothing, of the first process that comes to
// one; blocked says that some wait who only repeat themselves.
func (m *made) next() (r id, blocked bool) {
	for p, c := range m.course {
		switch {
		case !c.Waits:
		case m.spins(p), !m.known(id{int16(p), int16(c.count)}), m.unsignalled(id{int16(p), int16(c.count)}):
			blocked = true
		default:
			return id{int16(p), int16(c.count)}, false
		}
	}
	return nobody, blocked
}

// unsignalled says whether a read is a wait whose signal is not there.
func (m *made) unsignalled(r id) bool {
	return m.search.setup.Sync(m.at(r).Location) && len(m.sources(r)) == 0
}

// longestCycle is the number of accesses of the longest loop that is recognised.
const longestCycle = 64

// spins says whether a process has gone twice round a loop in which it read the same
// writes, changed nothing, and is about to begin again: one more round would make no
// difference.
func (m *made) spins(p int) bool { return m.loop(p) > 0 }

// loop is how many accesses such a loop has, 0 if there is none.
func (m *made) loop(p int) int {
	c := m.course[p]
	n := c.count
	same := func(i, j int) bool {
		a, b := &c.Made[i], &c.Made[j]
		if a.Kind != b.Kind || a.Access != b.Access || a.Location != b.Location || a.Op != b.Op || a.Writes || b.Writes {
			return false
		}
		return j == n || !a.Reads || m.given[p][i].source == m.given[p][j].source
	}
	for k := 1; k <= longestCycle && 2*k <= n; k++ {
		i := 0
		for i <= k && same(n-k-i, n-i) {
			i++
		}
		if i > k {
			return k
		}
	}
	return 0
}

// fair says whether all who wait go round a loop in which every read reads a write that
// no other follows.
func (m *made) fair() bool {
	for p, c := range m.course {
		if !c.Waits {
			continue
		}
		for n := c.count - m.loop(p); n < c.count; n++ {
			if !c.Made[n].Reads {
				continue
			}
			from := m.source(id{int16(p), int16(n)})
			for i := range m.graph.Events {
				if m.x.CO().Has(from, i) {
					return false
				}
			}
		}
	}
	return true
}

// source is the event that a read reads.
func (m *made) source(r id) int {
	for _, pair := range m.graph.RF {
		if pair.To == m.events[r.process][r.number].read {
			return pair.From
		}
	}
	panic("buffering: a read without source")
}

// sources are the writes that a read may read: those that are there, and those of
// which it is known that they will be, without some that the axioms forbid.
func (m *made) sources(r id) []entry {
	a := m.at(r)
	var list []entry
	hidden := m.hidden(r)
	if !m.search.setup.Sync(a.Location) && !hidden(m.start[a.Location]) { // a wait reads the signal
		list = append(list, entry{is: read, source: initially, value: m.search.setup.Initial(a.Location), location: a.Location})
	}
	for p, c := range m.course {
		for n := range c.count {
			if w := &c.Made[n]; w.Location == a.Location && m.writes(id{int16(p), int16(n)}) && !hidden(m.events[p][n].write) {
				list = append(list, entry{is: read, source: id{int16(p), int16(n)}, value: w.Written, location: a.Location, from: m.writeDepends(id{int16(p), int16(n)})})
			}
		}
	}
	for _, w := range m.late {
		if e := m.entryOf(w); e.location == a.Location && w != r && !(w.process == r.process && w.number > r.number) {
			list = append(list, entry{is: read, source: w, value: e.value, location: a.Location, from: e.from})
		}
	}
	return list
}

// entryOf is a read of a write that is still to come.
func (m *made) entryOf(w id) *entry {
	for _, row := range m.given {
		for n := range row {
			if row[n].is == read && row[n].source == w {
				return &row[n]
			}
		}
	}
	return nil
}

// reading is the graph in which a read reads a source.
func (m *made) reading(r id, source entry) graph {
	g := m.given.clone()
	source.depends = m.course[r.process].depends(r.number)
	g.set(r, source)
	return g
}

// revisited is the graph in which a read reads a write, without the reads that depend
// on it.
func (m *made) revisited(r, w id, behind []ref.Reads) graph {
	g := m.given.without(behind)
	g.set(r, entry{is: read, source: w, value: m.at(w).Written, location: m.at(w).Location, depends: m.course[r.process].depends(r.number), from: m.writeDepends(w)})
	return g
}

// opened is the graph in which what a read reads is left open.
func (m *made) opened(r id) graph {
	e := *m.given.of(r)
	g := m.given.without(m.given.behind(r))
	e.is, e.source, e.from = hole, nobody, ref.Reads{}
	g.set(r, e)
	return g
}

// allWrites are those that are there.
func (m *made) allWrites() []id {
	var list []id
	for p, c := range m.course {
		for n := range c.count {
			if m.writes(id{int16(p), int16(n)}) {
				list = append(list, id{int16(p), int16(n)})
			}
		}
	}
	return list
}
