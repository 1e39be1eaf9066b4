package ref

import "stealproof/model"

var blockingDesign = &Design{
	Name:      "blocking",
	Source:    "Cederman & Tsigas 2008, algorithm 2",
	Kind:      model.FIFO,
	Ops:       []model.Op{model.Enq, model.Deq},
	Anonymous: true,
	Settings: []Setting{
		{Name: "variant", Default: "meant", Values: []string{"meant", "printed"},
			Doc: "meant: spin, then act, then release; printed: the loop bodies stand inside the loop that spins"},
		{Name: "capacity", Default: "16", Min: 1, Max: 1 << 20, Doc: "values that fit"},
	},
	Defects:  blockingDefects,
	Sites:    names(new(blocking).sites()),
	declared: func() []site { return new(blocking).sites() },
	build:    newBlocking,
	bound:    func(c *Config) uint64 { return uint64(c.number("capacity")) },
}

// blocking counts beg and end up for ever; a slot is the index modulo the
// capacity.
type blocking struct {
	beg, end Location
	data     Array
	lock     spinLock
	slots    uint64
	printed  bool

	most  uint64 // slots-1: with more values inside there is no room
	least uint64 // 1: with fewer values inside it is empty

	readBeg, readEnd, readData, writeData, writeBeg, writeEnd Access
}

// sites: the variants are meant and printed.
func (q *blocking) sites() []site {
	return []site{
		{"lock", &q.lock.take, variants{acquired, relaxed}},
		{"unlock", &q.lock.freeUp, variants{released, relaxed}},
		{"read beg", &q.readBeg, variants{relaxed}},
		{"read end", &q.readEnd, variants{relaxed}},
		{"read data", &q.readData, variants{relaxed}},
		{"write data", &q.writeData, variants{relaxed}},
		{"write beg", &q.writeBeg, variants{relaxed}},
		{"write end", &q.writeEnd, variants{relaxed}},
	}
}

func newBlocking(c *Config, s *Space) Structure {
	q := &blocking{slots: uint64(c.number("capacity")), printed: c.is("variant", "printed")}
	q.most, q.least = c.constant("most", q.slots-1), c.constant("least", 1)
	q.lock.word = s.Word("lock", 0)
	q.beg, q.end = s.Word("beg", 0), s.Word("end", 0)
	q.data = s.Array("data", int(q.slots), 0)
	c.bind(q.sites())
	return q
}

func (q *blocking) Do(m Memory, o *model.Operation) {
	act := q.enq
	if o.Op == model.Deq {
		act = q.deq
	}
	if q.printed {
		q.asPrinted(m, o, act)
		return
	}
	q.lock.lock(m)
	act(m, o)
	q.lock.unlock(m)
}

// asPrinted acts while the lock is taken by somebody, and returns when it is
// free: with the lock taken and, at the first attempt, nothing done.
func (q *blocking) asPrinted(m Memory, o *model.Operation, act func(Memory, *model.Operation)) {
	o.Result = model.OK // what an enqueue that does nothing reports
	if o.Op == model.Deq {
		o.Result, o.Value = model.Empty, model.NoValue
	}
	for {
		if _, free := m.CompareAndSwap(q.lock.word, 0, 1, q.lock.take); free {
			return
		}
		act(m, o)
		q.lock.unlock(m)
		if o.Op == model.Deq {
			return
		}
	}
}

func (q *blocking) enq(m Memory, o *model.Operation) {
	end := m.Load(q.end, q.readEnd)
	if end-m.Load(q.beg, q.readBeg) > q.most {
		o.Result = model.Full
		return
	}
	m.Store(q.data.At(end%q.slots), o.Value, q.writeData)
	m.Store(q.end, end+1, q.writeEnd)
	o.Result = model.OK
}

func (q *blocking) deq(m Memory, o *model.Operation) {
	beg := m.Load(q.beg, q.readBeg)
	if m.Load(q.end, q.readEnd)-beg < q.least {
		o.Value, o.Result = model.NoValue, model.Empty
		return
	}
	o.Value = m.Load(q.data.At(beg%q.slots), q.readData)
	m.Store(q.beg, beg+1, q.writeBeg)
	o.Result = model.OK
}

// spinLock is the lock of the blocking structures: a word that is 0 when free.
type spinLock struct {
	word         Location
	take, freeUp Access
}

func (l *spinLock) lock(m Memory) {
	for {
		if _, locked := m.CompareAndSwap(l.word, 0, 1, l.take); locked {
			return
		}
	}
}

func (l *spinLock) unlock(m Memory) { m.Store(l.word, 0, l.freeUp) }
