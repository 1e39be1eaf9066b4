package monitor

import (
	"slices"

	"stealproof/model"
)

// settleMarks lets all that found the object full or empty happen, if it is.
func (b *boundedState) settleMarks() {
	marks := b.fulls
	switch b.size {
	case 0:
		marks = b.empties
	case b.room:
	default:
		return
	}
	for again := true; again; {
		again = false
		limit := b.limit()
		for op := marks.head(); op != absent && b.Of(b.ops[op].Call) <= limit; op = marks.after(op) {
			if b.mayCome(op, limit) {
				b.happen(op)
				again = true
			}
		}
	}
}

// limit is by when whatever comes next must have been called: nothing that is
// left may have returned before.
func (b *boundedState) limit() uint64 {
	if op := b.returns.head(); op != absent {
		return b.Of(b.ops[op].Return)
	}
	return b.Far()
}

// mayCome says whether nothing left precedes the operation.
func (b *boundedState) mayCome(op uint32, limit uint64) bool {
	return b.Of(b.ops[op].Call) <= limit && (b.tied == nil || b.tied[op] == absent || b.over[b.tied[op]])
}

// choice is the k-th thing that may happen next, the most urgent first, with so
// many values to choose among; absent if there are no more.
func (b *boundedState) choice(k, width int) uint32 {
	limit := b.limit()
	putsFirst := b.putsFirst()
	for _, puts := range [2]bool{putsFirst, !putsFirst} {
		var some []uint32
		if puts {
			some = b.putsToTry(limit, k+1, width)
		} else {
			some = b.mostUrgent(b.takesNow(limit), k+1, width)
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
func (b *boundedState) putsFirst() bool {
	if b.size == b.room {
		return false
	}
	if b.mood&1 != 0 {
		if toFull, toEmpty := b.awaited(b.fulls), b.awaited(b.empties); toFull != toEmpty {
			return toFull < toEmpty
		}
	}
	op := b.returns.head()
	switch o := &b.ops[op]; {
	case o.Result == model.Full:
		return true
	case o.Result == model.Empty:
		return false
	case o.Op.Puts():
		return true
	case b.bag:
		return !b.inside[b.item[op]]
	}
	return !b.over[b.items[b.item[op]].put]
}

// awaited is by when something must be found full, or empty: never if that was
// not called yet.
func (b *boundedState) awaited(marks *ring) uint64 {
	if op := marks.head(); op != absent && b.Of(b.ops[op].Call) <= b.limit() {
		return b.Of(b.ops[op].Return)
	}
	return b.Far()
}

// putsToTry are as many of the most urgent puts as are asked for. To foresee
// takes long, so it is done only for these.
func (b *boundedState) putsToTry(limit uint64, wanted, most int) []uint32 {
	ops := b.putsNow(limit)
	if b.places == nil {
		return b.mostUrgent(ops, wanted, most)
	}
	slices.SortFunc(ops, b.moreUrgent)
	wanted = min(wanted, most)
	some := ops[:0]
	for _, op := range ops {
		if len(some) == wanted {
			break
		}
		if b.places.foresees(b.item[op]) {
			some = append(some, op)
		}
	}
	return some
}

// allowed says whether the value may have the next place.
func (b *boundedState) allowed(n uint32) bool {
	next := len(b.queue)
	if p := b.places; p != nil {
		return int(p.first[n]) <= next && next <= int(p.last[n])
	}
	return b.ranks.allow(n, next)
}

// putsNow are the puts that may come next.
func (b *boundedState) putsNow(limit uint64) []uint32 {
	b.some = b.some[:0]
	if b.size == b.room {
		return b.some
	}
	for op := b.puts.head(); op != absent && b.Of(b.ops[op].Call) <= limit; op = b.puts.after(op) {
		if b.mayCome(op, limit) && (b.bag || b.inTurn(b.item[op]) && b.allowed(b.item[op])) {
			b.some = append(b.some, op)
		}
	}
	return b.some
}

// inTurn says whether no value that is not in the queue yet must leave it before
// the given one.
func (b *boundedState) inTurn(n uint32) bool {
	if b.tied != nil && b.named(n) && !b.inTurnByTies(b.items[n].take) {
		return false
	}
	first := b.takes.head()
	if first == absent {
		return true
	}
	if !b.named(n) {
		return b.loose < len(b.pending)
	}
	if first == b.items[n].take {
		if first = b.takes.after(first); first == absent {
			return true
		}
	}
	return b.Of(b.ops[first].Return) >= b.items[n].out
}

// inTurnByTies looks at what the process of a removal did just before it: took
// another value, which must be in by now, or found nothing.
func (b *boundedState) inTurnByTies(take uint32) bool {
	for op := b.tied[take]; op != absent && !b.over[op]; op = b.tied[op] {
		o := &b.ops[op]
		if n := b.item[op]; o.Result == model.Empty || n != absent && o.Op.Removes() && !b.over[b.items[n].put] {
			return false
		}
	}
	return true
}

// takesNow are the removals that may come next.
func (b *boundedState) takesNow(limit uint64) []uint32 {
	b.some = b.some[:0]
	if b.size == 0 {
		return b.some
	}
	if !b.bag {
		n := b.queue[b.gone]
		if !b.named(n) {
			return b.wildNow(limit)
		}
		if take := b.items[n].take; b.mayCome(take, limit) {
			b.some = append(b.some, take)
		}
		return b.some
	}
	for op := b.takes.head(); op != absent && b.Of(b.ops[op].Call) <= limit; op = b.takes.after(op) {
		if b.inside[b.item[op]] && b.mayCome(op, limit) {
			b.some = append(b.some, op)
		}
	}
	if b.loose > b.looser {
		return b.wildNow(limit)
	}
	return b.some
}

// wildNow adds the removals that never came back: the one called first, or where
// operations tie, any, as that one may have to wait.
func (b *boundedState) wildNow(limit uint64) []uint32 {
	for op := b.wild.head(); op != absent && b.Of(b.ops[op].Call) <= limit; op = b.wild.after(op) {
		if b.mayCome(op, limit) {
			b.some = append(b.some, op)
		}
		if b.tied == nil {
			break
		}
	}
	return b.some
}
