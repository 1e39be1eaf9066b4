package ref

// Change says what an atomic access makes of what a location holds, and of the
// access's operand. It does nothing else, and makes the same of the same.
type Change func(held, operand uint64) uint64

func (p *process) Modify(l Location, operand uint64, change Change, a Access) uint64 {
	p.unwind()
	e := Event{Kind: Modify, Location: l, Access: a, Expected: operand}
	if p.sim.weak != nil {
		return p.weakAtomic(e, func(v uint64) (uint64, bool) { return change(v, operand), true })
	}
	p.access(e)
	before := p.sim.words[l]
	p.sim.words[l] = change(before, operand)
	p.done(before, p.sim.words[l])
	return before
}

func (p *nativeProcess) Modify(l Location, operand uint64, change Change, _ Access) uint64 {
	p.pause()
	for {
		before := p.run.words[l].Load()
		if p.run.words[l].CompareAndSwap(before, change(before, operand)) {
			return before
		}
	}
}

func (h hostMemory) Modify(l Location, operand uint64, change Change, _ Access) uint64 {
	before := h.words[l]
	h.words[l] = change(before, operand)
	return before
}

func (m *patchMemory) Modify(l Location, operand uint64, change Change, a Access) uint64 {
	e := m.edit(Modify, l, a)
	if e.how == drop {
		m.skip()
		return 0
	}
	operand = m.stored(e, operand)
	m.before(l, a)
	a = m.order(Modify, a, e)
	var v uint64
	switch e.how {
	case split:
		m.notice()
		load, store := e.steps(a)
		v = m.Memory.Load(l, load)
		m.Memory.Store(l, change(v, operand), store)
	case twice:
		m.notice()
		m.Memory.Modify(l, operand, change, a)
		v = m.Memory.Modify(l, operand, change, second(a))
	default:
		v = m.Memory.Modify(l, operand, change, a)
	}
	m.after(l, change(v, operand), a, true)
	return v
}
