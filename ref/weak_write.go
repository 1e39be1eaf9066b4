package ref

// mayInsert tries whether a write may stand in coherence before those of a set.
// It must follow those of first.
func (m *weakMemory) mayInsert(a *attempt, first, above uint64, source int) bool {
	l := a.location
	x := m.slot(l)
	m.saved = l.save(m.saved)
	own := l.last[a.by.thread]
	if a.atomic {
		own = m.reaches(a, source, m.morallyStrong(l.writes[source].by, a.by))
	}
	ok := m.insert(a, x, own, first, above, source)
	l.live &^= 1 << x
	l.restore(m.saved)
	return ok
}

// insert puts a write into coherence, behind those that it must follow and
// those morally strong ones that are not above, and reports whether the axioms
// allow it.
func (m *weakMemory) insert(a *attempt, x int, own, first, above uint64, source int) bool {
	l := a.location
	above |= l.allAfter(above)
	first |= m.strong(l, l.live&^above, a.by)
	first |= l.hidden(first)
	if first&above != 0 {
		return false
	}
	ok := m.hides(l, first, above)
	w := &l.writes[x]
	w.by, w.before, w.reach = a.by, first, own
	w.atomic, w.source = a.atomic, int8(source)
	w.reach |= m.reachedFrom(l, first, a.by)
	bit := uint64(1) << x
	l.live |= bit
	fresh := m.freshReads(l, first, above)
	for y := range slots(above) {
		l.writes[y].before |= first | bit
	}
	for y := range slots(m.strong(l, above, a.by)) {
		ok = l.lead(w.reach|bit, y) && ok
	}
	for _, f := range fresh {
		ok = l.lead(l.reads[f.read].reach, f.write) && ok
	}
	l.last[a.by.thread] = w.reach | bit
	return ok && (above == 0 || m.atomicity(l))
}

func (l *weakLocation) allAfter(set uint64) uint64 {
	var all uint64
	for x := range slots(set) {
		all |= l.after(x)
	}
	return all
}

// reachedFrom are the writes that reach a new write through those that it
// follows: through coherence, and through reads of what it overwrites.
func (m *weakMemory) reachedFrom(l *weakLocation, before uint64, by actor) uint64 {
	var set uint64
	for y := range slots(m.strong(l, before, by)) {
		set |= l.writes[y].reach | 1<<y
	}
	for i := range l.reads {
		r := &l.reads[i]
		if (r.source == noSource || before>>r.source&1 != 0) && m.morallyStrong(r.by, by) {
			set |= r.reach
		}
	}
	return set
}

// hides checks that no read knew of a write that now comes after the one that
// it read.
func (m *weakMemory) hides(l *weakLocation, before, above uint64) bool {
	if above == 0 {
		return true
	}
	for i := range l.reads {
		r := &l.reads[i]
		if r.source != noSource && before>>r.source&1 != 0 && r.known&above&^l.after(int(r.source)) != 0 {
			return false
		}
	}
	return true
}

// freshRead is a read and a write that overwrites, from now on, what it read.
type freshRead struct{ read, write int }

func (m *weakMemory) freshReads(l *weakLocation, before, above uint64) []freshRead {
	if above == 0 {
		return nil
	}
	var list []freshRead
	for i := range l.reads {
		r := &l.reads[i]
		if r.source == noSource || before>>r.source&1 == 0 {
			continue
		}
		for y := range slots(m.strong(l, above&^l.after(int(r.source)), r.by)) {
			list = append(list, freshRead{i, y})
		}
	}
	return list
}

// atomicity checks that no morally strong write stands between what an atomic
// has read and what it has written.
func (m *weakMemory) atomicity(l *weakLocation) bool {
	for x := range slots(l.live) {
		w := &l.writes[x]
		if w.atomic && m.strong(l, l.after(int(w.source))&w.before, w.by) != 0 {
			return false
		}
	}
	return true
}

// write makes the write of the event that was begun, its outcome chosen.
func (m *weakMemory) write(a *attempt, o outcome, value uint64, step int) {
	l := a.location
	t := &m.threads[a.by.thread]
	x := m.slot(l)
	first := l.known(t.clock)
	observing := false
	var visible []*release
	if a.atomic {
		source := &l.writes[o.source]
		if observing = m.morallyStrong(source.by, a.by); observing {
			first |= 1 << o.source
			visible = source.visible
		}
	}
	visible = m.patterns(l, t, a.by, visible)
	if !m.insert(a, x, l.last[a.by.thread], first, o.above, o.source) {
		panic("ref: a write was made that the axioms forbid")
	}
	w := &l.writes[x]
	if m.open != nil {
		above := l.after(x)
		m.open.unfit = m.open.unfit || l.live&^(w.before|above|1<<x) != 0
		m.follows(l, t.clock, above)
	}
	w.index, w.step, w.value, w.observing = t.index, step, value, observing
	w.visible = append(w.visible[:0], visible...)
	w.clock, w.made = m.clocks.clone(t.clock), m.clocks.clone(t.made)
	clear(w.observed)
	l.place(x)
}

// place lists a new write behind all that it need not precede.
func (l *weakLocation) place(x int) {
	above := l.after(x)
	l.order = append(l.order, uint8(x))
	if above == 0 {
		return
	}
	var below, upper []uint8
	for _, y := range l.order[:len(l.order)-1] {
		if above>>y&1 != 0 {
			upper = append(upper, y)
		} else {
			below = append(below, y)
		}
	}
	l.order = append(append(append(l.order[:0], below...), uint8(x)), upper...)
}

// patterns are the releases that a read of a new write will see: those of its
// own process, and those of the write that an atomic continues.
func (m *weakMemory) patterns(l *weakLocation, t *weakThread, by actor, continued []*release) []*release {
	list := append(m.visible[:0], continued...)
	if by.order != Weak {
		for _, r := range t.fences {
			if r != nil {
				list = prevail(list, r)
			}
		}
		for _, r := range l.patterns {
			if r.thread == by.thread {
				list = prevail(list, r)
			}
		}
	}
	if releases(by.order) {
		r := m.release(t, by)
		l.patterns = prevail(l.patterns, r)
		list = prevail(list, r)
	}
	m.visible = list
	return list
}

// prevail adds a release, in place of those that say less.
func prevail(list []*release, r *release) []*release {
	for i, o := range list {
		if o.thread != r.thread {
			continue
		}
		if o.index >= r.index && o.scope >= r.scope {
			return list
		}
		if o.index <= r.index && o.scope <= r.scope {
			list[i] = r
			return list
		}
	}
	return append(list, r)
}
