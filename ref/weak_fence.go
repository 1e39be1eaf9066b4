package ref

// The order of sc fences. Usually each comes behind those that were made before.
// It may also come before some of them, if nothing that it follows in causality
// follows them; that matters only where the new fence could not have been made
// first, since its process has read, through somebody who synchronizes with
// nobody, what was written behind the old one. Then all that happens behind the
// old fence turns out to have happened behind the new one as well, and whether
// the execution is still allowed must be asked again of every read and write.

// scFence is an sc fence that was made.
type scFence struct {
	by    actor
	index int32
	step  int
	clock clock
}

// fencePlaces lists where an sc fence may come: outcome k before the last above
// of all.
func (m *weakMemory) fencePlaces(p int, a Access) []outcome {
	m.rivals = m.rivals[:0]
	m.outcomes = append(m.outcomes[:0], outcome{source: noSource})
	if len(m.threads) < 3 || m.dropped || m.open != nil {
		return m.outcomes
	}
	by := actor{int32(p), a.Order, a.Scope}
	t := &m.threads[p]
	behind := false
	for k := len(m.sc) - 1; k >= 0; k-- {
		f := &m.sc[k]
		if !m.morallyStrong(f.by, by) {
			continue
		}
		if f.index <= t.clock[f.by.thread] {
			break
		}
		behind = behind || f.index <= t.made[f.by.thread]
		if behind && m.mayPrecede(p, by, k) {
			m.outcomes = append(m.outcomes, outcome{source: noSource, above: uint64(len(m.sc) - k)})
		}
	}
	return m.outcomes
}

// fenceClock is the clock of an sc fence that comes before fence k and those
// behind it.
func (m *weakMemory) fenceClock(p int, by actor, k int) clock {
	t := &m.threads[p]
	c := m.clocks.clone(t.clock)
	for _, s := range t.pending {
		if m.synchronizes(s.release, by) {
			c.join(s.clock)
		}
	}
	for i := range m.sc[:k] {
		if f := &m.sc[i]; m.morallyStrong(f.by, by) {
			c.join(f.clock)
		}
	}
	return c
}

// mayPrecede tries whether an sc fence may come before fence k.
func (m *weakMemory) mayPrecede(p int, by actor, k int) bool {
	c := m.fenceClock(p, by, k)
	for i := k; i < len(m.sc); i++ {
		if f := &m.sc[i]; m.morallyStrong(f.by, by) && f.index <= c[f.by.thread] {
			return false
		}
	}
	c[p]++ // the fence itself
	later := m.followers(by, k)
	kept := make([]*relations, len(m.touched))
	for i, l := range m.touched {
		kept[i] = m.locations[l].save(nil)
	}
	ok := true
	for _, l := range m.touched {
		ok = ok && m.learns(&m.locations[l], later, c)
	}
	for i, l := range m.touched {
		m.locations[l].restore(kept[i])
	}
	return ok
}

// followers are the fences, from fence k, that a new one would precede.
func (m *weakMemory) followers(by actor, k int) []*scFence {
	var list []*scFence
	for i := k; i < len(m.sc); i++ {
		if f := &m.sc[i]; m.morallyStrong(f.by, by) {
			list = append(list, f)
		}
	}
	return list
}

// behindAny says whether what a clock describes happened behind one of the
// fences.
func behindAny(c clock, fences []*scFence) bool {
	for _, f := range fences {
		if f.index <= c[f.by.thread] {
			return true
		}
	}
	return false
}

// learns makes all reads and writes of a location that happened behind the
// fences follow what a clock describes, and says whether the axioms allow it.
// Of a write, coherence may follow from that.
func (m *weakMemory) learns(l *weakLocation, fences []*scFence, c clock) bool {
	for x := range slots(l.live) {
		w := &l.writes[x]
		if w.by.thread < 0 || !behindAny(w.clock, fences) {
			continue
		}
		now := m.joined(w.clock, c)
		known := l.known(now) &^ (1 << x)
		if known&l.after(x) != 0 || l.readBefore(x, now) {
			return false
		}
		for y := range slots(known &^ w.before) {
			if !m.follow(l, y, x) {
				return false
			}
		}
	}
	for i := range l.reads {
		r := &l.reads[i]
		if r.source == noSource {
			continue // older than all fences: nobody learns more before it
		}
		known := r.known
		if behindAny(r.clock, fences) {
			known = l.knownTo(r, m.joined(r.clock, c))
		}
		if l.hidden(known)>>r.source&1 != 0 {
			return false
		}
	}
	return m.atomicity(l)
}

// readBefore says whether a read of a write happened before the write.
func (l *weakLocation) readBefore(x int, c clock) bool {
	for i := range l.reads {
		if r := &l.reads[i]; int(r.source) == x && r.first <= c[r.by.thread] && r.by.thread != l.writes[x].by.thread {
			return true
		}
	}
	return false
}

// knownTo are the writes that precede a read with a clock: not that of the same
// atomic.
func (l *weakLocation) knownTo(r *weakRead, c clock) uint64 {
	known := l.known(c)
	for x := range slots(known) {
		if w := &l.writes[x]; w.atomic && w.by.thread == r.by.thread && w.index == r.clock[r.by.thread] {
			known &^= 1 << x
		}
	}
	return known
}

func (m *weakMemory) joined(a, b clock) clock {
	c := m.clocks.clone(a)
	c.join(b)
	return c
}

// follow makes write x, and what comes after it, follow write y in coherence.
func (m *weakMemory) follow(l *weakLocation, y, x int) bool {
	below := l.writes[y].before | 1<<y
	above := l.after(x) | 1<<x
	if below&above != 0 {
		return false
	}
	ok := true
	for i := range l.reads {
		r := &l.reads[i]
		if r.source == noSource || below>>r.source&1 == 0 {
			continue // or all writes that are left follow what it read already
		}
		for z := range slots(m.strong(l, above&^l.after(int(r.source)), r.by)) {
			ok = l.lead(r.reach, z) && ok
		}
	}
	for z := range slots(above) {
		l.writes[z].before |= below
	}
	return ok
}

// precede puts an sc fence before the last of those that were made.
func (m *weakMemory) fenceBefore(p int, by actor, last int) {
	k := len(m.sc) - last
	c := m.fenceClock(p, by, k)
	later := m.followers(by, k)
	t := m.event(p)
	c[p] = t.index
	t.clock.join(c)
	for _, l := range m.touched {
		x := &m.locations[l]
		if !m.learns(x, later, c) {
			panic("ref: a fence was placed where the axioms forbid it")
		}
		x.reorder()
		for w := range slots(x.live) {
			if x.writes[w].clock != nil {
				teach(x.writes[w].clock, later, c)
			}
		}
		for i := range x.reads {
			teach(x.reads[i].clock, later, c)
			x.reads[i].known = x.knownTo(&x.reads[i], x.reads[i].clock)
		}
	}
	for _, r := range m.released {
		teach(r.clock, later, c)
	}
	for q := range m.threads {
		teach(m.threads[q].clock, later, c)
	}
	for _, o := range m.described {
		teach(o, later, c)
	}
	for i := range m.sc {
		teach(m.sc[i].clock, later, c)
	}
}

func teach(c clock, fences []*scFence, what clock) {
	if behindAny(c, fences) {
		c.join(what)
	}
}

// reorder brings the list of live writes into an order that coherence allows
// again, changing as little as it can.
func (l *weakLocation) reorder() {
	var done uint64
	order := make([]uint8, 0, len(l.order))
	for len(order) < len(l.order) {
		for _, x := range l.order {
			if done>>x&1 == 0 && l.writes[x].before&l.live&^done == 0 {
				order = append(order, x)
				done |= 1 << x
				break
			}
		}
	}
	copy(l.order, order)
}

// overtakenFence is the step of the first fence that the fence of an outcome comes
// before, 0 if there is none.
func (m *weakMemory) overtakenFence(o outcome) int {
	if o.above == 0 {
		return 0
	}
	return m.sc[len(m.sc)-int(o.above)].step
}
