package ref

import (
	"fmt"
	"strconv"

	"stealproof/model"
)

var tzDesign = &Design{
	Name:      "tz",
	Source:    "Tsigas & Zhang 2001, and its skeleton in Cederman & Tsigas 2008, algorithm 3",
	Kind:      model.FIFO,
	Ops:       []model.Op{model.Enq, model.Deq},
	Anonymous: true,
	Settings: []Setting{
		{Name: "variant", Default: "mended", Values: []string{"mended", "original", "skeleton"},
			Doc: "mended: the original with the order of reads that it needs (see findings); original: the array queue with two nulls; skeleton: algorithm 3 of 2008 as printed, indices modulo the array"},
		{Name: "capacity", Default: "8", Min: 3, Max: 1 << 20, Doc: "slots of the array"},
		{Name: "every", Default: "2", Min: 1, Max: 1 << 20, Doc: "head and tail are moved by every x-th operation"},
		{Name: "vnull", Default: "at-zero", Values: []string{"at-zero", "elsewhere"},
			Doc: "after which dequeues vnull is published: those of slot 0, or all others; public implementations differ"},
		{Name: "declare", Default: "0", Min: 0, Max: 1 << 20, Doc: "capacity that the histories declare, to test what full means; 0 declares none"},
	},
	Defects:  tzDefects,
	Sites:    names(new(tz).sites()),
	declared: func() []site { return new(tz).sites() },
	build:    newTZ,
	bound:    func(c *Config) uint64 { return uint64(c.number("declare")) },
	show:     showTZ,
}

// tz is the queue with two nulls.
type tz struct {
	head, tail, vnull Location
	nodes             Array
	slots, every      uint64

	// What the original does not do, and the mended one does: look at tail before
	// a slot as well as behind it, and count positions on when the array begins
	// anew.
	tailFirst bool
	cycle     uint64 // positions until they begin anew

	publishesAtZero bool   // vnull is written by dequeues of slot 0, not by the others
	otherNull       uint64 // what is different in the two nulls
	// hasty is a defect: the first null that a dequeue sees is the end of the
	// queue. To say it of an access, one would have to know the slot.
	hasty bool

	enqReadTail, enqReadSlot, enqCheckTailInScan, enqReadHeadInScan, enqReadNextSlot Access
	enqCheckTailAfterScan, enqReadHead, enqReadSlotBehindHead                        Access
	enqHelpVnull, enqHelpHead, enqCheckTail, enqSwapSlot, enqSwapTail                Access

	deqReadHead, deqReadTailFirst, deqReadSlot, deqCheckHeadInScan, deqReadTailInScan      Access
	deqReadNextTailFirst, deqReadNextSlot, deqCheckHeadAfterScan, deqReadTail, deqHelpTail Access
	deqReadVnull, deqReadVnullForFirst, deqReadFirst                                       Access
	deqCheckHead, deqSwapSlot, deqWriteVnull, deqSwapHead                                  Access
}

func (q *tz) sites() []site {
	all := variants{seqCst}
	return []site{
		{"enq: read tail", &q.enqReadTail, all},
		{"enq: read slot", &q.enqReadSlot, all},
		{"enq: check tail in scan", &q.enqCheckTailInScan, all},
		{"enq: read head in scan", &q.enqReadHeadInScan, all},
		{"enq: read next slot", &q.enqReadNextSlot, all},
		{"enq: check tail after scan", &q.enqCheckTailAfterScan, all},
		{"enq: read head", &q.enqReadHead, all},
		{"enq: read slot behind head", &q.enqReadSlotBehindHead, all},
		{"enq: write vnull to help", &q.enqHelpVnull, all},
		{"enq: swap head to help", &q.enqHelpHead, all},
		{"enq: check tail before swap", &q.enqCheckTail, all},
		{"enq: swap slot", &q.enqSwapSlot, all},
		{"enq: swap tail", &q.enqSwapTail, all},

		{"deq: read head", &q.deqReadHead, all},
		{"deq: read tail first", &q.deqReadTailFirst, all},
		{"deq: read slot", &q.deqReadSlot, all},
		{"deq: check head in scan", &q.deqCheckHeadInScan, all},
		{"deq: read tail in scan", &q.deqReadTailInScan, all},
		{"deq: read next tail first", &q.deqReadNextTailFirst, all},
		{"deq: read next slot", &q.deqReadNextSlot, all},
		{"deq: check head after scan", &q.deqCheckHeadAfterScan, all},
		{"deq: read tail", &q.deqReadTail, all},
		{"deq: swap tail to help", &q.deqHelpTail, all},
		{"deq: read vnull", &q.deqReadVnull, all},
		{"deq: read vnull for slot 0", &q.deqReadVnullForFirst, all},
		{"deq: read slot 0", &q.deqReadFirst, all},
		{"deq: check head before swap", &q.deqCheckHead, all},
		{"deq: swap slot", &q.deqSwapSlot, all},
		{"deq: write vnull", &q.deqWriteVnull, all},
		{"deq: swap head", &q.deqSwapHead, all},
	}
}

// An empty slot holds one of two nulls, which no value equals.
const (
	tzNull0 = 1 << 63
	tzNull1 = 1<<63 + 1
)

func isNull(v uint64) bool { return v >= tzNull0 }

func showTZ(_ *Config, _ string, v uint64) string {
	if isNull(v) {
		return fmt.Sprintf("null%d", v-tzNull0)
	}
	return strconv.FormatUint(v, 10)
}

func newTZ(c *Config, s *Space) Structure {
	q := &tz{
		slots: uint64(c.number("capacity")), every: uint64(c.number("every")),
		publishesAtZero: c.is("vnull", "at-zero"), hasty: c.constant("hasty", 0) != 0,
	}
	null1 := c.constant("null1", tzNull1)
	q.otherNull = c.constant("other null", tzNull0^null1)
	q.head, q.tail, q.vnull = s.Word("head", 0), s.Word("tail", 1), s.Word("vnull", null1)
	q.nodes = s.Array("nodes", int(q.slots), tzNull0)
	if c.is("variant", "skeleton") {
		s.Set(q.tail, 0)
		c.bind(q.sites())
		return &skeleton{head: q.head, tail: q.tail, nodes: q.nodes, slots: q.slots, every: q.every, enqAccess: q.enqReadSlot, deqAccess: q.deqReadSlot}
	}
	s.Set(q.nodes.At(0), null1)
	rounds := uint64(1)
	if c.is("variant", "mended") {
		q.tailFirst, rounds = c.constant("tail first", 1) != 0, c.constant("rounds", 1<<32)
	}
	q.cycle = rounds * q.slots
	c.bind(q.sites())
	return q
}

func (q *tz) Do(m Memory, o *model.Operation) {
	if o.Op == model.Enq {
		o.Result = q.enq(m, o.Value)
	} else {
		o.Value, o.Result = q.deq(m)
	}
}

// Head and tail are positions: modulo the array as published, or mended,
// counted up for ever, so that a process that slept through a round cannot
// move them by mistake.
func (q *tz) next(position uint64) uint64 { return (position + 1) % q.cycle }

func (q *tz) index(position uint64) uint64 { return position % q.slots }

func (q *tz) node(position uint64) Location { return q.nodes.At(q.index(position)) }

// meets says whether a position is that of head, one round on.
func (q *tz) meets(position, head uint64) bool { return position == (head+q.slots)%q.cycle }

func (q *tz) enq(m Memory, v uint64) model.Result {
	for {
		tail := m.Load(q.tail, q.enqReadTail)
		slot := tail
		seen := m.Load(q.node(slot), q.enqReadSlot)
		next := q.next(slot)
		for !isNull(seen) { // tail lags behind: look for the first free slot
			if m.Load(q.tail, q.enqCheckTailInScan) != tail {
				break
			}
			if q.meets(next, m.Load(q.head, q.enqReadHeadInScan)) {
				break
			}
			slot = next
			seen = m.Load(q.node(slot), q.enqReadNextSlot)
			next = q.next(slot)
		}
		if m.Load(q.tail, q.enqCheckTailAfterScan) != tail {
			continue
		}
		if head := m.Load(q.head, q.enqReadHead); q.meets(next, head) {
			if q.fullBehind(m, head) {
				return model.Full
			}
			continue
		}
		if m.Load(q.tail, q.enqCheckTail) != tail {
			continue
		}
		if _, swapped := m.CompareAndSwap(q.node(slot), seen, v, q.enqSwapSlot); swapped {
			if q.index(next)%q.every == 0 {
				m.CompareAndSwap(q.tail, tail, next, q.enqSwapTail)
			}
			return model.OK
		}
	}
}

// fullBehind looks at the slot behind head, which stands in an enqueue's way:
// a value there means full; otherwise head lags, and is helped along.
func (q *tz) fullBehind(m Memory, head uint64) bool {
	slot := q.next(head)
	seen := m.Load(q.node(slot), q.enqReadSlotBehindHead)
	if !isNull(seen) {
		return true
	}
	if q.index(slot) == 0 {
		m.Store(q.vnull, seen, q.enqHelpVnull)
	}
	m.CompareAndSwap(q.head, head, slot, q.enqHelpHead)
	return false
}

func (q *tz) deq(m Memory) (uint64, model.Result) {
	for {
		head := m.Load(q.head, q.deqReadHead)
		slot, seen, empty := q.scan(m, head)
		if empty {
			return model.NoValue, model.Empty
		}
		if m.Load(q.head, q.deqCheckHeadAfterScan) != head {
			continue
		}
		if m.Load(q.tail, q.deqReadTail) == slot {
			m.CompareAndSwap(q.tail, slot, q.next(slot), q.deqHelpTail)
			continue
		}
		null := q.nullFor(m, slot, head)
		if m.Load(q.head, q.deqCheckHead) != head {
			continue
		}
		if _, swapped := m.CompareAndSwap(q.node(slot), seen, null, q.deqSwapSlot); swapped {
			if (q.index(slot) == 0) == q.publishesAtZero {
				m.Store(q.vnull, null, q.deqWriteVnull)
			}
			if q.index(slot)%q.every == 0 {
				m.CompareAndSwap(q.head, head, slot, q.deqSwapHead)
			}
			return seen, model.OK
		}
	}
}

// scan looks for the first value behind a head that may lag.
func (q *tz) scan(m Memory, head uint64) (slot, seen uint64, empty bool) {
	if q.tailFirst {
		return q.scanMended(m, head)
	}
	return q.scanOriginal(m, head)
}

// scanOriginal reads tail only behind the slot. Values that arrive between the
// two reads, with tail, are passed over, and younger ones leave before them.
func (q *tz) scanOriginal(m Memory, head uint64) (slot, seen uint64, empty bool) {
	slot = q.next(head)
	seen = m.Load(q.node(slot), q.deqReadSlot)
	for isNull(seen) {
		if m.Load(q.head, q.deqCheckHeadInScan) != head {
			break
		}
		if tail := m.Load(q.tail, q.deqReadTailInScan); slot == tail || q.hasty {
			return 0, 0, true
		}
		slot = q.next(slot)
		seen = m.Load(q.node(slot), q.deqReadNextSlot)
	}
	return slot, seen, false
}

// scanMended reads tail before the slot as well: a null is a value that has left
// only if tail had passed the slot before, and the end of the queue only if tail
// stood there before and after.
func (q *tz) scanMended(m Memory, head uint64) (slot, seen uint64, empty bool) {
	slot = q.next(head)
	before := m.Load(q.tail, q.deqReadTailFirst)
	seen = m.Load(q.node(slot), q.deqReadSlot)
	for isNull(seen) {
		if m.Load(q.head, q.deqCheckHeadInScan) != head {
			break
		}
		if tail := m.Load(q.tail, q.deqReadTailInScan); slot == tail && slot == before || q.hasty {
			return 0, 0, true
		}
		if slot != before {
			slot = q.next(slot)
		}
		before = m.Load(q.tail, q.deqReadNextTailFirst)
		seen = m.Load(q.node(slot), q.deqReadNextSlot)
	}
	return slot, seen, false
}

// nullFor chooses the null to leave behind: each round through the array
// leaves the other one, so that an enqueuer that slept through a round cannot
// take the slot for the one that it saw.
func (q *tz) nullFor(m Memory, slot, head uint64) uint64 {
	if q.index(slot) == 0 {
		return m.Load(q.vnull, q.deqReadVnullForFirst) ^ q.otherNull
	}
	if q.index(slot) < q.index(head) {
		return m.Load(q.nodes.At(0), q.deqReadFirst)
	}
	return m.Load(q.vnull, q.deqReadVnull)
}

// skeleton is algorithm 3 of Cederman & Tsigas 2008 as it is printed, with
// indices modulo the array: one null, no test for empty, none for full.
type skeleton struct {
	head, tail           Location
	nodes                Array
	slots, every         uint64
	enqAccess, deqAccess Access
}

func (q *skeleton) Do(m Memory, o *model.Operation) {
	if o.Op == model.Enq {
		q.enq(m, o.Value)
	} else {
		o.Value = q.deq(m)
	}
	o.Result = model.OK
}

func (q *skeleton) enq(m Memory, v uint64) {
	a := q.enqAccess
	for {
		old := m.Load(q.tail, a)
		slot := old
		for !isNull(m.Load(q.nodes.At(slot%q.slots), a)) {
			slot++
		}
		if _, swapped := m.CompareAndSwap(q.nodes.At(slot%q.slots), tzNull0, v, a); !swapped {
			continue
		}
		if slot%q.every == 0 {
			m.CompareAndSwap(q.tail, old, slot%q.slots, a)
		}
		return
	}
}

func (q *skeleton) deq(m Memory) uint64 {
	a := q.deqAccess
	for {
		old := m.Load(q.head, a)
		slot := old
		task := m.Load(q.nodes.At(slot%q.slots), a)
		for isNull(task) {
			slot++
			task = m.Load(q.nodes.At(slot%q.slots), a)
		}
		if _, swapped := m.CompareAndSwap(q.nodes.At(slot%q.slots), task, tzNull0, a); !swapped {
			continue
		}
		if slot%q.every == 0 {
			m.CompareAndSwap(q.head, old, slot%q.slots, a)
		}
		return task
	}
}
