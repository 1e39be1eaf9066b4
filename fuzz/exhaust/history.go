package exhaust

import (
	"cmp"
	"slices"
	"sync"

	"stealproof/model"
	"stealproof/ref"
)

// HistoryKey stands for all histories with the same operations, results and
// precedence: 128 bits of a mixing function, so that two that differ practically
// never share one.
type HistoryKey [2]uint64

func (k *HistoryKey) mix(v uint64) {
	k[0] = (k[0] ^ v) * 0xbf58476d1ce4e5b9
	k[0] ^= k[0] >> 29
	k[1] = (k[1] + v) * 0x94d049bb133111eb
	k[1] ^= k[1] >> 31
}

// orderKey computes the key of a history from its calls and returns, in the
// order of time. What precedes what is fixed by that order, in which
// neighbouring calls may change places, and so may neighbouring returns: each
// run of them counts as a set.
type orderKey struct {
	key       HistoryKey
	run       HistoryKey // sum over the run
	returning bool
}

// add notes the call or the return of an operation.
func (o *orderKey) add(op int, returns bool) {
	if o.returning != returns {
		o.flush()
		o.returning = returns
	}
	o.run[0] += stir(0x51, uint64(op))
	o.run[1] += stir(0xa7, uint64(op))
}

func (o *orderKey) flush() {
	o.key.mix(o.run[0])
	o.key.mix(o.run[1])
	o.run = HistoryKey{}
}

// sum returns the key of all that was added.
func (o orderKey) sum() HistoryKey {
	o.flush()
	return o.key
}

// ResultsKey stands for the operations and their results, whatever their order.
func ResultsKey(h *model.History) HistoryKey {
	key := HistoryKey{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f}
	for i := range h.Ops {
		o := &h.Ops[i]
		key.mix(uint64(o.Object)<<32 | uint64(o.Process))
		key.mix(uint64(o.Op)<<8 | uint64(o.Result))
		key.mix(o.Value)
		key.mix(o.To)
	}
	return key
}

// KeyOf is the key of the history of a complete execution, as EachHistory is shown it.
func KeyOf(e *ref.Execution) HistoryKey {
	if e.Setup.Weak() {
		return weakKeyOf(e.History, e.Precedence())
	}
	return keyOf(e.History)
}

// keyOf computes the key of a history.
func keyOf(h *model.History) HistoryKey {
	o := orderKey{key: ResultsKey(h)}
	for _, e := range endpoints(h) {
		o.add(e.op, e.at%2 == 1)
	}
	return o.sum()
}

// historyEvent is the call or the return of an operation, at an even or odd
// time.
type historyEvent struct {
	at uint64
	op int
}

func endpoints(h *model.History) []historyEvent {
	events := make([]historyEvent, 0, 2*len(h.Ops))
	for i := range h.Ops {
		o := &h.Ops[i]
		events = append(events, historyEvent{2 * o.Call, i})
		if !o.Pending() {
			events = append(events, historyEvent{2*o.Return + 1, i})
		}
	}
	slices.SortFunc(events, func(a, b historyEvent) int { return cmp.Compare(a.at, b.at) })
	return events
}

// seen is the set of histories that were judged and hold, shared by workers.
// It is what grows with a search: see mostHistories.
type seen struct {
	shards [64]struct {
		sync.Mutex
		keys map[HistoryKey]struct{}
	}
	most int // of each shard
}

// mostHistories bounds the histories that are remembered of a program, 16 bytes
// each and half as much again for the table. Beyond it histories are no longer counted, and
// may be judged more than once.
const mostHistories = 1 << 24

func newSeen(most int) *seen {
	s := &seen{}
	s.most = max(1, most/len(s.shards))
	for i := range s.shards {
		s.shards[i].keys = map[HistoryKey]struct{}{}
	}
	return s
}

func (s *seen) has(k HistoryKey) bool {
	shard := &s.shards[k[0]%uint64(len(s.shards))]
	shard.Lock()
	defer shard.Unlock()
	_, known := shard.keys[k]
	return known
}

func (s *seen) add(k HistoryKey) {
	shard := &s.shards[k[0]%uint64(len(s.shards))]
	shard.Lock()
	defer shard.Unlock()
	if len(shard.keys) < s.most {
		shard.keys[k] = struct{}{}
	}
}

func (s *seen) len() int {
	n := 0
	for i := range s.shards {
		s.shards[i].Lock()
		n += len(s.shards[i].keys)
		s.shards[i].Unlock()
	}
	return n
}

// each calls f with every key.
func (s *seen) each(f func(HistoryKey)) {
	for i := range s.shards {
		s.shards[i].Lock()
		for k := range s.shards[i].keys {
			f(k)
		}
		s.shards[i].Unlock()
	}
}
