package search

// count gives the r-th put and the r-th removal the times that they have by
// their number alone.
func (rs *ranks) count() {
	lows := func(at []span, words []uint64) {
		for r, word := range words {
			rs.raise(&at[r], rs.q.Stamp(word))
		}
	}
	highs := func(at []span, words []uint64) {
		for r, word := range words {
			rs.lower(&at[r], rs.q.Stamp(word))
		}
	}
	lows(rs.putAt, rs.ordered(func(n uint32) uint64 { return rs.put[n].low }))
	highs(rs.putAt, rs.ordered(func(n uint32) uint64 { return rs.put[n].high }))
	highs(rs.takeAt, rs.ordered(func(n uint32) uint64 { return rs.take[n].high }))
	removals := rs.q.words(only(takesUnnamed), rs.q.called)
	for n := range rs.q.items {
		if rs.q.named(uint32(n)) {
			removals = append(removals, rs.q.Pack(rs.take[n].low, 0))
		}
	}
	lows(rs.takeAt, sorted(rs.q, removals)[:min(len(removals), len(rs.takeAt))])
	for r := len(removals); r < len(rs.takeAt); r++ {
		rs.raise(&rs.takeAt[r], rs.q.Far())
	}
}

// couple holds the times of neighbouring ranks, and of such as are as far
// apart as there is room, against one another.
func (rs *ranks) couple() {
	n := len(rs.putAt)
	for r := range n {
		if r > 0 {
			rs.raise(&rs.putAt[r], rs.putAt[r-1].low)
			rs.raise(&rs.takeAt[r], rs.takeAt[r-1].low)
		}
		if r >= rs.q.room {
			rs.raise(&rs.putAt[r], rs.takeAt[r-rs.q.room].low)
		}
		rs.raise(&rs.takeAt[r], rs.putAt[r].low)
	}
	for r := n - 1; r >= 0; r-- {
		if r+1 < n {
			rs.lower(&rs.putAt[r], rs.putAt[r+1].high)
			rs.lower(&rs.takeAt[r], rs.takeAt[r+1].high)
		}
		if r+rs.q.room < n {
			rs.lower(&rs.takeAt[r], rs.putAt[r+rs.q.room].high)
		}
		rs.lower(&rs.putAt[r], rs.takeAt[r].high)
	}
}

// heedFulls: at most so many had gone in, so not as many less the room had come
// out, and at least so many had come out, so as many and the room had gone in.
func (rs *ranks) heedFulls() {
	for _, word := range rs.fulls {
		full := rs.q.Index(word)
		call, ret := rs.q.Stamp(word), rs.q.Of(rs.q.ops[full].Return)
		most := rs.mostIn(full, ret)
		least := rs.firstRank(func(r int) bool { return rs.takeAt[r].high >= call })
		if most-rs.q.room < least {
			rs.possible = false
			return
		}
		if r := most - rs.q.room; r < len(rs.takeAt) {
			rs.raise(&rs.takeAt[r], call)
		}
		if r := least + rs.q.room - 1; r < len(rs.putAt) {
			rs.lower(&rs.putAt[r], ret)
		}
	}
}

// heedEmpties: at most so many had come out, so no more had gone in, and at
// least so many had gone in, so they had come out.
func (rs *ranks) heedEmpties() {
	for _, word := range rs.empties {
		call, ret := rs.q.Stamp(word), rs.q.Of(rs.q.ops[rs.q.Index(word)].Return)
		most := rs.firstRank(func(r int) bool { return rs.takeAt[r].low > ret })
		least := rs.firstRank(func(r int) bool { return rs.putAt[r].high >= call })
		if most < least {
			rs.possible = false
			return
		}
		if most < len(rs.putAt) {
			rs.raise(&rs.putAt[most], call)
		}
		if least > 0 {
			rs.lower(&rs.takeAt[least-1], ret)
		}
	}
}

// narrow finds the ranks that each value may have, and holds its times and
// theirs against one another.
func (rs *ranks) narrow() {
	for i := range rs.q.items {
		n := uint32(i)
		if !rs.q.mustGoIn(n) {
			continue
		}
		put, take := &rs.put[n], &rs.take[n]
		rs.notBefore(n, rs.firstRank(func(r int) bool { return rs.putAt[r].high >= put.low && rs.takeAt[r].high >= take.low }))
		rs.notBehind(n, rs.firstRank(func(r int) bool { return rs.putAt[r].low > put.high || rs.takeAt[r].low > take.high })-1)
		if !rs.possible {
			return
		}
		first, last := rs.first[n], rs.last[n]
		rs.raise(put, rs.putAt[first].low)
		rs.lower(put, rs.putAt[last].high)
		rs.raise(&rs.putAt[last], put.low)
		rs.lower(&rs.putAt[first], put.high)
		if rs.q.named(n) {
			rs.raise(take, rs.takeAt[first].low)
			rs.lower(take, rs.takeAt[last].high)
			rs.raise(&rs.takeAt[last], take.low)
			rs.lower(&rs.takeAt[first], take.high)
		}
	}
}
