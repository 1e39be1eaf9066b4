package search

import (
	"cmp"
	"iter"
	"slices"

	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// sharedRange is a range on which operations happen one at a time: it is shared by
// several processes that push and pop, or has indices that are put in twice, so
// that there are no two chains. It leaves little to choose: a pop must begin at its
// low end, a steal end at its high end, and a push end at its low end unless it is
// empty. Two more things are left out, and take no order away:
//   - states from which something can no longer return in time (rangeAhead);
//   - of operations that do the same, those that return later (withoutTwins).
//
// Lost removals, which never came back, are taken to have done nothing: they could
// have taken pieces of any size, so if that does not do, it is undecided.
type sharedRange struct {
	*past
	history    *model.History
	now        interval
	moving     *ring             // what moves an end, by call
	claiming   *line             // what found it full or empty
	open       *line             // of what moves an end, what waits for nothing; nil if nothing ties
	noise      uint64            // in the order of the candidates
	blame      map[uint32]uint32 // how often an operation was what it came too late for
	preferred  map[uint32]uint32
	candidates []uint32
	ahead      rangeAhead
	latest     uint32 // what returned latest of all that was ever looked at, absent if nothing was
}

// interval has the ends of the range.
type interval struct{ low, high uint64 }

// Range searches for an order of a range. It returns the order of all operations
// if there is one, nil where it could not be written down; and of a violation the
// operation whose return was the latest that mattered, so that what was called after
// that had no part in it.
func Range(patience *timing.Patience, h *model.History, look *timing.Survey) (verdict model.Verdict, order []int, latest uint32) {
	r, ties := newSharedRange(h, look, nil)
	verdict = r.attempt(patience, rangeEffort)
	if verdict == model.Linearizable {
		order = r.written(ties, r.isMark)
	}
	return verdict, order, r.latest
}

// RefutesRange says whether a history of a shared range is soon known to have no
// order. What is optional in it may never happen, and else at any time from its
// call on.
func RefutesRange(patience *timing.Patience, h *model.History, optional []bool) bool {
	if h.HasLost() {
		return false
	}
	ops := slices.Clone(h.Ops)
	for i := range ops {
		if optional[i] {
			ops[i].Return = model.Never
		}
	}
	r, _ := newSharedRange(h.With(ops), timing.NewSurvey(ops), optional)
	return r.attempt(patience, shortEffort) == model.Violation
}

var (
	rangeEffort = effort{4_000_000, 16, 1 << 20}
	shortEffort = effort{60_000, 16, 1 << 20} // where there are others to ask
)

func (r *sharedRange) attempt(patience *timing.Patience, e effort) model.Verdict {
	s := newSearch(patience, r.past, r, &restarting{shared: r}, e)
	s.grace = rangeGrace
	return s.run()
}

// newSharedRange takes what is optional: it need not happen. Nil if all must.
func newSharedRange(h *model.History, look *timing.Survey, optional []bool) (*sharedRange, timing.Ties) {
	h, look, clock := timing.Fitted(h, look)
	ties := timing.FindTies(h.Ops, look)
	r := &sharedRange{past: newPast(clock, h.Ops), history: h, blame: map[uint32]uint32{}, latest: absent}
	var returns, moving, claiming []uint64
	for i := range r.ops {
		op, o := uint32(i), &r.ops[i]
		switch {
		case r.isMark(op):
			claiming = append(claiming, r.called(op))
		case o.PutsIn() || o.TakesOut():
			moving = append(moving, r.called(op))
		default:
			continue
		}
		if o.Result != model.Unknown && (optional == nil || !optional[i]) {
			returns = append(returns, r.returned(op))
		}
	}
	r.tie(ties, func(op uint32) bool {
		return r.isMark(op) || r.ops[op].PutsIn() || r.ops[op].TakesOut()
	})
	r.returns = newLinks(len(r.ops), 1).ring(&r.Clock, returns)
	kinds := newLinks(len(r.ops), 3)
	r.moving, r.claiming = kinds.ring(&r.Clock, moving), r.newLine(kinds, claiming, r.isTied)
	if ties != nil {
		r.open = r.newLine(newLinks(len(r.ops), 2), moving, r.isTied)
	}
	return r, ties
}

func (r *sharedRange) isMark(op uint32) bool { return IsMark(r.history, op) }

func (r *sharedRange) state() (f fingerprint) {
	f.toggle(r.now.low, 1<<31)
	f.toggle(r.now.high, 1<<31+1)
	return f
}

func (r *sharedRange) marks() *line { return r.claiming }

func (r *sharedRange) holds(mark uint32) bool {
	_, is := r.after(&r.ops[mark])
	return is
}

// after is the range once the operation has happened, if it can happen.
func (r *sharedRange) after(o *model.Operation) (interval, bool) {
	n := r.now
	empty, capacity := n.low == n.high, r.history.Params.Capacity
	switch {
	case o.Result == model.Empty:
		return n, empty
	case o.Op == model.Push:
		fits := (empty || o.To == n.low) && (capacity == 0 || n.high-n.low+o.Len() <= capacity)
		if o.Result == model.Full {
			return n, !fits
		}
		if empty {
			n.high = o.To
		}
		return interval{o.Value, n.high}, fits
	case empty || o.Len() == 0 || o.Len() > n.high-n.low || o.Size > 0 && o.Len() > o.Size:
		return n, false
	case o.Op == model.Pop:
		n.low = o.To
		return emptied(n), o.Value == r.now.low
	}
	n.high = o.Value
	return emptied(n), o.To == r.now.high
}

// beforehand is the range before an operation that moved an end of it.
func beforehand(n interval, o *model.Operation) interval {
	switch {
	case o.Op == model.Push && n.high == o.To:
		return interval{}
	case o.Op == model.Push:
		return interval{o.To, n.high}
	case n.low == n.high:
		return interval{o.Value, o.To}
	case o.Op == model.Pop:
		return interval{o.Value, n.high}
	}
	return interval{n.low, o.To}
}

// emptied makes all empty ranges the same.
func emptied(n interval) interval {
	if n.low == n.high {
		return interval{}
	}
	return n
}

// choice leaves dead ends alone, and of what is left tries first what is urgent.
func (r *sharedRange) choice(k int) uint32 {
	if k == 0 && r.hopeless() {
		return absent
	}
	r.candidates = r.candidates[:0]
	limit, seen := r.limit(), 0
	for op := range r.mayMove(limit) {
		if _, can := r.after(&r.ops[op]); can {
			r.candidates = append(r.candidates, op)
		}
		seen++
	}
	r.looked += max(0, seen-candidatesEach)
	r.candidates = r.withoutTwins(r.candidates)
	slices.SortFunc(r.candidates, func(a, b uint32) int { return cmp.Or(cmp.Compare(r.urgency(a), r.urgency(b)), cmp.Compare(a, b)) })
	if k < len(r.candidates) {
		return r.candidates[k]
	}
	return absent
}

// mayMove are the operations that move an end, were called by a time and wait for
// nothing.
func (r *sharedRange) mayMove(limit uint64) iter.Seq[uint32] {
	if r.open != nil {
		return r.open.called(limit)
	}
	return func(yield func(op uint32) bool) {
		for op := r.moving.head(); op != absent && r.Of(r.ops[op].Call) <= limit && yield(op); op = r.moving.after(op) {
		}
	}
}

func (r *sharedRange) happen(op uint32) {
	r.now, _ = r.after(&r.ops[op])
	if r.isMark(op) {
		r.claiming.remove(op)
	} else {
		r.moving.remove(op)
		if r.open != nil {
			r.open.remove(op)
		}
	}
	if then := r.follower(op); then != absent {
		r.lineOf(then).open(then)
	}
}

func (r *sharedRange) lineOf(op uint32) *line {
	if r.isMark(op) {
		return r.claiming
	}
	return r.open
}

func (r *sharedRange) takeBack(op uint32) {
	if then := r.follower(op); then != absent {
		r.lineOf(then).shut(then)
	}
	if r.isMark(op) {
		r.claiming.putBack(op)
		return
	}
	r.now = beforehand(r.now, &r.ops[op])
	r.moving.putBack(op)
	if r.open != nil {
		r.open.putBack(op)
	}
}
