package exhaust

import (
	"slices"

	"stealproof/ref"
)

// graphRun makes a graph that is given, and extends it to a complete one: it is the
// scheduler of that execution. On the way it collects the graphs with which others
// begin.
type graphRun struct {
	given graph
	graph graph // as far as it was made
	facts graphFacts
	loops []weakLoop
	found []graph // with which other executions begin
	phase int
	// phaseFrom is the first event of the phase: those before it are all kept, where
	// they are.
	phaseFrom int
	clock     int32 // of the events that are added
	// alone is who goes round a loop to try it out, or nobodyAlone.
	alone            int
	rivals, sources  []int
	dead, lost       bool // the graph is none that the memory allows, or was not followed
	blocked, stalled bool // some spin at the end, having read the newest
}

func (r *graphRun) begin(given graph, processes, locations int) {
	*r = graphRun{given: given, graph: r.graph[:0], facts: r.facts, loops: r.loops, found: r.found[:0], rivals: r.rivals, sources: r.sources, alone: nobodyAlone}
	r.facts.begin(processes, locations)
	for len(r.loops) < processes {
		r.loops = append(r.loops, weakLoop{})
	}
	for p := range r.loops {
		r.loops[p] = weakLoop{turns: r.loops[p].turns[:0]}
	}
	for i := range given {
		r.clock = max(r.clock, given[i].added+1, given[i].written+1)
	}
}

// replaying says whether the event that is being made is one of the given graph.
func (r *graphRun) replaying() bool { return len(r.graph) < len(r.given) }

func (r *graphRun) Next(v *ref.View) int {
	if v.Step > 0 {
		e := v.LastEvent()
		r.loops[e.Process].add(e)
	}
	if v.Phase != r.phase {
		r.phase = v.Phase
		r.phaseFrom = len(r.graph)
		r.facts.meet()
	}
	if r.alone = r.triesOut(v); r.alone != nobodyAlone {
		return r.alone
	}
	p := r.nextProcess(v)
	if p == ref.Stop {
		return p
	}
	if e := v.Coming(p); e.Kind == ref.Fence && e.Access.Order != ref.SC { // an operation without access, of which nobody is asked
		r.add(v.Step+1, graphEvent{process: int16(p), source: fromStart, place: lastPlace}, e, false, false)
	}
	return p
}

// nextProcess is who makes the next event: of those that do not spin the first.
func (r *graphRun) nextProcess(v *ref.View) int {
	if r.replaying() {
		p := int(r.given[len(r.graph)].process)
		if !slices.Contains(v.Enabled, p) || r.loops[p].believed {
			r.lost = true
			return ref.Stop
		}
		return p
	}
	if len(r.graph) >= mostEvents {
		r.lost = true
		return ref.Stop
	}
	for _, p := range v.Enabled {
		if !r.loops[p].believed {
			return p
		}
	}
	r.blocked, r.stalled = true, fair(v, r.loops)
	return ref.Stop
}

// triesOut is the process that goes round a loop and is to be believed to spin, as
// long as it does the same again.
func (r *graphRun) triesOut(v *ref.View) int {
	p := v.Last
	if p < 0 || !slices.Contains(v.Enabled, p) || v.Begins(p) {
		return nobodyAlone
	}
	l := &r.loops[p]
	switch {
	case l.believed:
		return nobodyAlone
	case l.length > 0 && !l.continues(v.Coming(p)):
		l.leave()
		return nobodyAlone
	case l.length == 0 && !l.recognise(v.Coming(p)):
		return nobodyAlone
	}
	if l.alone == 0 {
		l.believed = true
		return nobodyAlone
	}
	return p
}

// fair says whether all who spin have read the newest only.
func fair(v *ref.View, loops []weakLoop) bool {
	return !slices.ContainsFunc(v.Enabled, func(p int) bool {
		return slices.ContainsFunc(loops[p].round(), func(t weakTurn) bool {
			return t.kind != ref.Fence && t.source != v.Newest(t.location)
		})
	})
}

func (r *graphRun) Pick(v *ref.View, n int) int {
	p := v.Last
	e := v.Coming(p)
	if p == r.alone {
		if k, again := r.loops[p].same(v, n); again {
			return k
		}
		r.loops[p].leave()
	}
	if r.replaying() {
		return r.follow(v, n, e)
	}
	return r.extend(v, n, e)
}

// add makes an event part of the graph.
func (r *graphRun) add(step int, g graphEvent, e *ref.Event, reads, writes bool) {
	if r.replaying() {
		g.added, g.written = r.given[len(r.graph)].added, r.given[len(r.graph)].written
	} else {
		g.added, g.written = r.clock, r.clock+1
		r.clock += 2
	}
	r.graph = append(r.graph, g)
	r.facts.add(g, e.Location, step, reads, writes)
}

// eventOf is the event that an outcome makes of the access of a process.
func (r *graphRun) eventOf(v *ref.View, p, k int) graphEvent {
	g := graphEvent{process: int16(p), source: fromStart, place: lastPlace}
	if s := v.Source(k); s > 0 {
		g.source = r.facts.byStep[s]
	}
	if s := v.Overtaken(k); s > 0 {
		g.place = r.facts.byStep[s]
	}
	return g
}

// make adds the event of an outcome.
func (r *graphRun) make(v *ref.View, k int, e *ref.Event) int {
	r.add(v.Step, r.eventOf(v, v.Last, k), e, v.Source(k) >= 0, v.Writes(k))
	return k
}

// follow picks the outcome that the given graph has. A read that was revisited, and
// the write that it reads, are new: they come wherever there is a place.
func (r *graphRun) follow(v *ref.View, n int, e *ref.Event) int {
	at := len(r.graph)
	want := r.given[at]
	pick := -1
	for k := range n {
		g := r.eventOf(v, v.Last, k)
		if g.source != want.source || want.place != anyPlace && g.place != want.place {
			continue
		}
		if pick < 0 {
			pick = k
			continue
		}
		r.found = append(r.found, r.given.placed(at, g.place))
	}
	if pick < 0 {
		r.dead = at >= len(r.given)-2 && r.given[len(r.given)-1].place == anyPlace
		r.lost = !r.dead
		return ref.Stop
	}
	if want.place == anyPlace && at == len(r.given)-1 && v.Writes(pick) {
		r.revisits(graphEvent{process: want.process, source: want.source}, noRival, e.Location)
	}
	return r.make(v, pick, e)
}

const noRival = -1

// extend makes a new event, as it would be made at first, and collects the graphs
// in which it is made in another way, and those in which an earlier read reads what
// it writes.
func (r *graphRun) extend(v *ref.View, n int, e *ref.Event) int {
	p := v.Last
	r.sources = r.sources[:0]
	for k := range n {
		g := r.eventOf(v, p, k)
		if v.Writes(k) {
			if !slices.Contains(r.sources, int(g.source)) {
				r.sources = append(r.sources, int(g.source))
			}
		}
		if k > 0 {
			g.added, g.written = r.clock, r.clock+1
			r.found = append(r.found, r.graph.with(g))
		}
	}
	for _, source := range r.sources {
		r.revisits(graphEvent{process: int16(p), source: int16(source)}, noRival, e.Location)
	}
	r.rivals = v.Rivals(r.rivals[:0])
	for _, s := range r.rivals {
		source := fromStart
		if s > 0 {
			source = int(r.facts.byStep[s])
		}
		r.revisits(graphEvent{process: int16(p), source: int16(source)}, r.rivalOf(source, e.Location), e.Location)
	}
	return r.make(v, 0, e)
}
