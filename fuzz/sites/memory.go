package sites

import (
	"stealproof/model"
	"stealproof/ref"
)

// named is a structure whose accesses carry the sites of their lines.
type named struct {
	inner ref.Structure
	namer *namer
	space *ref.Space
}

type phased struct {
	named
	inner ref.Phased
}

func (p phased) NextPhase(m ref.Memory) { p.inner.NextPhase(&memory{m, p.namer, p.space}) }

// Do carries out an operation on a memory that knows who asks.
func (s named) Do(m ref.Memory, o *model.Operation) { s.inner.Do(&memory{m, s.namer, s.space}, o) }

// memory puts the site of its line into every access.
type memory struct {
	inner ref.Memory
	namer *namer
	space *ref.Space
}

func (m *memory) Load(l ref.Location, a ref.Access) uint64 {
	a.Site = m.namer.site(m.space, ref.Load, l)
	return m.inner.Load(l, a)
}

func (m *memory) Store(l ref.Location, v uint64, a ref.Access) {
	a.Site = m.namer.site(m.space, ref.Store, l)
	m.inner.Store(l, v, a)
}

func (m *memory) CompareAndSwap(l ref.Location, old, new uint64, a ref.Access) (uint64, bool) {
	a.Site = m.namer.site(m.space, ref.CompareAndSwap, l)
	return m.inner.CompareAndSwap(l, old, new, a)
}

func (m *memory) FetchAdd(l ref.Location, delta uint64, a ref.Access) uint64 {
	a.Site = m.namer.site(m.space, ref.FetchAdd, l)
	return m.inner.FetchAdd(l, delta, a)
}

func (m *memory) Modify(l ref.Location, operand uint64, change ref.Change, a ref.Access) uint64 {
	a.Site = m.namer.site(m.space, ref.Modify, l)
	return m.inner.Modify(l, operand, change, a)
}

func (m *memory) Fence(a ref.Access) {
	a.Site = m.namer.site(m.space, ref.Fence, 0)
	m.inner.Fence(a)
}
