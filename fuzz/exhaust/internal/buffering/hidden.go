package buffering

import (
	"slices"

	"stealproof/ref"
	"stealproof/ref/axioms"
)

// hidden says of the event of a write whether a read that comes next in its process cannot
// read it: another write follows it that happened before, or that an earlier read of the
// process has read. It spares asking the axioms of most graphs that they forbid. Nothing
// is said where an atomic of the process at the same location could be left open (see
// opens).
func (m *made) hidden(r id) func(write int) bool {
	before := m.last(r.process)
	if before < 0 || m.atomicBefore(r, int(r.number)) {
		return func(int) bool { return false }
	}
	l := m.at(r).Location
	happened, co := m.x.Happened(), m.x.CO()
	var known []int
	for i := range m.graph.Events {
		e := &m.graph.Events[i]
		if e.Kind == axioms.Write && e.Location == int(l) && e.Thread != axioms.Initial && (i == before || happened.Has(i, before)) {
			known = append(known, i)
		}
	}
	for n, e := range m.given[r.process][:min(int(r.number), len(m.given[r.process]))] {
		if e.is == read && e.location == l && e.source.process >= 0 && m.present(e.source) && m.strong(e.source, r) && m.strong(e.source, id{r.process, int16(n)}) {
			known = append(known, m.events[e.source.process][e.source.number].write)
		}
	}
	return func(write int) bool {
		return write >= 0 && slices.ContainsFunc(known, func(k int) bool { return k >= 0 && co.Has(write, k) })
	}
}

// last is the last event of a process, -1 if it has none.
func (m *made) last(process int16) int {
	for i := len(m.graph.Events) - 1; i >= 0; i-- {
		if m.graph.Events[i].Thread == int(process) {
			return i
		}
	}
	return -1
}

// atomicBefore says whether a process makes an atomic at the location of one of its
// accesses, among its first ones.
func (m *made) atomicBefore(r id, count int) bool {
	l := m.at(r).Location
	for n := range count {
		if a := &m.course[r.process].Made[n]; a.Location == l && a.Reads && a.Kind != ref.Load {
			return true
		}
	}
	return false
}

// strong says whether two accesses of a location are morally strong.
func (m *made) strong(i, j id) bool {
	return m.search.setup.Strong(&ref.Event{Process: int(i.process), Access: m.at(i).Access}, &ref.Event{Process: int(j.process), Access: m.at(j).Access})
}
