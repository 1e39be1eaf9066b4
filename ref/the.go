package ref

import "stealproof/model"

// The accesses of the range queue.
const (
	theStealLock = iota
	theStealUnlock
	theOwnerLock
	theOwnerUnlock
	thePushReadBeg
	thePushReadEnd
	thePushWriteBeg
	thePushFillBeg
	thePushFillEnd
	thePopReadBeg
	thePopWriteBeg
	thePopFence
	thePopReadEnd
	thePopUndo
	thePopReadEndLocked
	thePopTake
	theStealReadEnd
	theStealWriteEnd
	theStealFence
	theStealReadBeg
	theStealUndo
	theSites
)

var theDesign = &Design{
	Name:   "the",
	Source: "Toss & Gautier 2012, section 3.2, after the THE protocol of Frigo, Leiserson & Randall 1998",
	Kind:   model.Range,
	Ops:    []model.Op{model.Push, model.Pop, model.Steal},
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
	Defects: []Defect{
		{"steal-unlocked", "steals do not lock"},
		{"pop-unlocked", "a pop that meets a thief goes on without the lock"},
		{"lock-in-two-steps", "the lock is tested and set in two accesses"},
		{"end-before-beg", "pop reads end before it has advanced beg"},
		{"beg-before-end", "steal reads beg before it has retreated end"},
		{"steal-keeps", "a steal that meets the owner does not undo"},
		{"pop-off-by-one", "pop lets beg pass end by one"},
		{"steal-off-by-one", "steal lets end pass beg by one"},
		{"pop-blind", "pop does not look at end"},
		{"steal-blind", "steal does not look at beg"},
		{"push-unchecked", "push does not look whether its interval fits"},
	},
	Sites: []string{
		"steal: lock", "steal: unlock", "owner: lock", "owner: unlock",
		"push: read beg", "push: read end", "push: write beg", "push: write beg to fill", "push: write end to fill",
		"pop: read beg", "pop: advance beg", "pop: fence beg, end", "pop: read end", "pop: undo beg", "pop: read end under lock", "pop: take beg",
		"steal: read end", "steal: retreat end", "steal: fence end, beg", "steal: read beg", "steal: undo end",
	},
	build: newTHE,
	indices: func(c *Config) (low, high uint64) {
		low = uint64(c.number("base"))
		return low, low + 1<<uint(c.number("bits")) - 1
	},
}

type the struct {
	beg, end Location
	lock     spinLock // of thieves, and of an owner that met one
	popLock  spinLock
	at       [theSites]Access

	fill, failed, compare string
	mask, base, sign      uint64

	endBeforeBeg, begBeforeEnd, stealKeeps, popBlind, stealBlind, pushUnchecked bool
	popSlack, stealSlack                                                        uint64
}

func newTHE(c *Config, s *Space) Structure {
	bits := uint(c.number("bits"))
	q := &the{
		fill: c.values["fill"], failed: c.values["failed"], compare: c.values["compare"],
		mask: 1<<bits - 1, sign: 1 << (bits - 1), base: uint64(c.number("base")),

		endBeforeBeg: c.has("end-before-beg"), begBeforeEnd: c.has("beg-before-end"), stealKeeps: c.has("steal-keeps"),
		popBlind: c.has("pop-blind"), stealBlind: c.has("steal-blind"), pushUnchecked: c.has("push-unchecked"),
	}
	if c.has("pop-off-by-one") {
		q.popSlack = 1
	}
	if c.has("steal-off-by-one") {
		q.stealSlack = 1
	}
	for site := range q.at {
		q.at[site] = Access{Relaxed, GPU, uint8(site)}
	}
	q.at[thePopFence].Order, q.at[theStealFence].Order = SC, SC
	lock := newLock(c, s, "mutex", q.at[theStealLock], q.at[theStealUnlock])
	q.lock, q.popLock = lock.without(c.has("steal-unlocked")), lock.without(c.has("pop-unlocked"))
	q.popLock.acquire.Site, q.popLock.freeUp.Site = theOwnerLock, theOwnerUnlock
	q.beg, q.end = s.Word("beg", q.base&q.mask), s.Word("end", q.base&q.mask)
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
	beg := m.Load(q.beg, q.at[thePushReadBeg])
	if q.store(o.To) == beg || q.pushUnchecked {
		m.Store(q.beg, q.store(o.Value), q.at[thePushWriteBeg])
		return model.OK
	}
	if q.fill != "locked" {
		return q.fillEmpty(m, o, beg)
	}
	q.popLock.lock(m)
	res := q.fillEmpty(m, o, beg)
	q.popLock.unlock(m)
	return res
}

func (q *the) fillEmpty(m Memory, o *model.Operation, beg uint64) model.Result {
	end := m.Load(q.end, q.at[thePushReadEnd])
	if !q.atMost(end, beg) {
		return model.Full
	}
	inOrder(q.fill == "beg-first",
		func() { m.Store(q.end, q.store(o.To), q.at[thePushFillEnd]) },
		func() { m.Store(q.beg, q.store(o.Value), q.at[thePushFillBeg]) })
	return model.OK
}

func (q *the) pop(m Memory, o *model.Operation) {
	beg := m.Load(q.beg, q.at[thePopReadBeg])
	to := q.store(beg + o.Size)
	var end uint64
	inOrder(q.endBeforeBeg,
		func() {
			m.Store(q.beg, to, q.at[thePopWriteBeg])
			m.Fence(q.at[thePopFence])
		},
		func() { end = m.Load(q.end, q.at[thePopReadEnd]) })
	if q.popBlind || q.atMost(to, q.store(end+q.popSlack)) {
		q.took(o, beg, to)
		return
	}
	m.Store(q.beg, beg, q.at[thePopUndo])
	q.popLock.lock(m)
	q.popUnderLock(m, o, beg)
	q.popLock.unlock(m)
}

// popUnderLock takes what is left, up to the size asked for.
func (q *the) popUnderLock(m Memory, o *model.Operation, beg uint64) {
	end := m.Load(q.end, q.at[thePopReadEndLocked])
	if q.atMost(end, beg) {
		o.Value, o.Result = model.NoValue, model.Empty
		return
	}
	to := q.store(beg + min(o.Size, q.store(end-beg)))
	m.Store(q.beg, to, q.at[thePopTake])
	q.took(o, beg, to)
}

func (q *the) steal(m Memory, o *model.Operation) {
	q.lock.lock(m)
	q.stealUnderLock(m, o)
	q.lock.unlock(m)
}

func (q *the) stealUnderLock(m Memory, o *model.Operation) {
	end := m.Load(q.end, q.at[theStealReadEnd])
	if q.failed == "empty-if-equal" && m.Load(q.beg, q.at[theStealReadBeg]) == end {
		o.Value, o.Result = model.NoValue, model.Empty
		return
	}
	from := q.store(end - o.Size)
	var beg uint64
	inOrder(q.begBeforeEnd,
		func() {
			m.Store(q.end, from, q.at[theStealWriteEnd])
			m.Fence(q.at[theStealFence])
		},
		func() { beg = m.Load(q.beg, q.at[theStealReadBeg]) })
	if q.stealBlind || q.atMost(beg, q.store(from+q.stealSlack)) {
		q.took(o, from, end)
		return
	}
	if !q.stealKeeps {
		m.Store(q.end, end, q.at[theStealUndo])
	}
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
