package ref

import "math/bits"

// mostWrites is the number of writes of one location that are kept: as many as
// a word has bits. Those that nobody can read any more are dropped.
const mostWrites = 64

// weakLocation is one word of a weak memory: the writes that can still matter,
// and the relations between them as bit sets.
type weakLocation struct {
	touched bool
	live    uint64 // slots in use
	writes  []weakWrite
	// order lists the live slots in an order that coherence allows. Its last is
	// what a sequentially consistent memory would hold.
	order []uint8
	reads []weakRead
	// last has of each process the writes that reach its last access here; see
	// weakWrite.reach.
	last []uint64
	// patterns are the release writes of this location, the last of each process
	// and scope: a later write of the process completes them once more.
	patterns []*release
}

// weakWrite is a write.
type weakWrite struct {
	by    actor
	index int32 // of its event
	step  int   // access at which it was made, 0 at the start
	value uint64
	// before are the writes that precede it in coherence, which orders those that
	// are morally strong with one another, those that causality orders, and what
	// follows.
	before uint64
	// reach are the writes from which it can be reached through morally strong
	// reads-from, coherence and from-reads, and program order: the axiom of
	// sequential consistency per location forbids that it reaches itself.
	reach uint64
	// Of an atomic's write: the write that its read has read, if that one is still
	// there, and whether the two are morally strong.
	atomic, observing bool
	source            int8
	// clock is that of its event, and made what was made before; see weakThread.
	clock, made clock
	// visible are the releases with which a read of this write synchronizes.
	visible []*release
	// observed has of each process the first of its reads that observed the
	// write, 0 for none.
	observed []int32
}

const noSource = -1

// weakRead is a read of a write, the last of its process that is as strong.
type weakRead struct {
	by     actor
	first  int32 // its event, the first of those that it stands for
	source int8  // noSource if that write precedes all that are left
	reach  uint64
	known  uint64 // writes that preceded it in causality
	clock  clock
	step   int
}

// start makes the location hold a value that was always there.
func (l *weakLocation) start(value uint64, processes int) {
	l.touched = false
	l.live, l.order, l.reads, l.patterns = 1, append(l.order[:0], 0), l.reads[:0], l.patterns[:0]
	if l.last == nil {
		l.last = make([]uint64, processes)
		l.writes = append(l.writes, weakWrite{observed: make([]int32, processes)})
	}
	clear(l.last)
	w := &l.writes[0]
	clear(w.observed)
	*w = weakWrite{by: actor{thread: nobody}, value: value, source: noSource, observed: w.observed, visible: w.visible[:0]}
}

// newest is the slot whose value a sequentially consistent memory would hold.
func (l *weakLocation) newest() int { return int(l.order[len(l.order)-1]) }

// after are the writes that follow one in coherence.
func (l *weakLocation) after(slot int) uint64 {
	if slot == noSource {
		return l.live
	}
	var set uint64
	for x := range slots(l.live) {
		if l.writes[x].before>>slot&1 != 0 {
			set |= 1 << x
		}
	}
	return set
}

// strong are those of a set of writes that are morally strong with an access.
func (m *weakMemory) strong(l *weakLocation, set uint64, a actor) uint64 {
	for x := range slots(set) {
		if !m.morallyStrong(l.writes[x].by, a) {
			set &^= 1 << x
		}
	}
	return set
}

// known are the live writes that precede, in causality, what a clock describes.
func (l *weakLocation) known(c clock) uint64 {
	var set uint64
	for x := range slots(l.live) {
		if knows(c, &l.writes[x]) {
			set |= 1 << x
		}
	}
	return set
}

// hidden are the writes that no read with this knowledge may read: one that it
// knows comes after them in coherence.
func (l *weakLocation) hidden(known uint64) uint64 {
	var set uint64
	for x := range slots(known) {
		set |= l.writes[x].before
	}
	return set
}

// relations are what the insertion of a write may change, kept aside to try it.
type relations struct {
	before, reach [mostWrites]uint64
	reads         []uint64
	last          []uint64
}

func (l *weakLocation) save(r *relations) *relations {
	if r == nil {
		r = new(relations)
	}
	for x := range slots(l.live) {
		r.before[x], r.reach[x] = l.writes[x].before, l.writes[x].reach
	}
	r.reads, r.last = r.reads[:0], append(r.last[:0], l.last...)
	for i := range l.reads {
		r.reads = append(r.reads, l.reads[i].reach)
	}
	return r
}

func (l *weakLocation) restore(r *relations) {
	for x := range slots(l.live) {
		l.writes[x].before, l.writes[x].reach = r.before[x], r.reach[x]
	}
	copy(l.last, r.last)
	for i := range l.reads {
		l.reads[i].reach = r.reads[i]
	}
}

// lead makes a set of writes, closed under reach, reach a write and all that
// this one reaches. It reports whether that made no cycle.
func (l *weakLocation) lead(set uint64, to int) bool {
	if set&^l.writes[to].reach == 0 {
		return true
	}
	bit := uint64(1) << to
	for x := range slots(l.live) {
		if w := &l.writes[x]; x == to || w.reach&bit != 0 {
			w.reach |= set
		}
	}
	for i := range l.reads {
		if l.reads[i].reach&bit != 0 {
			l.reads[i].reach |= set
		}
	}
	for u := range l.last {
		if l.last[u]&bit != 0 {
			l.last[u] |= set
		}
	}
	return set&bit == 0
}

// forget drops writes that nobody can read any more, because every process
// knows one that comes after, and if all slots are full, the first in coherence
// as well.
func (m *weakMemory) forget(l *weakLocation) {
	everybody := l.live
	for p := range m.threads {
		everybody &= l.known(m.threads[p].clock)
	}
	dead := l.hidden(everybody)
	if dead == 0 && l.live == 1<<mostWrites-1 {
		dead = 1 << l.order[0]
		m.Forgotten++
	}
	if dead != 0 {
		m.dropped, m.forgot = m.dropped || len(m.sc) > 0, true
		l.drop(dead)
	}
}

func (l *weakLocation) drop(dead uint64) {
	l.live &^= dead
	order := l.order[:0]
	for _, x := range l.order {
		if dead>>x&1 == 0 {
			order = append(order, x)
		}
	}
	l.order = order
	for x := range slots(l.live) {
		w := &l.writes[x]
		w.before &^= dead
		w.reach &^= dead
		if w.source >= 0 && dead>>w.source&1 != 0 {
			w.source = noSource
		}
	}
	for u := range l.last {
		l.last[u] &^= dead
	}
	reads := l.reads[:0]
	for _, r := range l.reads {
		r.reach &^= dead
		r.known &^= dead
		if r.source >= 0 && dead>>r.source&1 != 0 {
			r.source = noSource
		}
		if r.source != noSource || r.reach != 0 {
			reads = append(reads, r)
		}
	}
	l.reads = reads
}

// makeRoom sees to it that one more write fits. What an sc fence that is made
// later may still concern is kept as long as there is room; see fencePlaces.
func (m *weakMemory) makeRoom(l *weakLocation) {
	n := bits.OnesCount64(l.live)
	if m.open != nil { // whose demands may still concern them
		if n == mostWrites {
			m.open.unfit = true
			m.forget(l)
		}
		return
	}
	if n == mostWrites || n >= 8 && n&(n-1) == 0 && (len(m.threads) < 3 || len(m.sc) == 0) {
		m.forget(l)
	}
}

// slot is a place for a write.
func (m *weakMemory) slot(l *weakLocation) int {
	x := bits.TrailingZeros64(^l.live)
	if x == len(l.writes) {
		l.writes = append(l.writes, weakWrite{observed: make([]int32, len(m.threads))})
	}
	return x
}
