package queues

import (
	"stealproof/model"
	"stealproof/ref"
)

// michaelScott is the queue of Michael & Scott (1996). Value v is in node v, which
// nobody else uses, so that nothing has to be allocated; node 0 is the first one.
type michaelScott struct {
	head, tail ref.Location
	next       ref.Array
}

// MichaelScott is the queue with the orders that it needs.
func MichaelScott() ref.Foreign {
	return ref.Foreign{Name: "michael-scott", Kind: model.FIFO, Anonymous: true, Build: func(s *ref.Space, _ int) ref.Structure {
		return &michaelScott{s.Word("head", 0), s.Word("tail", 0), s.Array("next", slots, 0)}
	}}
}

// Do carries out an operation.
func (q *michaelScott) Do(m ref.Memory, o *model.Operation) {
	if o.Op == model.Deq {
		o.Value, o.Result = q.deq(m)
		return
	}
	q.enq(m, o.Value)
	o.Result = model.OK
}

func (q *michaelScott) enq(m ref.Memory, node uint64) {
	for {
		tail := m.Load(q.tail, acquire)
		next, appended := m.CompareAndSwap(q.next.At(tail), 0, node, release)
		if appended {
			m.CompareAndSwap(q.tail, tail, node, release)
			return
		}
		m.CompareAndSwap(q.tail, tail, next, acqRel)
	}
}

func (q *michaelScott) deq(m ref.Memory) (uint64, model.Result) {
	for {
		head := m.Load(q.head, acquire)
		tail := m.Load(q.tail, acquire)
		next := m.Load(q.next.At(head), acquire)
		switch {
		case next == 0:
			return model.NoValue, model.Empty
		case head == tail:
			m.CompareAndSwap(q.tail, tail, next, release)
		}
		if _, taken := m.CompareAndSwap(q.head, head, next, release); taken {
			return next, model.OK
		}
	}
}
