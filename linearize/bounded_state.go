package linearize

import "stealproof/model"

// boundedState is what has happened in a boundedSearch, and what is left.
type boundedState struct {
	*ledger
	bag   bool
	room  int
	item  []uint32 // by operation, absent if it has none
	tied  []uint32 // what must have happened before, by operation; nil if nothing ties
	over  []bool   // by operation
	trail []uint32 // what has happened

	queue  []uint32 // items that went in; a bag has them in no use
	gone   int      // and how many of these left
	size   int
	inside []bool // by item, of a bag
	loose  int    // items that went in and that no removal names
	looser int    // those of them that left
	print  fingerprint128

	returns *ring // what must happen, by return
	// Each by call: the puts, the removals from a bag that name a value, those
	// that never came back, and what found the object full or empty. Of a queue
	// the removals are those of items that are not in yet, by return.
	puts, takes, wild, fulls, empties *ring

	ranks *ranks
	some  []uint32 // what may come next
	// mood changes what is tried first: with 1, to be full or empty when someone
	// is about to find it so; with 2, puts by when they must return.
	mood int
}

// named says whether a removal that came back took the item.
func (l *ledger) named(n uint32) bool {
	t := l.items[n].take
	return t != absent && l.ops[t].Result == model.OK
}

func newBoundedState(l *ledger) *boundedState {
	capacity := l.history.Params.Capacity
	b := &boundedState{
		ledger: l,
		bag:    l.history.Kind == model.Bag,
		room:   maxOperations,
		item:   make([]uint32, len(l.ops)),
		over:   make([]bool, len(l.ops)),
		trail:  make([]uint32, 0, len(l.ops)),
		queue:  make([]uint32, 0, len(l.items)),
	}
	if capacity > 0 {
		b.room = int(min(capacity, maxOperations))
	}
	if b.bag {
		b.inside = make([]bool, len(l.items))
	}
	b.number()
	b.tied = lastClaims(b.ops, b.ledger.ties, func(op uint32) bool { return b.item[op] != absent || b.isMark(op) })
	b.lineUp()
	return b
}

// number gives the operations their items.
func (b *boundedState) number() {
	for i := range b.item {
		b.item[i] = absent
	}
	lost := b.lost
	for n := range b.items {
		it := &b.items[n]
		put := it.put
		if put == absent {
			put, lost = lost[0], lost[1:]
		}
		b.item[put] = uint32(n)
		if b.named(uint32(n)) {
			b.item[it.take] = uint32(n)
		}
	}
}

// isMark says whether an operation claims that the object was full or empty.
func (b *boundedState) isMark(op uint32) bool {
	switch b.ops[op].Result {
	case model.Empty:
		return true
	case model.Full:
		return b.history.Params.Capacity > 0
	}
	return false
}

// lastClaims finds for every operation the last one before it, in its process
// and at the very stamp of its call, that claims something. Nil if nothing ties.
func lastClaims(ops []model.Operation, t ties, claims func(op uint32) bool) []uint32 {
	if t == nil {
		return nil
	}
	tied := make([]uint32, len(ops))
	for op := range ops {
		stamp, before := ops[op].Call, t[op]
		for before != absent && ops[before].Return == stamp && !claims(before) {
			before = t[before]
		}
		if before != absent && ops[before].Return != stamp {
			before = absent
		}
		tied[op] = before
	}
	return tied
}

func (b *boundedState) finished() bool              { return b.returns.head() == absent }
func (b *boundedState) happened() int               { return len(b.trail) }
func (b *boundedState) feel(mood int)               { b.mood = mood }
func (b *boundedState) fingerprint() fingerprint128 { return b.print }

// lineUp makes the rings.
func (b *boundedState) lineUp() {
	var byReturn, puts, takes, wild, fulls, empties []uint64
	for i := range b.ops {
		op, o := uint32(i), &b.ops[i]
		called, returned := b.pack(b.of(o.Call), op), b.pack(b.of(o.Return), op)
		n := b.item[op]
		switch {
		case n != absent && o.Op.Puts():
			puts = append(puts, called)
			if o.Result == model.Unknown && !b.named(n) {
				continue // it may never have happened
			}
		case n != absent && b.bag:
			takes = append(takes, called)
		case n != absent:
			takes = append(takes, returned)
		case o.Op.Removes() && o.Result == model.Unknown:
			wild = append(wild, called)
			continue
		case !b.isMark(op):
			continue
		case o.Result == model.Full:
			fulls = append(fulls, called)
		default:
			empties = append(empties, called)
		}
		byReturn = append(byReturn, returned)
	}
	b.returns = newLinks(len(b.ops), 1).ring(&b.stamps, byReturn)
	kinds := newLinks(len(b.ops), 5)
	b.puts, b.takes, b.wild = kinds.ring(&b.stamps, puts), kinds.ring(&b.stamps, takes), kinds.ring(&b.stamps, wild)
	b.ranks = newRanks(b.ledger, b.room, puts, fulls)
	b.fulls, b.empties = kinds.ring(&b.stamps, fulls), kinds.ring(&b.stamps, empties)
}
