package weak

import "slices"

// ordered is a memory in which coherence puts all writes of a location in one order, as
// it does on processors. A read reads any write from the last one on that its thread
// cannot come before, a write stands anywhere behind that, and that of an atomic right
// behind what it has read: as far as the rules leave it open.
type ordered struct {
	rules
	initial   []uint64
	threads   []thread
	locations []location
	touched   []uint32 // locations that differ from the start of an execution
	clocks    arena
	spare     []*write

	at       *location // of the access that is being made
	outcomes []outcome
	rivals   []int // places of what an atomic could read, and has been overwritten by another
}

// rules are those of a memory model.
type rules interface {
	reset()
	meet()
	meetLanes(from int, lanes uint64)
	splits() bool
	// floor is the place in coherence of the last write that an access cannot come
	// before.
	floor(a *Access, l *location) int
	// allows says whether an access may read the write at a place, and write at another,
	// where it reads or overtakes what it does not come before; either may be none.
	allows(a *Access, l *location, source, place int) bool
	// begin, read, write and end are the parts of an access, in that order.
	begin(a *Access)
	read(a *Access, l *location, source int)
	write(a *Access, l *location, place, source int)
	end(a *Access, l *location, o outcome)
	fence(a *Access)
	// known is the place of the last write that all threads know, or more: nobody comes
	// before it any more.
	known(l *location) int
	// drops is told that the first writes of a location are forgotten.
	drops(l *location, n int)
	races(race func(step int))
}

type thread struct {
	index int32 // its events so far
	clock clock // what happened before its next event
}

// location is a word of memory: its writes in coherence, those that can still matter.
type location struct {
	touched bool
	order   []*write
	rc11    rc11Location
}

// write is a write of a location.
type write struct {
	thread int32 // nobody for what was there at the start
	index  int32 // of its event
	step   int
	value  uint64
	atomic bool // it stands right behind what its atomic has read
	// observed has of each thread the first event that read the write, 0 for none.
	observed []int32
	rc11     rc11Write
	tso      tsoWrite
}

const nobody = -1

// outcome is what an access may do: read the write at a place of coherence, and write
// at another one.
type outcome struct{ source, place int }

const none = -1

// mostWrites is the number of writes of a location that are kept.
const mostWrites = 64

func newOrdered(threads int, initial []uint64) *ordered {
	m := &ordered{initial: initial, clocks: arena{size: threads}}
	m.threads = make([]thread, threads)
	for t := range m.threads {
		m.threads[t].clock = make(clock, threads)
	}
	m.locations = make([]location, len(initial))
	for l := range m.locations {
		m.start(&m.locations[l], initial[l])
	}
	return m
}

// start makes a location hold a value that was always there.
func (m *ordered) start(l *location, value uint64) {
	m.spare = append(m.spare, l.order...)
	l.order = append(l.order[:0], m.fresh())
	l.order[0].value, l.order[0].thread = value, nobody
	l.touched = false
	l.rc11.reset()
}

func (m *ordered) fresh() *write {
	n := len(m.spare) - 1
	if n < 0 {
		return &write{observed: make([]int32, len(m.threads))}
	}
	w := m.spare[n]
	m.spare = m.spare[:n]
	clear(w.observed)
	*w = write{observed: w.observed}
	return w
}

func (m *ordered) Reset() {
	m.clocks.reset()
	for t := range m.threads {
		m.threads[t].index = 0
		clear(m.threads[t].clock)
	}
	for _, l := range m.touched {
		m.start(&m.locations[l], m.initial[l])
	}
	m.touched = m.touched[:0]
	m.reset()
}

func (m *ordered) Meet(words []uint64) {
	for t := range m.threads {
		for u := range m.threads {
			m.threads[t].clock[u] = m.threads[u].index
		}
	}
	m.touched = m.touched[:0]
	for l := range m.locations {
		x := &m.locations[l]
		m.start(x, words[l])
		if words[l] != m.initial[l] {
			m.touch(uint32(l))
		}
	}
	m.meet()
}

func (m *ordered) MeetLanes(from int, lanes uint64, fence bool) {
	if !fence || lanes&(lanes-1) == 0 {
		return
	}
	all := m.clocks.clone(nil)
	for lane := range bits(lanes) {
		join(all, m.threads[from+lane].clock)
	}
	for lane := range bits(lanes) {
		join(m.threads[from+lane].clock, all)
	}
	m.meetLanes(from, lanes)
}

func (m *ordered) Splits() bool { return m.splits() }

// Orders is false: neither model chooses an order of fences. RC11 asks that there is
// one, and a store buffer has been drained or not.
func (m *ordered) Orders() bool { return false }

func (m *ordered) touch(l uint32) *location {
	x := &m.locations[l]
	if !x.touched {
		x.touched = true
		m.touched = append(m.touched, l)
	}
	return x
}

func (m *ordered) Choices(a *Access) int {
	l := m.touch(a.Location)
	m.at = l
	m.outcomes, m.rivals = m.outcomes[:0], m.rivals[:0]
	if a.Kind != Read {
		m.makeRoom(l)
	}
	last, floor := len(l.order)-1, m.floor(a, l)
	if a.Kind == Write {
		for place := last + 1; place > floor; place-- {
			if place > last || !l.order[place].atomic && m.allows(a, l, none, place) {
				m.outcomes = append(m.outcomes, outcome{none, place})
			}
		}
		return len(m.outcomes)
	}
	for i := last; i >= floor; i-- {
		o := outcome{i, none}
		switch value := l.order[i].value; a.Kind {
		case Read:
			if a.Awaits && value != a.Value {
				continue
			}
		default:
			if _, writes := a.Stores(value); writes {
				o.place = i + 1
			}
		}
		switch {
		case i < last && o.place != none && l.order[i+1].atomic:
			m.rivals = append(m.rivals, i)
		case i == last || m.allows(a, l, o.source, o.place):
			m.outcomes = append(m.outcomes, o)
		}
	}
	return len(m.outcomes)
}

func (m *ordered) Source(k int) int {
	if i := m.outcomes[k].source; i != none {
		return m.at.order[i].step
	}
	return -1
}

func (m *ordered) Writes(k int) bool { return m.outcomes[k].place != none }

func (m *ordered) Overtaken(k int) int {
	if p := m.outcomes[k].place; p != none && p < len(m.at.order) {
		return m.at.order[p].step
	}
	return 0
}

func (m *ordered) Rivals(list []int) []int {
	for _, i := range m.rivals {
		list = append(list, m.at.order[i].step)
	}
	return list
}

func (m *ordered) Sources(a *Access, list []int) []int {
	l := m.touch(a.Location)
	last := len(l.order) - 1
	for i := last; i >= m.floor(a, l); i-- {
		if i == last || m.allows(a, l, i, none) {
			list = append(list, l.order[i].step)
		}
	}
	return list
}

func (m *ordered) Make(a *Access, k int) (read, written uint64) {
	m.Event(a.Thread)
	if a.Kind == Fence {
		m.fence(a)
		return 0, 0
	}
	l, o := m.at, m.outcomes[k]
	m.begin(a)
	if o.source != none {
		w := l.order[o.source]
		if w.observed[a.Thread] == 0 {
			w.observed[a.Thread] = m.threads[a.Thread].index
		}
		m.read(a, l, o.source)
		read, written = w.value, w.value
	}
	if o.place != none {
		w := m.fresh()
		w.thread, w.index, w.step = int32(a.Thread), m.threads[a.Thread].index, a.Step
		if w.value = a.Value; a.Kind == Atomic {
			w.atomic = true
			w.value, _ = a.Stores(read)
		}
		written = w.value
		l.order = slices.Insert(l.order, o.place, w)
		m.write(a, l, o.place, o.source)
	}
	m.end(a, l, o)
	return read, written
}

func (m *ordered) Event(t int) {
	m.threads[t].index++
	m.threads[t].clock[t] = m.threads[t].index
}

// makeRoom sees to it that one more write fits.
func (m *ordered) makeRoom(l *location) {
	n := len(l.order)
	if n < 8 || n&(n-1) != 0 && n < mostWrites {
		return
	}
	dead := m.known(l)
	if n == mostWrites && dead == 0 {
		dead = 1 // it could still be read: executions are missed
	}
	if dead == 0 {
		return
	}
	m.drops(l, dead)
	m.spare = append(m.spare, l.order[:dead]...)
	l.order = slices.Delete(l.order, 0, dead)
}

func (m *ordered) Newest(l uint32) (step int, value uint64) {
	order := m.locations[l].order
	w := order[len(order)-1]
	return w.step, w.value
}

func (m *ordered) Finals(l uint32) []uint64 {
	_, value := m.Newest(l)
	return []uint64{value}
}

func (m *ordered) Clock(t int) []int32 { return m.clocks.clone(m.threads[t].clock) }

func (m *ordered) Index(t int) int32 { return m.threads[t].index }

func (m *ordered) Races(race func(step int)) { m.races(race) }

// knows says whether what a clock describes comes behind a write: that happened before,
// or was read by what did.
func knows(c clock, w *write) bool {
	if w.thread == nobody || w.index <= c[w.thread] {
		return true
	}
	return read(c, w)
}

// read says whether a read of a write happened before what a clock describes.
func read(c clock, w *write) bool {
	for t, first := range w.observed {
		if first > 0 && first <= c[t] {
			return true
		}
	}
	return false
}
