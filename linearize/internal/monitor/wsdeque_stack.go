package monitor

import (
	"fmt"

	"stealproof/linearize/internal/finding"
	"stealproof/model"
)

// decide follows the owner's stack, and then merges.
func (d *deque) decide() finding.Finding {
	s := &dequeStack{deque: d, stays: absent}
	if bad := s.follow(); bad != nil {
		return *bad
	}
	if d.patience.Over() {
		return finding.Undecided("interrupted")
	}
	if bad := d.solve(); bad != nil {
		return d.explain(bad)
	}
	if d.patience.Over() {
		return finding.Undecided("interrupted")
	}
	if !d.listing {
		return finding.Finding{Verdict: model.Linearizable}
	}
	order := d.merge()
	if d.patience.Over() {
		return finding.Undecided("interrupted")
	}
	if order == nil {
		return finding.Undecided(unconfirmed)
	}
	return finding.Finding{Verdict: model.Linearizable, Order: order}
}

// dequeStack is what the owner sees: everything that is not popped yet, stolen
// or not.
type dequeStack struct {
	*deque
	stack  []uint32 // items
	pushed int      // items pushed so far
	later  int      // of those on the stack, how many are popped later
	stays  uint32   // the first item that is never removed, or absent
}

// follow goes through the owner's operations and notes what the merge must
// respect.
func (s *dequeStack) follow() *finding.Finding {
	s.startSteals(len(s.thefts) + len(s.lost))
	s.need = nil
	s.vacant = make([]uint32, len(s.own)+1)
	s.vacant[0] = 1
	for i, op := range s.own {
		if s.patience.Step(1) {
			break
		}
		var bad *finding.Finding
		switch o := &s.ops[op]; {
		case o.PutsIn():
			bad = s.push(i)
		case o.Op == model.Pop && o.Result == model.Empty:
			bad = s.findEmpty(i)
		case o.Op == model.Pop:
			bad = s.pop(i)
		}
		if bad != nil {
			return bad
		}
		if s.later == 0 && s.stays == absent {
			s.vacant[i+1] = uint32(len(s.steals)) + 1
		}
	}
	return nil
}

func (s *dequeStack) push(i int) *finding.Finding {
	n := uint32(s.pushed)
	if room := s.history.Params.Capacity; room > 0 && uint64(len(s.stack)) >= room {
		if bad := s.makeRoom(i, len(s.stack)-int(room)+1); bad != nil {
			return bad
		}
	}
	top := absent
	if len(s.stack) > 0 {
		top = int(s.stack[len(s.stack)-1])
	}
	s.pushed++
	s.stack = append(s.stack, n)
	out := s.items[n].out
	switch {
	case out != absent && s.ops[out].Op == model.Pop:
		s.later++
	case s.later > 0:
		return s.above(uint32(top), n)
	case out == absent:
		if s.stays == absent {
			s.stays = n
		}
	case s.stays != absent:
		return s.prove(finding.Order, fmt.Sprintf("%d was stolen, although %d was older and was never removed", s.value(n), s.value(s.stays)), []uint32{s.stays, n})
	default:
		if bad := s.place(out, uint32(i)+1); bad != nil {
			o := s.explain(bad)
			return &o
		}
	}
	return nil
}

// above is the violation of a value that was popped with another above it.
func (s *dequeStack) above(n, top uint32) *finding.Finding {
	return s.prove(finding.Order, fmt.Sprintf("%d was popped, although %d was above it", s.value(n), s.value(top)), []uint32{n, top})
}

// makeRoom asks for the steals without which a push exceeds the capacity.
func (s *dequeStack) makeRoom(i, steals int) *finding.Finding {
	if steals > len(s.steals) {
		inside := s.stack[len(s.steals):]
		return s.crowded(inside[:s.history.Params.Capacity], uint32(s.pushed))
	}
	s.needs(i, steals)
	return nil
}

func (s *dequeStack) needs(i, steals int) {
	if s.need == nil {
		s.need = make([]uint32, len(s.own))
	}
	s.need[i] = uint32(steals)
}

func (s *dequeStack) pop(i int) *finding.Finding {
	n := s.taken(s.own[i])
	if s.items[n].pushed > uint32(i) {
		return ofOneValue(s.history, finding.TooEarly, s.value(n), "came out before it was put in")
	}
	top := s.stack[len(s.stack)-1]
	if top != n {
		return s.above(n, top)
	}
	s.stack = s.stack[:len(s.stack)-1]
	s.later--
	return nil
}

func (s *dequeStack) findEmpty(i int) *finding.Finding {
	inside := s.stays
	if s.later > 0 {
		inside = s.stack[len(s.stack)-1] // see push: it is popped later
	}
	if inside != absent {
		return s.prove(finding.FalseEmpty, fmt.Sprintf("pop found nothing, although %d was inside", s.value(inside)), []uint32{inside}, s.own[i])
	}
	if len(s.steals) > 0 {
		s.needs(i, len(s.steals))
	}
	return nil
}

func (d *deque) value(n uint32) uint64 { return d.ops[d.own[d.items[n].pushed-1]].Value }
