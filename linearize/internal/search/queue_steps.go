package search

import "stealproof/model"

// happen is what becomes of the queue by an operation, which must be possible.
func (q *queue) happen(op uint32) {
	q.become(op)
	tied, take := q.letGo(op)
	for _, freed := range [2]uint32{tied, take} {
		if freed != absent {
			q.lineOf(freed).open(freed)
		}
	}
}

// letGo are those that waited for nothing but an operation that has just happened: what
// is tied to it, and of a bag the removal of what it put in.
func (q *queue) letGo(op uint32) (tied, take uint32) {
	tied, take = q.follower(op), absent
	if tied != absent && q.claim(tied) == takesValue && !(q.bag && q.inside[q.item[tied]]) {
		tied = absent
	}
	if n := q.item[op]; q.bag && n != absent && q.ops[op].Op.Puts() && q.named(n) {
		if take = q.takeOf(n); take == tied || !q.tieDone(take) {
			take = absent
		}
	}
	return tied, take
}

func (q *queue) become(op uint32) {
	o := &q.ops[op]
	switch {
	case o.Op.Puts() && q.item[op] != absent:
		q.putIn(op)
	case q.item[op] != absent:
		q.takeOut(op)
	case o.Result == model.Full:
		q.fulls.remove(op)
	case o.Result == model.Empty:
		q.empties.remove(op)
	default:
		q.lost.remove(op)
		q.taken++
		q.leave()
	}
}

func (q *queue) putIn(op uint32) {
	n := q.item[op]
	q.puts.remove(op)
	q.size++
	q.order = append(q.order, n)
	if q.ranks != nil {
		q.ranks.enter(n)
	}
	if !q.named(n) {
		q.free++
	}
	switch {
	case q.bag:
		q.inside[n] = true
	case q.named(n):
		q.takes.remove(q.takeOf(n))
	}
	if !q.bag {
		q.print.toggle(uint64(n), uint64(len(q.order)))
	}
}

func (q *queue) takeOut(op uint32) {
	if q.bag {
		q.inside[q.item[op]] = false
		q.bagTakes.remove(op)
	}
	q.leave()
}

func (q *queue) leave() {
	q.size--
	q.gone++
	if !q.bag {
		q.print.toggle(uint64(q.order[q.gone-1]), uint64(q.gone))
	}
}

// takeBack undoes what became of the queue by what happened last.
func (q *queue) takeBack(op uint32) {
	tied, take := q.letGo(op)
	for _, freed := range [2]uint32{take, tied} {
		if freed != absent {
			q.lineOf(freed).shut(freed)
		}
	}
	o := &q.ops[op]
	switch {
	case o.Op.Puts() && q.item[op] != absent:
		q.undoPut(op)
	case q.item[op] != absent:
		q.undoTake(op)
	case o.Result == model.Full:
		q.fulls.putBack(op)
	case o.Result == model.Empty:
		q.empties.putBack(op)
	default:
		q.undoLeave()
		q.taken--
		q.lost.putBack(op)
	}
}

func (q *queue) undoPut(op uint32) {
	n := q.item[op]
	if !q.bag {
		q.print.toggle(uint64(n), uint64(len(q.order)))
	}
	switch {
	case q.bag:
		q.inside[n] = false
	case q.named(n):
		q.takes.putBack(q.takeOf(n))
	}
	if !q.named(n) {
		q.free--
	}
	q.order = q.order[:len(q.order)-1]
	if q.ranks != nil {
		q.ranks.leaveAgain()
	}
	q.size--
	q.puts.putBack(op)
}

func (q *queue) undoTake(op uint32) {
	q.undoLeave()
	if q.bag {
		q.bagTakes.putBack(op)
		q.inside[q.item[op]] = true
	}
}

func (q *queue) undoLeave() {
	if !q.bag {
		q.print.toggle(uint64(q.order[q.gone-1]), uint64(q.gone))
	}
	q.gone--
	q.size++
}
