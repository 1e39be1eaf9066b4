package exhaust

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
	"stealproof/ref"
)

// ring is a queue of one producer and one consumer, on an array of one slot.
type ring struct {
	head, tail, slot    ref.Location
	readHead, writeHead ref.Access
}

func (q *ring) Do(m ref.Memory, o *model.Operation) {
	if o.Op == model.Enq {
		tail := m.Load(q.tail, clRelaxed)
		if tail-m.Load(q.head, q.readHead) == 1 {
			o.Result = model.Full
			return
		}
		m.Store(q.slot, o.Value, clRelaxed)
		m.Store(q.tail, tail+1, clRelease)
		o.Result = model.OK
		return
	}
	head := m.Load(q.head, clRelaxed)
	if m.Load(q.tail, clAcquire) == head {
		o.Value, o.Result = model.NoValue, model.Empty
		return
	}
	o.Value, o.Result = m.Load(q.slot, clRelaxed), model.OK
	m.Store(q.head, head+1, q.writeHead)
}

// leDeque is the deque of Lê, Pop, Cohen & Nardelli 2013, as far as pushes and steals
// go, on an array of one slot.
type leDeque struct {
	top, bottom, slot ref.Location
	readTop, swapTop  ref.Access
}

func (d *leDeque) Do(m ref.Memory, o *model.Operation) {
	if o.Op == model.Push {
		bottom := m.Load(d.bottom, clRelaxed)
		if bottom-m.Load(d.top, d.readTop) == 1 {
			o.Result = model.Full
			return
		}
		m.Store(d.slot, o.Value, clRelaxed)
		m.Fence(ref.Access{Order: ref.AcqRel, Scope: ref.GPU})
		m.Store(d.bottom, bottom+1, clRelaxed)
		o.Result = model.OK
		return
	}
	o.Value, o.Result = model.NoValue, model.Empty
	top := m.Load(d.top, clAcquire)
	m.Fence(clSC)
	if m.Load(d.bottom, clAcquire) == top {
		return
	}
	v := m.Load(d.slot, clRelaxed)
	o.Result = model.Abort
	if _, swapped := m.CompareAndSwap(d.top, top, top+1, d.swapTop); swapped {
		o.Value, o.Result = v, model.OK
	}
}

// Orders that only load buffering breaks: who takes a value out and then says so may
// take the next one that is put in there, if nothing orders what it reads before what it
// says, or nothing orders that before the next one.
func TestOrdersThatOnlyLoadBufferingBreaks(t *testing.T) {
	weak := ref.Access{Order: ref.Weak, Scope: ref.GPU}
	asRing := func(readHead, writeHead ref.Access) ref.Foreign {
		return ref.Foreign{Name: "ring", Kind: model.FIFO, Build: func(s *ref.Space, _ int) ref.Structure {
			return &ring{s.Word("head", 0), s.Word("tail", 0), s.Word("slot", 0), readHead, writeHead}
		}}
	}
	asDeque := func(readTop, swapTop ref.Access) ref.Foreign {
		return ref.Foreign{Name: "le", Kind: model.WSDeque, Build: func(s *ref.Space, _ int) ref.Structure {
			return &leDeque{s.Word("top", 0), s.Word("bottom", 0), s.Word("slot", 0), readTop, swapTop}
		}}
	}
	const ofRing, ofDeque = "0: enq enq\n1: deq", "0: push push\n1: steal"
	for name, c := range map[string]struct {
		queue   ref.Foreign
		program string
		right   bool
	}{
		"ring":                        {asRing(clAcquire, clRelease), ofRing, true},
		"ring, head read relaxed":     {asRing(clRelaxed, clRelease), ofRing, false},
		"ring, head read weak":        {asRing(weak, clRelease), ofRing, false},
		"ring, head stored relaxed":   {asRing(clAcquire, clRelaxed), ofRing, false},
		"ring, head stored weak":      {asRing(clAcquire, weak), ofRing, false},
		"deque":                       {asDeque(clAcquire, clSC), ofDeque, true},
		"deque, a swap that releases": {asDeque(clAcquire, clRelease), ofDeque, true},
		"deque, top swapped relaxed":  {asDeque(clAcquire, clRelaxed), ofDeque, false},
		"deque, top read relaxed":     {asDeque(clRelaxed, clSC), ofDeque, false},
		"deque, a swap that acquires": {asDeque(clAcquire, clAcquire), ofDeque, false},
	} {
		for memory, want := range map[string]bool{"no": true, "yes": c.right} {
			subject, err := c.queue.Subject(model.Spec{Structure: ref.MemoryPTX, Settings: model.Settings{"buffering": memory}})
			require.NoError(t, err)
			program, err := subject.ParseProgram(c.program)
			require.NoError(t, err)
			r, err := (&Search{Subject: subject, Programs: []model.Program{program}}).Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, want, r.Verdict == model.Linearizable, "%s, load buffering %s", name, memory)
			assert.Equal(t, want, r.Failure == nil, name)
		}
	}
}
