package monitor

import (
	"cmp"
	"fmt"
	"slices"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// rangeChoices is a range in a rangeSearch: shared by several processes that
// push and pop, or with indices that are put in twice, for which there are no
// two chains. The range itself leaves little to choose: a pop must begin at its
// low end, a steal end at its high end, and a push end at its low end unless it
// is empty. Removals that never came back are taken to have done nothing: they
// could have taken pieces of any size, so if that does not do, it is undecided.
type rangeChoices struct {
	timing.Clock
	ops       []model.Operation
	history   *model.History
	ties      timing.Ties
	tied      []uint32
	over      []bool
	trail     []uint32
	now       rangeEnds
	set       fingerprint128
	noise     uint64            // in the order of the candidates
	blame     map[uint32]uint32 // how often an operation was what it came too late for
	preferred map[uint32]uint32
	returns   *ring
	moves     *ring // what moves an end, by call
	marks     *ring // what found it full or empty, by call
	candidate []uint32
	ahead     rangeAhead
	horizon   uint64 // the latest return that mattered so far
	looked    int    // at operations, ahead
}

type rangeEnds struct{ low, high uint64 }

// searchRange decides by a rangeSearch. The reason is why nothing else decided.
func searchRange(q *question, reason string) finding.Finding {
	r := newRangeChoices(q)
	switch newRangeSearch(q.ctx, r).run() {
	case model.Linearizable:
		if order := writeTrail(r.Clock, r.ops, r.ties, r.trail, r.isMark); order != nil {
			return finding.Finding{Verdict: model.Linearizable, Order: order}
		}
		return finding.Undecided(unconfirmed)
	case model.Violation:
		if q.h.HasLost() {
			return finding.Undecided(unresolved(q.h))
		}
		return r.refute()
	}
	return finding.Undecided(fmt.Sprintf("%s, and a search gave up", reason))
}

// refute is the violation of all that claims anything. What was called after
// every return that was looked at had no part in it.
func (r *rangeChoices) refute() finding.Finding {
	out := refuteAll(r.history, r.isMark)
	if v := &out.Violation; len(v.Ops) > MaxProof {
		v.Ops = slices.DeleteFunc(v.Ops, func(i int) bool { return r.Of(r.ops[i].Call) > r.horizon })
	}
	return out
}

func newRangeChoices(q *question) *rangeChoices {
	h, look, s := timing.Fitted(q.h, q.look)
	r := &rangeChoices{blame: map[uint32]uint32{}, Clock: s, ops: h.Ops, history: h, ties: timing.FindTies(h.Ops, look), over: make([]bool, len(h.Ops))}
	var returns, moves, marks []uint64
	for i := range r.ops {
		op, o := uint32(i), &r.ops[i]
		called := r.Pack(r.Of(o.Call), op)
		switch {
		case r.isMark(op):
			marks = append(marks, called)
		case o.PutsIn() || o.TakesOut():
			moves = append(moves, called)
		default:
			continue
		}
		if o.Result != model.Unknown && !q.isOptional(i) {
			returns = append(returns, r.Pack(r.Of(o.Return), op))
		}
	}
	r.tied = lastClaims(r.ops, r.ties, func(op uint32) bool {
		return r.isMark(op) || r.ops[op].PutsIn() || r.ops[op].TakesOut()
	})
	r.returns = newLinks(len(r.ops), 1).ring(&r.Clock, returns)
	kinds := newLinks(len(r.ops), 2)
	r.moves, r.marks = kinds.ring(&r.Clock, moves), kinds.ring(&r.Clock, marks)
	return r
}

// isMark says whether an operation claims that the range was full or empty.
func (r *rangeChoices) isMark(op uint32) bool {
	o := &r.ops[op]
	return o.Result == model.Empty || o.Result == model.Full && r.history.Params.Capacity > 0 && o.Value != model.NoValue
}

func (r *rangeChoices) finished() bool { return r.returns.head() == absent }
func (r *rangeChoices) happened() int  { return len(r.trail) }

func (r *rangeChoices) fingerprint() fingerprint128 {
	f := r.set
	f.toggle(r.now.low, 1<<31)
	f.toggle(r.now.high, 1<<31+1)
	return f
}

func (r *rangeChoices) limit() uint64 {
	if op := r.returns.head(); op != absent {
		return r.Of(r.ops[op].Return)
	}
	return r.Far()
}

func (r *rangeChoices) mayCome(op uint32) bool {
	return r.tied == nil || r.tied[op] == absent || r.over[r.tied[op]]
}

// after is the range once the operation has happened, if it can happen.
func (r *rangeChoices) after(o *model.Operation) (rangeEnds, bool) {
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
		return rangeEnds{o.Value, n.high}, fits
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
func beforehand(n rangeEnds, o *model.Operation) rangeEnds {
	switch {
	case o.Op == model.Push && n.high == o.To:
		return rangeEnds{}
	case o.Op == model.Push:
		return rangeEnds{o.To, n.high}
	case n.low == n.high:
		return rangeEnds{o.Value, o.To}
	case o.Op == model.Pop:
		return rangeEnds{o.Value, n.high}
	}
	return rangeEnds{n.low, o.To}
}

// emptied makes all empty ranges the same.
func emptied(n rangeEnds) rangeEnds {
	if n.low == n.high {
		return rangeEnds{}
	}
	return n
}

// settleMarks lets all that found the range full or empty happen, if it is.
func (r *rangeChoices) settleMarks() {
	for again := true; again; {
		again = false
		limit := r.limit()
		for op := r.marks.head(); op != absent && r.Of(r.ops[op].Call) <= limit; op = r.marks.after(op) {
			if _, is := r.after(&r.ops[op]); is && r.mayCome(op) {
				r.happen(op)
				again = true
			}
		}
	}
}

func (r *rangeChoices) choice(k int) uint32 {
	if k == 0 && r.hopeless() {
		return absent
	}
	r.candidate = r.candidate[:0]
	limit := r.limit()
	for op := r.moves.head(); op != absent && r.Of(r.ops[op].Call) <= limit; op = r.moves.after(op) {
		if _, can := r.after(&r.ops[op]); can && r.mayCome(op) {
			r.candidate = append(r.candidate, op)
		}
	}
	r.candidate = r.withoutTwins(r.candidate)
	slices.SortFunc(r.candidate, func(a, b uint32) int { return cmp.Or(cmp.Compare(r.urgency(a), r.urgency(b)), cmp.Compare(a, b)) })
	if k < len(r.candidate) {
		return r.candidate[k]
	}
	return absent
}

func (r *rangeChoices) happen(op uint32) {
	r.over[op] = true
	r.trail = append(r.trail, op)
	r.set.toggle(uint64(op), 0)
	r.now, _ = r.after(&r.ops[op])
	r.returns.remove(op)
	if r.isMark(op) {
		r.marks.remove(op)
	} else {
		r.moves.remove(op)
	}
}

func (r *rangeChoices) takeBack() {
	last := len(r.trail) - 1
	op := r.trail[last]
	r.trail = r.trail[:last]
	if !r.isMark(op) {
		r.now = beforehand(r.now, &r.ops[op])
	}
	if r.isMark(op) {
		r.marks.putBack(op)
	} else {
		r.moves.putBack(op)
	}
	r.returns.putBack(op)
	r.set.toggle(uint64(op), 0)
	r.over[op] = false
}
