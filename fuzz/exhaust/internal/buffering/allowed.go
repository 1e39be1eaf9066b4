package buffering

import (
	"slices"

	"stealproof/ref"
	"stealproof/ref/axioms"
)

// placing is where the processes run, and which locations there are.
type placing struct {
	places    []axioms.Place
	locations int
}

func placingOf(setup *ref.Setup) *placing {
	p := &placing{locations: setup.Space.Len()}
	for process := range setup.Processes() {
		gpu, cluster, block := setup.Place(process)
		p.places = append(p.places, axioms.Place{GPU: gpu, Cluster: cluster, CTA: block})
	}
	return p
}

// build makes the events of the axioms, and what relates them.
func (m *made) build() {
	g := &axioms.Graph{Places: m.search.places.places}
	m.graph = g
	m.start = make([]int, m.search.places.locations)
	for l := range m.start {
		m.start[l] = -1
	}
	for _, c := range m.course {
		for n := range c.count {
			if a := &c.Made[n]; a.Kind != ref.Fence && m.start[a.Location] < 0 {
				m.start[a.Location] = a.Location.AddInitial(g)
			}
		}
	}
	for p, c := range m.course {
		row := make([]event, c.count)
		for n := range row {
			row[n] = m.add(id{int16(p), int16(n)})
			m.relate(row, n, c)
		}
		m.events = append(m.events, row)
	}
	for p, row := range m.given {
		for n := range row {
			e := &row[n]
			if e.is != read || !m.present(id{int16(p), int16(n)}) || m.events[p][n].read < 0 {
				continue
			}
			from := -1
			switch {
			case e.source == initially:
				from = m.start[e.location]
			case m.present(e.source):
				from = m.events[e.source.process][e.source.number].write
			default:
				continue
			}
			g.RF = append(g.RF, axioms.Pair{From: from, To: m.events[p][n].read})
		}
	}
}

// add makes the events of an access, unless it is left open whether it is made.
func (m *made) add(i id) event {
	if m.isHole(i) || !m.known(i) {
		return event{-1, -1, -1}
	}
	read, write, fence := m.at(i).AddTo(m.graph, int(i.process), m.writes(i))
	return event{read, write, fence}
}

// relate adds the dependencies of an access.
func (m *made) relate(row []event, n int, c *course) {
	g := m.graph
	for k := range n + 1 {
		from := row[k].read
		if from < 0 {
			continue
		}
		if c.needs[n].depends.Has(k) && k < n {
			for _, to := range []int{row[n].read, row[n].write} {
				if to >= 0 {
					g.Deps = append(g.Deps, axioms.Pair{From: from, To: to})
				}
			}
		} else if c.needs[n].data.Has(k) && row[n].write >= 0 {
			g.Deps = append(g.Deps, axioms.Pair{From: from, To: row[n].write})
		}
	}
}

// allowed asks the axioms, as far as the graph goes.
func (m *made) allowed() bool {
	m.x = axioms.NewExecution(axioms.PTX, m.graph)
	m.x.Update()
	return m.x.Allowed()
}

// follows has of each event those that follow it at once, in program order or by reading
// it.
func (m *made) follows() [][]int {
	next := make([][]int, len(m.graph.Events))
	last := map[int]int{}
	for i := range m.graph.Events {
		t := m.graph.Events[i].Thread
		if t == axioms.Initial {
			continue
		}
		if before, some := last[t]; some {
			next[before] = append(next[before], i)
		}
		last[t] = i
	}
	for _, p := range m.graph.RF {
		next[p.From] = append(next[p.From], p.To)
	}
	return next
}

// buffered says whether program order and reads-from have a cycle.
func (m *made) buffered() bool {
	next := m.follows()
	state := make([]uint8, len(next))
	var closes func(i int) bool
	closes = func(i int) bool {
		state[i] = 1
		for _, j := range next[i] {
			if state[j] == 1 || state[j] == 0 && closes(j) {
				return true
			}
		}
		state[i] = 2
		return false
	}
	for i := range next {
		if state[i] == 0 && closes(i) {
			return true
		}
	}
	return false
}

// ordered shows the graph with each order of coherence, and of the sc fences, that the
// axioms allow.
func (m *made) ordered(do func(*Complete)) {
	for j := range m.graph.Events {
		for i := range j {
			if m.x.MustOrder(i, j) && !m.x.CO().Has(i, j) && !m.x.CO().Has(j, i) {
				m.bothWays(&m.graph.CO, i, j, func() { m.ordered(do) })
				return
			}
		}
	}
	first := true
	m.fenced(func() {
		do(&Complete{made: m, Again: !first})
		first = false
	})
}

// fenced goes through the orders of the sc fences.
func (m *made) fenced(do func()) {
	for j := range m.graph.Events {
		for i := range j {
			if m.x.MustOrderFences(i, j) && !m.fencesOrdered(i, j) {
				m.bothWays(&m.graph.FenceOrder, i, j, func() { m.fenced(do) })
				return
			}
		}
	}
	do()
}

func (m *made) fencesOrdered(i, j int) bool {
	order := m.graph.FenceOrder
	return slices.Contains(order, axioms.Pair{From: i, To: j}) || slices.Contains(order, axioms.Pair{From: j, To: i})
}

func (m *made) bothWays(order *[]axioms.Pair, i, j int, do func()) {
	kept := len(*order)
	for _, pair := range []axioms.Pair{{From: i, To: j}, {From: j, To: i}} {
		*order = append((*order)[:kept], pair)
		if m.x.Update(); m.x.Allowed() {
			do()
		}
	}
	*order = (*order)[:kept]
	m.x.Update()
}
