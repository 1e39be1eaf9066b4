package ref

// An execution whose sc fences have no order yet stands for all orders that they
// may have. Fences do not synchronize then; instead, each remembers which others
// come before it in every order that the axioms allow. Such a demand comes about
// where one fence happened before another, and where the other way round an axiom
// would break: if f came before g, then what happened before f, or what such an
// event observed, would precede in causality all that happens behind g. So g must
// come before f
//
//   - if a write that precedes f follows, in coherence, what a read behind g has read,
//   - or follows, in coherence, a write behind g,
//   - or if a read that happened before f reads a write behind g.
//
// Where all pairs of fences are morally strong, or ordered by what happened, and
// coherence orders all writes of a location whatever the fences do, the axioms
// ask for nothing else: an order of the fences is allowed if and only if it keeps
// to these demands, and there is one if they have no cycle. An execution that is
// not of this kind is not fit to be left open; see Execution.Fit.

// mostOpenFences is the number of sc fences that an open execution may have.
const mostOpenFences = 64

// openFences are the sc fences of an execution that leaves their order open.
type openFences struct {
	made  []openFence
	unfit bool
}

type openFence struct {
	by     actor
	index  int32
	clock  clock
	before uint64 // those that come before it in every order
}

func (o *openFences) reset() { o.made, o.unfit = o.made[:0], false }

// known are the fences that a clock describes.
func (o *openFences) known(c clock) uint64 {
	var set uint64
	for i := range o.made {
		if f := &o.made[i]; f.index <= c[f.by.thread] {
			set |= 1 << i
		}
	}
	return set
}

// behind are the fences that one of these writes precedes.
func (o *openFences) behind(l *weakLocation, writes uint64) uint64 {
	var set uint64
	for i := range o.made {
		for x := range slots(writes) {
			if knows(o.made[i].clock, &l.writes[x]) {
				set |= 1 << i
				break
			}
		}
	}
	return set
}

// closed adds to a set of fences those that come before them.
func (o *openFences) closed(set uint64) uint64 {
	all := set
	for i := range slots(set) {
		all |= o.made[i].before
	}
	return all
}

// mayFollow says whether an event with this clock may come, in coherence, before
// these writes: whether all fences before it may come before all behind them.
func (m *weakMemory) mayFollow(l *weakLocation, c clock, writes uint64) bool {
	o := m.open
	if o == nil || writes == 0 || len(o.made) < 2 {
		return true
	}
	behind := o.behind(l, writes)
	return behind == 0 || o.closed(o.known(c))&behind == 0
}

// follows demands it.
func (m *weakMemory) follows(l *weakLocation, c clock, writes uint64) {
	o := m.open
	if o == nil || writes == 0 || len(o.made) < 2 {
		return
	}
	if behind := o.behind(l, writes); behind != 0 && !o.demand(o.closed(o.known(c)), behind) {
		panic("ref: an access was made that no order of the fences allows")
	}
}

// demand puts a set of fences, and all that come before them, before others. It
// reports whether an order is left.
func (o *openFences) demand(first, then uint64) bool {
	if first&then != 0 {
		return false
	}
	for i := range o.made {
		if f := &o.made[i]; then>>i&1 != 0 || f.before&then != 0 {
			f.before |= first
		}
	}
	return true
}

// add notes an sc fence that a process has just made.
func (m *weakMemory) addOpen(by actor, t *weakThread) {
	o := m.open
	if len(o.made) == mostOpenFences {
		o.unfit = true
		return
	}
	known := o.known(t.clock)
	for i := range o.made {
		if known>>i&1 == 0 && !m.morallyStrong(o.made[i].by, by) {
			o.unfit = true
		}
	}
	if known != 1<<len(o.made)-1 {
		known = o.known(m.before(t.clock))
	}
	o.made = append(o.made, openFence{by, t.index, m.clocks.clone(t.clock), o.closed(known)})
}

// before describes all behind which a fence with this clock must stand.
func (m *weakMemory) before(c clock) clock {
	all := m.clocks.clone(c)
	for _, at := range m.touched {
		l := &m.locations[at]
		hidden := l.hidden(l.known(c))
		for x := range slots(hidden) {
			if w := &l.writes[x]; w.clock != nil {
				all.join(w.clock)
			}
		}
		for i := range l.reads {
			r := &l.reads[i]
			if r.source == noSource {
				continue // dropped, which made the execution unfit
			}
			if hidden>>r.source&1 != 0 {
				all.join(r.clock)
			}
			if w := &l.writes[r.source]; r.first <= c[r.by.thread] && w.clock != nil {
				all.join(w.clock)
			}
		}
	}
	return all
}

// FenceOrders is what the order of sc fences leaves open in an execution: which
// operation precedes which. Operations are numbered as in the history, fences as
// they were made.
type FenceOrders struct {
	// Before has of each fence those that come before it in every order. Each
	// order that keeps to them is allowed.
	Before []uint64
	// Ahead has of each operation the fences that its first access is, or that
	// happened before it, and Behind those that its last access is, or that
	// happened after it.
	Ahead, Behind []uint64
	// Causes has of each operation those that precede it whatever the order.
	Causes []uint64
}

// Fences says what the order of the sc fences leaves open, in an execution of a
// simulation that leaves it open.
func (e *Execution) Fences() *FenceOrders { return &e.fences }

// Fit says whether FenceOrders tells all of an execution: whether every two of its
// fences are morally strong or ordered by what happened, and all writes of a
// location have an order. An execution that is not fit may be one that the axioms
// forbid.
func (e *Execution) Fit() bool { return e.fit }

func (f *FenceOrders) reset() {
	*f = FenceOrders{f.Before[:0], f.Ahead[:0], f.Behind[:0], f.Causes[:0]}
}

// openPrecede describes what precedes what, of operations that happened: the
// clocks of their first accesses, and of their last ones the number.
func (s *Sim) openPrecede(first []clock, of []uint32, ends []*cause) {
	f, lanes := &s.result.fences, s.setup.Lanes()
	o := &openFences{} // a memory that does not order them
	if m := s.ptx(); m != nil {
		o = m.open
	}
	for i := range o.made {
		f.Before = append(f.Before, o.made[i].before)
	}
	for i := range first {
		var behind, causes uint64
		for k := range o.made {
			if ends[i].known(int(of[i])*lanes, o.made[k].clock) {
				behind |= 1 << k
			}
		}
		for j := range first {
			if of[i] == of[j] && j < i || of[i] != of[j] && ends[j].known(int(of[j])*lanes, first[i]) {
				causes |= 1 << j
			}
		}
		o.unfit = o.unfit || lanes > 1 && o.partly(ends[i], int(of[i])*lanes)
		f.Ahead = append(f.Ahead, o.known(first[i]))
		f.Behind = append(f.Behind, behind)
		f.Causes = append(f.Causes, causes)
	}
}

// partly says whether some fence comes before the first event of one lane of an
// operation and not of another, or behind the last of one lane and not of another.
func (o *openFences) partly(c *cause, from int) bool {
	var some, all, none uint64 = 0, ^uint64(0), 0
	for lane, first := range c.first {
		if first == nil {
			continue
		}
		known := o.known(first)
		some, all = some|known, all&known
		for k := range o.made {
			if f := &o.made[k]; f.clock[from+lane] < c.last[lane] && !c.known(from, f.clock) {
				none |= 1 << k
			}
		}
	}
	for k := range slots(none) { // behind the last event of another lane
		for lane, n := range c.last {
			if n > 0 && o.made[k].clock[from+lane] >= n {
				return true
			}
		}
	}
	return some&^all != 0
}

// leaveOpen says whether the order of sc fences is left open.
func (m *weakMemory) leaveOpen(open bool) {
	switch {
	case !open:
		m.open = nil
	case m.open == nil:
		m.open = &openFences{}
	}
}

// Known is what happened before the next event of a process, and its last event.
type Known struct {
	clock clock
	last  int32
}

// Known is what a process knows on the memory of PTX, before its coming access. It is
// valid until the end of the execution.
func (v *View) Known(process int) Known {
	w := v.sim.weak
	return Known{w.Clock(process), w.Index(process)}
}

// Taught says whether what a process has done since teaches it anything that orders
// operations: the end of one, or an sc fence, or with begun the beginning of one, that has
// now happened before what it does next, or will have if it acquires what it has seen.
func (v *View) Taught(process int, since *Known, begun bool) bool {
	s, m := v.sim, v.sim.ptx()
	if m == nil {
		return true
	}
	t := &m.threads[process]
	if s.news(since.clock, t.clock, begun) {
		return true
	}
	for i := range t.pending {
		if r := &t.pending[i]; r.by > since.last && s.news(t.clock, r.clock, begun) {
			return true
		}
	}
	return false
}

// news says whether one clock describes the end of an operation, or an sc fence, or with
// begun the beginning of one, that another one does not.
func (s *Sim) news(before, after clock, begun bool) bool {
	lanes := s.setup.Lanes()
	isNew := func(thread int, event int32) bool { return event > before[thread] && event <= after[thread] }
	for i := range s.causes {
		c, from := &s.causes[i], int(s.ops[i].Process)*lanes
		for lane, last := range c.last {
			first := c.first[lane]
			if last > 0 && isNew(from+lane, last) || begun && first != nil && isNew(from+lane, first[from+lane]) {
				return true
			}
		}
	}
	for i := range s.ptx().open.made {
		if f := &s.ptx().open.made[i]; isNew(int(f.by.thread), f.index) {
			return true
		}
	}
	return false
}
