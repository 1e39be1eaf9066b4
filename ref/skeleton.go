package ref

import "stealproof/model"

// skeleton is algorithm 3 of Cederman & Tsigas 2008 as it is printed, with
// indices modulo the array: one null, no test for empty, none for full.
type skeleton struct {
	head, tail           Location
	nodes                Array
	slots, every         uint64
	enqAccess, deqAccess Access
}

func (q *skeleton) Do(m Memory, o *model.Operation) {
	if o.Op == model.Enq {
		q.enq(m, o.Value)
	} else {
		o.Value = q.deq(m)
	}
	o.Result = model.OK
}

func (q *skeleton) enq(m Memory, v uint64) {
	a := q.enqAccess
	for {
		old := m.Load(q.tail, a)
		slot := old
		for !isNull(m.Load(q.nodes.At(slot%q.slots), a)) {
			slot++
		}
		if _, swapped := m.CompareAndSwap(q.nodes.At(slot%q.slots), tzNull0, v, a); !swapped {
			continue
		}
		if slot%q.every == 0 {
			m.CompareAndSwap(q.tail, old, slot%q.slots, a)
		}
		return
	}
}

func (q *skeleton) deq(m Memory) uint64 {
	a := q.deqAccess
	for {
		old := m.Load(q.head, a)
		slot := old
		task := m.Load(q.nodes.At(slot%q.slots), a)
		for isNull(task) {
			slot++
			task = m.Load(q.nodes.At(slot%q.slots), a)
		}
		if _, swapped := m.CompareAndSwap(q.nodes.At(slot%q.slots), task, tzNull0, a); !swapped {
			continue
		}
		if slot%q.every == 0 {
			m.CompareAndSwap(q.head, old, slot%q.slots, a)
		}
		return task
	}
}
