package search

import (
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// past is what has happened of a history, and by when the rest must.
type past struct {
	timing.Clock
	ops     []model.Operation
	tied    []uint32 // by operation, what must have happened before though the times do not say so; nil if nothing ties
	then    []uint32 // the other way round: what waits for it
	over    []bool   // by operation, whether it has happened
	trail   []uint32 // what has happened, in order
	set     fingerprint
	returns *ring // what must happen, by return
	looked  int   // at how many operations moves have looked ahead
}

func newPast(c timing.Clock, ops []model.Operation) *past {
	return &past{Clock: c, ops: ops, over: make([]bool, len(ops)), trail: make([]uint32, 0, len(ops))}
}

func (p *past) finished() bool { return p.returns.head() == absent }

// limit is by when whatever comes next must have been called: nothing that is
// left may have returned before.
func (p *past) limit() uint64 {
	if op := p.returns.head(); op != absent {
		return p.Of(p.ops[op].Return)
	}
	return p.Far()
}

// isTied says whether an operation waits for another one by a tie.
func (p *past) isTied(op uint32) bool { return p.tied != nil && p.tied[op] != absent }

// tieDone says whether what it waits for has happened.
func (p *past) tieDone(op uint32) bool { return !p.isTied(op) || p.over[p.tied[op]] }

// mayCome says whether nothing left precedes the operation.
func (p *past) mayCome(op uint32, limit uint64) bool {
	return p.Of(p.ops[op].Call) <= limit && p.tieDone(op)
}

func (p *past) happen(op uint32) {
	p.over[op] = true
	p.trail = append(p.trail, op)
	p.set.toggle(uint64(op), 0)
	p.returns.remove(op)
}

func (p *past) last() uint32 { return p.trail[len(p.trail)-1] }

func (p *past) takeBack() {
	op := p.last()
	p.trail = p.trail[:len(p.trail)-1]
	p.returns.putBack(op)
	p.set.toggle(uint64(op), 0)
	p.over[op] = false
}

func (p *past) called(op uint32) uint64   { return p.Pack(p.Of(p.ops[op].Call), op) }
func (p *past) returned(op uint32) uint64 { return p.Pack(p.Of(p.ops[op].Return), op) }

// tie notes what must have happened before what, among what claims something.
func (p *past) tie(t timing.Ties, claims func(op uint32) bool) {
	if t == nil {
		return
	}
	p.tied = t.LastClaims(p.ops, claims)
	p.then = make([]uint32, len(p.ops))
	for op := range p.then {
		p.then[op] = absent
	}
	for op, before := range p.tied {
		if before != absent && claims(uint32(op)) {
			p.then[before] = uint32(op)
		}
	}
}

// follower is what waits for an operation by a tie, absent if nothing does.
func (p *past) follower(op uint32) uint32 {
	if p.then == nil {
		return absent
	}
	return p.then[op]
}

// written is the order of a whole history: what claims nothing stands between
// what happened. Nil if an operation would have to wait, which cannot be.
func (p *past) written(t timing.Ties, isMark func(op uint32) bool) []int {
	var free []uint64
	for i := range p.ops {
		if op := uint32(i); timing.IsFree(&p.ops[i]) && !isMark(op) {
			free = append(free, p.called(op))
		}
	}
	w := timing.NewWriter(p.Clock, p.ops, free, t)
	latest := uint64(0)
	for _, op := range p.trail {
		latest = max(latest, p.Of(p.ops[op].Call))
		if !w.Emit(op, latest) {
			return nil
		}
	}
	return w.Finish()
}
