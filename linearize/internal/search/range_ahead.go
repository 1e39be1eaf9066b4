package search

import "stealproof/model"

// rangeAhead looks ahead from a state of sharedRange: can every operation that
// has to return soon still happen in time? What happens before an operation
// that returns at D was called by D. So if not even all that are called by then,
// each as often as one likes, bring the end that it moves to where it begins,
// it can no longer happen, and the state is a dead end.
//
// The sweep goes through the returns and adds what is called by each. It keeps
// where the low end and the high end may be. Whether a removal finds enough
// inside is not asked; the range may be empty as soon as both ends may be at one
// point, and from then on every push may begin a new one.
//
// It also counts. An end leaves a point no more often than it came there, so
// what has to begin at a point by D must not be more than what may lead there by
// D; and as long as the range cannot have been empty, it comes no more than once
// more often than it leaves.
type rangeAhead struct {
	slots   []aheadSlot // of points, by hash
	used    int
	turn    uint32
	waiting []aheadWait
	pushes  []uint32 // before the range may be empty
	fresh   []aheadPoint
	vacant  bool // the range may be empty
}

// aheadPoint is where an end may be.
type aheadPoint struct {
	at   uint64
	high bool
}

type aheadSlot struct {
	point   aheadPoint
	turn    uint32 // in which it is in use
	reached bool
	waiting int32 // operations that begin here
	enter   int32 // how often an end may come here, the present one included
	leave   int32 // how often it may leave
	taken   int32 // how many removals have to begin here
	pushed  int32 // how many pushes
	entered int32 // how often an end has to come here
}

type aheadWait struct {
	op   uint32
	next int32
}

// hopeless says whether some operation that returns soon can no longer happen.
func (r *sharedRange) hopeless() bool {
	a, p := &r.ahead, r.past
	a.begin(r.now)
	next := r.moving.head()
	most := aheadReturns
	if r.noise == 0 {
		most = aheadUsual
	}
	last := uint32(absent)
	for op, n := p.returns.head(), 0; op != absent && n < most; op, n = p.returns.after(op), n+1 {
		o := &p.ops[op]
		for limit := p.Of(o.Return); next != absent && p.Of(p.ops[next].Call) <= limit; next = r.moving.after(next) {
			a.add(p.ops, next)
			p.looked++
		}
		last = op
		if !a.possible(o) {
			r.blame[op]++
			r.lookedAt(last)
			return true
		}
	}
	r.lookedAt(last)
	return false
}

// lookedAt notes whose return mattered, the latest of some.
func (r *sharedRange) lookedAt(op uint32) {
	if r.latest == absent || op != absent && r.ops[op].Return > r.ops[r.latest].Return {
		r.latest = op
	}
}

// How many returns are looked at: where all goes well, and where the search was
// stuck.
const (
	aheadUsual   = 16
	aheadReturns = 128
)

func (a *rangeAhead) begin(now interval) {
	if a.slots == nil {
		a.slots = make([]aheadSlot, 1024)
	}
	a.turn++
	a.used = 0
	a.waiting, a.pushes = a.waiting[:0], a.pushes[:0]
	a.vacant = now.low == now.high
	if !a.vacant {
		for _, p := range []aheadPoint{{now.low, false}, {now.high, true}} {
			s := a.slot(p)
			s.reached, s.enter = true, 1
		}
	}
}

// possible says of an operation whose calls were added whether it may happen.
func (a *rangeAhead) possible(o *model.Operation) bool {
	switch {
	case o.Result == model.Full:
		return true
	case o.Result == model.Empty:
		return a.vacant
	case a.vacant && o.Op == model.Push:
		return true
	}
	s := a.slot(beginning(o))
	if o.Op == model.Push {
		s.pushed++
	} else {
		s.taken++
	}
	switch {
	case !s.reached || s.taken > s.enter:
		return false
	case a.vacant:
		return true
	case s.taken+s.pushed > s.enter:
		return false
	}
	t := a.slot(ending(o))
	t.entered++
	return t.entered <= t.leave+1
}

// ending is where an operation leaves the end that it moves.
func ending(o *model.Operation) aheadPoint {
	if o.Op == model.Pop {
		return aheadPoint{o.To, false}
	}
	return aheadPoint{o.Value, o.Op == model.Steal}
}

// beginning is where the end that an operation moves has to be.
func beginning(o *model.Operation) aheadPoint {
	if o.Op == model.Pop {
		return aheadPoint{o.Value, false}
	}
	return aheadPoint{o.To, o.Op == model.Steal}
}

// add adds an operation that may happen from now on.
func (a *rangeAhead) add(ops []model.Operation, op uint32) {
	o := &ops[op]
	a.count(o)
	if o.Op == model.Push && a.vacant || a.slot(beginning(o)).reached {
		a.happens(o)
	} else {
		s := a.slot(beginning(o))
		a.waiting = append(a.waiting, aheadWait{op, s.waiting})
		s.waiting = int32(len(a.waiting) - 1)
	}
	if o.Op == model.Push && !a.vacant {
		a.pushes = append(a.pushes, op)
	}
	a.settle(ops)
}

// count notes how often the ends may come and go.
func (a *rangeAhead) count(o *model.Operation) {
	a.slot(beginning(o)).leave++
	a.slot(ending(o)).enter++
	if o.Op == model.Push {
		a.slot(aheadPoint{o.To, true}).enter++
	}
}

// happens notes where the ends may be after an operation.
func (a *rangeAhead) happens(o *model.Operation) {
	switch o.Op {
	case model.Pop:
		a.reach(aheadPoint{o.To, false})
	case model.Steal:
		a.reach(aheadPoint{o.Value, true})
	default:
		a.reach(aheadPoint{o.Value, false})
		if a.vacant {
			a.reach(aheadPoint{o.To, true})
		}
	}
}

func (a *rangeAhead) reach(p aheadPoint) {
	if s := a.slot(p); !s.reached {
		s.reached = true
		a.fresh = append(a.fresh, p)
	}
}

// settle lets happen what waited for the points that were reached.
func (a *rangeAhead) settle(ops []model.Operation) {
	for len(a.fresh) > 0 {
		p := a.fresh[len(a.fresh)-1]
		a.fresh = a.fresh[:len(a.fresh)-1]
		s := a.slot(p)
		w := s.waiting
		s.waiting = -1
		for ; w >= 0; w = a.waiting[w].next {
			a.happens(&ops[a.waiting[w].op])
		}
		if !a.vacant && a.slot(aheadPoint{p.at, !p.high}).reached {
			a.vacant = true
			for _, op := range a.pushes {
				a.happens(&ops[op])
			}
		}
	}
}

// slot is that of a point; the pointer is good until the next call.
func (a *rangeAhead) slot(p aheadPoint) *aheadSlot {
	mask := uint64(len(a.slots) - 1)
	key := p.at << 1
	if p.high {
		key++
	}
	for i := key * 0x9e3779b97f4a7c15 >> 20 & mask; ; i = (i + 1) & mask {
		s := &a.slots[i]
		if s.turn == a.turn && s.point == p {
			return s
		}
		if s.turn != a.turn {
			if a.used++; 2*a.used > len(a.slots) {
				a.grow()
				return a.slot(p)
			}
			*s = aheadSlot{point: p, turn: a.turn, waiting: -1}
			return s
		}
	}
}

func (a *rangeAhead) grow() {
	before, turn := a.slots, a.turn
	a.slots, a.used = make([]aheadSlot, 2*len(before)), 0
	for _, s := range before {
		if s.turn == turn {
			*a.slot(s.point) = s
		}
	}
}
