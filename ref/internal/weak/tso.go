package weak

import "stealproof/ref/axioms"

// tso is x86-TSO. A store waits in a buffer while its thread goes on, which reads its
// own stores from there; buffers are emptied in order, and what leaves one is seen by
// all others at once. Atomics, stores and fences of order sc wait until the buffer of
// their thread is empty. No other order means anything: every load is one, and so is
// every store.
//
// There are no buffers here: a store that is still in one is a store behind which, in
// the order in which stores reach memory, its thread's next loads need not come. That
// order is partial as long as nobody can tell. Each thread has two clocks for it, which
// count of each thread the stores that must have reached memory: before its next load,
// and before its next store does. What comes to be ordered later, because somebody read
// an older write or wrote before another, is added to all clocks that it follows from.
type tso struct {
	*ordered
	orders []tsoThread
}

type tsoThread struct {
	stores      int32
	load, store clock
}

// tsoWrite is a store: the how manieth of its thread, and what reached memory before it,
// and before some load of it.
type tsoWrite struct {
	number       int32
	clock        clock // of its event
	past, readBy clock
}

// NewTSO is a memory that does all that x86-TSO allows.
func NewTSO(threads int, initial []uint64) Memory {
	m := newOrdered(threads, initial)
	r := &tso{ordered: m, orders: make([]tsoThread, threads)}
	for t := range r.orders {
		r.orders[t] = tsoThread{load: make(clock, threads), store: make(clock, threads)}
	}
	m.rules = r
	return m
}

func (r *tso) reset() {
	for t := range r.orders {
		o := &r.orders[t]
		o.stores = 0
		clear(o.load)
		clear(o.store)
	}
}

func (r *tso) meet() {
	for t := range r.orders {
		for u := range r.orders {
			r.orders[t].load[u], r.orders[t].store[u] = r.orders[u].stores, r.orders[u].stores
		}
	}
}

func (r *tso) meetLanes(from int, lanes uint64) {
	all := r.clocks.clone(nil)
	for lane := range bits(lanes) {
		join(all, r.orders[from+lane].store)
	}
	for lane := range bits(lanes) {
		o := &r.orders[from+lane]
		join(o.load, all)
		join(o.store, all)
	}
}

func (r *tso) splits() bool { return false }

// reached says whether a clock describes a write.
func reached(c clock, w *write) bool { return w.thread == nobody || w.tso.number <= c[w.thread] }

func (r *tso) floor(a *Access, l *location) int {
	o := &r.orders[a.Thread]
	if a.Kind == Read {
		return o.loads(a.Thread, l)
	}
	i := len(l.order) - 1
	for i > 0 && !reached(o.store, l.order[i]) {
		i--
	}
	return i
}

// loads is the place of the first write that a thread may load: its own last one, or
// one that has reached memory.
func (o *tsoThread) loads(t int, l *location) int {
	i := len(l.order) - 1
	for i > 0 && int(l.order[i].thread) != t && !reached(o.load, l.order[i]) {
		i--
	}
	return i
}

func (r *tso) allows(*Access, *location, int, int) bool { return true }

func (r *tso) begin(a *Access) {
	if a.Kind == Atomic {
		r.fence(a)
	}
}

func (r *tso) read(a *Access, l *location, source int) {
	o, w := &r.orders[a.Thread], l.order[source]
	if int(w.thread) != a.Thread && w.thread != nobody {
		join(r.threads[a.Thread].clock, w.tso.clock)
		join(o.load, w.tso.past)
		o.load[w.thread] = max(o.load[w.thread], w.tso.number)
		join(o.store, o.load)
	}
	if w.tso.readBy == nil {
		w.tso.readBy = r.clocks.clone(nil)
	}
	join(w.tso.readBy, o.load)
	if source+1 < len(l.order) {
		r.precede(o.load, l.order[source+1])
	}
}

func (r *tso) write(a *Access, l *location, place, _ int) {
	o, w, before := &r.orders[a.Thread], l.order[place], l.order[place-1]
	o.stores++
	w.tso.clock = r.clocks.clone(r.threads[a.Thread].clock)
	w.tso.number, w.tso.past = o.stores, r.clocks.clone(o.store)
	join(w.tso.past, before.tso.past)
	join(w.tso.past, before.tso.readBy)
	if before.thread != nobody {
		w.tso.past[before.thread] = max(w.tso.past[before.thread], before.tso.number)
	}
	join(o.store, w.tso.past)
	o.store[a.Thread] = o.stores
	if place+1 < len(l.order) {
		r.precede(o.store, l.order[place+1])
	}
}

// precede puts what a clock describes before a write that was made earlier, and before
// all that comes behind that one.
func (r *tso) precede(c clock, w *write) {
	c = r.clocks.clone(c)
	add := func(d clock) {
		if d != nil && reached(d, w) {
			join(d, c)
		}
	}
	for t := range r.orders {
		add(r.orders[t].load)
		add(r.orders[t].store)
	}
	for _, at := range r.touched {
		for _, x := range r.locations[at].order {
			if x == w {
				join(x.tso.past, c)
			}
			add(x.tso.past)
			add(x.tso.readBy)
		}
	}
}

func (r *tso) end(a *Access, _ *location, _ outcome) {
	if a.Kind == Atomic || a.Kind == Write && a.Order == axioms.SC {
		r.drain(a.Thread)
	}
}

func (r *tso) fence(a *Access) {
	if a.Kind == Atomic || a.Order == axioms.SC {
		r.drain(a.Thread)
	}
}

// drain waits until the buffer of a thread is empty.
func (r *tso) drain(t int) { join(r.orders[t].load, r.orders[t].store) }

func (r *tso) known(l *location) int {
	place := len(l.order) - 1
	for t := range r.orders {
		place = min(place, r.orders[t].loads(t, l))
	}
	return place
}

func (r *tso) drops(*location, int) {}

func (r *tso) races(func(int)) {}
