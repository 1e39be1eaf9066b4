package exhaust

import (
	"slices"

	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/fuzz/schedule"
	"stealproof/ref"
)

// weakSearch makes every execution graph of a program on a weak memory once.
//
// There a load may read any of several writes, so that the order in which
// accesses are made matters only in that a write is made before it is read. One
// order per graph is enough: always the first process goes on whose next access
// can be made as the graph has it. A process that comes to a load either reads
// one of the writes that are there, or is put off until there is a new write to
// read; when there is one, it reads that, or is put off again. With fences of
// order sc it is the same: what counts is which of them come before. Stores are
// never put off, since they choose their place in coherence.
//
// So the search is a plain walk through decisions, and needs no memory but
// theirs. What is lost is the executions in which somebody was put off and
// nothing ever came. To keep them few, nobody is put off unless somebody else
// has made more writes there in some execution than in this one so far; when
// such a number grows, the search begins again. A swap that fails counts as a
// write, since it might have succeeded. At the end nothing was made that the
// search did not reckon with, and then nothing is missing: take a graph that is,
// and in it the first write that was not reckoned with. All before it was, so
// the search comes to where its process is about to make it, except that the
// one who should wait for it has gone on with another value. That one changes
// nothing for the writer unless by an atomic or an sc fence that the writer
// competes with, before which it can be put off. So the write is attempted, and
// would have been reckoned with.
//
// A process that repeats itself, and changes nothing, is put off until somebody
// writes what it reads; see graph.Loop.
type weakSearch struct {
	decisions, options []int
	at                 int
	since              []int // of each process, the step at which it was put off, or notPutOff
	loops              []graph.Loop
	fences             []int // of each process, the step of its last sc fence
	wrote              []int // of each location, the step of the last write
	sources            []int
	dead               bool // somebody was put off for ever
	vigil              bool // lanes wait together
	stuck              bool // all spin, having read the newest
	open               bool // the order of the fences
	alone              int  // who goes round a loop alone, or nobodyAlone

	// most and made count the writes of each process to each location, and last of
	// all its sc fences: the most in any execution so far, and in this one.
	most, made [][]int
	grew       bool // most has grown: put off too little until then
}

const notPutOff = -1

func (w *weakSearch) begin(processes, locations int) {
	for len(w.most) < processes {
		w.most, w.made = append(w.most, make([]int, locations+1)), append(w.made, make([]int, locations+1))
	}
	for p := range w.made {
		clear(w.made[p])
	}
	w.at, w.dead, w.stuck, w.alone, w.vigil = 0, false, false, nobodyAlone, false
	w.since = slices.Grow(w.since[:0], processes)[:processes]
	w.fences = slices.Grow(w.fences[:0], processes)[:processes]
	for len(w.loops) < processes {
		w.loops = append(w.loops, graph.Loop{})
	}
	w.wrote = slices.Grow(w.wrote[:0], locations)[:locations]
	clear(w.wrote)
	for p := range w.since {
		w.since[p], w.fences[p] = notPutOff, 0
		w.loops[p].Begin()
	}
}

// decide is the next decision of the walk.
func (w *weakSearch) decide(n int) int {
	if w.at == len(w.decisions) {
		w.decisions, w.options = append(w.decisions, 0), append(w.options, n)
	}
	w.at++
	return w.decisions[w.at-1]
}

// again begins the walk anew if it has just seen more writes than it reckoned
// with.
func (w *weakSearch) again() bool {
	grew := w.grew
	if grew {
		w.decisions, w.options, w.grew = w.decisions[:0], w.options[:0], false
	}
	return grew
}

// learn counts the writes of some random executions, so that the walk need not
// begin anew so often.
func (w *weakSearch) learn(run func(ref.Scheduler) *ref.Execution, setup *ref.Setup) {
	for seed := range uint64(lessons) {
		r := &schedule.Walk{}
		r.Begin(seed)
		w.begin(setup.Threads(), setup.Space.Len())
		e := run(r)
		for i := range e.Trace {
			if !e.Trace[i].Silent {
				w.note(&e.Trace[i])
			}
		}
	}
	w.grew = false
}

const lessons = 200

// advance goes to the next execution.
func (w *weakSearch) advance() bool {
	w.decisions, w.options = w.decisions[:w.at], w.options[:w.at]
	for n := len(w.decisions) - 1; n >= 0; n-- {
		if w.decisions[n]++; w.decisions[n] < w.options[n] {
			return true
		}
		w.decisions, w.options = w.decisions[:n], w.options[:n]
	}
	return false
}

// Next decides who goes on.
func (w *weakSearch) Next(v *ref.View) int {
	if v.Step > 0 {
		w.note(v.LastEvent())
	}
	if w.vigil {
		w.dead = true
		return ref.Stop
	}
	var trial bool
	if w.alone, trial = w.lonely(v); trial {
		return w.alone
	}
	w.alone = nobodyAlone
	spinning := true
	for _, p := range v.Enabled {
		if w.goesOn(v, p) {
			return p
		}
		spinning = spinning && w.loops[p].Believed()
	}
	if w.stuck = spinning && !w.unfair(v); w.stuck { // that is for the simulation to notice
		return v.Enabled[(v.Last+1)%len(v.Enabled)]
	}
	w.dead = true
	return ref.Stop
}

// note remembers what the last access did.
func (w *weakSearch) note(e *ref.Event) {
	l := &w.loops[e.Process]
	l.Add(e)
	w.vigil = w.vigil || l.Vigil()
	if l.Repeats() {
		return // once more the same
	}
	if e.Writes() {
		w.wrote[e.Location] = e.Step
	}
	w.since[e.Process] = notPutOff
	switch e.Kind {
	case ref.Fence:
		if e.Access.Order != ref.SC {
			return // an operation without access
		}
		w.fences[e.Process] = e.Step
		w.count(e.Process, len(w.made[e.Process])-1)
	case ref.Store:
		w.count(e.Process, int(e.Location))
	case ref.CompareAndSwap, ref.FetchAdd, ref.Modify: // a swap that failed might have succeeded
		w.count(e.Process, int(e.Location))
	}
}

// noteLast notes the access after which nobody was asked.
func (w *weakSearch) noteLast(e *ref.Execution) {
	for i := len(e.Trace) - 1; i >= 0 && !w.dead; i-- {
		if !e.Trace[i].Silent {
			w.note(&e.Trace[i])
			return
		}
	}
}

func (w *weakSearch) count(p, what int) {
	w.made[p][what]++
	if w.made[p][what] > w.most[p][what] {
		w.most[p][what] = w.made[p][what]
		w.grew = true
	}
}

// comes says whether somebody else may still write to a location, or make an sc
// fence.
func (w *weakSearch) comes(v *ref.View, p, what int) bool {
	for q := range w.since {
		if q != p && w.made[q][what] < w.most[q][what] && v.GoesOn(q) {
			return true
		}
	}
	return false
}

// goesOn decides whether a process makes its access now.
func (w *weakSearch) goesOn(v *ref.View, p int) bool {
	e := v.Coming(p)
	since := &w.since[p]
	what := int(e.Location)
	if l := &w.loops[p]; l.Believed() {
		if !w.stirred(p) {
			return false
		}
		l.Leave()
		*since = notPutOff
	}
	switch {
	case e.Kind == ref.Store || e.Kind == ref.Fence && (w.open || e.Access.Order != ref.SC):
		return true
	case e.Kind == ref.Fence:
		if *since >= 0 && !w.fenced(p, *since) {
			return false
		}
		what = len(w.made[p]) - 1
	default:
		w.sources = v.Sources(p, w.sources[:0])
		if slices.Max(w.sources) <= *since {
			return false
		}
	}
	if w.comes(v, p, what) && w.decide(2) == 1 {
		*since = v.Step
		return false
	}
	return true
}

// fenced says whether another process has made an sc fence since.
func (w *weakSearch) fenced(p, since int) bool {
	for q, step := range w.fences {
		if q != p && step > since {
			return true
		}
	}
	return false
}

// Pick decides which outcome the access of the chosen process has.
func (w *weakSearch) Pick(v *ref.View, n int) int {
	p := v.Last
	if p == w.alone {
		if k, again := w.loops[p].Pick(v, n); again {
			return k
		}
		w.loops[p].Leave()
	}
	if w.stuck {
		return 0
	}
	w.sources = w.sources[:0]
	for k := range n {
		if source := v.Source(k); source < 0 || source > w.since[p] {
			w.sources = append(w.sources, k)
		}
	}
	if len(w.sources) == 0 { // an atomic that could not have put its write anywhere
		w.dead = true
		return ref.Stop
	}
	return w.sources[w.decide(len(w.sources))]
}

const nobodyAlone = -1

// lonely is the process that goes round a loop and is to be believed to spin.
func (w *weakSearch) lonely(v *ref.View) (p int, is bool) {
	p = v.Last
	if p < 0 || !slices.Contains(v.Enabled, p) || w.loops[p].Believed() {
		return 0, false
	}
	if is = w.loops[p].TriesOut(v); w.loops[p].Believed() {
		w.since[p] = v.Step
	}
	return p, is
}

// stirred says whether anything has happened since a process began to spin that
// may end its loop.
func (w *weakSearch) stirred(p int) bool {
	since := w.since[p]
	return w.loops[p].Looks(func(l ref.Location) bool { return w.wrote[l] > since }, w.fenced(p, since))
}

// unfair says whether a process that spins has read anything but the newest.
func (w *weakSearch) unfair(v *ref.View) bool {
	return slices.ContainsFunc(v.Enabled, func(p int) bool { return w.loops[p].Unfair(v) })
}
