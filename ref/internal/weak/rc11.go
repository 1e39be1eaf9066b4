package weak

import (
	"slices"

	"stealproof/ref/axioms"
)

// rc11 is the memory model of C11 as repaired by Lahav and others (PLDI 2017), with the
// release sequences of C++20: a release is continued by atomics alone, and not by a later
// store of the same thread. Weak accesses are those that are not atomic. Scopes mean
// nothing.
//
// What happened before what is closed under program order, so that a clock per thread
// describes it. A write carries the clock that who acquires it takes over. What is asked
// of accesses and fences of order sc stands in psc.go.
type rc11 struct {
	*ordered
	sync []rc11Thread
	psc  psc
	// The access that was made last, and whether it wrote.
	racing Access
	wrote  bool
}

// rc11Thread is what a thread knows beside its clock.
type rc11Thread struct {
	pending  clock // what a fence that acquires would take over
	released clock // at the last fence that releases; nil if there was none
}

type rc11Write struct {
	released clock // what who acquires it takes over; nil for nothing
	// ahead are the fences that come before it, and itself if it is of order sc; readers
	// is the same for all reads of it, and node itself. See psc.
	ahead, readers, node uint64
}

type rc11Location struct {
	accesses []rc11Access
	base     uint64 // ahead and readers of those writes that were forgotten
}

func (l *rc11Location) reset() {
	l.accesses = l.accesses[:0]
	l.base = 0
}

// rc11Access is the last access of a thread, by a line of its text and of a kind.
type rc11Access struct {
	thread, index int32
	step          int
	site          uint8
	plain, writes bool
}

// NewRC11 is a memory that does all that RC11 allows.
func NewRC11(threads int, initial []uint64) Memory {
	m := newOrdered(threads, initial)
	r := &rc11{ordered: m, sync: make([]rc11Thread, threads)}
	for t := range r.sync {
		r.sync[t].pending = make(clock, threads)
	}
	r.psc.begin(m)
	m.rules = r
	return m
}

func (r *rc11) reset() {
	r.meet()
}

func (r *rc11) meet() {
	for t := range r.sync {
		clear(r.sync[t].pending)
		r.sync[t].released = nil
	}
	r.psc.reset()
}

func (r *rc11) meetLanes(from int, lanes uint64) {
	for lane := range bits(lanes) {
		r.psc.learns(from + lane)
	}
}

func (r *rc11) splits() bool { return false }

func (r *rc11) floor(a *Access, l *location) int { return r.last(r.threads[a.Thread].clock, l) }

// last is the place of the last write that a clock describes.
func (r *rc11) last(c clock, l *location) int {
	i := len(l.order) - 1
	for i > 0 && !knows(c, l.order[i]) && !r.psc.settled(l.order[i]) {
		i--
	}
	return i
}

func (r *rc11) allows(a *Access, l *location, source, place int) bool {
	if r.psc.live == 0 {
		return true
	}
	now := r.clocks.clone(r.threads[a.Thread].clock)
	if source != none && a.Order.Acquires() {
		join(now, l.order[source].rc11.released)
	}
	return r.psc.allows(a, l, source, place, now)
}

func (r *rc11) begin(*Access) {}

func (r *rc11) read(a *Access, l *location, source int) {
	t, w := &r.threads[a.Thread], l.order[source]
	switch {
	case w.rc11.released == nil || a.Order == axioms.Weak:
	case a.Order.Acquires():
		join(t.clock, w.rc11.released)
		r.psc.learns(a.Thread)
	default:
		join(r.sync[a.Thread].pending, w.rc11.released)
	}
}

func (r *rc11) write(a *Access, l *location, place, source int) {
	w := l.order[place]
	released := r.sync[a.Thread].released
	switch {
	case a.Order == axioms.Weak:
		return
	case a.Order.Releases():
		released = r.clocks.clone(r.threads[a.Thread].clock)
	}
	if source != none {
		if continued := l.order[source].rc11.released; released == nil {
			released = continued
		} else if continued != nil {
			released = r.clocks.clone(released)
			join(released, continued)
		}
	}
	w.rc11.released = released
}

func (r *rc11) end(a *Access, l *location, o outcome) {
	r.psc.access(a, l, o)
	r.racing, r.wrote = *a, o.place != none
}

func (r *rc11) fence(a *Access) {
	t, s := &r.threads[a.Thread], &r.sync[a.Thread]
	if a.Order.Acquires() {
		join(t.clock, s.pending)
		r.psc.learns(a.Thread)
	}
	if a.Order == axioms.SC {
		r.psc.fence(a)
	} else {
		r.psc.goes(a.Thread, nowhere)
	}
	if a.Order.Releases() {
		s.released = r.clocks.clone(t.clock)
	}
}

func (r *rc11) known(l *location) int {
	place := len(l.order) - 1
	for t := range r.threads {
		place = min(place, r.last(r.threads[t].clock, l))
	}
	l.rc11.accesses = slices.DeleteFunc(l.rc11.accesses, func(x rc11Access) bool {
		for t := range r.threads {
			if x.index > r.threads[t].clock[x.thread] {
				return false
			}
		}
		return true
	})
	return place
}

func (r *rc11) drops(l *location, n int) { r.psc.drops(l, n) }

// races compares the access that was made last with those before: two of one location
// race if one of them writes, one is not atomic, and neither happened before the other.
func (r *rc11) races(race func(step int)) {
	a := &r.racing
	l, c := &r.locations[a.Location].rc11, r.threads[a.Thread].clock
	now := rc11Access{int32(a.Thread), c[a.Thread], a.Step, a.Site, a.Order == axioms.Weak, r.wrote}
	at := -1
	for i := range l.accesses {
		x := &l.accesses[i]
		if x.thread == now.thread {
			if x.site == now.site && x.plain == now.plain && x.writes == now.writes {
				at = i
			}
			continue
		}
		if (x.plain || now.plain) && (x.writes || now.writes) && x.index > c[x.thread] {
			race(x.step)
		}
	}
	if at >= 0 {
		l.accesses[at] = now
	} else {
		l.accesses = append(l.accesses, now)
	}
}
