package search

import (
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// queue is a bounded queue or bag on which operations happen one at a time. Three
// things keep its choices small, and take no order away:
//   - A queue lets only its oldest value out, and of two values, one whose
//     removal precedes the other's must go in first. Of the lost removals, which
//     never came back, the one called first takes what nobody else claims.
//   - What has happened, and the queue it led to, are remembered if they led
//     nowhere.
//   - A value goes in only at a rank that it may have (counts; ranks, which know
//     more), and only if the others may still find theirs (foresight).
type queue struct {
	*past
	values *Values
	items  []Item // of the values
	bag    bool
	room   int
	item   []uint32          // by operation, absent if it has none
	unseen map[uint32]uint32 // the puts of items whose put the values do not have

	removedBefore []uint32 // by operation, the removal of a value or the empty before it at its stamp; nil if nothing ties

	order  []uint32 // items in the order in which they went in; a bag has it in no use
	gone   int      // and how many of these left
	size   int
	inside []bool // by item, of a bag
	free   int    // items that went in and that no removal names
	taken  int    // those of them that left
	print  fingerprint

	// The puts, the lost removals, what found the object full or empty, and the
	// removals from a bag that name a value, which wait for that.
	puts, lost, fulls, empties, bagTakes *line
	takes                                *ring // those from a queue that name a value that is not in yet, by return

	counts *counts
	ranks  *ranks // if these are known, in place of the counts

	candidates []uint32 // what may come next
	width      int      // how many values are tried at a step
	liking     liking
}

// liking changes what is tried first.
type liking int

const (
	likesMarks   liking = 1 << iota // to be full or empty when someone is about to find it so
	likesReturns                    // puts by when they must return
	likings
)

// Queue searches for an order of a queue or a bag. It returns the order of all
// operations if there is one, nil where it could not be written down.
func Queue(patience *timing.Patience, v *Values) (model.Verdict, []int) {
	q := newQueue(v)
	verdict := q.search(patience, soonEffort)
	if verdict != model.Linearizable {
		return verdict, nil
	}
	return verdict, q.written(v.Ties, q.isMark)
}

var (
	longEffort  = effort{4_000_000, 16, 4 << 20}
	ranksEffort = effort{1_000_000, 16, 4 << 20} // of a search that looks ahead at each step
	soonEffort  = effort{400_000, 2, 4 << 20}    // where there is another way to search
)

// search has a queue searched again where it is not decided soon.
func (q *queue) search(patience *timing.Patience, soon effort) model.Verdict {
	if q.bag {
		return q.attempt(patience, longEffort)
	}
	if verdict := q.attempt(patience, soon); verdict != model.Undecided || patience.Over() {
		return verdict
	}
	return q.searchByRanks(patience)
}

// searchByRanks begins a search anew that knows the ranks of the values. This
// takes more time and room, so it is done only if the search was stuck without.
func (q *queue) searchByRanks(patience *timing.Patience) model.Verdict {
	for len(q.trail) > 0 {
		q.takeBack(q.last())
		q.past.takeBack()
	}
	q.liking, q.counts, q.ranks = 0, nil, newRanks(patience, q)
	if !q.ranks.possible {
		return model.Violation
	}
	return q.attempt(patience, ranksEffort)
}

func (q *queue) attempt(patience *timing.Patience, e effort) model.Verdict {
	s := newSearch(patience, q.past, q, newWidening(q), e)
	s.grace = usualGrace
	return s.run()
}

func newQueue(v *Values) *queue {
	h := v.History
	q := &queue{
		past:   newPast(v.Clock, h.Ops),
		values: v,
		items:  v.Items,
		bag:    h.Kind == model.Bag,
		room:   anyRoom,
		item:   make([]uint32, len(h.Ops)),
		order:  make([]uint32, 0, len(v.Items)),
	}
	if capacity := h.Params.Capacity; capacity > 0 {
		q.room = int(min(capacity, anyRoom))
	}
	if q.bag {
		q.inside = make([]bool, len(v.Items))
	}
	q.number()
	q.tie(v.Ties, func(op uint32) bool { return q.claim(op) != claimsNothing })
	q.removedBefore = v.Ties.LastClaims(q.ops, func(op uint32) bool {
		c := q.claim(op)
		return c == takesValue || c == findsEmpty
	})
	q.lineUp()
	return q
}

// anyRoom is more than any history fills.
const anyRoom = 1 << 30

// number gives the operations their items.
func (q *queue) number() {
	for i := range q.item {
		q.item[i] = absent
	}
	if len(q.values.Unseen) > 0 {
		q.unseen = make(map[uint32]uint32, len(q.values.Unseen))
	}
	for n := range q.items {
		it := &q.items[n]
		put := it.Put
		if put == absent {
			put = q.values.Unseen[len(q.unseen)]
			q.unseen[uint32(n)] = put
		}
		q.item[put] = uint32(n)
		if q.named(uint32(n)) {
			q.item[it.Take] = uint32(n)
		}
	}
}

func (q *queue) putOf(n uint32) uint32 {
	if put := q.items[n].Put; put != absent {
		return put
	}
	return q.unseen[n]
}

func (q *queue) takeOf(n uint32) uint32 { return q.items[n].Take }

// named says whether a removal that came back took the item.
func (q *queue) named(n uint32) bool {
	t := q.items[n].Take
	return t != absent && q.ops[t].Result == model.OK
}

func (q *queue) isMark(op uint32) bool { return IsMark(q.values.History, op) }

// claim is what an operation has to do with the object.
type claim int

const (
	claimsNothing claim = iota
	putsValue
	takesValue
	takesUnnamed // a lost removal
	findsFull
	findsEmpty
)

func (q *queue) claim(op uint32) claim {
	switch o := &q.ops[op]; {
	case q.item[op] != absent && o.Op.Puts():
		return putsValue
	case q.item[op] != absent:
		return takesValue
	case o.Lost():
		return takesUnnamed
	case !q.isMark(op):
		return claimsNothing
	case o.Result == model.Full:
		return findsFull
	}
	return findsEmpty
}

// must says whether an operation must happen: not what never came back, unless
// somebody took what it put in.
func (q *queue) must(op uint32, c claim) bool {
	switch c {
	case claimsNothing, takesUnnamed:
		return false
	case putsValue:
		return q.ops[op].Result != model.Unknown || q.named(q.item[op])
	}
	return true
}

func (q *queue) mustGoIn(n uint32) bool { return q.must(q.putOf(n), putsValue) }

// lineUp makes the rings, one after the other, since the words that they are
// made of take as much room as the rings.
func (q *queue) lineUp() {
	q.returns = newLinks(len(q.ops), 1).ring(&q.Clock, q.words(q.must, q.returned))
	kinds := newLinks(len(q.ops), 10)
	puts, fulls := q.words(only(putsValue), q.called), q.words(only(findsFull), q.called)
	q.Sort(puts)
	q.counts = newCounts(q.values, q.room, puts, fulls)
	q.puts = q.newLine(kinds, puts, q.isTied)
	q.fulls = q.newLine(kinds, fulls, q.isTied)
	if q.bag {
		q.bagTakes = q.newLine(kinds, nil, nil)
	} else {
		q.takes = kinds.ring(&q.Clock, q.words(only(takesValue), q.returned))
	}
	q.lost = q.newLine(kinds, q.words(only(takesUnnamed), q.called), q.isTied)
	q.empties = q.newLine(kinds, q.words(only(findsEmpty), q.called), q.isTied)
}

// lineOf is the line that an operation is in, nil if in none.
func (q *queue) lineOf(op uint32) *line {
	switch q.claim(op) {
	case putsValue:
		return q.puts
	case takesValue:
		return q.bagTakes
	case takesUnnamed:
		return q.lost
	case findsFull:
		return q.fulls
	}
	return q.empties
}

// only wants operations of one kind.
func only(kind claim) func(uint32, claim) bool {
	return func(_ uint32, c claim) bool { return c == kind }
}

// words are those of some operations, in room that is just enough.
func (q *queue) words(wanted func(op uint32, c claim) bool, word func(op uint32) uint64) []uint64 {
	n := 0
	for i := range q.ops {
		if wanted(uint32(i), q.claim(uint32(i))) {
			n++
		}
	}
	words := make([]uint64, 0, n)
	for i := range q.ops {
		if wanted(uint32(i), q.claim(uint32(i))) {
			words = append(words, word(uint32(i)))
		}
	}
	return words
}

// touching goes back over what the process did before an operation, and had
// done at the very stamp of its call, while it is wanted, and not very far: whoever
// asks draws conclusions from each that it sees, and may see fewer.
func (q *queue) touching(op uint32, visit func(op uint32) bool) {
	stamp, far := q.ops[op].Call, 0
	for before := q.tied[op]; before != absent && q.ops[before].Return == stamp && far < mostTouching && visit(before); far++ {
		before = q.tied[before]
	}
}

const mostTouching = 64
