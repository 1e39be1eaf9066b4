package exhaust

import (
	"stealproof/model"
	"stealproof/ref"
)

// chaseLev is the work-stealing deque of Chase & Lev (2005) on an array of fixed
// size. Its fences and swaps are of order sc, and every store of bottom releases.
type chaseLev struct {
	top, bottom ref.Location
	tasks       ref.Array
	lowers      ref.Access // how pop stores bottom before it looks at top
}

const chaseLevSlots = 4

func init() {
	testQueues["chase-lev"] = ref.Foreign{Name: "chase-lev", Kind: model.WSDeque, Anonymous: true, Build: func(s *ref.Space, _ int) ref.Structure {
		return newChaseLev(s, clRelease)
	}}
	testQueues["chase-lev-lowered"] = ref.Foreign{Name: "chase-lev-lowered", Kind: model.WSDeque, Anonymous: true, Build: func(s *ref.Space, _ int) ref.Structure {
		return newChaseLev(s, clRelaxed)
	}}
}

func newChaseLev(s *ref.Space, lowers ref.Access) *chaseLev {
	return &chaseLev{top: s.Word("top", 1), bottom: s.Word("bottom", 1), tasks: s.Array("tasks", chaseLevSlots, 0), lowers: lowers}
}

var (
	clRelaxed = ref.Access{Order: ref.Relaxed, Scope: ref.GPU}
	clAcquire = ref.Access{Order: ref.Acquire, Scope: ref.GPU}
	clRelease = ref.Access{Order: ref.Release, Scope: ref.GPU}
	clSC      = ref.Access{Order: ref.SC, Scope: ref.GPU}
)

func (d *chaseLev) Do(m ref.Memory, o *model.Operation) {
	switch o.Op {
	case model.Push:
		o.Result = d.push(m, o.Value)
	case model.Pop:
		o.Value, o.Result = d.pop(m)
	default:
		o.Value, o.Result = d.steal(m)
	}
	if o.Op != model.Push && o.Result != model.OK {
		o.Value = model.NoValue
	}
}

func (d *chaseLev) push(m ref.Memory, v uint64) model.Result {
	bottom := m.Load(d.bottom, clRelaxed)
	top := m.Load(d.top, clAcquire)
	if bottom-top == chaseLevSlots {
		return model.Full
	}
	m.Store(d.tasks.At(bottom%chaseLevSlots), v, clRelaxed)
	m.Store(d.bottom, bottom+1, clRelease)
	return model.OK
}

func (d *chaseLev) pop(m ref.Memory) (uint64, model.Result) {
	bottom := m.Load(d.bottom, clRelaxed) - 1
	m.Store(d.bottom, bottom, d.lowers)
	m.Fence(clSC)
	top := m.Load(d.top, clRelaxed)
	if top > bottom {
		m.Store(d.bottom, bottom+1, clRelease)
		return 0, model.Empty
	}
	v := m.Load(d.tasks.At(bottom%chaseLevSlots), clRelaxed)
	if top < bottom {
		return v, model.OK
	}
	_, won := m.CompareAndSwap(d.top, top, top+1, clSC)
	m.Store(d.bottom, bottom+1, clRelease)
	if !won {
		return 0, model.Empty
	}
	return v, model.OK
}

func (d *chaseLev) steal(m ref.Memory) (uint64, model.Result) {
	top := m.Load(d.top, clAcquire)
	m.Fence(clSC)
	bottom := m.Load(d.bottom, clAcquire)
	if top >= bottom {
		return 0, model.Empty
	}
	v := m.Load(d.tasks.At(top%chaseLevSlots), clRelaxed)
	if _, swapped := m.CompareAndSwap(d.top, top, top+1, clSC); !swapped {
		return 0, model.Abort
	}
	return v, model.OK
}
