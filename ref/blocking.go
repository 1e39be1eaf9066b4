package ref

import "stealproof/model"

const (
	blockingLock = iota
	blockingUnlock
	blockingReadBeg
	blockingReadEnd
	blockingReadData
	blockingWriteData
	blockingWriteBeg
	blockingWriteEnd
	blockingSites
)

var blockingDesign = &Design{
	Name:   "blocking",
	Source: "Cederman & Tsigas 2008, algorithm 2",
	Kind:   model.FIFO,
	Ops:    []model.Op{model.Enq, model.Deq},
	Settings: []Setting{
		{Name: "variant", Default: "meant", Values: []string{"meant", "printed"},
			Doc: "meant: spin, then act, then release; printed: the loop bodies stand inside the loop that spins"},
		{Name: "capacity", Default: "16", Min: 1, Max: 1 << 20, Doc: "values that fit"},
	},
	Defects: []Defect{
		{"no-lock", "nobody locks"},
		{"enq-unlocked", "enqueues do not lock"},
		{"deq-unlocked", "dequeues do not lock"},
		{"lock-in-two-steps", "the lock is tested and set in two accesses"},
		{"unlock-early", "an operation releases the lock before it acts"},
		{"no-full-check", "an enqueue does not look whether there is room"},
		{"full-off-by-one", "an enqueue uses one slot more than there is"},
		{"empty-off-by-one", "a dequeue takes the last value for nothing"},
		{"end-first", "an enqueue announces its value, unlocked, before it is stored"},
	},
	Sites: []string{"lock", "unlock", "read beg", "read end", "read data", "write data", "write beg", "write end"},
	build: newBlocking,
	bound: func(c *Config) uint64 { return uint64(c.number("capacity")) },
}

// blocking counts beg and end up for ever; a slot is the index modulo the
// capacity.
type blocking struct {
	beg, end Location
	data     Array
	slots    uint64
	at       [blockingSites]Access

	enqLock, deqLock spinLock
	room             uint64 // slots, but for the defects
	least            uint64 // values that a dequeue wants to see

	printed, unlockEarly, noFullCheck, endFirst bool
}

func newBlocking(c *Config, s *Space) Structure {
	q := &blocking{
		slots:   uint64(c.number("capacity")),
		printed: c.is("variant", "printed"), unlockEarly: c.has("unlock-early"),
		noFullCheck: c.has("no-full-check"), endFirst: c.has("end-first"),
	}
	for site := range q.at {
		q.at[site] = Access{Relaxed, GPU, uint8(site)}
	}
	lock := newLock(c, s, "lock", q.at[blockingLock], q.at[blockingUnlock])
	q.enqLock, q.deqLock = lock.without(c.has("enq-unlocked")), lock.without(c.has("deq-unlocked"))
	q.room, q.least = q.slots, 1
	if c.has("full-off-by-one") {
		q.room++
	}
	if c.has("empty-off-by-one") {
		q.least++
	}
	q.beg, q.end = s.Word("beg", 0), s.Word("end", 0)
	q.data = s.Array("data", int(q.slots), 0)
	return q
}

func (q *blocking) Do(m Memory, o *model.Operation) {
	act, lock := q.enq, &q.enqLock
	if o.Op == model.Deq {
		act, lock = q.deq, &q.deqLock
	}
	if q.printed {
		q.asPrinted(m, o, act)
		return
	}
	lock.around(m, q.unlockEarly, func() { act(m, o) })
}

// asPrinted acts while the lock is taken by somebody, and returns when it is
// free: with the lock taken and, at the first attempt, nothing done.
func (q *blocking) asPrinted(m Memory, o *model.Operation, act func(Memory, *model.Operation)) {
	o.Result = model.OK // what an enqueue that does nothing reports
	if o.Op == model.Deq {
		o.Result, o.Value = model.Empty, model.NoValue
	}
	for {
		if _, free := m.CompareAndSwap(q.enqLock.word, 0, 1, q.at[blockingLock]); free {
			return
		}
		act(m, o)
		m.Store(q.enqLock.word, 0, q.at[blockingUnlock])
		if o.Op == model.Deq {
			return
		}
	}
}

func (q *blocking) enq(m Memory, o *model.Operation) {
	end := m.Load(q.end, q.at[blockingReadEnd])
	if end-m.Load(q.beg, q.at[blockingReadBeg]) >= q.room && !q.noFullCheck {
		o.Result = model.Full
		return
	}
	inOrder(q.endFirst,
		func() { m.Store(q.data.At(end%q.slots), o.Value, q.at[blockingWriteData]) },
		func() { m.Store(q.end, end+1, q.at[blockingWriteEnd]) })
	o.Result = model.OK
}

func (q *blocking) deq(m Memory, o *model.Operation) {
	beg := m.Load(q.beg, q.at[blockingReadBeg])
	if m.Load(q.end, q.at[blockingReadEnd])-beg < q.least {
		o.Value, o.Result = model.NoValue, model.Empty
		return
	}
	o.Value = m.Load(q.data.At(beg%q.slots), q.at[blockingReadData])
	m.Store(q.beg, beg+1, q.at[blockingWriteBeg])
	o.Result = model.OK
}
