package search

import (
	"cmp"
	"slices"
	"sort"
)

// foresight sees that a value must not go in next, long before the search would
// get stuck: it looks at the ranks that are free next, and at those that are
// filled when the value leaves, and asks whether all values that belong there
// still find one.
type foresight struct {
	comeOut    []uint64 // by rank, of what went in: when it comes out at the earliest
	fullReturn []uint64 // by number among the fulls: the earliest return of this and later ones
	reach      int      // how far around a rank it is worth while to look
	row        rankRow
}

// rankRow is a row of ranks that are looked at.
type rankRow struct {
	from  int
	at    []span   // when the value of each goes in
	room  []uint64 // by when room was made for it
	seats []seat
	taken []bool
}

// seat is between which ranks of the row a value has its own.
type seat struct{ first, last int }

const leastReach, mostReach = 8, 40

func (rs *ranks) lookAhead() {
	rs.fullReturn = make([]uint64, len(rs.fulls))
	earliest := rs.q.Far()
	for k, word := range slices.Backward(rs.fulls) {
		earliest = min(earliest, rs.q.Of(rs.q.ops[rs.q.Index(word)].Return))
		rs.fullReturn[k] = earliest
	}
	sum := 0
	for n := range rs.first {
		sum += int(rs.last[n] - rs.first[n])
	}
	rs.reach = min(max(4*sum/max(len(rs.first), 1), leastReach), mostReach)
}

// foresees says whether the others may still find ranks when the value goes in
// next.
func (rs *ranks) foresees(n uint32) bool {
	next := len(rs.q.order) + 1
	near, far := next+rs.reach, len(rs.q.order)+rs.q.room-rs.reach
	if near >= far {
		return rs.fits(n, next, len(rs.q.order)+rs.q.room+rs.reach)
	}
	return rs.fits(n, next, near) && rs.fits(n, far, far+2*rs.reach)
}

// fits looks at a row of ranks.
func (rs *ranks) fits(n uint32, from, to int) bool {
	to = min(to, len(rs.putAt)-1)
	if from > to {
		return true
	}
	rs.open(from, to)
	later := rs.raiseRow(n)
	earlier, possible := rs.lowerRow(n)
	switch near := from == len(rs.q.order)+1; {
	case !possible:
		return false
	case !near && !later && !earlier:
		return true // as it was found for all ranks before
	default:
		return rs.findSeats(n, near) && rs.seatAll()
	}
}

func (rs *ranks) open(from, to int) {
	w := &rs.row
	w.from = from
	w.at = append(w.at[:0], rs.putAt[from:to+1]...)
	w.room, w.taken, w.seats = w.room[:0], w.taken[:0], w.seats[:0]
	for range w.at {
		w.room, w.taken = append(w.room, rs.q.Far()), append(w.taken, false)
	}
}

// raiseRow: a value goes in after the one that makes room for it came out.
func (rs *ranks) raiseRow(n uint32) (news bool) {
	next, low := len(rs.q.order), rs.take[n].low
	if next > 0 {
		low = max(low, rs.comeOut[next-1])
	}
	for k := range rs.row.at {
		switch r := rs.row.from + k - rs.q.room; {
		case r < 0:
			continue
		case r < next:
			low = rs.comeOut[r]
		default:
			low = max(rs.take[n].low, low)
		}
		if rs.row.at[k].low < low {
			rs.row.at[k].low, news = low, true
		}
	}
	return news
}

// lowerRow: if something was found full after the value of a rank came out,
// as many ranks behind as there is room were filled by then.
func (rs *ranks) lowerRow(n uint32) (news, possible bool) {
	next, last := len(rs.q.order), rs.row.from+len(rs.row.at)-1-rs.q.room
	out, full := rs.q.Far(), rs.q.Far()
	for r := min(next, last+2*rs.reach); r >= max(0, rs.row.from-rs.q.room); r-- {
		value := n
		if r < next {
			value = rs.q.order[r]
		}
		out = min(out, rs.take[value].high)
		if rs.ties != nil {
			full = min(full, rs.ties.fullAfter[value])
		}
		if r > last {
			continue
		}
		k := r + rs.q.room - rs.row.from
		rs.row.room[k] = min(out, rs.takeAt[r].high)
		news = news || rs.ties != nil && out < rs.takeAt[r].high
		if high := min(full, rs.fullReturnAfter(rs.row.room[k])); high < rs.row.at[k].high {
			rs.row.at[k].high, news = high, true
			if high < rs.row.at[k].low {
				return news, false
			}
		}
	}
	return news, true
}

// fullReturnAfter is the earliest return of a full that was called after a stamp.
func (rs *ranks) fullReturnAfter(stamp uint64) uint64 {
	k := sort.Search(len(rs.fulls), func(k int) bool { return rs.q.Stamp(rs.fulls[k]) > stamp })
	if k == len(rs.fulls) {
		return rs.q.Far()
	}
	return rs.fullReturn[k]
}

// findSeats finds the values that have their ranks in the row, and no
// others. It fails if one has none.
func (rs *ranks) findSeats(n uint32, near bool) bool {
	w := &rs.row
	to := w.from + len(w.at) - 1
	for _, v := range rs.byLast[max(0, w.from-rs.reach):min(len(rs.byLast), to+rs.reach)] {
		first, last := int(rs.first[v]), int(rs.last[v])
		if v == n || first > to {
			continue
		}
		if put := rs.q.putOf(v); rs.q.over[put] || !rs.q.must(put, putsValue) {
			continue
		}
		if near {
			first = max(first, w.from)
		}
		if last < w.from && near {
			return false
		}
		if first < w.from || last < w.from {
			continue
		}
		s := rs.seatOf(v, first, last)
		if s.first > s.last {
			return false
		}
		if s.last <= to {
			w.seats = append(w.seats, s)
		}
	}
	return true
}

// seatOf narrows the ranks of a value down to those at which it can go in.
func (rs *ranks) seatOf(v uint32, first, last int) seat {
	w := &rs.row
	to := w.from + len(w.at) - 1
	for first <= to && w.at[first-w.from].high < rs.put[v].low {
		first++
	}
	if rs.ties != nil { // what went in after something was full has a rank behind those that had gone in by then
		for first <= to && rs.ties.fullBefore[v] > w.room[first-w.from] {
			first++
		}
	}
	for last <= to && last >= w.from && w.at[last-w.from].low > rs.put[v].high {
		last--
	}
	return seat{first, last}
}

// seatAll gives each value a rank of its own, if that can be: the value whose
// last rank comes first takes the first that is free. Another one that could
// have had that instead could as well have what this one takes then.
func (rs *ranks) seatAll() bool {
	w := &rs.row
	slices.SortFunc(w.seats, func(a, b seat) int { return cmp.Compare(a.last, b.last) })
	for _, s := range w.seats {
		at := s.first
		for at <= s.last && w.taken[at-w.from] {
			at++
		}
		if at > s.last {
			return false
		}
		w.taken[at-w.from] = true
	}
	return true
}

// enter and leaveAgain follow what goes into the queue.
func (rs *ranks) enter(n uint32) {
	out := rs.take[n].low
	if k := len(rs.comeOut); k > 0 {
		out = max(out, rs.comeOut[k-1])
	}
	rs.comeOut = append(rs.comeOut, out)
}

func (rs *ranks) leaveAgain() { rs.comeOut = rs.comeOut[:len(rs.comeOut)-1] }
