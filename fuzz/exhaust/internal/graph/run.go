package graph

import (
	"slices"

	"stealproof/ref"
)

// Run makes a graph that is given, and extends it to a complete one: it is the
// scheduler of that execution. On the way it collects the graphs with which others
// begin.
type Run struct {
	// Found are the graphs with which other executions begin. All executions are
	// made by completing the empty graph, and all that were found on the way.
	Found []Graph
	// Dead: the graph that was given is none that the memory allows.
	Dead bool
	// Lost: the graph was not made as it was given, or it is too large.
	Lost bool
	// Blocked: some processes spin at the end, so that the graph is not complete;
	// Stalled: and all of them have read the newest writes.
	Blocked, Stalled bool
	// Vigil: lanes wait together in a loop, which is not looked at.
	Vigil bool
	// Rounds leaves out graphs with failed rounds, nil if they are made.
	Rounds *Rounds
	// Unlike: processes that were said to be alike are not, and graphs are missing.
	Unlike bool

	given Graph
	graph Graph // as far as it was made
	facts facts
	alike alikeness
	loops []Loop
	phase int
	// phaseFrom is the first event of the phase: those before it are all kept, where
	// they are.
	phaseFrom       int
	clock           int32 // of the events that are added
	alone           int   // who goes round a loop to try it out, or nobodyAlone
	rivals, sources []int
}

// Begin begins with a graph, of a program with so many processes, some of which may be
// alike, and so many locations.
func (r *Run) Begin(given Graph, processes, locations int, alike Alike) {
	*r = Run{Found: r.Found[:0], Rounds: r.Rounds, given: given, graph: r.graph[:0], facts: r.facts, alike: r.alike, loops: r.loops, rivals: r.rivals, sources: r.sources, alone: nobodyAlone}
	r.facts.begin(processes, locations)
	r.alike.begin(alike)
	r.Rounds.begin(processes)
	for len(r.loops) < processes {
		r.loops = append(r.loops, Loop{})
	}
	for p := range r.loops {
		r.loops[p].Begin()
	}
	for i := range given {
		r.clock = max(r.clock, given[i].added+1, given[i].written+1)
	}
}

// replaying says whether the event that is being made is one of the given graph.
func (r *Run) replaying() bool { return len(r.graph) < len(r.given) }

// Next decides who goes on.
func (r *Run) Next(v *ref.View) int {
	if v.Step > 0 {
		e := v.LastEvent()
		r.loops[e.Process].Add(e)
		if e.Process == r.alone {
			r.facts.skip(e.Step, r.lastOf(e.Process))
		}
		if r.Vigil = r.loops[e.Process].Vigil(); r.Vigil {
			return ref.Stop
		}
		r.Rounds.made(e, v)
	}
	if v.Phase != r.phase {
		r.phase = v.Phase
		r.phaseFrom = len(r.graph)
		r.facts.meet()
	}
	if r.alone = r.triesOut(v); r.alone != nobodyAlone {
		r.Rounds.goes(r.alone, v)
		return r.alone
	}
	p := r.nextProcess(v)
	if p == ref.Stop {
		return p
	}
	r.Rounds.goes(p, v)
	r.facts.behind(p, v.Coming(p).Behind)
	r.alike.behind(p, &r.facts)
	if e := v.Coming(p); e.Kind == ref.Fence && e.Access.Order != ref.SC { // an operation without access, of which nobody is asked
		r.add(v.Step+1, event{process: int16(p), source: fromStart, place: lastPlace}, e, false, false)
	}
	return p
}

// nextProcess is who makes the next event: of those that do not spin the first.
func (r *Run) nextProcess(v *ref.View) int {
	if r.replaying() {
		p := int(r.given[len(r.graph)].process)
		if !slices.Contains(v.Enabled, p) || r.waits(p, v) {
			r.Lost = true
			return ref.Stop
		}
		return p
	}
	if len(r.graph) >= mostEvents {
		r.Lost = true
		return ref.Stop
	}
	for _, p := range v.Enabled {
		if !r.waits(p, v) {
			return p
		}
	}
	r.Blocked, r.Unlike = true, r.alike.broken
	r.Stalled = !slices.ContainsFunc(v.Enabled, func(p int) bool { return r.loops[p].Unfair(v) || r.Rounds.unfair(p, v) })
	return ref.Stop
}

// lastOf is the last event of a process, or -1.
func (r *Run) lastOf(process int) int16 {
	for i := len(r.graph) - 1; i >= 0; i-- {
		if int(r.graph[i].process) == process {
			return int16(i)
		}
	}
	return fromStart
}

// waits says whether a process is not to go on: it spins, or was left behind a failed round,
// or comes behind one that is like it.
func (r *Run) waits(p int, v *ref.View) bool {
	return r.loops[p].Believed() || r.Rounds.leaves(p) || r.alike.waits(p, v)
}

// Foresees says from which step's write the coming access reads, if it is one of those of
// the given graph that are known to be possible: all but the last two, which are a write and
// a read that was made to read it.
func (r *Run) Foresees(*ref.View) (step int, known bool) {
	at := len(r.graph)
	if at+2 >= len(r.given) || r.alone != nobodyAlone {
		return 0, false
	}
	if source := r.given[at].source; source >= 0 {
		return r.facts.events[source].step, true
	}
	return 0, true
}

// Finish is told the execution that the run was the scheduler of.
func (r *Run) Finish(e *ref.Execution) { r.Rounds.finish(e) }

// triesOut is the process that goes round a loop and is to be believed to spin, as
// long as it does the same again.
func (r *Run) triesOut(v *ref.View) int {
	if p := v.Last; p >= 0 && slices.Contains(v.Enabled, p) && !r.Rounds.leaves(p) && r.loops[p].TriesOut(v) {
		return p
	}
	return nobodyAlone
}

const nobodyAlone = -1

// Pick decides which outcome the access of the chosen process has.
func (r *Run) Pick(v *ref.View, n int) int {
	p := v.Last
	e := v.Coming(p)
	if p == r.alone {
		if k, again := r.loops[p].Pick(v, n); again {
			return k
		}
		r.loops[p].Leave()
	}
	if r.replaying() {
		return r.follow(v, n, e)
	}
	return r.extend(v, n, e)
}

// add makes an event part of the graph.
func (r *Run) add(step int, g event, e *ref.Event, reads, writes bool) {
	if r.replaying() {
		g.added, g.written = r.given[len(r.graph)].added, r.given[len(r.graph)].written
	} else {
		g.added, g.written = r.clock, r.clock+1
		r.clock += 2
	}
	r.graph = append(r.graph, g)
	r.facts.add(g, e, step, reads, writes)
	r.alike.add(int(g.process), int16(len(r.graph)-1), &r.facts, r.graph)
	r.Unlike = r.alike.broken
}

// eventOf is the event that an outcome makes of the access of a process.
func (r *Run) eventOf(v *ref.View, p, k int) event {
	g := event{process: int16(p), source: fromStart, place: lastPlace}
	if s := v.Source(k); s > 0 {
		g.source = r.facts.byStep[s]
	}
	if s := v.Overtaken(k); s > 0 {
		g.place = r.facts.byStep[s]
	}
	return g
}

// make adds the event of an outcome.
func (r *Run) make(v *ref.View, k int, e *ref.Event) int {
	r.add(v.Step, r.eventOf(v, v.Last, k), e, v.Source(k) >= 0, v.Writes(k))
	return k
}

// follow picks the outcome that the given Graph has. A read that was revisited, and
// the write that it reads, are new: they come wherever there is a place.
func (r *Run) follow(v *ref.View, n int, e *ref.Event) int {
	at := len(r.graph)
	want := r.given[at]
	pick := -1
	for k := range n {
		g := r.eventOf(v, v.Last, k)
		if g.source != want.source || want.place != anyPlace && g.place != want.place {
			continue
		}
		if want.place == anyPlace && !r.alike.allows(v.Last, g, e.Location, &r.facts, r.graph) {
			continue
		}
		if pick < 0 {
			pick = k
			continue
		}
		r.Found = append(r.Found, r.given.placed(at, g.place))
	}
	if pick < 0 {
		r.Dead = at >= len(r.given)-2 && r.given[len(r.given)-1].place == anyPlace
		r.Lost = !r.Dead
		return ref.Stop
	}
	if want.place == anyPlace && at == len(r.given)-1 && v.Writes(pick) {
		r.revisits(event{process: want.process, source: want.source}, noRival, e.Location)
	}
	return r.make(v, pick, e)
}

const noRival = -1

// extend makes a new event, as it would be made at first, and collects the graphs
// in which it is made in another way, and those in which an earlier read reads what
// it writes.
func (r *Run) extend(v *ref.View, n int, e *ref.Event) int {
	p := v.Last
	r.sources = r.sources[:0]
	for k := range n {
		g := r.eventOf(v, p, k)
		if v.Writes(k) {
			if !slices.Contains(r.sources, int(g.source)) {
				r.sources = append(r.sources, int(g.source))
			}
		}
		if k > 0 && r.alike.allows(p, g, e.Location, &r.facts, r.graph) {
			g.added, g.written = r.clock, r.clock+1
			r.Found = append(r.Found, r.graph.with(g))
		}
	}
	for _, source := range r.sources {
		r.revisits(event{process: int16(p), source: int16(source)}, noRival, e.Location)
	}
	r.rivals = v.Rivals(r.rivals[:0])
	for _, s := range r.rivals {
		source := fromStart
		if s > 0 {
			source = int(r.facts.byStep[s])
		}
		r.revisits(event{process: int16(p), source: int16(source)}, r.rivalOf(source, e.Location), e.Location)
	}
	return r.make(v, 0, e)
}
