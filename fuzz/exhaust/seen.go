package exhaust

import "sync"

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
