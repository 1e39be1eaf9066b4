package ref

import "stealproof/model"

// mutated is a structure whose memory changes the accesses of one line.
type mutated struct {
	Structure
	mutation *mutation
}

func (s mutated) Do(m Memory, o *model.Operation) {
	mm := mutantMemory{Memory: m, mutation: s.mutation}
	s.Structure.Do(&mm, o)
	mm.flush()
}

func (s mutated) NextPhase(m Memory) {
	if p, ok := s.Structure.(Phased); ok {
		mm := mutantMemory{Memory: m, mutation: s.mutation}
		p.NextPhase(&mm)
		mm.flush()
	}
}

// mutantMemory is the memory of one operation.
type mutantMemory struct {
	Memory
	mutation *mutation
	waiting  []lateStore // one at most
	seen     map[Location]uint64
	skipped  int // accesses left out since the last that was made
}

type lateStore struct {
	location Location
	value    uint64
	access   Access
}

// mostSkipped is how many accesses an operation may leave out in a row: more,
// and it goes round a loop in which it makes none, from which no scheduler
// could call it back.
const mostSkipped = 1000

func (m *mutantMemory) is(a Access, op string) bool {
	return a.Site == m.mutation.site && m.mutation.op == op
}

// hit notes that the mutant made a difference.
func (m *mutantMemory) hit() {
	if !m.mutation.applied.Load() {
		m.mutation.applied.Store(true)
	}
}

func (m *mutantMemory) skip() {
	m.hit()
	if m.skipped++; m.skipped > mostSkipped {
		panic(&Fault{Msg: "the operation goes round a loop without an access, for ever"})
	}
}

// before makes way for the next access: a late store waits behind it, unless
// both go to one location, where they keep their order.
func (m *mutantMemory) before(l Location) {
	m.skipped = 0
	if len(m.waiting) > 0 && m.waiting[0].location == l {
		m.flush()
	}
}

// saw ends an access: it remembers the value, and makes the late store.
func (m *mutantMemory) saw(l Location, v uint64) {
	if m.mutation.op == "reuse" {
		if m.seen == nil {
			m.seen = map[Location]uint64{}
		}
		m.seen[l] = v
	}
	if len(m.waiting) > 0 {
		m.hit()
		m.flush()
	}
}

func (m *mutantMemory) flush() {
	if len(m.waiting) > 0 {
		s := m.waiting[0]
		m.waiting = m.waiting[:0]
		m.Memory.Store(s.location, s.value, s.access)
	}
}

// change is the value as the mutant has it.
func (m *mutantMemory) change(v uint64, a Access) uint64 {
	switch {
	case m.is(a, "plus-one"):
		m.hit()
		return v + 1
	case m.is(a, "minus-one"):
		m.hit()
		return v - 1
	case m.is(a, "uncounted"):
		m.hit()
		return v - m.mutation.counter
	}
	return v
}

func (m *mutantMemory) Load(l Location, a Access) uint64 {
	if m.is(a, "drop") {
		m.skip()
		return 0
	}
	if v, known := m.seen[l]; known && m.is(a, "reuse") {
		m.skip()
		return v
	}
	m.before(l)
	a = m.order(Load, a)
	v := m.Memory.Load(l, a)
	if m.is(a, "twice") {
		m.hit()
		v = m.Memory.Load(l, second(a))
	}
	m.saw(l, v)
	return m.change(v, a)
}

func (m *mutantMemory) Store(l Location, v uint64, a Access) {
	if m.is(a, "drop") {
		m.skip()
		return
	}
	v = m.change(v, a)
	m.before(l)
	a = m.order(Store, a)
	if m.is(a, "late") {
		m.flush()
		m.waiting = append(m.waiting, lateStore{l, v, a})
		return
	}
	m.Memory.Store(l, v, a)
	if m.is(a, "twice") {
		m.hit()
		m.Memory.Store(l, v, second(a))
	}
	m.saw(l, v)
}

func (m *mutantMemory) CompareAndSwap(l Location, old, new uint64, a Access) (seen uint64, swapped bool) {
	switch {
	case m.is(a, "drop"):
		m.skip()
		return old, true
	case m.is(a, "never"):
		m.skip()
		return ^old, false
	}
	new = m.change(new, a)
	m.before(l)
	a = m.order(CompareAndSwap, a)
	switch {
	case m.is(a, "blind"):
		m.hit()
		m.Memory.Store(l, new, a)
		seen, swapped = old, true
	case m.is(a, "split"):
		m.hit()
		seen = m.Memory.Load(l, a)
		if swapped = seen == old; swapped {
			m.Memory.Store(l, new, a)
		}
	case m.is(a, "twice"):
		m.hit()
		m.Memory.CompareAndSwap(l, old, new, a)
		seen, swapped = m.Memory.CompareAndSwap(l, old, new, second(a))
	default:
		seen, swapped = m.Memory.CompareAndSwap(l, old, new, a)
	}
	if swapped {
		m.saw(l, new)
	} else {
		m.saw(l, seen)
	}
	return seen, swapped
}

func (m *mutantMemory) FetchAdd(l Location, delta uint64, a Access) uint64 {
	if m.is(a, "drop") {
		m.skip()
		return 0
	}
	delta = m.change(delta, a)
	m.before(l)
	a = m.order(FetchAdd, a)
	var v uint64
	switch {
	case m.is(a, "split"):
		m.hit()
		v = m.Memory.Load(l, a)
		m.Memory.Store(l, v+delta, a)
	case m.is(a, "twice"):
		m.hit()
		m.Memory.FetchAdd(l, delta, a)
		v = m.Memory.FetchAdd(l, delta, second(a))
	default:
		v = m.Memory.FetchAdd(l, delta, a)
	}
	m.saw(l, v+delta)
	return v
}

// second is an access made once more, as if by a line of its own: made by the
// same line it would look like a process that spins.
func second(a Access) Access {
	a.Site = noSite
	return a
}

// noSite is no line of any algorithm.
const noSite = 255

func (m *mutantMemory) Fence(a Access) { m.Memory.Fence(m.order(Fence, a)) }
