package monitor

import (
	"cmp"
	"slices"
	"sort"
)

// foresight sees that a value must not go in next, long before the search would
// get stuck: it looks at the places that are free next, and at those that are
// filled when the value leaves, and asks whether all values that belong there
// still find one.
type foresight struct {
	comeOut    []uint64 // by place in the queue: when the value there comes out at the earliest
	fullReturn []uint64 // by place in fulls: the earliest return of this and later ones
	row        placeRow
}

// placeRow is a row of places that are looked at.
type placeRow struct {
	from  int
	at    []span   // when the value of each goes in
	room  []uint64 // by when room was made for it
	seats []seat
	taken []bool
}

// seat is between which places of the row a value has its own.
type seat struct{ first, last int }

const leastReach, mostReach = 8, 40

func (p *places) lookAhead() {
	p.fullReturn = make([]uint64, len(p.fulls))
	earliest := p.Far()
	for k, word := range slices.Backward(p.fulls) {
		earliest = min(earliest, p.Of(p.ops[p.Index(word)].Return))
		p.fullReturn[k] = earliest
	}
	sum := 0
	for n := range p.first {
		sum += int(p.last[n] - p.first[n])
	}
	p.reach = min(max(4*sum/max(len(p.first), 1), leastReach), mostReach)
}

// foresees says whether the others may still find places when the value goes in
// next.
func (p *places) foresees(n uint32) bool {
	next := len(p.queue) + 1
	near, far := next+p.reach, len(p.queue)+p.room-p.reach
	if near >= far {
		return p.fits(n, next, len(p.queue)+p.room+p.reach)
	}
	return p.fits(n, next, near) && p.fits(n, far, far+2*p.reach)
}

// fits looks at a row of places.
func (p *places) fits(n uint32, from, to int) bool {
	to = min(to, len(p.putAt)-1)
	if from > to {
		return true
	}
	p.open(from, to)
	later := p.raiseRow(n)
	earlier, possible := p.lowerRow(n)
	switch near := from == len(p.queue)+1; {
	case !possible:
		return false
	case !near && !later && !earlier:
		return true // as it was found for all places before
	default:
		return p.findSeats(n, near) && p.seatAll()
	}
}

func (p *places) open(from, to int) {
	w := &p.row
	w.from = from
	w.at = append(w.at[:0], p.putAt[from:to+1]...)
	w.room, w.taken, w.seats = w.room[:0], w.taken[:0], w.seats[:0]
	for range w.at {
		w.room, w.taken = append(w.room, p.Far()), append(w.taken, false)
	}
}

// raiseRow: a value goes in after the one that makes room for it came out.
func (p *places) raiseRow(n uint32) (news bool) {
	next, low := len(p.queue), p.take[n].low
	if next > 0 {
		low = max(low, p.comeOut[next-1])
	}
	for k := range p.row.at {
		switch r := p.row.from + k - p.room; {
		case r < 0:
			continue
		case r < next:
			low = p.comeOut[r]
		default:
			low = max(p.take[n].low, low)
		}
		if p.row.at[k].low < low {
			p.row.at[k].low, news = low, true
		}
	}
	return news
}

// lowerRow: if something was found full after the value of a place came out,
// as many places behind as there is room were filled by then.
func (p *places) lowerRow(n uint32) (news, possible bool) {
	next, last := len(p.queue), p.row.from+len(p.row.at)-1-p.room
	out, full := p.Far(), p.Far()
	for r := min(next, last+2*p.reach); r >= max(0, p.row.from-p.room); r-- {
		value := n
		if r < next {
			value = p.queue[r]
		}
		out = min(out, p.take[value].high)
		if p.ties != nil {
			full = min(full, p.ties.fullAfter[value])
		}
		if r > last {
			continue
		}
		k := r + p.room - p.row.from
		p.row.room[k] = min(out, p.takeAt[r].high)
		news = news || p.ties != nil && out < p.takeAt[r].high
		if high := min(full, p.fullReturnAfter(p.row.room[k])); high < p.row.at[k].high {
			p.row.at[k].high, news = high, true
			if high < p.row.at[k].low {
				return news, false
			}
		}
	}
	return news, true
}

// fullReturnAfter is the earliest return of a full that was called after a stamp.
func (p *places) fullReturnAfter(stamp uint64) uint64 {
	k := sort.Search(len(p.fulls), func(k int) bool { return p.Stamp(p.fulls[k]) > stamp })
	if k == len(p.fulls) {
		return p.Far()
	}
	return p.fullReturn[k]
}

// findSeats finds the values that have their places in the row, and no
// others. It fails if one has none.
func (p *places) findSeats(n uint32, near bool) bool {
	w := &p.row
	to := w.from + len(w.at) - 1
	for _, v := range p.byLast[max(0, w.from-p.reach):min(len(p.byLast), to+p.reach)] {
		first, last := int(p.first[v]), int(p.last[v])
		if v == n || p.over[p.putOf(v)] || first > to || !p.mustGoIn(v) {
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
		s := p.seatOf(v, first, last)
		if s.first > s.last {
			return false
		}
		if s.last <= to {
			w.seats = append(w.seats, s)
		}
	}
	return true
}

// seatOf narrows the places of a value down to those at which it can go in.
func (p *places) seatOf(v uint32, first, last int) seat {
	w := &p.row
	to := w.from + len(w.at) - 1
	for first <= to && w.at[first-w.from].high < p.put[v].low {
		first++
	}
	if p.ties != nil { // what went in after something was full has a place behind those that had gone in by then
		for first <= to && p.ties.fullBefore[v] > w.room[first-w.from] {
			first++
		}
	}
	for last <= to && last >= w.from && w.at[last-w.from].low > p.put[v].high {
		last--
	}
	return seat{first, last}
}

// seatAll gives each value a place of its own, if that can be: the value whose
// last place comes first takes the first that is free. Another one that could
// have had that instead could as well have what this one takes then.
func (p *places) seatAll() bool {
	w := &p.row
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
func (p *places) enter(n uint32) {
	out := p.take[n].low
	if k := len(p.comeOut); k > 0 {
		out = max(out, p.comeOut[k-1])
	}
	p.comeOut = append(p.comeOut, out)
}

func (p *places) leaveAgain() { p.comeOut = p.comeOut[:len(p.comeOut)-1] }
