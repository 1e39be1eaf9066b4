package ref

import (
	"slices"

	"stealproof/model"
)

// patched is a structure whose accesses are made as a patch has them.
type patched struct {
	Structure
	patch *applied
}

func (s patched) Do(m Memory, o *model.Operation) {
	pm := patchMemory{Memory: m, applied: s.patch, op: o}
	s.Structure.Do(&pm, o)
	pm.end()
}

// NextPhase does nothing for a structure without phases.
func (s patched) NextPhase(m Memory) {
	if p, ok := s.Structure.(Phased); ok {
		pm := patchMemory{Memory: m, applied: s.patch}
		p.NextPhase(&pm)
		pm.flush()
	}
}

// patchMemory is the memory of one operation of a text that was changed.
type patchMemory struct {
	Memory
	*applied
	op      *model.Operation // nil for the host
	held    []heldAccess
	made    []noted // early accesses that the text has not come to
	noted   []noted // what was read or stored at the sites that are watched
	seen    map[Location]uint64
	skipped int // accesses left out since the last that was made

	// A load that is made late, and what it read.
	promised bool
	loaded   uint64
}

// heldAccess is a store, a fence or a load that is still to be made.
type heldAccess struct {
	kind     AccessKind
	location Location
	value    uint64
	access   Access
	edit     *edit
}

type noted struct {
	site  uint8
	value uint64
}

// mostSkipped is how many accesses an operation may leave out in a row: more,
// and it goes round a loop in which it makes none, from which no scheduler
// could call it back.
const mostSkipped = 1000

// promise is what the text gets from a load that is made late. No program puts
// it in.
const promise = 1<<63 | 0x6c6174656c6f6164

var unchanged edit

// edit is what becomes of an access.
func (m *patchMemory) edit(k AccessKind, l Location, a Access) *edit {
	for i := range m.edits {
		if e := &m.edits[i]; e.site == a.Site && e.concerns(m.op, k, l) {
			return e
		}
	}
	return &unchanged
}

func (e *edit) concerns(o *model.Operation, k AccessKind, l Location) bool {
	if e.inOp != 0 && (o == nil || e.inOp != o.Op) || len(e.kind) > 0 && !slices.Contains(e.kind, k) {
		return false
	}
	return e.word == "" || e.how == instead || e.at == l
}

func (m *patchMemory) skip() {
	m.notice()
	if m.skipped++; m.skipped > mostSkipped {
		panic(&Fault{Msg: "the operation goes round a loop without an access, for ever"})
	}
}

// before makes way for the next access: a late store waits behind it, unless
// both go to one location, where they keep their order; and an early load is
// made.
func (m *patchMemory) before(l Location, a Access) {
	m.skipped = 0
	if len(m.held) > 0 && m.held[0].edit.how == late && m.held[0].location == l {
		m.flush()
	}
	for i := range m.edits {
		if e := &m.edits[i]; e.how == early && e.kind[0] == Load && e.anchored(a) && !m.isMade(e.site) {
			m.notice()
			m.made = append(m.made, noted{e.site, m.Memory.Load(e.at, e.access)})
		}
	}
}

// after ends an access that has taken effect, or failed: it notes the value, and
// makes what was waiting for it.
func (m *patchMemory) after(l Location, v uint64, a Access, effect bool) {
	if m.reuses {
		if m.seen == nil {
			m.seen = map[Location]uint64{}
		}
		m.seen[l] = v
	}
	if slices.Contains(m.watched, a.Site) {
		m.note(a.Site, v)
	}
	if len(m.held) > 0 && (m.held[0].edit.how == late || m.held[0].edit.anchored(a)) {
		m.notice()
		m.flush()
	}
	for i := range m.edits {
		if e := &m.edits[i]; effect && e.how == early && e.kind[0] == Store && e.anchored(a) {
			m.notice()
			m.made = append(m.made, noted{site: e.site})
			m.Memory.Store(e.at, e.value, e.access)
		}
	}
}

// anchored says whether an access is one with which the sites change places.
func (e *edit) anchored(a Access) bool {
	for _, w := range e.others {
		if w.Site == a.Site {
			return true
		}
	}
	return false
}

func (m *patchMemory) isMade(site uint8) bool {
	return slices.ContainsFunc(m.made, func(n noted) bool { return n.site == site })
}

// takeMade is the value of an access that was made early.
func (m *patchMemory) takeMade(site uint8) (uint64, bool) {
	for i, n := range m.made {
		if n.site == site {
			m.made = slices.Delete(m.made, i, i+1)
			return n.value, true
		}
	}
	return 0, false
}

func (m *patchMemory) note(site uint8, v uint64) {
	for i := range m.noted {
		if m.noted[i].site == site {
			m.noted[i].value = v
			return
		}
	}
	m.noted = append(m.noted, noted{site, v})
}

// other is what the operation read or stored at the site that the edit refers
// to.
func (m *patchMemory) other(e *edit) (uint64, bool) {
	for _, n := range m.noted {
		if n.site == e.others[0].Site {
			return n.value, true
		}
	}
	return 0, false
}

func (m *patchMemory) hold(k AccessKind, l Location, v uint64, a Access, e *edit) {
	m.held = append(m.held, heldAccess{k, l, v, a, e})
}

// flush makes the late accesses.
func (m *patchMemory) flush() {
	for i := range m.held {
		switch h := &m.held[i]; h.kind {
		case Store:
			m.Memory.Store(h.location, h.value, h.access)
		case Load:
			m.loaded = m.Memory.Load(h.location, h.access)
		case Fence:
			m.Memory.Fence(h.access)
		}
	}
	m.held = m.held[:0]
}

// end makes what is still to be made, and changes the result.
func (m *patchMemory) end() {
	o := m.op
	if len(m.held) > 0 {
		m.flush()
	}
	if m.promised && o.Value == promise {
		o.Value = m.loaded
	}
	for _, a := range m.answers {
		if a.inOp == o.Op && a.result == o.Result {
			m.notice()
			o.Result = a.becomes
		}
	}
}

// told is what the text learns of what a load has read.
func (m *patchMemory) told(e *edit, v uint64) uint64 {
	told := v
	switch e.how {
	case plus:
		told = (v + e.value) & e.mask
	case instead:
		told = min(v, e.bound)
	case tell:
		told = e.value
		if len(e.with) > 0 {
			other, known := m.other(e)
			if !known {
				return v
			}
			told = other
		}
	case tellUpperEnd:
		told = m.op.To & e.mask
	default:
		return v
	}
	m.notice()
	return told
}

// stored is what is stored, or added, where the text has v.
func (m *patchMemory) stored(e *edit, v uint64) uint64 {
	switch e.how {
	case plus:
		m.notice()
		return (v + e.value) & e.mask
	case uncounted:
		m.notice()
		if len(e.with) == 0 {
			return v - e.counter
		}
		other, _ := m.other(e)
		return other&^(e.counter-1) | v&(e.counter-1)
	case put:
		if other, known := m.other(e); known {
			m.notice()
			return other
		}
	}
	return v
}

func (m *patchMemory) Load(l Location, a Access) uint64 {
	e := m.edit(Load, l, a)
	switch e.how {
	case drop:
		m.skip()
		return e.value
	case reuse:
		if v, known := m.seen[l]; known {
			m.skip()
			return v
		}
	case early:
		if v, made := m.takeMade(a.Site); made {
			return v
		}
	case behind:
		m.hold(Load, l, 0, a, e)
		m.promised = true
		return promise
	case instead:
		l, a = e.at, e.others[0]
	}
	m.before(l, a)
	a = m.order(Load, a, e)
	v := m.Memory.Load(l, a)
	if e.how == twice {
		m.notice()
		v = m.Memory.Load(l, second(a))
	}
	m.after(l, v, a, true)
	return m.told(e, v)
}

func (m *patchMemory) Store(l Location, v uint64, a Access) {
	e := m.edit(Store, l, a)
	switch e.how {
	case drop:
		m.skip()
		return
	case early:
		if _, made := m.takeMade(a.Site); made {
			return
		}
	case behind:
		m.hold(Store, l, v, a, e)
		return
	}
	v = m.stored(e, v)
	m.before(l, a)
	a = m.order(Store, a, e)
	if e.how == late {
		m.flush()
		m.hold(Store, l, v, a, e)
		return
	}
	m.Memory.Store(l, v, a)
	if e.how == twice {
		m.notice()
		m.Memory.Store(l, v, second(a))
	}
	m.after(l, v, a, true)
}

func (m *patchMemory) CompareAndSwap(l Location, old, new uint64, a Access) (seen uint64, swapped bool) {
	e := m.edit(CompareAndSwap, l, a)
	switch e.how {
	case drop:
		m.skip()
		return old, true
	case never:
		m.skip()
		return ^old, false
	}
	new = m.stored(e, new)
	m.before(l, a)
	a = m.order(CompareAndSwap, a, e)
	switch e.how {
	case blind:
		m.notice()
		a.Order = a.Order.fitting(Store)
		m.Memory.Store(l, new, a)
		seen, swapped = old, true
	case split:
		m.notice()
		load, store := e.steps(a)
		seen = m.Memory.Load(l, load)
		if swapped = seen == old; swapped {
			m.Memory.Store(l, new, store)
		}
	case twice:
		m.notice()
		m.Memory.CompareAndSwap(l, old, new, a)
		seen, swapped = m.Memory.CompareAndSwap(l, old, new, second(a))
	default:
		seen, swapped = m.Memory.CompareAndSwap(l, old, new, a)
	}
	if swapped {
		m.after(l, new, a, true)
	} else {
		m.after(l, seen, a, false)
	}
	return seen, swapped
}

func (m *patchMemory) FetchAdd(l Location, delta uint64, a Access) uint64 {
	return m.modify(FetchAdd, l, delta, sum, a, m.Memory.FetchAdd)
}

func sum(held, operand uint64) uint64 { return held + operand }

func (m *patchMemory) Modify(l Location, operand uint64, change Change, a Access) uint64 {
	return m.modify(Modify, l, operand, change, a, func(l Location, operand uint64, a Access) uint64 {
		return m.Memory.Modify(l, operand, change, a)
	})
}

// modify makes an addition or another change, with an operand that the patch may
// make another one.
func (m *patchMemory) modify(k AccessKind, l Location, operand uint64, change Change, a Access, do func(Location, uint64, Access) uint64) uint64 {
	e := m.edit(k, l, a)
	if e.how == drop {
		m.skip()
		return 0
	}
	operand = m.stored(e, operand)
	m.before(l, a)
	a = m.order(k, a, e)
	var v uint64
	switch e.how {
	case split:
		m.notice()
		load, store := e.steps(a)
		v = m.Memory.Load(l, load)
		m.Memory.Store(l, change(v, operand), store)
	case twice:
		m.notice()
		do(l, operand, a)
		v = do(l, operand, second(a))
	default:
		v = do(l, operand, a)
	}
	m.after(l, change(v, operand), a, true)
	return v
}

// steps are the two accesses that an atomic one is split into.
func (e *edit) steps(a Access) (load, store Access) {
	if len(e.others) == 2 {
		return e.others[0], e.others[1]
	}
	load, store = a, a
	load.Order, store.Order = a.Order.fitting(Load), a.Order.fitting(Store)
	return load, store
}

func (m *patchMemory) Fence(a Access) {
	e := m.edit(Fence, 0, a)
	if e.how == behind {
		m.hold(Fence, 0, 0, a, e)
		return
	}
	m.Memory.Fence(m.order(Fence, a, e))
}

// second is an access made once more, as if by a site of its own: made by the
// same site it would look like a process that spins.
func second(a Access) Access {
	a.Site = noSite
	return a
}

// noSite is no site of any algorithm.
const noSite = 255

// order is the access with the order and the scope that the patch leaves it.
func (m *patchMemory) order(k AccessKind, a Access, e *edit) Access {
	before := a
	switch e.how {
	case weaken:
		a.Order = weaker(k, a.Order)
	case unorder:
		// what is one step away is the mutant "weaker" already
		if o := weakest(k); o != weaker(k, a.Order) {
			a.Order = o
		}
	case narrow:
		if a.Order != Weak { // a weak access has no scope
			a.Scope = Block
		}
	}
	if a != before {
		m.notice()
	}
	return a
}

// weaker is the next weaker order that a kind of access has.
func weaker(k AccessKind, o Order) Order {
	switch {
	case o == weakest(k) || o == Weak:
		return o
	case o == SC && k == Load:
		return Acquire
	case o == SC && k == Store:
		return Release
	case o == SC:
		return AcqRel
	case k == Fence:
		return Weak
	case o == Relaxed:
		return Weak
	}
	return Relaxed
}

// weakest is the order of an access without any: an atomic is never weak.
func weakest(k AccessKind) Order {
	if k == CompareAndSwap || k == FetchAdd || k == Modify {
		return Relaxed
	}
	return Weak
}
