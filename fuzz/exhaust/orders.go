package exhaust

import (
	"math/bits"

	"stealproof/model"
	"stealproof/ref"
)

// An execution stands for all that are equivalent to it: those that make its
// accesses in any order that the dependences between them allow. All have the
// same results, and differ in what precedes what: an operation precedes another
// if its last access comes before the first of the other. So the histories of
// all of them are found without executing them, from the accesses with which
// operations begin and end, and the order that the dependences force on these.
//
// Of these histories only the strictest need a verdict. One with the same
// results and fewer precedences allows every order of linearization that a
// stricter one allows, so it is linearizable if the stricter one is.

// endpoint is an access with which an operation begins, or ends, or both. If several
// lanes carry it out, these are the accesses with which their parts begin, or end: the
// operation begins with the first of these, and ends with the last, whichever that is.
type endpoint struct {
	op           int
	begins, ends bool
	node         int   // in the stack
	others       []int // those of other lanes
	after        wide  // endpoints that come before it in every order
}

// nodes are all of its accesses.
func (p *endpoint) nodes() func(func(int) bool) {
	return func(yield func(int) bool) {
		if !yield(p.node) {
			return
		}
		for _, n := range p.others {
			if !yield(n) {
				return
			}
		}
	}
}

// comesBefore says whether endpoint p comes before endpoint q in every order. An end comes
// before a beginning if it does so for all lanes. A beginning comes before an end if it
// does so for any; before another beginning, if each lane's is behind one; and so for
// ends.
func (s *search) comesBefore(p, q *endpoint) bool {
	if len(p.others)+len(q.others) == 0 {
		return forces(s.stack[p.node], s.stack[q.node])
	}
	if p.op == q.op {
		return p.begins
	}
	follow := func(a, b int) bool { return a != b && forces(s.stack[a], s.stack[b]) }
	switch {
	case p.ends && q.begins:
		return all(p, func(a int) bool { return all(q, func(b int) bool { return follow(a, b) }) })
	case p.begins && q.ends:
		return some(p, func(a int) bool { return some(q, func(b int) bool { return follow(a, b) }) })
	case p.begins:
		return all(q, func(b int) bool { return some(p, func(a int) bool { return follow(a, b) }) })
	}
	return all(p, func(a int) bool { return some(q, func(b int) bool { return follow(a, b) }) })
}

func all(p *endpoint, is func(int) bool) bool { return !some(p, func(n int) bool { return !is(n) }) }

func some(p *endpoint, is func(int) bool) bool {
	for n := range p.nodes() {
		if is(n) {
			return true
		}
	}
	return false
}

// wide is a set of endpoints.
type wide [2]uint64

func (w *wide) add(i int)         { w[i/64] |= 1 << uint(i%64) }
func (w *wide) has(i int) bool    { return w[i/64]&(1<<uint(i%64)) != 0 }
func (w wide) within(o wide) bool { return w[0]&^o[0] == 0 && w[1]&^o[1] == 0 }
func (w wide) or(o wide) wide     { return wide{w[0] | o[0], w[1] | o[1]} }
func (w wide) and(o wide) wide    { return wide{w[0] & o[0], w[1] & o[1]} }

// next returns the first member from i on, or -1.
func (w *wide) next(i int) int {
	for k := i / 64; k < len(w); k++ {
		rest := w[k]
		if k == i/64 {
			rest &= ^uint64(0) << uint(i%64)
		}
		if rest != 0 {
			return 64*k + bits.TrailingZeros64(rest)
		}
	}
	return -1
}

// orders enumerates the histories of the executions equivalent to one.
type orders struct {
	all     bool // not only the strictest
	points  []endpoint
	word    []int // endpoints in the order of time
	outcome HistoryKey
	// found is called with every history, and says whether to go on.
	found func(orderKey) bool

	// proved, unless all are wanted, says whether every history that the word can
	// still become is known to hold.
	proved func() bool

	ops       int
	call, ret [maxExhaustedOps]int // endpoints of each operation

	calls, returns, both wide
	// pre says of each operation which others may still turn out to precede it,
	// as bits; of one that was called, which do.
	pre      [maxExhaustedOps]uint64
	returned uint64 // operations that have returned
}

// prepare takes the endpoints from the execution that the search just made.
func (o *orders) prepare(s *search, e *ref.Execution) {
	o.points, o.word = o.points[:0], o.word[:0]
	o.outcome = ResultsKey(e.History)
	for i := range e.History.Ops {
		op := &e.History.Ops[i]
		if e.Setup.Lanes() > 1 {
			o.points = append(o.points, s.partsOf(e.Setup, i, op)...)
			continue
		}
		call, ret := int(op.Call)-1, int(op.Return)-1
		if call == ret {
			o.points = append(o.points, endpoint{op: i, begins: true, ends: true, node: call})
			continue
		}
		o.points = append(o.points, endpoint{op: i, begins: true, node: call}, endpoint{op: i, ends: true, node: ret})
	}
	o.calls, o.returns, o.both = wide{}, wide{}, wide{}
	o.ops = len(e.History.Ops)
	for i := range o.points {
		p := &o.points[i]
		if p.begins {
			o.call[p.op] = i
		}
		if p.ends {
			o.ret[p.op] = i
		}
		switch {
		case p.begins && p.ends:
			o.both.add(i)
		case p.begins:
			o.calls.add(i)
		default:
			o.returns.add(i)
		}
		for j := range o.points {
			if i != j && s.comesBefore(&o.points[j], p) {
				p.after.add(j)
			}
		}
	}
	o.precedences(len(e.History.Ops))
}

// partsOf are the endpoints of an operation that several lanes carry out.
func (s *search) partsOf(setup *ref.Setup, i int, op *model.Operation) []endpoint {
	var first, last [ref.MostLanes]int // by lanes, from 1
	for k := int(op.Call); k <= int(op.Return); k++ {
		process, lane := setup.ProcessOf(int(s.stack[k-1].chosen.Process))
		if process != int(op.Process) {
			continue
		}
		if first[lane] == 0 {
			first[lane] = k
		}
		last[lane] = k
	}
	calls, returns := partOf(i, first[:]), partOf(i, last[:])
	if calls.node == returns.node && len(calls.others) == 0 {
		calls.begins, calls.ends = true, true
		return []endpoint{calls}
	}
	calls.begins, returns.ends = true, true
	return []endpoint{calls, returns}
}

func partOf(op int, steps []int) endpoint {
	p := endpoint{op: op, node: -1}
	for _, step := range steps {
		switch {
		case step == 0:
		case p.node < 0:
			p.node = step - 1
		default:
			p.others = append(p.others, step-1)
		}
	}
	return p
}

// precedences finds out which operation may precede which: every one that need
// not return after the call of the other.
func (o *orders) precedences(ops int) {
	o.returned = 0
	everybody := ^uint64(0) >> uint(64-max(1, ops))
	for i := range ops {
		o.pre[i] = everybody &^ (1 << uint(i))
	}
	for i := range o.points {
		p := &o.points[i]
		if !p.ends {
			continue
		}
		for j := p.after.next(0); j >= 0; j = p.after.next(j + 1) {
			if q := &o.points[j]; q.begins {
				o.pre[q.op] &^= 1 << uint(p.op)
			}
		}
	}
}

// enumerate calls found for every history, until it returns false.
func (o *orders) enumerate() bool {
	return o.extend(wide{}, wide{}, orderKey{key: o.outcome})
}

// extend appends every endpoint that can come next. Neighbouring calls may
// change places without another history, and so may neighbouring returns: those
// in sleep were tried before, and nothing came since that makes a difference.
func (o *orders) extend(done, sleep wide, key orderKey) bool {
	if !o.all && o.proved() {
		return true
	}
	if len(o.word) == len(o.points) {
		return o.found(key)
	}
	for i := range o.points {
		p := &o.points[i]
		if done.has(i) || sleep.has(i) || !p.after.within(done) {
			continue
		}
		if o.all || !o.improves(i) {
			then := done
			then.add(i)
			if !o.append(i, then, sleep.and(o.alike(i)), key) {
				return false
			}
		}
		sleep.add(i)
	}
	return true
}

// append goes on with an endpoint, and takes it back.
func (o *orders) append(i int, done, sleep wide, key orderKey) bool {
	p := &o.points[i]
	pre, returned := o.pre[p.op], o.returned
	if p.begins {
		o.pre[p.op] &= o.returned
		if o.all {
			key.add(p.op, false)
		}
	}
	if p.ends {
		o.returned |= 1 << uint(p.op)
		if o.all {
			key.add(p.op, true)
		}
	}
	o.word = append(o.word, i)
	goOn := o.extend(done, sleep, key)
	o.word = o.word[:len(o.word)-1]
	o.pre[p.op], o.returned = pre, returned
	return goOn
}

// alike are the endpoints that may change places with one.
func (o *orders) alike(i int) wide {
	switch {
	case o.both.has(i):
		return wide{}
	case o.calls.has(i):
		return o.calls
	}
	return o.returns
}

// improves says whether endpoint i, coming next, could as well come before a
// call or a begin that it now follows for no reason: the history would then be
// stricter, and this one need not be judged.
func (o *orders) improves(i int) bool {
	p := &o.points[i]
	if !p.ends {
		return false
	}
	k := len(o.word) - 1
	if !p.begins { // a return may pass the returns before it
		for ; k >= 0 && o.returns.has(o.word[k]) && !p.after.has(o.word[k]); k-- {
		}
	}
	if k >= 0 && !p.begins && o.both.has(o.word[k]) {
		return !p.after.has(o.word[k])
	}
	var later wide // calls of the run behind the one in question
	for ; k >= 0 && o.calls.has(o.word[k]); k-- {
		c := o.word[k]
		if !p.after.has(c) && !o.leads(c, later) {
			return true
		}
		later.add(c)
	}
	return false
}

// leads says whether a call comes before one of these in every order.
func (o *orders) leads(c int, later wide) bool {
	for j := later.next(0); j >= 0; j = later.next(j + 1) {
		if o.points[j].after.has(c) {
			return true
		}
	}
	return false
}
