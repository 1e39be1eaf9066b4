package fuzz

import (
	"cmp"
	"slices"

	"stealproof/model"
)

// historyKey stands for all histories with the same operations, results and
// precedence: 128 bits of a mixing function, so that two that differ practically
// never share one.
type historyKey [2]uint64

// keyOf computes the key. What precedes what is fixed by the order of calls and
// returns, in which neighbouring calls may change places, and so may
// neighbouring returns; each run of them is brought into one order.
func keyOf(h *model.History) historyKey {
	key := historyKey{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f}
	events := make([]historyEvent, 0, 2*len(h.Ops))
	for i := range h.Ops {
		o := &h.Ops[i]
		key.mix(uint64(o.Object)<<32 | uint64(o.Process))
		key.mix(uint64(o.Op)<<8 | uint64(o.Result))
		key.mix(o.Value)
		key.mix(o.To)
		events = append(events, historyEvent{2 * o.Call, i})
		if !o.Pending() {
			events = append(events, historyEvent{2*o.Return + 1, i})
		}
	}
	slices.SortFunc(events, func(a, b historyEvent) int { return cmp.Compare(a.at, b.at) })
	for i := 0; i < len(events); {
		j := i
		for j < len(events) && events[j].at%2 == events[i].at%2 {
			j++
		}
		run := events[i:j]
		slices.SortFunc(run, func(a, b historyEvent) int { return cmp.Compare(a.op, b.op) })
		key.mix(uint64(len(run)))
		for _, e := range run {
			key.mix(uint64(e.op))
		}
		i = j
	}
	return key
}

// historyEvent is the call or the return of an operation, at an even or odd
// time.
type historyEvent struct {
	at uint64
	op int
}

func (k *historyKey) mix(v uint64) {
	k[0] = (k[0] ^ v) * 0xbf58476d1ce4e5b9
	k[0] ^= k[0] >> 29
	k[1] = (k[1] + v) * 0x94d049bb133111eb
	k[1] ^= k[1] >> 31
}
