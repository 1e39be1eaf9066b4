// Package queues has published queues for tests and benchmarks, and what can be wrong
// with them on a weak memory.
package queues

import (
	"stealproof/model"
	"stealproof/ref"
)

var (
	relaxed = ref.Access{Order: ref.Relaxed, Scope: ref.GPU}
	acquire = ref.Access{Order: ref.Acquire, Scope: ref.GPU}
	release = ref.Access{Order: ref.Release, Scope: ref.GPU}
	acqRel  = ref.Access{Order: ref.AcqRel, Scope: ref.GPU}
)

// slots is how many values an array has room for that is never used again.
const slots = 16

// herlihyWing is the queue of Herlihy & Wing (1990). An enq takes the next slot and
// puts its value there; a deq goes through the slots that are taken, once, and gives
// up where theirs would begin again.
type herlihyWing struct {
	back  ref.Location
	items ref.Array
	mine  ref.Array // of each process, how many it has put in; only where it is hasty
	hasty bool
}

// HerlihyWing is the queue with the orders that it needs.
func HerlihyWing() ref.Foreign { return herlihyWingOf("herlihy-wing", false) }

// HastyHerlihyWing is the queue with a mistake that no program shows whose processes
// have nothing but the queue in common. A deq must not overlook a value that was put
// in before one that it sees, so an enq releases when it takes its slot. But the first
// enq of a process, its author thought, has nothing to release, and is relaxed: that
// keeps each process's own order. It breaks where two processes have an order from
// outside.
func HastyHerlihyWing() ref.Foreign { return herlihyWingOf("hasty-herlihy-wing", true) }

func herlihyWingOf(name string, hasty bool) ref.Foreign {
	return ref.Foreign{Name: name, Kind: model.FIFO, Anonymous: !hasty, Build: func(s *ref.Space, processes int) ref.Structure {
		q := &herlihyWing{back: s.Word("back", 0), items: s.Array("items", slots, 0), hasty: hasty}
		if hasty {
			q.mine = s.Array("mine", processes, 0)
		}
		return q
	}}
}

// Do carries out an operation.
func (q *herlihyWing) Do(m ref.Memory, o *model.Operation) {
	if o.Op == model.Deq {
		o.Value, o.Result = q.deq(m)
		return
	}
	take := release
	if q.hasty {
		mine := q.mine.At(uint64(o.Process))
		before := m.Load(mine, relaxed)
		if before == 0 {
			take = relaxed
		}
		m.Store(mine, before+1, relaxed)
	}
	m.Store(q.items.At(m.FetchAdd(q.back, 1, take)), o.Value, release)
	o.Result = model.OK
}

func (q *herlihyWing) deq(m ref.Memory) (uint64, model.Result) {
	taken := m.Load(q.back, acquire)
	for i := range taken {
		if v := m.Modify(q.items.At(i), 0, ref.Exchange, acquire); v != 0 {
			return v, model.OK
		}
	}
	return model.NoValue, model.Abort
}
