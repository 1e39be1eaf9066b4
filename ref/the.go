package ref

import "stealproof/model"

var theDesign = &Design{
	Name:      "the",
	Source:    "Toss & Gautier 2012, section 3.2, after the THE protocol of Frigo, Leiserson & Randall 1998",
	Kind:      model.Range,
	Ops:       []model.Op{model.Push, model.Pop, model.Steal},
	Anonymous: true,
	Settings: []Setting{
		{Name: "fill", Default: "locked", Values: []string{"locked", "beg-first", "end-first"},
			Doc: "how a push fills an empty queue: under its lock, or with two stores without it, in either order"},
		{Name: "failed", Default: "abort", Values: []string{"abort", "empty", "empty-if-equal"},
			Doc: "what a steal says that did not get its range: abort; empty always; or empty only where it saw beg equal end before it moved end"},
		{Name: "compare", Default: "signed", Values: []string{"signed", "unsigned", "difference"},
			Doc: "how beg and end are compared: as signed numbers, as unsigned ones, or by the sign of their difference"},
		{Name: "bits", Default: "32", Min: 3, Max: 63, Doc: "bits of an index"},
		{Name: "base", Default: "0", Min: 0, Max: 1 << 30, Doc: "lowest index that the program uses, so that indices beyond the bits are told apart"},
	},
	Defects:  theDefects,
	Sites:    names(new(the).sites()),
	declared: func() []site { return new(the).sites() },
	build:    newTHE,
	indices: func(c *Config) (low, high uint64) {
		low = uint64(c.number("base"))
		return low, low + 1<<uint(c.number("bits")) - 1
	},
}

type the struct {
	beg, end Location
	// One lock, which thieves take, and an owner that met one.
	stealLock, ownerLock spinLock

	fill, failed, compare string
	mask, base, sign      uint64

	pushReadBeg, pushReadEnd, pushWriteBeg, pushFillBeg, pushFillEnd                  Access
	popReadBeg, popWriteBeg, popFence, popReadEnd, popUndo, popReadEndLocked, popTake Access
	stealReadEnd, stealWriteEnd, stealFence, stealReadBeg, stealUndo                  Access
}

func (q *the) sites() []site {
	return []site{
		{"steal: lock", &q.stealLock.take, variants{acquired}},
		{"steal: unlock", &q.stealLock.freeUp, variants{released}},
		{"owner: lock", &q.ownerLock.take, variants{acquired}},
		{"owner: unlock", &q.ownerLock.freeUp, variants{released}},

		{"push: read beg", &q.pushReadBeg, variants{relaxed}},
		{"push: read end", &q.pushReadEnd, variants{relaxed}},
		{"push: write beg", &q.pushWriteBeg, variants{relaxed}},
		{"push: write beg to fill", &q.pushFillBeg, variants{relaxed}},
		{"push: write end to fill", &q.pushFillEnd, variants{relaxed}},

		{"pop: read beg", &q.popReadBeg, variants{relaxed}},
		{"pop: advance beg", &q.popWriteBeg, variants{relaxed}},
		{"pop: fence beg, end", &q.popFence, variants{seqCst}},
		{"pop: read end", &q.popReadEnd, variants{relaxed}},
		{"pop: undo beg", &q.popUndo, variants{relaxed}},
		{"pop: read end under lock", &q.popReadEndLocked, variants{relaxed}},
		{"pop: take beg", &q.popTake, variants{relaxed}},

		{"steal: read end", &q.stealReadEnd, variants{relaxed}},
		{"steal: retreat end", &q.stealWriteEnd, variants{relaxed}},
		{"steal: fence end, beg", &q.stealFence, variants{seqCst}},
		{"steal: read beg", &q.stealReadBeg, variants{relaxed}},
		{"steal: undo end", &q.stealUndo, variants{relaxed}},
	}
}

func newTHE(c *Config, s *Space) Structure {
	bits := uint(c.number("bits"))
	q := &the{
		fill: c.values["fill"], failed: c.values["failed"], compare: c.values["compare"],
		mask: 1<<bits - 1, sign: 1 << (bits - 1), base: uint64(c.number("base")),
	}
	q.stealLock.word = s.Word("mutex", 0)
	q.ownerLock.word = q.stealLock.word
	q.beg, q.end = s.Word("beg", q.base&q.mask), s.Word("end", q.base&q.mask)
	c.bind(q.sites())
	return q
}

// indices that cross the width of a word are stored without their high bits
// and told apart by the base, which is below all of them.
func (q *the) store(i uint64) uint64 { return i & q.mask }
func (q *the) real(i uint64) uint64  { return q.base + (i-q.base)&q.mask }

// atMost compares two stored indices.
func (q *the) atMost(a, b uint64) bool {
	switch q.compare {
	case "unsigned":
		return a <= b
	case "difference":
		return (b-a)&q.mask < q.sign
	}
	return a^q.sign <= b^q.sign // as signed: the sign bit turned round
}

func (q *the) Do(m Memory, o *model.Operation) {
	switch o.Op {
	case model.Push:
		o.Result = q.push(m, o)
	case model.Pop:
		q.pop(m, o)
	case model.Steal:
		q.steal(m, o)
	}
}

// push extends the interval downward, for which the owner need not look at end
// at all; or fills an empty queue.
func (q *the) push(m Memory, o *model.Operation) model.Result {
	beg := m.Load(q.beg, q.pushReadBeg)
	if q.store(o.To) == beg {
		m.Store(q.beg, q.store(o.Value), q.pushWriteBeg)
		return model.OK
	}
	if q.fill != "locked" {
		return q.fillEmpty(m, o, beg)
	}
	q.ownerLock.lock(m)
	res := q.fillEmpty(m, o, beg)
	q.ownerLock.unlock(m)
	return res
}

func (q *the) fillEmpty(m Memory, o *model.Operation, beg uint64) model.Result {
	end := m.Load(q.end, q.pushReadEnd)
	if !q.atMost(end, beg) {
		return model.Full
	}
	if q.fill == "beg-first" {
		m.Store(q.beg, q.store(o.Value), q.pushFillBeg)
		m.Store(q.end, q.store(o.To), q.pushFillEnd)
	} else {
		m.Store(q.end, q.store(o.To), q.pushFillEnd)
		m.Store(q.beg, q.store(o.Value), q.pushFillBeg)
	}
	return model.OK
}

func (q *the) pop(m Memory, o *model.Operation) {
	beg := m.Load(q.beg, q.popReadBeg)
	to := q.store(beg + o.Size)
	m.Store(q.beg, to, q.popWriteBeg)
	m.Fence(q.popFence)
	if q.atMost(to, q.store(m.Load(q.end, q.popReadEnd))) {
		q.took(o, beg, to)
		return
	}
	m.Store(q.beg, beg, q.popUndo)
	q.ownerLock.lock(m)
	q.popUnderLock(m, o, beg)
	q.ownerLock.unlock(m)
}

// popUnderLock takes what is left, up to the size asked for.
func (q *the) popUnderLock(m Memory, o *model.Operation, beg uint64) {
	end := m.Load(q.end, q.popReadEndLocked)
	if q.atMost(end, beg) {
		o.Value, o.Result = model.NoValue, model.Empty
		return
	}
	to := q.store(beg + min(o.Size, q.store(end-beg)))
	m.Store(q.beg, to, q.popTake)
	q.took(o, beg, to)
}

func (q *the) steal(m Memory, o *model.Operation) {
	q.stealLock.lock(m)
	q.stealUnderLock(m, o)
	q.stealLock.unlock(m)
}

func (q *the) stealUnderLock(m Memory, o *model.Operation) {
	end := m.Load(q.end, q.stealReadEnd)
	if q.failed == "empty-if-equal" && m.Load(q.beg, q.stealReadBeg) == end {
		o.Value, o.Result = model.NoValue, model.Empty
		return
	}
	from := q.store(end - o.Size)
	m.Store(q.end, from, q.stealWriteEnd)
	m.Fence(q.stealFence)
	if q.atMost(m.Load(q.beg, q.stealReadBeg), from) {
		q.took(o, from, end)
		return
	}
	m.Store(q.end, end, q.stealUndo)
	o.Value, o.Result = model.NoValue, model.Abort
	if q.failed == "empty" {
		o.Result = model.Empty
	}
}

// took reports the interval between two stored indices.
func (q *the) took(o *model.Operation, from, to uint64) {
	o.Value = q.real(from)
	o.To = o.Value + q.store(to-from)
	o.Result = model.OK
}
