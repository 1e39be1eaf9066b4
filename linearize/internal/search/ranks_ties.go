package search

import (
	"slices"
	"sort"
)

// rankTies is what the order of a process says beyond the times, where one of
// its operations returned at the very stamp at which the next was called.
type rankTies struct {
	calls, returns []uint64 // stamps of those of all puts, in order
	// By operation: how many puts follow a full so, and by item: the latest call
	// of a full that the put follows so, and the earliest return of one that
	// follows the removal.
	putsAfter  map[uint32]int
	fullBefore []uint64
	fullAfter  []uint64
	takes      map[uint32][]uint32 // by operation: items whose removals a full follows so
}

func newRankTies(rs *ranks) *rankTies {
	n := len(rs.q.items)
	t := &rankTies{putsAfter: map[uint32]int{}, takes: map[uint32][]uint32{}, fullBefore: make([]uint64, n), fullAfter: make([]uint64, n)}
	for i := range n {
		put, _ := rs.spansOf(uint32(i))
		t.calls, t.returns = append(t.calls, put.low), append(t.returns, put.high)
		t.fullAfter[i] = rs.q.Far()
		rs.q.touching(rs.q.putOf(uint32(i)), func(op uint32) bool {
			if rs.q.claim(op) == findsFull {
				t.putsAfter[op]++
				t.fullBefore[i] = max(t.fullBefore[i], rs.q.Of(rs.q.ops[op].Call))
			}
			return true
		})
	}
	for _, word := range rs.fulls {
		full := rs.q.Index(word)
		rs.q.touching(full, func(op uint32) bool {
			if rs.q.claim(op) == takesValue {
				n := rs.q.item[op]
				t.takes[full] = append(t.takes[full], n)
				t.fullAfter[n] = min(t.fullAfter[n], rs.q.Of(rs.q.ops[full].Return))
			}
			return true
		})
	}
	slices.Sort(t.calls)
	slices.Sort(t.returns)
	return t
}

// mostIn is how many values may have gone in at most when something was full.
func (rs *ranks) mostIn(full uint32, ret uint64) int {
	most := rs.firstRank(func(r int) bool { return rs.putAt[r].low > ret })
	if rs.ties == nil {
		return most
	}
	called := sort.Search(len(rs.ties.calls), func(k int) bool { return rs.ties.calls[k] > ret })
	most = min(most, called-rs.ties.putsAfter[full])
	for _, n := range rs.ties.takes[full] {
		rs.notBehind(n, most-rs.q.room-1) // it had come out
	}
	return most
}

// heedTies looks at pairs of operations of one process that touch.
func (rs *ranks) heedTies() {
	if rs.ties == nil {
		return
	}
	for i := range rs.q.items {
		n := uint32(i)
		if !rs.q.mustGoIn(n) {
			continue
		}
		rs.q.touching(rs.q.putOf(n), func(op uint32) bool { return rs.follows(n, op) })
		if rs.q.named(n) {
			rs.q.touching(rs.q.takeOf(n), func(op uint32) bool { return rs.removedAfter(n, op) })
		}
	}
}

// follows heeds that a value went in after something was put in or taken out.
func (rs *ranks) follows(n, op uint32) (goOn bool) {
	before := rs.q.item[op]
	if before == absent {
		return true
	}
	rs.notBefore(n, int(rs.first[before])+1)
	rs.notBehind(before, int(rs.last[n])-1)
	return false
}

// removedAfter heeds that a value came out after something was put in or taken
// out. What was put in is less ranks behind it than there is room, and so is
// all that had returned.
func (rs *ranks) removedAfter(n, op uint32) (goOn bool) {
	before := rs.q.item[op]
	switch {
	case before == absent:
		return true
	case before == n:
		return false
	case !rs.q.ops[op].Op.Puts():
		rs.notBefore(n, int(rs.first[before])+1)
		rs.notBehind(before, int(rs.last[n])-1)
		return false
	}
	rs.raise(&rs.take[n], rs.put[before].low)
	rs.lower(&rs.put[before], rs.take[n].high)
	rs.notBehind(before, int(rs.last[n])+rs.q.room-1)
	call := rs.q.Of(rs.q.ops[rs.q.takeOf(n)].Call)
	returned := sort.Search(len(rs.ties.returns), func(k int) bool { return rs.ties.returns[k] >= call })
	rs.notBefore(n, max(int(rs.first[before])-rs.q.room+1, returned+rs.putsInARow(op)-rs.q.room))
	return false
}

// putsInARow counts a put, and those that its process had made at the same stamp.
func (rs *ranks) putsInARow(put uint32) int {
	count := 1
	if rs.q.ops[put].Call == rs.q.ops[put].Return {
		rs.q.touching(put, func(op uint32) bool {
			if rs.q.item[op] == absent || !rs.q.ops[op].Op.Puts() {
				return false
			}
			count++
			return true
		})
	}
	return count
}
