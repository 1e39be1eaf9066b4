package exhaust

import (
	"stealproof/model"
	"stealproof/ref"
)

// waitingQueue is the queue of Herlihy & Wing (1990) on an array. A dequeue waits
// until it finds something.
type waitingQueue struct {
	back  ref.Location
	items ref.Array
	// looks: a dequeue looks into a slot before it swaps nothing into it.
	looks bool
}

const waitingQueueSlots = 8

func init() {
	for name, looks := range map[string]bool{"waiting-herlihy-wing": false, "looking-herlihy-wing": true} {
		testQueues[name] = ref.Foreign{Name: name, Kind: model.FIFO, Build: func(s *ref.Space, _ int) ref.Structure {
			return &waitingQueue{back: s.Word("back", 0), items: s.Array("items", waitingQueueSlots, 0), looks: looks}
		}}
	}
}

func (q *waitingQueue) Do(m ref.Memory, o *model.Operation) {
	access := ref.Access{Order: ref.AcqRel, Scope: ref.GPU}
	o.Result = model.OK
	if o.Op == model.Enq {
		i := m.FetchAdd(q.back, 1, access)
		m.Store(q.items.At(i), o.Value+1, clRelease)
		return
	}
	for {
		back := m.Load(q.back, clAcquire)
		for i := range back {
			slot := q.items.At(i)
			if q.looks && m.Load(slot, clAcquire) == 0 {
				continue
			}
			if v := m.Modify(slot, 0, ref.Exchange, access); v != 0 {
				o.Value = v - 1
				return
			}
		}
	}
}
