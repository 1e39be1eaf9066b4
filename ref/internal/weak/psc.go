package weak

import (
	mathbits "math/bits"

	"stealproof/ref/axioms"
)

// psc is what RC11 asks of accesses and fences of order sc: that psc has no cycle. Of two
// of them the first must come before the second
//
//   - if a fence comes before a fence, in what happened before,
//   - if an access comes before the other, or before what comes before a fence, or behind a
//     fence, by program order, by what happened before on the same location, or by
//     that between two steps of program order to other locations;
//   - if a write, or what has read before it, comes in coherence before a write
//     (of fences: what comes behind the one, before what comes before the other),
//   - and for two fences also, if it comes in coherence before what was read, or has been read.
//
// What happened before a fence, or behind one, is put before or behind it here even where
// psc does not ask for that: who comes before an access comes before what happens behind
// it as well, so that this closes no cycle that is not there without.
//
// Nothing else depends on it, so that no order is chosen. Each of them, a node, remembers
// which must come before it, whatever stands between. What is new leads nowhere at first: only
// who reads an older write, or writes before another, puts itself before what there is.
type psc struct {
	*ordered
	nodes [mostNodes]pscNode
	live  uint64
	// fences are those nodes that are fences.
	fences uint64
	// always are those that come before some that all threads know and that were
	// therefore forgotten.
	always uint64
	made   int // nodes so far
	late   clock
	lost   bool
	knows  []uint64 // of each thread, the nodes that happened before
	steps  []pscSteps
}

const mostNodes = 64

type pscNode struct {
	thread, index int32
	number        int // the how manieth
	fence         bool
	location      uint32 // of an access
	clock         clock
	before        uint64 // nodes that come before it
	// leaves is the first event of its thread that is at no or another location.
	leaves int32
}

// pscSteps are the last event of a thread, and the last one before it at another location.
type pscSteps struct {
	location  int64
	last, own clock
}

const nowhere = -1

func (p *psc) begin(m *ordered) {
	n := len(m.threads)
	p.ordered = m
	p.knows, p.steps, p.late = make([]uint64, n), make([]pscSteps, n), make(clock, n)
	for t := range p.steps {
		p.steps[t] = pscSteps{last: make(clock, n), own: make(clock, n)}
	}
}

func (p *psc) reset() {
	p.live, p.fences, p.always, p.made, p.lost = 0, 0, 0, 0, false
	clear(p.knows)
	clear(p.late)
	for t := range p.steps {
		s := &p.steps[t]
		s.location = nowhere
		clear(s.last)
		clear(s.own)
	}
}

// learns is told that the clock of a thread has grown.
func (p *psc) learns(t int) { p.knows[t] = p.known(p.threads[t].clock, p.knows[t]) }

// known adds the nodes that a clock describes.
func (p *psc) known(c clock, set uint64) uint64 {
	for i := range bits(p.live &^ set) {
		if n := &p.nodes[i]; n.index <= c[n.thread] {
			set |= 1 << i
		}
	}
	return set
}

// closed adds to some nodes those that come before them.
func (p *psc) closed(set uint64) uint64 {
	all := set
	for i := range bits(set) {
		all |= p.nodes[i].before
	}
	return all
}

// behind are the fences that come behind an event.
func (p *psc) behind(thread, index int32) uint64 {
	var set uint64
	for i := range bits(p.fences) {
		if p.nodes[i].clock[thread] >= index {
			set |= 1 << i
		}
	}
	return set
}

// later are the nodes that come behind what reads a write or stands before it: those
// for everybody, and those for fences alone.
func (p *psc) later(l *location, from int) (all, ofFences uint64) {
	for _, w := range l.order[from:] {
		all |= w.rc11.node | p.behind(w.thread, w.index)
		for t, first := range w.observed {
			if first > 0 {
				ofFences |= p.behind(int32(t), first)
			}
		}
	}
	return all, ofFences
}

// allows says whether an access may put itself before what there is; now is its clock.
func (p *psc) allows(a *Access, l *location, source, place int, now clock) bool {
	known := p.known(now, p.knows[a.Thread])
	ahead := known&p.fences | p.always
	all, ofFences := p.later(l, later(source, place))
	own := uint64(0)
	if a.Order == axioms.SC {
		own = p.precede(a, known) | p.written(l, place)
	}
	return p.closed(ahead|own)&all == 0 && p.closed(ahead)&ofFences == 0
}

// later is the place of the first write that an access puts itself before.
func later(source, place int) int {
	if place != none {
		return place
	}
	return source + 1
}

// written are the nodes that come before a write at a place.
func (p *psc) written(l *location, place int) uint64 {
	if place == none {
		return 0
	}
	set := l.rc11.base
	for _, w := range l.order[:place] {
		set |= w.rc11.ahead | w.rc11.readers
	}
	return set
}

// precede are the nodes that come before an access of order sc by what happened before;
// known are all that did.
func (p *psc) precede(a *Access, known uint64) uint64 {
	set := known&p.fences | p.always
	steps := &p.steps[a.Thread]
	elsewhere := steps.last
	if steps.location == int64(a.Location) {
		elsewhere = steps.own
	}
	for i := range bits(known &^ p.fences) {
		n := &p.nodes[i]
		if int(n.thread) == a.Thread || n.location == a.Location || n.leaves > 0 && n.leaves <= elsewhere[n.thread] {
			set |= 1 << i
		}
	}
	return set
}

// access notes an access that was made.
func (p *psc) access(a *Access, l *location, o outcome) {
	if a.Order == axioms.SC {
		p.makeRoom()
	}
	t, source, place := &p.threads[a.Thread], o.source, o.place
	known := p.knows[a.Thread]
	node, own := uint64(0), uint64(0)
	if a.Order == axioms.SC {
		set := p.precede(a, known)
		if place != none {
			set |= p.written(l, place)
		}
		node = p.add(pscNode{thread: int32(a.Thread), index: t.index, location: a.Location, clock: p.clocks.clone(t.clock), before: p.closed(set)})
		own = node
	}
	ahead := known&p.fences | p.always
	if later := later(source, place); later < len(l.order) && later > 0 && p.live != 0 {
		if place != none {
			later++ // itself
		}
		all, ofFences := p.later(l, later)
		p.demand(p.closed(ahead|own), all)
		p.demand(p.closed(ahead), ofFences)
	}
	if source != none {
		l.order[source].rc11.readers |= ahead | own
	}
	if place != none {
		w := l.order[place]
		w.rc11.ahead, w.rc11.node = ahead|own, node
	}
	p.goes(a.Thread, int64(a.Location))
	p.knows[a.Thread] |= node
}

// fence notes a fence of order sc.
func (p *psc) fence(a *Access) {
	p.makeRoom()
	t := &p.threads[a.Thread]
	known := p.knows[a.Thread]
	set := known | p.always
	for _, at := range p.touched {
		l := &p.locations[at]
		first := l.rc11.base
		set |= first
		for _, w := range l.order {
			if w.thread != nobody && w.index <= t.clock[w.thread] {
				set |= first
			}
			if read(t.clock, w) {
				set |= (first | w.rc11.ahead) & p.fences
			}
			first |= w.rc11.ahead | w.rc11.readers
		}
	}
	node := p.add(pscNode{thread: int32(a.Thread), index: t.index, fence: true, clock: p.clocks.clone(t.clock), before: p.closed(set)})
	p.knows[a.Thread] |= node
	p.goes(a.Thread, nowhere)
}

// demand puts some nodes, with all that come before them, before others.
func (p *psc) demand(first, then uint64) {
	if first == 0 || then == 0 {
		return
	}
	if first&then != 0 {
		panic("weak: an access was made that RC11 forbids")
	}
	for i := range bits(p.live) {
		if n := &p.nodes[i]; then>>i&1 != 0 || n.before&then != 0 {
			n.before |= first
		}
	}
}

// goes notes where the last event of a thread is.
func (p *psc) goes(thread int, location int64) {
	s, t := &p.steps[thread], &p.threads[thread]
	if s.location != location || location == nowhere {
		s.own, s.last = s.last, s.own
		s.location = location
	}
	copy(s.last, t.clock)
	for i := range bits(p.knows[thread] &^ p.fences) {
		if n := &p.nodes[i]; int(n.thread) == thread && n.leaves == 0 && int64(n.location) != location {
			n.leaves = t.index
		}
	}
}

// add makes a node.
func (p *psc) add(n pscNode) uint64 {
	i := mathbits.TrailingZeros64(^p.live)
	p.made++
	n.number = p.made
	p.nodes[i] = n
	p.live |= 1 << i
	if n.fence {
		p.fences |= 1 << i
	}
	return 1 << i
}

// makeRoom forgets nodes if all are in use: those that all threads know, before which
// nobody can put himself any more, or else the oldest one. Then nobody may, though
// somebody could: executions are missed.
func (p *psc) makeRoom() {
	if p.live != 1<<mostNodes-1 {
		return
	}
	gone := p.live
	for _, known := range p.knows {
		gone &= known
	}
	if gone == 0 {
		oldest := 0
		for i := range p.nodes {
			if p.nodes[i].number < p.nodes[oldest].number {
				oldest = i
			}
		}
		gone = 1 << oldest
		p.lost = true
		join(p.late, p.nodes[oldest].clock)
	}
	p.forget(gone)
}

// forget puts what came before some nodes in their place.
func (p *psc) forget(gone uint64) {
	left := func(set uint64) uint64 { return p.closed(set&gone)&^gone | set&^gone }
	for _, at := range p.touched {
		l := &p.locations[at]
		for _, w := range l.order {
			w.rc11.ahead, w.rc11.readers, w.rc11.node = left(w.rc11.ahead), left(w.rc11.readers), w.rc11.node&^gone
		}
		l.rc11.base = left(l.rc11.base)
	}
	p.always = left(p.always) | p.closed(gone)&^gone
	for i := range p.nodes {
		p.nodes[i].before &^= gone
	}
	for t := range p.knows {
		p.knows[t] &^= gone
	}
	p.live &^= gone
	p.fences &^= gone
}

// settled says whether nobody may come before a write, though somebody could.
func (p *psc) settled(w *write) bool { return p.lost && knows(p.late, w) }

// drops is told that the first writes of a location are forgotten. Whoever makes a
// fence from now on comes behind them.
func (p *psc) drops(l *location, n int) {
	for _, w := range l.order[:n] {
		l.rc11.base |= w.rc11.ahead | w.rc11.readers
	}
}
