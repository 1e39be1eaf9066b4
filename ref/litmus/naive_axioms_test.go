package litmus

import (
	"slices"

	"stealproof/ref/axioms"
)

// matrix is a set of pairs of up to 64 things: a word for each row.
type matrix []uint64

func newMatrix(n int) matrix {
	if n > 64 {
		panic("more than 64 events to guess about")
	}
	return make(matrix, n)
}

func (m matrix) has(i, j int) bool { return m[i]>>j&1 != 0 }
func (m matrix) add(i, j int)      { m[i] |= 1 << j }
func (m matrix) take(i, j int)     { m[i] &^= 1 << j }

// then has the pairs of which the first half is in m and the second in o.
func (m matrix) then(o matrix) matrix {
	c := newMatrix(len(m))
	for i := range m {
		for j := range m {
			if m.has(i, j) {
				c[i] |= o[j]
			}
		}
	}
	return c
}

// or has the pairs of both; staying where one is with them, if same is true.
func (m matrix) or(o matrix, same bool) matrix {
	c := newMatrix(len(m))
	for i := range m {
		c[i] = m[i] | o[i]
		if same {
			c.add(i, i)
		}
	}
	return c
}

func (m matrix) closed() matrix {
	c := slices.Clone(m)
	for k := range c {
		for i := range c {
			if c.has(i, k) {
				c[i] |= c[k]
			}
		}
	}
	return c
}

func (m matrix) cyclic() bool {
	c := m.closed()
	for i := range c {
		if c.has(i, i) {
			return true
		}
	}
	return false
}

func (m matrix) transitive() bool {
	for i, row := range m {
		for j := range m {
			if m.has(i, j) && m[j]&^row != 0 {
				return false
			}
		}
	}
	return true
}

// naiveExecution is a complete guess.
type naiveExecution struct {
	test   *Test
	events []naiveEvent // initial writes first, of thread -1
	rf     []int        // of each read
	co     matrix
	strong matrix // what is morally strong with what
	// release and acquire are the patterns, from the first event to the last.
	release, acquire matrix
	fences           []int // all sc fences, in their order
	// arrivals are the events at barriers with a number of participants, in the
	// order in which their threads come; waiting the threads that never go on.
	arrivals []int
	waiting  []int
}

// inTime says whether the order in which threads come to barriers does not go
// against synchronization. A barrier event is two moments: the thread comes,
// which is what others wait for, and goes on, when all have come.
func (x *naiveExecution) inTime(sync matrix) bool {
	if len(x.arrivals) < 2 {
		return true
	}
	n := len(x.events)
	m := newMatrix(2 * n)
	comes := func(i int) int { return i }
	goesOn := func(i int) int {
		if x.events[i].kind == 'S' || x.events[i].kind == 'A' {
			return n + i
		}
		return i
	}
	for i := range n {
		for j := range n {
			switch {
			case i == j:
				if goesOn(i) != i {
					m.add(comes(i), goesOn(i))
				}
			case x.po(i, j):
				m.add(goesOn(i), comes(j))
			case !sync.has(i, j):
			case x.events[i].kind == 'S' || x.events[i].kind == 'A':
				m.add(comes(i), goesOn(j))
			default:
				m.add(i, j)
			}
		}
	}
	for k := range x.arrivals {
		for l := range k {
			m.add(comes(x.arrivals[l]), comes(x.arrivals[k]))
		}
	}
	return !m.cyclic()
}

func (x *naiveExecution) po(i, j int) bool {
	return i < j && x.events[i].thread == x.events[j].thread && x.events[i].thread >= 0
}

func (x *naiveExecution) memory(i int) bool {
	return x.events[i].kind == 'R' || x.events[i].kind == 'W'
}

func (x *naiveExecution) sameLocation(i, j int) bool {
	return x.memory(i) && x.memory(j) && x.events[i].location == x.events[j].location
}

// sameAddress: of one location, and of one of its virtual addresses.
func (x *naiveExecution) sameAddress(i, j int) bool {
	return x.sameLocation(i, j) && x.events[i].alias == x.events[j].alias
}

func (x *naiveExecution) sameWay(i, j int) bool {
	return x.sameAddress(i, j) && x.events[i].proxy == x.events[j].proxy
}

func (x *naiveExecution) sameBlock(i, j int) bool {
	a, b := x.events[i].thread, x.events[j].thread
	return a >= 0 && b >= 0 && x.test.Threads[a].Place == x.test.Threads[b].Place
}

// keeps says whether what comes before what is also seen by it: the way from one
// access to another of the location must lead through the fences that their
// proxies and addresses need.
func (x *naiveExecution) keeps(before matrix, i, j int) bool {
	if !x.sameLocation(i, j) || x.sameWay(i, j) && x.sameBlock(i, j) {
		return true
	}
	fenced := func(access int, inOrder func(fence int) bool) (at []int) {
		if x.events[access].proxy == axioms.Generic {
			at = append(at, access)
		}
		for f, e := range x.events {
			if e.kind == 'P' && e.proxy == x.events[access].proxy && x.sameBlock(f, access) && inOrder(f) {
				at = append(at, f)
			}
		}
		return at
	}
	for _, out := range fenced(i, func(f int) bool { return before.has(i, f) }) {
		for _, in := range fenced(j, func(f int) bool { return before.has(f, j) }) {
			if x.sameAddress(i, j) && before.has(out, in) {
				return true
			}
			for a, e := range x.events {
				if e.kind == 'L' && before.has(out, a) && before.has(a, in) {
					return true
				}
			}
		}
	}
	return false
}

func (x *naiveExecution) isStrong(i int) bool {
	e := x.events[i]
	return e.thread >= 0 && (e.kind == 'F' || x.memory(i) && e.order != axioms.Weak)
}

func (x *naiveExecution) isSC(i int) bool {
	return x.events[i].kind == 'F' && x.events[i].order == axioms.SC
}

func (x *naiveExecution) inScope(i, j int) bool {
	p, q := x.test.Threads[x.events[i].thread].Place, x.test.Threads[x.events[j].thread].Place
	switch x.events[i].scope {
	case axioms.CTA:
		return p.GPU == q.GPU && p.Cluster == q.Cluster && p.CTA == q.CTA
	case axioms.Cluster:
		return p.GPU == q.GPU && p.Cluster == q.Cluster
	case axioms.GPU:
		return p.GPU == q.GPU
	}
	return true
}

func (x *naiveExecution) morallyStrong(i, j int) bool {
	if x.memory(i) && x.memory(j) && !x.sameLocation(i, j) {
		return false
	}
	if x.memory(i) && x.memory(j) && !x.sameWay(i, j) || x.events[i].proxy != x.events[j].proxy {
		return false
	}
	return x.po(i, j) || x.po(j, i) || i != j && x.isStrong(i) && x.isStrong(j) && x.inScope(i, j) && x.inScope(j, i)
}

// rmwRead is the read of the atomic that a write belongs to, or -1.
func (x *naiveExecution) rmwRead(w int) int { return x.events[w].rmw }

// observed follows morally strong reads-from, through atomics.
func (x *naiveExecution) observed(w, r int) bool {
	for range x.events { // atomics that exchange may read from each other in a circle
		if x.events[r].kind != 'R' || !x.strong.has(x.rf[r], r) {
			return false
		}
		if x.rf[r] == w {
			return true
		}
		next := -1
		if x.events[x.rf[r]].kind == 'W' {
			next = x.rmwRead(x.rf[r])
		}
		if next < 0 || next == r {
			return false
		}
		r = next
	}
	return false
}

func (x *naiveExecution) releases(first, w int) bool {
	f := x.events[first]
	strongWrite := x.events[w].kind == 'W' && x.isStrong(w)
	switch {
	case f.kind == 'W' && f.order == axioms.Release:
		return first == w || strongWrite && x.po(first, w) && x.sameAddress(first, w)
	case f.kind == 'F' && f.order != axioms.Acquire:
		return strongWrite && x.po(first, w)
	}
	return false
}

func (x *naiveExecution) acquires(r, last int) bool {
	l := x.events[last]
	strongRead := x.events[r].kind == 'R' && x.isStrong(r)
	switch {
	case l.kind == 'R' && l.order == axioms.Acquire:
		return r == last || strongRead && x.po(r, last) && x.sameAddress(r, last)
	case l.kind == 'F' && l.order != axioms.Release:
		return strongRead && x.po(r, last)
	}
	return false
}

// observations are what each read observes.
func (x *naiveExecution) observations() matrix {
	m := newMatrix(len(x.events))
	for w := range x.events {
		for r := range x.events {
			if x.events[r].kind == 'R' && x.observed(w, r) {
				m.add(w, r)
			}
		}
	}
	return m
}

// syncs is what synchronizes with what.
func (x *naiveExecution) syncs(observed matrix) matrix {
	patterns := x.release.then(observed).then(x.acquire)
	sync := newMatrix(len(x.events))
	for a, ea := range x.events {
		for b, eb := range x.events {
			switch {
			case ea.thread < 0 || eb.thread < 0:
			case (ea.kind == 'S' || ea.kind == 'A') && eb.kind == 'S':
				if ea.thread != eb.thread && ea.phase == eb.phase && x.test.Threads[ea.thread].Place == x.test.Threads[eb.thread].Place {
					sync.add(a, b)
				}
			case !x.strong.has(a, b):
			case patterns.has(a, b), x.isSC(a) && x.isSC(b) && slices.Index(x.fences, a) < slices.Index(x.fences, b):
				sync.add(a, b)
			}
		}
	}
	return sync
}

// causes is causality, as pairs.
func (x *naiveExecution) causes(sync, observed matrix) matrix {
	n := len(x.events)
	po, poLoc := newMatrix(n), newMatrix(n)
	for i := range n {
		for j := range n {
			if x.po(i, j) {
				po.add(i, j)
			}
			if x.po(i, j) && x.sameWay(i, j) {
				poLoc.add(i, j)
			}
		}
	}
	around := sync.or(po, false).closed().or(po, true)
	base := around.then(sync).then(around) // some path with a synchronization on it
	next := base.or(poLoc, false)
	before := base.or(po, false)
	for i := range n {
		for j := range n {
			switch {
			case !before.has(i, j):
			case !x.keeps(before, i, j):
				base.take(i, j)
				next.take(i, j)
			case x.sameLocation(i, j):
				next.add(i, j)
				if !x.sameWay(i, j) {
					base.add(i, j)
				}
			}
		}
	}
	return base.or(observed.then(next), false)
}

func (x *naiveExecution) communicates(i, j int) bool {
	return x.co.has(i, j) || x.events[j].kind == 'R' && x.rf[j] == i || x.readsBefore(i, j)
}

func (x *naiveExecution) readsBefore(r, w int) bool {
	return x.events[r].kind == 'R' && x.events[w].kind == 'W' && x.co.has(x.rf[r], w)
}

// thinAir says whether values justify themselves.
func (x *naiveExecution) thinAir() bool {
	n := len(x.events)
	m := newMatrix(n)
	for i, e := range x.events {
		if e.kind == 'R' {
			m.add(x.rf[i], i)
		}
		for r := range e.deps {
			m.add(r, i)
		}
	}
	return m.cyclic()
}

func (x *naiveExecution) allowed(cause matrix) bool {
	n := len(x.events)
	perLocation := newMatrix(n)
	for i := range n {
		for j := range n {
			writes := x.events[i].kind == 'W' && x.events[j].kind == 'W' && x.sameLocation(i, j)
			if writes && i != j && x.strong.has(i, j) && !x.co.has(i, j) && !x.co.has(j, i) {
				return false // morally strong writes are ordered
			}
			if writes && cause.has(i, j) && !x.co.has(i, j) {
				return false // coherence
			}
			if cause.has(i, j) && x.isSC(i) && x.isSC(j) && slices.Index(x.fences, i) >= slices.Index(x.fences, j) {
				return false // fence-sc
			}
			if cause.has(j, i) && (x.events[j].kind == 'R' && x.rf[j] == i || x.readsBefore(i, j)) {
				return false // causality
			}
			if x.po(i, j) && x.sameWay(i, j) || x.strong.has(i, j) && x.communicates(i, j) {
				perLocation.add(i, j)
			}
		}
	}
	for w, e := range x.events {
		if e.kind != 'W' || e.rmw < 0 {
			continue
		}
		for b := range x.events {
			if x.readsBefore(e.rmw, b) && x.strong.has(e.rmw, b) && x.co.has(b, w) && x.strong.has(b, w) {
				return false // atomicity
			}
		}
	}
	return !perLocation.cyclic()
}
