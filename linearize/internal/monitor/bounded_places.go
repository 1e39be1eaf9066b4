package monitor

import (
	"context"
	"sort"
)

// places say which places in the order of a queue a value may have, and between
// which stamps the value of a place goes in and comes out. They hold for every
// order there is, and follow from a few rules, applied until nothing changes:
//   - A value goes in before it comes out, and what comes out earlier goes in
//     earlier.
//   - The r-th put happens after r+1 of them were called, and before r+1 have
//     returned; removals alike.
//   - A value comes out before the one so many places behind goes in as there
//     is room.
//   - When something was full, so many more had gone in than come out as there
//     is room. When it was empty, as many.
//   - A value has a place at which it can go in, and come out, when it did.
//
// and of ties as told in bounded_places_ties.go.
type places struct {
	*boundedState
	first, last   []uint32 // by item
	byLast        []uint32 // items, by last
	put, take     []span   // by item
	putAt, takeAt []span   // by place
	fulls         []uint64 // words of their calls
	empties       []uint64
	ties          *placeTies // nil if nothing ties
	changed       bool
	possible      bool // whether there may be an order
	reach         int  // how far around a place it is worth while to look
	foresight
}

// span is a time from a stamp to a stamp.
type span struct{ low, high uint64 }

// placeRounds is how often the rules are applied: seldom does anything change
// after the third time.
const placeRounds = 8

func newPlaces(ctx context.Context, b *boundedState) *places {
	n := len(b.items)
	p := &places{boundedState: b, first: make([]uint32, n), last: make([]uint32, n), put: make([]span, n), take: make([]span, n)}
	p.putAt, p.takeAt = make([]span, n), make([]span, n)
	p.fulls = b.sorted(b.words(b.only(findsFull), b.called))
	p.empties = b.sorted(b.words(b.only(findsEmpty), b.called))
	if b.tied != nil {
		p.ties = newPlaceTies(p)
	}
	for i := range n {
		p.last[i] = uint32(n - 1)
		p.putAt[i].high, p.takeAt[i].high = b.Far(), b.Far()
		p.put[i], p.take[i] = p.spansOf(uint32(i))
	}
	p.narrowDown(ctx)
	p.byLast = p.byPlace(p.last)
	p.lookAhead()
	return p
}

// spansOf are the times of a value as its operations have them.
func (p *places) spansOf(n uint32) (put, take span) {
	o := &p.ops[p.putOf(n)]
	put, take = span{p.Of(o.Call), p.Far()}, span{0, p.Far()}
	if p.mustGoIn(n) {
		put.high = p.Of(o.Return)
	}
	if p.named(n) {
		o := &p.ops[p.items[n].take]
		take = span{p.Of(o.Call), p.Of(o.Return)}
	}
	return put, take
}

func (p *places) mustGoIn(n uint32) bool { return p.must(p.putOf(n), putsValue) }

// narrowDown applies the rules until nothing changes, it is clear that there is
// no order, or nobody waits for it any more.
func (p *places) narrowDown(ctx context.Context) {
	rules := []func(){
		func() { p.inOrder(p.take, p.put) },
		func() { p.inOrder(p.put, p.take) },
		p.count,
		p.couple,
		p.heedFulls,
		p.heedEmpties,
		p.place,
		p.heedTies,
	}
	p.possible, p.changed = true, true
	for round := 0; round < placeRounds && p.changed; round++ {
		p.changed = false
		for _, rule := range rules {
			if rule(); !p.possible || ctx.Err() != nil {
				return
			}
		}
	}
}

func (p *places) raise(s *span, low uint64) {
	if s.low < low {
		s.low, p.changed = low, true
		p.possible = p.possible && s.low <= s.high
	}
}

func (p *places) lower(s *span, high uint64) {
	if s.high > high {
		s.high, p.changed = high, true
		p.possible = p.possible && s.low <= s.high
	}
}

// notBefore and notBehind say so of the place of a value.
func (p *places) notBefore(n uint32, place int) {
	if int(p.first[n]) < place {
		p.first[n], p.changed = uint32(place), true
		p.possible = p.possible && p.first[n] <= p.last[n]
	}
}

func (p *places) notBehind(n uint32, place int) {
	switch {
	case place < 0:
		p.possible = false
	case int(p.last[n]) > place:
		p.last[n], p.changed = uint32(place), true
		p.possible = p.possible && p.first[n] <= p.last[n]
	}
}

// ordered are the words of items by a stamp of theirs.
func (p *places) ordered(stamp func(n uint32) uint64) []uint64 {
	words := make([]uint64, len(p.items))
	for n := range words {
		words[n] = p.Pack(stamp(uint32(n)), uint32(n))
	}
	return p.sorted(words)
}

func (p *places) byPlace(place []uint32) []uint32 {
	items := make([]uint32, len(place))
	for k, word := range p.ordered(func(n uint32) uint64 { return uint64(place[n]) }) {
		items[k] = p.Index(word)
	}
	return items
}

// inOrder lets what happens to values in one way one after the other happen to
// them in another way in that order.
func (p *places) inOrder(by, of []span) {
	ends := p.ordered(func(n uint32) uint64 { return by[n].high })
	begins := p.ordered(func(n uint32) uint64 { return by[n].low })
	k, low := 0, uint64(0)
	for _, begin := range begins {
		for ; k < len(ends) && p.Stamp(ends[k]) < p.Stamp(begin); k++ {
			low = max(low, of[p.Index(ends[k])].low)
		}
		p.raise(&of[p.Index(begin)], low)
	}
	k, high := len(begins)-1, p.Far()
	for e := len(ends) - 1; e >= 0; e-- {
		for ; k >= 0 && p.Stamp(begins[k]) > p.Stamp(ends[e]); k-- {
			high = min(high, of[p.Index(begins[k])].high)
		}
		p.lower(&of[p.Index(ends[e])], high)
	}
}

// firstPlace is the first place at which something holds that holds from some place on.
func (p *places) firstPlace(holds func(place int) bool) int { return sort.Search(len(p.putAt), holds) }
