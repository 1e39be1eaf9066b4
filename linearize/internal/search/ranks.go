package search

import (
	"sort"

	"stealproof/linearize/internal/timing"
)

// ranks say which ranks in the order of a queue a value may have, its place
// among those that go in and so among those that come out, and between which
// stamps the value of a rank goes in and comes out. They hold for every order
// there is, and follow from a few rules, applied until nothing changes:
//   - A value goes in before it comes out, and what comes out earlier goes in
//     earlier.
//   - The r-th put happens after r+1 of them were called, and before r+1 have
//     returned; removals alike.
//   - A value comes out before the one so many ranks behind goes in as there is
//     room.
//   - When something was full, so many more had gone in than come out as there
//     is room. When it was empty, as many.
//   - A value has a rank at which it can go in, and come out, when it did.
//
// and of ties as told in ranks_ties.go.
type ranks struct {
	q             *queue
	first, last   []uint32 // ranks by item
	byLast        []uint32 // items, by last
	put, take     []span   // by item
	putAt, takeAt []span   // by rank
	fulls         []uint64 // words of their calls
	empties       []uint64
	ties          *rankTies // nil if nothing ties
	changed       bool
	possible      bool // whether there may be an order
	foresight
}

// span is a time from a stamp to a stamp.
type span struct{ low, high uint64 }

// rankRounds is how often the rules are applied: seldom does anything change
// after the third time.
const rankRounds = 8

func newRanks(patience *timing.Patience, q *queue) *ranks {
	n := len(q.items)
	rs := &ranks{q: q, first: make([]uint32, n), last: make([]uint32, n), put: make([]span, n), take: make([]span, n)}
	rs.putAt, rs.takeAt = make([]span, n), make([]span, n)
	rs.fulls = sorted(q, q.words(only(findsFull), q.called))
	rs.empties = sorted(q, q.words(only(findsEmpty), q.called))
	if q.tied != nil {
		rs.ties = newRankTies(rs)
	}
	for i := range n {
		rs.last[i] = uint32(n - 1)
		rs.putAt[i].high, rs.takeAt[i].high = q.Far(), q.Far()
		rs.put[i], rs.take[i] = rs.spansOf(uint32(i))
	}
	rs.narrowDown(patience)
	rs.byLast = rs.byRank(rs.last)
	rs.lookAhead()
	return rs
}

// spansOf are the times of a value as its operations have them.
func (rs *ranks) spansOf(n uint32) (put, take span) {
	o := &rs.q.ops[rs.q.putOf(n)]
	put, take = span{rs.q.Of(o.Call), rs.q.Far()}, span{0, rs.q.Far()}
	if rs.q.mustGoIn(n) {
		put.high = rs.q.Of(o.Return)
	}
	if rs.q.named(n) {
		o := &rs.q.ops[rs.q.takeOf(n)]
		take = span{rs.q.Of(o.Call), rs.q.Of(o.Return)}
	}
	return put, take
}

// narrowDown applies the rules until nothing changes, it is clear that there is
// no order, or nobody waits for it any more.
func (rs *ranks) narrowDown(patience *timing.Patience) {
	rules := []func(){
		func() { rs.inOrder(rs.take, rs.put) },
		func() { rs.inOrder(rs.put, rs.take) },
		rs.count,
		rs.couple,
		rs.heedFulls,
		rs.heedEmpties,
		rs.narrow,
		rs.heedTies,
	}
	rs.possible, rs.changed = true, true
	for round := 0; round < rankRounds && rs.changed; round++ {
		rs.changed = false
		for _, rule := range rules {
			if rule(); !rs.possible || patience.Over() {
				return
			}
		}
	}
}

func (rs *ranks) raise(s *span, low uint64) {
	if s.low < low {
		s.low, rs.changed = low, true
		rs.possible = rs.possible && s.low <= s.high
	}
}

func (rs *ranks) lower(s *span, high uint64) {
	if s.high > high {
		s.high, rs.changed = high, true
		rs.possible = rs.possible && s.low <= s.high
	}
}

// notBefore and notBehind say so of the rank of a value.
func (rs *ranks) notBefore(n uint32, rank int) {
	if int(rs.first[n]) < rank {
		rs.first[n], rs.changed = uint32(rank), true
		rs.possible = rs.possible && rs.first[n] <= rs.last[n]
	}
}

func (rs *ranks) notBehind(n uint32, rank int) {
	switch {
	case rank < 0:
		rs.possible = false
	case int(rs.last[n]) > rank:
		rs.last[n], rs.changed = uint32(rank), true
		rs.possible = rs.possible && rs.first[n] <= rs.last[n]
	}
}

// ordered are the words of items by a stamp of theirs.
func (rs *ranks) ordered(stamp func(n uint32) uint64) []uint64 {
	words := make([]uint64, len(rs.q.items))
	for n := range words {
		words[n] = rs.q.Pack(stamp(uint32(n)), uint32(n))
	}
	return sorted(rs.q, words)
}

func (rs *ranks) byRank(rank []uint32) []uint32 {
	items := make([]uint32, len(rank))
	for k, word := range rs.ordered(func(n uint32) uint64 { return uint64(rank[n]) }) {
		items[k] = rs.q.Index(word)
	}
	return items
}

// inOrder lets what happens to values in one way one after the other happen to
// them in another way in that order.
func (rs *ranks) inOrder(by, of []span) {
	ends := rs.ordered(func(n uint32) uint64 { return by[n].high })
	begins := rs.ordered(func(n uint32) uint64 { return by[n].low })
	k, low := 0, uint64(0)
	for _, begin := range begins {
		for ; k < len(ends) && rs.q.Stamp(ends[k]) < rs.q.Stamp(begin); k++ {
			low = max(low, of[rs.q.Index(ends[k])].low)
		}
		rs.raise(&of[rs.q.Index(begin)], low)
	}
	k, high := len(begins)-1, rs.q.Far()
	for e := len(ends) - 1; e >= 0; e-- {
		for ; k >= 0 && rs.q.Stamp(begins[k]) > rs.q.Stamp(ends[e]); k-- {
			high = min(high, of[rs.q.Index(begins[k])].high)
		}
		rs.lower(&of[rs.q.Index(ends[e])], high)
	}
}

// firstRank is the first rank at which something holds that holds from some rank on.
func (rs *ranks) firstRank(holds func(rank int) bool) int { return sort.Search(len(rs.putAt), holds) }

// sorted sorts words by their stamps.
func sorted(q *queue, words []uint64) []uint64 {
	q.Sort(words)
	return words
}
