package ref

import (
	"math/bits"
	"slices"
)

// outcome is what an access may do: the write that its read reads, and where in
// coherence its own write stands: before those of the set above.
type outcome struct {
	source int
	above  uint64
	writes bool
}

// attempt is an access that is being made.
type attempt struct {
	location *weakLocation
	at       Location
	by       actor
	reads    bool
	atomic   bool // it reads and writes
	step     int  // of the execution
	writes   bool // it has written
	foreseen bool // it reads the write of step from
	from     int
	// stores says what an atomic leaves behind for what it has read.
	stores func(read uint64) (value uint64, writes bool)
}

// readable lists the writes that a read may read, newest first.
func (m *weakMemory) readable(a *attempt) []outcome {
	l := a.location
	t := &m.threads[a.by.thread]
	m.outcomes = m.outcomes[:0]
	if a.foreseen {
		for _, x := range l.order {
			if l.writes[x].step == a.from {
				m.outcomes = append(m.outcomes, outcome{source: int(x)})
				return m.outcomes
			}
		}
	}
	hidden := l.hidden(l.known(t.clock))
	for i := len(l.order) - 1; i >= 0; i-- {
		x := int(l.order[i])
		if hidden>>x&1 != 0 || !m.mayRead(a, x) {
			continue
		}
		m.outcomes = append(m.outcomes, outcome{source: x})
	}
	return m.outcomes
}

// mayRead checks the axioms for a read of a write that is not hidden so far: an
// acquire may learn by this very read that it is, and the read must not close a
// cycle at its location.
func (m *weakMemory) mayRead(a *attempt, x int) bool {
	l, w := a.location, &a.location.writes[x]
	together := m.morallyStrong(w.by, a.by)
	if together && acquires(a.by.order) && len(w.visible) > 0 {
		if l.hidden(l.known(m.afterAcquire(a, w)))>>x&1 != 0 {
			return false
		}
	}
	later := l.after(x)
	if later == 0 {
		return true
	}
	if !m.mayFollow(l, m.readClock(a, x), later) {
		return false
	}
	return m.strong(l, later, a.by)&m.reaches(a, x, together) == 0
}

// reaches are the writes that reach a read of write x.
func (m *weakMemory) reaches(a *attempt, x int, together bool) uint64 {
	set := a.location.last[a.by.thread]
	if together {
		set |= a.location.writes[x].reach | 1<<x
	}
	return set
}

// readClock is the clock that a read of write x would have.
func (m *weakMemory) readClock(a *attempt, x int) clock {
	if !acquires(a.by.order) {
		return m.threads[a.by.thread].clock
	}
	if w := &a.location.writes[x]; m.morallyStrong(w.by, a.by) {
		return m.afterAcquire(a, w)
	}
	return m.afterAcquire(a, &weakWrite{})
}

// afterAcquire is the clock of a read that acquires what a write releases.
func (m *weakMemory) afterAcquire(a *attempt, w *weakWrite) clock {
	c := m.clocks.clone(m.threads[a.by.thread].clock)
	for _, r := range w.visible {
		if m.synchronizes(r, a.by) {
			c.join(r.clock)
		}
	}
	for _, s := range m.threads[a.by.thread].pending {
		if s.location == a.at && m.synchronizes(s.release, a.by) {
			c.join(s.clock)
		}
	}
	return c
}

// read makes the event of a read, its write chosen.
func (m *weakMemory) read(a *attempt, x int) uint64 {
	l, w := a.location, &a.location.writes[x]
	t := m.event(int(a.by.thread))
	if w.made != nil {
		t.made.join(w.made)
	}
	together := m.morallyStrong(w.by, a.by)
	if together {
		l.observe(x, int(a.by.thread), t.index)
		for _, r := range w.visible {
			if r.index > t.clock[r.thread] {
				t.pending = append(t.pending, seenRelease{r, a.at, t.index})
			}
		}
	}
	if acquires(a.by.order) {
		m.acquire(t, a.by, func(s seenRelease) bool { return s.location == a.at })
	}
	m.follows(l, t.clock, l.after(x))
	r := weakRead{by: a.by, first: t.index, source: int8(x), reach: m.reaches(a, x, together), known: l.known(t.clock), clock: m.clocks.clone(t.clock), step: a.step}
	l.last[a.by.thread] = r.reach
	l.remember(r)
	for later := range slots(m.strong(l, l.after(x), a.by)) {
		l.lead(r.reach, later)
	}
	return w.value
}

// observe notes a read of a write, and of those that the write has continued
// through atomics.
func (l *weakLocation) observe(x, thread int, index int32) {
	for {
		w := &l.writes[x]
		if w.observed[thread] == 0 {
			w.observed[thread] = index
		}
		if !w.observing || w.source == noSource {
			return
		}
		x = int(w.source)
	}
}

// remember keeps a read, in place of one that it follows and that said no more.
func (l *weakLocation) remember(r weakRead) {
	for i := range l.reads {
		if o := &l.reads[i]; o.by == r.by && o.source == r.source {
			r.first = o.first
			*o = r
			return
		}
	}
	l.reads = append(l.reads, r)
}

// insertions lists where a write may stand in coherence: behind all that it must
// follow, and before or behind each of those that it must be ordered with. Of
// an atomic, behind the write that it reads, if the two are morally strong, and
// before what follows that.
func (m *weakMemory) insertions(a *attempt, c clock, source int, list []outcome) []outcome {
	l := a.location
	first := l.known(c)
	var must uint64 // stand above
	if a.atomic {
		if m.morallyStrong(l.writes[source].by, a.by) {
			first |= 1 << source
		}
		must = m.strong(l, l.after(source), a.by)
	}
	first |= l.hidden(first)
	if must&first != 0 {
		return list
	}
	free := m.strong(l, l.live&^first&^must, a.by)
	for above := range m.upperSets(l, must, free) {
		if above == 0 || m.mayFollow(l, c, above|l.allAfter(above)) && m.mayInsert(a, first, above, source) {
			list = append(list, outcome{source, above, true})
		}
	}
	return list
}

// upperSets iterates over the sets that contain all of must, some of free, and
// with each write those of must and free that follow it, the smallest first.
func (m *weakMemory) upperSets(l *weakLocation, must, free uint64) func(func(uint64) bool) {
	return func(yield func(uint64) bool) {
		var found []uint64
		closed := func(set uint64) bool {
			for x := range slots(set) {
				if l.after(x)&free&^set != 0 {
					return false
				}
			}
			return true
		}
		if free == 0 {
			yield(must)
			return
		}
		var grow func(set uint64, i int)
		grow = func(set uint64, i int) {
			for i >= 0 && free>>l.order[i]&1 == 0 {
				i--
			}
			if i < 0 {
				found = append(found, set)
				return
			}
			x := int(l.order[i])
			grow(set, i-1)
			if l.after(x)&free&^set == 0 {
				grow(set|1<<x, i-1)
			}
		}
		grow(must, len(l.order)-1)
		slices.SortStableFunc(found, func(a, b uint64) int { return size(a) - size(b) })
		for _, set := range found {
			if closed(set) && !yield(set) {
				return
			}
		}
	}
}

func size(set uint64) int { return bits.OnesCount64(set) }

// choices lists what the access may do, first what a sequentially consistent
// memory would.
func (m *weakMemory) choices(a *attempt) []outcome {
	t := &m.threads[a.by.thread]
	m.rivals = m.rivals[:0]
	if !a.reads || a.atomic {
		m.makeRoom(a.location)
	}
	switch {
	case !a.reads:
		m.outcomes = m.insertions(a, t.clock, noSource, m.outcomes[:0])
	case a.atomic:
		var all []outcome
		for _, o := range m.readable(a) {
			w := &a.location.writes[o.source]
			if _, writes := a.stores(w.value); !writes {
				all = append(all, o)
				continue
			}
			n := len(all)
			if all = m.insertions(a, m.readClock(a, o.source), o.source, all); len(all) == n {
				m.rivals = append(m.rivals, o.source)
			}
		}
		m.outcomes = append(m.outcomes[:0], all...)
	default:
		m.readable(a)
	}
	return m.outcomes
}

// racing calls race with the steps of those accesses that were made before and that
// race with the one that was made last: to the same location, one of the two writes,
// they are not morally strong, and causality orders neither before the other.
func (m *weakMemory) racing(a *attempt, writes bool, race func(step int)) {
	l, c := a.location, m.threads[a.by.thread].clock
	other := func(by actor) bool { return by.thread >= 0 && by.thread != a.by.thread && !m.morallyStrong(by, a.by) }
	for x := range slots(l.live) {
		if w := &l.writes[x]; other(w.by) && !knows(c, w) {
			race(w.step)
		}
	}
	if !writes {
		return
	}
	for i := range l.reads {
		if r := &l.reads[i]; other(r.by) && r.clock[r.by.thread] > c[r.by.thread] {
			race(r.step)
		}
	}
}

// overtaken is the step of the first write that the write of an outcome precedes
// though it was there before, 0 if there is none.
func (l *weakLocation) overtaken(o outcome) int {
	for _, x := range l.order {
		if o.above>>x&1 != 0 {
			return l.writes[x].step
		}
	}
	return 0
}
