package monitor

import (
	"cmp"
	"slices"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// placeEmpties turns the words of the empty steals into words of the point
// that each takes, by operations of the owner before it.
func (c *chains) placeEmpties() *clash {
	if len(c.empties) == 0 {
		return nil
	}
	c.sortEmpties()
	p := &emptyPoints{chains: c}
	if c.ties != nil {
		p.stolenBefore = newTiedSteals(c, c.ties, func(o *model.Operation) uint64 { return o.Call })
		p.stolenAfter = newTiedSteals(c, c.after, func(o *model.Operation) uint64 { return o.Return })
	}
	p.nextVacant()
	for k, word := range c.empties {
		if c.patience.Step(1) {
			return nil // its caller sees that it is over
		}
		op, call := c.Index(word), c.Stamp(word)
		point := uint32(absent)
		if c.ties == nil {
			point = p.first(op, call)
		} else {
			point = p.firstTied(op, call)
		}
		if point == absent {
			var w window
			c.look(op, call, c.Of(c.ops[op].Return), &w)
			return &clash{kind: finding.FalseEmpty, needed: none, empty: op, from: w.from, to: w.to}
		}
		c.empties[k] = c.Pack(uint64(point), op)
	}
	if c.listing {
		c.Sort(c.empties)
	}
	return nil
}

// emptyPoints finds a point for each empty steal, in the order of their calls.
type emptyPoints struct {
	*chains
	// By operations of the owner: the least number from there on after which
	// the merge finds the object empty, and the latest call of all that came
	// before such a point.
	next  []uint32
	begun []uint64
	// Where the searches for the empty steal before ended.
	w              window
	before, beyond int
	// Only if there are ties:
	stolenBefore, stolenAfter *tiedSteals
}

// first is the point of an empty steal, absent if it has none. If all that
// comes before it was called before the steal was, the steal's return, which
// lies somewhere in memory, need not be looked at.
func (p *emptyPoints) first(op uint32, call uint64) uint32 {
	p.w.from = seek(p.ownRets, p.w.from, call)
	p.before = seek(p.returned, p.before, call) // steals that precede it
	point := p.vacantFrom(p.w.from, p.before)
	if point != absent && p.begun[point] > call && p.begun[point] > p.Of(p.ops[op].Return) {
		return absent
	}
	return point
}

// firstTied is the same with regard to ties.
func (p *emptyPoints) firstTied(op uint32, call uint64) uint32 {
	ret := p.Of(p.ops[op].Return)
	p.look(op, call, ret, &p.w)
	p.before = seek(p.returned, p.before, call)
	p.beyond = seek(p.called, p.beyond, ret+1) // those that don't come after it
	first, last := p.lookTied(op, p.before, p.beyond)
	to := p.w.to
	if last < len(p.at) {
		to = min(to, int(p.at[last])-1)
	}
	point := p.vacantFrom(p.w.from, first)
	if point != absent && int(point) > to {
		return absent
	}
	return point
}

// vacantFrom is the first vacant point after some operations of the owner and
// some steals.
func (p *emptyPoints) vacantFrom(own, steals int) uint32 {
	if steals > 0 {
		own = max(own, int(p.at[steals-1]))
	}
	return p.next[own]
}

// nextVacant turns the vacant points into the next ones. At a vacant point
// exactly those steals have happened that are possible by then.
func (p *emptyPoints) nextVacant() {
	p.next = p.vacant
	p.begun = make([]uint64, len(p.next))
	last := uint32(absent)
	for i := len(p.next) - 1; i >= 0; i-- {
		if n := p.next[i]; n > 0 && (n == 1 || p.at[n-2] <= uint32(i)) {
			last = uint32(i)
			if n > 1 {
				p.begun[i] = p.called[n-2]
			}
			if i > 0 {
				p.begun[i] = max(p.begun[i], p.ownCalls[i-1])
			}
		}
		p.next[i] = last
	}
}

// sortEmpties orders them by call; those of one process at one stamp as the
// process did.
func (c *chains) sortEmpties() {
	c.Sort(c.empties)
	if c.ties == nil {
		return
	}
	slices.SortStableFunc(c.empties, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(c.Stamp(a), c.Stamp(b)),
			cmp.Compare(c.ops[c.Index(a)].Return, c.ops[c.Index(b)].Return))
	})
}

// lookTied adds what the process of an empty steal did at the stamps of its
// call and its return.
func (p *emptyPoints) lookTied(op uint32, before, beyond int) (int, int) {
	if j, is := p.stolenBefore.next(op); is {
		before = max(before, j+1)
	}
	if j, is := p.stolenAfter.next(op); is {
		beyond = min(beyond, j)
	}
	return before, beyond
}

// tiedSteals finds, for one operation after the other, the next steal of its
// process that is in the chain, in one direction and at the same stamp. As the
// chain keeps to the order of a process, no other one matters. What is found for
// an operation holds of all on the way, so each is gone over only once.
type tiedSteals struct {
	*chains
	towards timing.Ties
	stamp   func(o *model.Operation) uint64
	known   []uint32 // by operation: 0 if it is not known yet, 1 for none, else the place in the chain and 2
	asked   []uint32
}

func newTiedSteals(c *chains, towards timing.Ties, stamp func(o *model.Operation) uint64) *tiedSteals {
	return &tiedSteals{chains: c, towards: towards, stamp: stamp, known: make([]uint32, len(c.ops))}
}

func (t *tiedSteals) next(op uint32) (j int, is bool) {
	t.asked = t.asked[:0]
	answer := uint32(0)
	for answer == 0 {
		if answer = t.known[op]; answer != 0 {
			break
		}
		t.patience.Step(1)
		t.asked = append(t.asked, op)
		q := t.towards[op]
		switch {
		case q == absent:
			answer = 1
		case t.chain[q] != absent:
			answer = t.chain[q] + 2
		case t.stamp(&t.ops[q]) != t.stamp(&t.ops[op]):
			answer = 1
		}
		op = q
	}
	for _, op := range t.asked {
		t.known[op] = answer
	}
	return int(answer) - 2, answer > 1
}

// merge writes the order down: at each point first the steals, then the empty
// ones. It is nil if an operation would have to wait, which cannot be.
func (c *chains) merge() []int {
	e := timing.NewWriter(c.Clock, c.ops, c.free, c.ties)
	latest := uint64(0)
	fine := true
	emit := func(op uint32) {
		latest = max(latest, c.Of(c.ops[op].Call))
		fine = e.Emit(op, latest) && fine
	}
	j, k := 0, 0
	for i := 0; i <= len(c.own) && !c.patience.Step(1); i++ {
		for ; j < len(c.steals) && c.at[j] == uint32(i); j++ {
			emit(c.steals[j])
		}
		for ; k < len(c.empties) && c.Stamp(c.empties[k]) == uint64(i); k++ {
			emit(c.Index(c.empties[k]))
		}
		if i < len(c.own) {
			emit(c.own[i])
		}
	}
	if !fine {
		return nil
	}
	return e.Finish()
}
