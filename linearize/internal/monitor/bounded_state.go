package monitor

import (
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

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

	ranks  *ranks
	places *places  // if these are known, in place of the ranks
	some   []uint32 // what may come next
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
			it.put = put
		}
		b.item[put] = uint32(n)
		if b.named(uint32(n)) {
			b.item[it.take] = uint32(n)
		}
	}
}

// isMark says whether an operation claims that the object was full or empty.
func (l *ledger) isMark(op uint32) bool {
	switch l.ops[op].Result {
	case model.Empty:
		return true
	case model.Full:
		return l.history.Params.Capacity > 0
	}
	return false
}

// lastClaims finds for every operation the last one before it, in its process
// and at the very stamp of its call, that claims something. Nil if nothing ties.
func lastClaims(ops []model.Operation, t timing.Ties, claims func(op uint32) bool) []uint32 {
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
func (b *boundedState) fingerprint() fingerprint128 { return b.print }

// The kinds of operations that are lined up.
const (
	claimsNothing = iota
	putsValue
	takesValue
	takesWild
	findsFull
	findsEmpty
)

// claim is what an operation has to do with the object.
func (b *boundedState) claim(op uint32) int {
	switch o := &b.ops[op]; {
	case b.item[op] != absent && o.Op.Puts():
		return putsValue
	case b.item[op] != absent:
		return takesValue
	case o.Op.Removes() && o.Result == model.Unknown:
		return takesWild
	case !b.isMark(op):
		return claimsNothing
	case o.Result == model.Full:
		return findsFull
	}
	return findsEmpty
}

// must says whether an operation must happen: not what never came back, unless
// somebody took what it put in.
func (b *boundedState) must(op uint32, claim int) bool {
	switch claim {
	case claimsNothing, takesWild:
		return false
	case putsValue:
		return b.ops[op].Result != model.Unknown || b.named(b.item[op])
	}
	return true
}

// lineUp makes the rings, one after the other, since the words that they are
// made of take as much room as the rings.
func (b *boundedState) lineUp() {
	b.returns = newLinks(len(b.ops), 1).ring(&b.Clock, b.words(b.must, b.returned))
	kinds := newLinks(len(b.ops), 5)
	puts, fulls := b.words(b.only(putsValue), b.called), b.words(b.only(findsFull), b.called)
	b.puts = kinds.ring(&b.Clock, puts)
	b.ranks = newRanks(b.ledger, b.room, puts, fulls)
	b.fulls = kinds.ring(&b.Clock, fulls)
	by := b.returned
	if b.bag {
		by = b.called
	}
	b.takes = kinds.ring(&b.Clock, b.words(b.only(takesValue), by))
	b.wild = kinds.ring(&b.Clock, b.words(b.only(takesWild), b.called))
	b.empties = kinds.ring(&b.Clock, b.words(b.only(findsEmpty), b.called))
}

func (b *boundedState) called(op uint32) uint64   { return b.Pack(b.Of(b.ops[op].Call), op) }
func (b *boundedState) returned(op uint32) uint64 { return b.Pack(b.Of(b.ops[op].Return), op) }

func (b *boundedState) putOf(n uint32) uint32 { return b.items[n].put }

// only wants operations of one kind.
func (b *boundedState) only(kind int) func(uint32, int) bool {
	return func(_ uint32, claim int) bool { return claim == kind }
}

// sorted sorts words by their stamps.
func (b *boundedState) sorted(words []uint64) []uint64 {
	b.Sort(words)
	return words
}

// words are those of some operations, in room that is just enough.
func (b *boundedState) words(wanted func(op uint32, claim int) bool, word func(op uint32) uint64) []uint64 {
	n := 0
	for i := range b.ops {
		if wanted(uint32(i), b.claim(uint32(i))) {
			n++
		}
	}
	words := make([]uint64, 0, n)
	for i := range b.ops {
		if wanted(uint32(i), b.claim(uint32(i))) {
			words = append(words, word(uint32(i)))
		}
	}
	return words
}
