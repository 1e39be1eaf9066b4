package search

import (
	"slices"

	"stealproof/model"
)

// marks are what found the queue as it is: full or empty.
func (q *queue) marks() *line {
	switch q.size {
	case 0:
		return q.empties
	case q.room:
		return q.fulls
	}
	return nil
}

func (q *queue) holds(uint32) bool { return true }

func (q *queue) state() fingerprint { return q.print }

// choice is the k-th thing that may happen next, the most urgent first, with as
// many values to choose among as are wanted; absent if there are no more.
func (q *queue) choice(k int) uint32 {
	limit := q.limit()
	putsFirst := q.putsFirst()
	for _, puts := range [2]bool{putsFirst, !putsFirst} {
		var some []uint32
		if puts {
			some = q.putsToTry(limit, k+1)
		} else {
			some = q.mostUrgent(q.takesNow(limit), k+1)
		}
		if k < len(some) {
			return some[k]
		}
		k -= len(some)
	}
	return absent
}

// putsFirst says whether a put serves what must return next better than a
// removal does.
func (q *queue) putsFirst() bool {
	if q.size == q.room {
		return false
	}
	if q.liking&likesMarks != 0 {
		if toFull, toEmpty := q.awaited(q.fulls), q.awaited(q.empties); toFull != toEmpty {
			return toFull < toEmpty
		}
	}
	op := q.returns.head()
	switch o := &q.ops[op]; {
	case o.Result == model.Full:
		return true
	case o.Result == model.Empty:
		return false
	case o.Op.Puts():
		return true
	case q.bag:
		return !q.inside[q.item[op]]
	}
	return !q.over[q.putOf(q.item[op])]
}

// awaited is by when something must be found full, or empty: never if that was
// not called yet.
func (q *queue) awaited(marks *line) uint64 {
	if op := marks.next(q.limit()); op != absent {
		return q.Of(q.ops[op].Return)
	}
	return q.Far()
}

// putsToTry are as many of the most urgent puts as are asked for. To foresee
// takes long, so it is done only for these.
func (q *queue) putsToTry(limit uint64, wanted int) []uint32 {
	ops := q.putsNow(limit)
	if q.ranks == nil {
		return q.mostUrgent(ops, wanted)
	}
	slices.SortFunc(ops, q.moreUrgent)
	wanted = min(wanted, q.width)
	some := ops[:0]
	for _, op := range ops {
		if len(some) == wanted {
			break
		}
		if q.ranks.foresees(q.item[op]) {
			some = append(some, op)
		}
	}
	return some
}

// allowed says whether the value may have the next place.
func (q *queue) allowed(n uint32) bool {
	next := len(q.order)
	if p := q.ranks; p != nil {
		return int(p.first[n]) <= next && next <= int(p.last[n])
	}
	return q.counts.allow(n, next)
}

// putsNow are the puts that may come next.
func (q *queue) putsNow(limit uint64) []uint32 {
	q.candidates = q.candidates[:0]
	if q.size == q.room {
		return q.candidates
	}
	return q.some(q.puts, limit, func(op uint32) bool {
		return q.bag || q.inTurn(q.item[op]) && q.allowed(q.item[op])
	})
}

// some are the first of a line that will do, and what must return next if it is among
// them: all of them only where all values are to be tried.
func (q *queue) some(l *line, limit uint64, will func(op uint32) bool) []uint32 {
	first, seen := q.returns.head(), 0
	if first != absent && q.lineOf(first) == l && l.isOpen(first) && will(first) {
		q.candidates = append(q.candidates, first)
	}
	for op := range l.called(limit) {
		if seen++; op != first && will(op) {
			q.candidates = append(q.candidates, op)
		}
		if len(q.candidates) >= q.width*candidatesEach {
			break
		}
	}
	q.looked += max(0, seen-candidatesEach)
	return q.candidates
}

// candidatesEach are looked at for each value that is tried.
const candidatesEach = 256

// inTurn says whether no value that is not in the queue yet must leave it before
// the given one.
func (q *queue) inTurn(n uint32) bool {
	if q.tied != nil && q.named(n) && !q.inTurnByTies(q.takeOf(n)) {
		return false
	}
	first := q.takes.head()
	if first == absent {
		return true
	}
	if !q.named(n) {
		return q.free < q.values.Lost
	}
	if first == q.takeOf(n) {
		if first = q.takes.after(first); first == absent {
			return true
		}
	}
	return q.Of(q.ops[first].Return) >= q.items[n].Out
}

// inTurnByTies looks at what the process of a removal did just before it: took
// another value, which must be in by now, or found nothing. When that value went in,
// the same was asked of what came before.
func (q *queue) inTurnByTies(take uint32) bool {
	op := q.removedBefore[take]
	if op == absent || q.over[op] {
		return true
	}
	return q.ops[op].Result != model.Empty && q.over[q.putOf(q.item[op])]
}

// takesNow are the removals that may come next.
func (q *queue) takesNow(limit uint64) []uint32 {
	q.candidates = q.candidates[:0]
	if q.size == 0 {
		return q.candidates
	}
	if !q.bag {
		n := q.order[q.gone]
		if !q.named(n) {
			return q.lostNow(limit)
		}
		if take := q.takeOf(n); q.mayCome(take, limit) {
			q.candidates = append(q.candidates, take)
		}
		return q.candidates
	}
	q.some(q.bagTakes, limit, func(uint32) bool { return true })
	if q.free > q.taken {
		return q.lostNow(limit)
	}
	return q.candidates
}

// lostNow adds the removals that never came back: the one called first, or where
// operations tie, any, as that one may have to wait.
func (q *queue) lostNow(limit uint64) []uint32 {
	for op := range q.lost.called(limit) {
		q.candidates = append(q.candidates, op)
		if q.tied == nil {
			break
		}
	}
	return q.candidates
}
