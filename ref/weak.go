package ref

import (
	"math/bits"
	"slices"

	"stealproof/ref/internal/weak"
)

// weakMemory is a memory that does all that the PTX model allows, as long as
// program order and reads-from have no cycle together (no load buffering). It
// keeps the execution graph: a load reads any write that the axioms leave to it,
// a store takes any place in coherence that they leave open, and the scheduler
// picks.
//
// What happened before what, the model's base causality together with program
// order, is closed under program order, so that a clock per event describes it:
// of each process, how many of its events came before. A release pattern is
// remembered with the clock of its first event; the acquire pattern that sees it
// takes that clock over. Fences of order sc synchronize in the order in which
// they are made.
//
// The relations of a single location, where coherence and the axioms about it
// live, are bit sets over its writes; see weakLocation.
type weakMemory struct {
	places    []place
	shares    [][]Scope // smallest scope of two processes
	threads   []weakThread
	locations []weakLocation
	touched   []Location // those that differ from the start of an execution
	initial   []uint64
	clocks    clockArena
	// sc are the sc fences, in their order; released and described all clocks of
	// releases and of operations that were made.
	sc        []scFence
	released  []*release
	described []clock
	dropped   bool // writes were dropped when an sc fence had been made
	// open are the sc fences instead, if their order is left open; see weak_open.go.
	open   *openFences
	forgot bool // writes were dropped
	// overtaking: see overtakes; only where executions with load buffering are asked for.
	buffers, overtaking bool
	// Forgotten counts writes that were dropped though they could still have been
	// read: beyond mostWrites of a location, executions are missed.
	Forgotten int

	outcomes []outcome // of the access that is being made
	attempt  attempt   // of that
	rivals   []int     // writes that an atomic could read, but not overwrite: another one has
	visible  []*release
	saved    *relations
}

// weakThread is what a process knows.
type weakThread struct {
	index int32 // its events so far
	clock clock // what happened before its next event, itself included
	// made counts what was made before its next event: by program order, reads-from
	// and the order of sc fences, whether that makes causality or not.
	made   clock
	fences [System + 1]*release
	// pending are releases that its relaxed reads have seen and that an acquire
	// pattern has not taken over.
	pending []seenRelease
}

// release is the first event of a release pattern.
type release struct {
	thread, index int32
	scope         Scope
	clock         clock
}

type seenRelease struct {
	*release
	location Location
	by       int32 // the event of the process that has seen it
}

// clock counts the events of each process that happened before.
type clock []int32

func (c clock) join(d clock) {
	for i, n := range d {
		c[i] = max(c[i], n)
	}
}

// clockArena hands out clocks that live until the end of the execution.
type clockArena struct {
	size int
	rows [][]int32
	row  int
	used int
}

const clocksPerRow = 256

func (a *clockArena) reset() { a.row, a.used = 0, 0 }

func (a *clockArena) clone(c clock) clock {
	if a.row < len(a.rows) && a.used+a.size > len(a.rows[a.row]) {
		a.row++
		a.used = 0
	}
	if a.row == len(a.rows) {
		a.rows = append(a.rows, make([]int32, clocksPerRow*a.size))
	}
	n := a.rows[a.row][a.used : a.used+a.size : a.used+a.size]
	a.used += a.size
	copy(n, c)
	return n
}

func newWeakMemory(places []place, initial []uint64) *weakMemory {
	n := len(places)
	m := &weakMemory{places: places, initial: initial, clocks: clockArena{size: n}}
	m.threads = make([]weakThread, n)
	m.shares = make([][]Scope, n)
	for p := range places {
		m.threads[p].clock, m.threads[p].made = make(clock, n), make(clock, n)
		for q := range places {
			m.shares[p] = append(m.shares[p], places[p].shares(places[q]))
		}
	}
	m.locations = make([]weakLocation, len(initial))
	for l := range m.locations {
		m.locations[l].start(initial[l], n)
	}
	return m
}

// reset forgets an execution.
func (m *weakMemory) reset() {
	if m.open != nil {
		m.open.reset()
	}
	m.clocks.reset()
	for p := range m.threads {
		t := &m.threads[p]
		clear(t.clock)
		clear(t.made)
		*t = weakThread{clock: t.clock, made: t.made, pending: t.pending[:0]}
	}
	m.sc, m.released, m.described, m.dropped, m.forgot, m.overtaking = m.sc[:0], m.released[:0], m.described[:0], false, false, false
	for _, l := range m.touched {
		m.locations[l].start(m.initial[l], len(m.threads))
	}
	m.touched = m.touched[:0]
}

// meet is the end of a phase: all that was done happened before all that comes,
// and memory is what the host leaves.
func (m *weakMemory) meet(words []uint64) {
	for p := range m.threads {
		t := &m.threads[p]
		for q := range m.threads {
			t.clock[q] = m.threads[q].index
		}
		copy(t.made, t.clock)
		*t = weakThread{index: t.index, clock: t.clock, made: t.made, pending: t.pending[:0]}
	}
	m.sc = m.sc[:0]
	m.touched = m.touched[:0]
	for l := range m.locations {
		if m.locations[l].touched = words[l] != m.initial[l]; m.locations[l].touched {
			m.touched = append(m.touched, Location(l))
		}
		m.locations[l].start(words[l], len(m.threads))
	}
}

// What a simulation asks; see weak.Memory.

func (m *weakMemory) Reset() { m.reset() }

func (m *weakMemory) Meet(words []uint64) { m.meet(words) }

func (m *weakMemory) Splits() bool { return true }

func (m *weakMemory) Orders() bool { return true }

// begins notes the access that is being made.
func (m *weakMemory) begins(a *weak.Access) *attempt {
	by := actor{int32(a.Thread), Order(a.Order), Scope(a.Scope)}
	m.attempt = attempt{at: Location(a.Location), by: by, step: a.Step, reads: a.Kind != weak.Write, atomic: a.Kind == weak.Atomic, stores: a.Stores, foreseen: a.Foreseen, from: a.From}
	if a.Kind != weak.Fence {
		m.attempt.location = m.location(m.attempt.at)
	}
	return &m.attempt
}

func (m *weakMemory) Choices(a *weak.Access) int {
	at := m.begins(a)
	if a.Kind == weak.Fence {
		return len(m.fencePlaces(a.Thread, at.access()))
	}
	m.choices(at)
	if a.Awaits {
		m.outcomes = slices.DeleteFunc(m.outcomes, func(o outcome) bool { return at.location.writes[o.source].value != a.Value })
	}
	return len(m.outcomes)
}

func (a *attempt) access() Access { return Access{Order: a.by.order, Scope: a.by.scope} }

func (m *weakMemory) Source(k int) int {
	if o := m.outcomes[k]; o.source != noSource {
		return m.attempt.location.writes[o.source].step
	}
	return -1
}

func (m *weakMemory) Writes(k int) bool { return m.outcomes[k].writes }

func (m *weakMemory) Rivals(list []int) []int {
	for _, x := range m.rivals {
		list = append(list, m.attempt.location.writes[x].step)
	}
	return list
}

func (m *weakMemory) Overtaken(k int) int {
	if m.attempt.location == nil {
		return m.overtakenFence(m.outcomes[k])
	}
	return m.attempt.location.overtaken(m.outcomes[k])
}

func (m *weakMemory) Make(a *weak.Access, k int) (read, written uint64) {
	at := &m.attempt
	switch a.Kind {
	case weak.Fence:
		beforeLast := 0
		if at = m.begins(a); k > 0 {
			beforeLast = int(m.outcomes[k].above)
		}
		m.fence(a.Thread, at.access(), beforeLast, a.Step)
	case weak.Read:
		read = m.read(at, m.outcomes[k].source)
	case weak.Write:
		m.event(a.Thread)
		m.write(at, m.outcomes[k], a.Value, a.Step)
		written = a.Value
	default:
		m.overtakes(at)
		o := m.outcomes[k]
		read = m.read(at, o.source)
		if written, at.writes = a.Stores(read); at.writes {
			m.write(at, o, written, a.Step)
		} else {
			written = read
		}
	}
	at.writes = at.writes || a.Kind == weak.Write
	return read, written
}

func (m *weakMemory) Event(thread int) { m.event(thread) }

func (m *weakMemory) Sources(a *weak.Access, list []int) []int {
	at := m.begins(a)
	for _, o := range m.readable(at) {
		list = append(list, at.location.writes[o.source].step)
	}
	return list
}

func (m *weakMemory) Newest(l uint32) (step int, value uint64) {
	w := &m.locations[l].writes[m.locations[l].newest()]
	return w.step, w.value
}

func (m *weakMemory) Finals(l uint32) (values []uint64) {
	x := &m.locations[l]
	for w := range slots(x.live) {
		if x.after(w) == 0 {
			values = append(values, x.writes[w].value)
		}
	}
	return values
}

func (m *weakMemory) Clock(thread int) []int32 {
	c := m.clocks.clone(m.threads[thread].clock)
	m.described = append(m.described, c)
	return c
}

func (m *weakMemory) Index(thread int) int32 { return m.threads[thread].index }

func (m *weakMemory) Races(race func(step int)) { m.racing(&m.attempt, m.attempt.writes, race) }

func (m *weakMemory) location(l Location) *weakLocation {
	x := &m.locations[l]
	if !x.touched {
		x.touched = true
		m.touched = append(m.touched, l)
	}
	return x
}

// actor is an access as the axioms see it: by whom, how strong, how far.
type actor struct {
	thread int32 // nobody for what was there at the start
	order  Order
	scope  Scope
}

// morallyStrong says whether two accesses of one location are in program order,
// or both strong, each with a scope that includes the other.
func (m *weakMemory) morallyStrong(a, b actor) bool {
	if a.thread < 0 || b.thread < 0 {
		return false
	}
	if a.thread == b.thread {
		return true
	}
	s := m.shares[a.thread][b.thread]
	return a.order != Weak && b.order != Weak && a.scope >= s && b.scope >= s
}

// event begins the next event of a process.
func (m *weakMemory) event(p int) *weakThread {
	t := &m.threads[p]
	t.index++
	t.clock[p], t.made[p] = t.index, t.index
	return t
}

func acquires(o Order) bool { return o == Acquire || o == AcqRel || o == SC }

func releases(o Order) bool { return o == Release || o == AcqRel || o == SC }

// fence is an event of its own. That of a process that has seen a release makes
// it an acquire pattern; what the process writes later is a release pattern with
// it. An sc fence comes before the last so many of those that were made.
func (m *weakMemory) fence(p int, a Access, beforeLast, step int) {
	by := actor{int32(p), a.Order, a.Scope}
	t := &m.threads[p]
	if beforeLast > 0 {
		m.fenceBefore(p, by, beforeLast)
	} else {
		m.event(p)
	}
	if acquires(a.Order) {
		m.acquire(t, by, func(seenRelease) bool { return true })
	}
	switch {
	case a.Order != SC:
	case m.open != nil:
		m.addOpen(by, t)
	default:
		k := len(m.sc) - beforeLast
		for i := k - 1; i >= 0; i-- { // what the last one follows is known with it
			f := &m.sc[i]
			if q := f.by.thread; f.index <= t.clock[q] && f.index <= t.made[q] || !m.morallyStrong(f.by, by) {
				continue
			}
			t.clock.join(f.clock)
			t.made.join(f.clock)
		}
		m.sc = slices.Insert(m.sc, k, scFence{by, t.index, step, m.clocks.clone(t.clock)})
	}
	if releases(a.Order) {
		r := m.release(t, by)
		for s := Block; s <= a.Scope; s++ {
			t.fences[s] = nil // the new one is later and reaches as far
		}
		t.fences[a.Scope] = r
	}
}

func (m *weakMemory) release(t *weakThread, by actor) *release {
	n := len(m.released)
	if n == cap(m.released) || m.released[:n+1][n] == nil {
		m.released = append(m.released, new(release))
	}
	m.released = m.released[:n+1] // with room from an execution before
	r := m.released[n]
	*r = release{by.thread, t.index, by.scope, m.clocks.clone(t.clock)}
	return r
}

// acquire takes over those releases that the process has seen, that fit, and
// that are morally strong with the event that ends the acquire pattern.
func (m *weakMemory) acquire(t *weakThread, by actor, fits func(seenRelease) bool) {
	kept := t.pending[:0]
	for _, s := range t.pending {
		if fits(s) && m.synchronizes(s.release, by) {
			t.clock.join(s.clock)
		}
		if s.index > t.clock[s.thread] { // not yet known by another way
			kept = append(kept, s)
		}
	}
	t.pending = kept
}

// synchronizes says whether the ends of the two patterns are morally strong.
func (m *weakMemory) synchronizes(r *release, by actor) bool {
	return m.morallyStrong(actor{r.thread, Release, r.scope}, by)
}

// knows says whether a write precedes the process's next event in causality: it
// happened before, or was observed by a read that did, or by one of the process
// itself at this location.
func knows(c clock, w *weakWrite) bool {
	if w.by.thread < 0 || w.index <= c[w.by.thread] {
		return true
	}
	for u, first := range w.observed {
		if first > 0 && first <= c[u] {
			return true
		}
	}
	return false
}

// slots iterates over a bit set.
func slots(set uint64) func(func(int) bool) {
	return func(yield func(int) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(bits.TrailingZeros64(set)) {
				return
			}
		}
	}
}
