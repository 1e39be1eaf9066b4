package ref

import (
	"fmt"
	"strconv"

	"stealproof/model"
)

// The accesses of the queue.
const (
	tzEnqReadTail = iota
	tzEnqReadSlot
	tzEnqCheckTailInScan
	tzEnqReadHeadInScan
	tzEnqReadNextSlot
	tzEnqCheckTailAfterScan
	tzEnqReadHead
	tzEnqReadSlotBehindHead
	tzEnqHelpVnull
	tzEnqHelpHead
	tzEnqCheckTail
	tzEnqSwapSlot
	tzEnqSwapTail
	tzDeqReadHead
	tzDeqReadTailFirst
	tzDeqReadSlot
	tzDeqCheckHeadInScan
	tzDeqReadTailInScan
	tzDeqReadNextTailFirst
	tzDeqReadNextSlot
	tzDeqCheckHeadAfterScan
	tzDeqReadTail
	tzDeqHelpTail
	tzDeqReadVnull
	tzDeqReadVnullForFirst
	tzDeqReadFirst
	tzDeqCheckHead
	tzDeqSwapSlot
	tzDeqWriteVnull
	tzDeqSwapHead
	tzSites
)

var tzDesign = &Design{
	Name:   "tz",
	Source: "Tsigas & Zhang 2001, and its skeleton in Cederman & Tsigas 2008, algorithm 3",
	Kind:   model.FIFO,
	Ops:    []model.Op{model.Enq, model.Deq},
	Settings: []Setting{
		{Name: "variant", Default: "mended", Values: []string{"mended", "original", "skeleton"},
			Doc: "mended: the original with the order of reads that it needs (see findings); original: the array queue with two nulls; skeleton: algorithm 3 of 2008 as printed, indices modulo the array"},
		{Name: "capacity", Default: "8", Min: 3, Max: 1 << 20, Doc: "slots of the array"},
		{Name: "every", Default: "2", Min: 1, Max: 1 << 20, Doc: "head and tail are moved by every x-th operation"},
		{Name: "vnull", Default: "at-zero", Values: []string{"at-zero", "elsewhere"},
			Doc: "after which dequeues vnull is published: those of slot 0, or all others; public implementations differ"},
		{Name: "declare", Default: "0", Min: 0, Max: 1 << 20, Doc: "capacity that the histories declare, to test what full means; 0 declares none"},
	},
	Defects: []Defect{
		{"tail-read-late", "a dequeue reads tail only after the slot, as published"},
		{"positions-modulo", "head and tail are slot numbers that come back after a round, as published"},
		{"one-null", "the two nulls are the same"},
		{"null-not-switched", "a dequeue of slot 0 leaves the null of the round before"},
		{"vnull-not-published", "nobody writes vnull"},
		{"no-full-check", "an enqueue on a full queue helps head along instead of giving up"},
		{"no-help-head", "an enqueue does not advance a head that stands in its way"},
		{"no-help-tail", "a dequeue does not advance a tail that stands in its way"},
		{"enq-tail-unchecked", "an enqueue does not look whether tail has changed"},
		{"empty-unchecked", "a dequeue calls the queue empty at the first null"},
		{"enq-store", "an enqueue stores its value instead of swapping it"},
		{"deq-store", "a dequeue stores the null instead of swapping it"},
		{"head-store", "a dequeue stores head instead of swapping it"},
		{"tail-store", "an enqueue stores tail instead of swapping it"},
		{"full-as-enqueued", "an enqueue on a full queue reports success"},
	},
	Sites: []string{
		"enq: read tail", "enq: read slot", "enq: check tail in scan", "enq: read head in scan", "enq: read next slot",
		"enq: check tail after scan", "enq: read head", "enq: read slot behind head", "enq: write vnull to help", "enq: swap head to help",
		"enq: check tail before swap", "enq: swap slot", "enq: swap tail",
		"deq: read head", "deq: read tail first", "deq: read slot", "deq: check head in scan", "deq: read tail in scan",
		"deq: read next tail first", "deq: read next slot", "deq: check head after scan", "deq: read tail", "deq: swap tail to help",
		"deq: read vnull", "deq: read vnull for slot 0", "deq: read slot 0", "deq: check head before swap", "deq: swap slot", "deq: write vnull", "deq: swap head",
	},
	build: newTZ,
	bound: func(c *Config) uint64 { return uint64(c.number("declare")) },
	show:  showTZ,
}

// An empty slot holds one of two nulls, which no value equals.
const (
	tzNull0 = 1 << 63
	tzNull1 = 1<<63 + 1
)

func showTZ(_ *Config, _ string, v uint64) string {
	if isNull(v) {
		return fmt.Sprintf("null%d", v-tzNull0)
	}
	return strconv.FormatUint(v, 10)
}

func isNull(v uint64) bool { return v >= tzNull0 }

type tz struct {
	head, tail, vnull Location
	nodes             Array
	slots, every      uint64
	cycle             uint64 // positions until they begin anew
	at                [tzSites]Access

	// what the mended variant does and the original does not
	tailFirst, counted bool

	publishAtZero, publishElsewhere bool

	oneNull, nullNotSwitched, noFullCheck, noHelpHead, noHelpTail bool
	enqUnchecked, emptyUnchecked                                  bool
	enqStore, deqStore, headStore, tailStore, fullAsEnqueued      bool
}

func newTZ(c *Config, s *Space) Structure {
	q := tz{
		head: s.Word("head", 0), tail: s.Word("tail", 1), vnull: s.Word("vnull", tzNull1),
		slots: uint64(c.number("capacity")), every: uint64(c.number("every")),
		publishAtZero: c.is("vnull", "at-zero"), publishElsewhere: c.is("vnull", "elsewhere"),

		oneNull: c.has("one-null"), nullNotSwitched: c.has("null-not-switched"),
		noFullCheck: c.has("no-full-check"), noHelpHead: c.has("no-help-head"), noHelpTail: c.has("no-help-tail"),
		enqUnchecked: c.has("enq-tail-unchecked"), emptyUnchecked: c.has("empty-unchecked"),
		enqStore: c.has("enq-store"), deqStore: c.has("deq-store"), headStore: c.has("head-store"), tailStore: c.has("tail-store"),
		fullAsEnqueued: c.has("full-as-enqueued"),
	}
	q.nodes = s.Array("nodes", int(q.slots), tzNull0)
	if c.has("vnull-not-published") {
		q.publishAtZero, q.publishElsewhere = false, false
	}
	if c.is("variant", "mended") {
		q.tailFirst, q.counted = !c.has("tail-read-late"), !c.has("positions-modulo")
	}
	q.cycle = q.slots
	if q.counted {
		q.cycle <<= 32
	}
	if c.is("variant", "skeleton") {
		s.Set(q.tail, 0)
		return &skeleton{head: q.head, tail: q.tail, nodes: q.nodes, slots: q.slots, every: q.every}
	}
	s.Set(q.nodes.At(0), tzNull1)
	if q.oneNull {
		s.Set(q.nodes.At(0), tzNull0)
		s.Set(q.vnull, tzNull0)
	}
	for site := range q.at {
		q.at[site] = Access{SC, GPU, uint8(site)}
	}
	return &q
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

func (q *tz) node(position uint64) Location { return q.nodes.At(q.index(position)) }

func (q *tz) index(position uint64) uint64 { return position % q.slots }

// reaches says whether a position is that of head, one round on.
func (q *tz) reaches(m Memory, position uint64, site int) (head uint64, reached bool) {
	head = m.Load(q.head, q.at[site])
	return head, position == (head+q.slots)%q.cycle
}

func (q *tz) tailMoved(m Memory, tail uint64, site int) bool {
	return !q.enqUnchecked && m.Load(q.tail, q.at[site]) != tail
}

func (q *tz) headMoved(m Memory, head uint64, site int) bool {
	return m.Load(q.head, q.at[site]) != head
}

func (q *tz) enq(m Memory, v uint64) model.Result {
	for {
		tail := m.Load(q.tail, q.at[tzEnqReadTail])
		slot := tail
		seen := m.Load(q.node(slot), q.at[tzEnqReadSlot])
		next := q.next(slot)
		for !isNull(seen) { // tail lags behind: look for the first free slot
			if q.tailMoved(m, tail, tzEnqCheckTailInScan) {
				break
			}
			if _, reached := q.reaches(m, next, tzEnqReadHeadInScan); reached {
				break
			}
			slot = next
			seen = m.Load(q.node(slot), q.at[tzEnqReadNextSlot])
			next = q.next(slot)
		}
		if q.tailMoved(m, tail, tzEnqCheckTailAfterScan) {
			continue
		}
		if head, reached := q.reaches(m, next, tzEnqReadHead); reached {
			if q.fullBehind(m, head) {
				if q.fullAsEnqueued {
					return model.OK
				}
				return model.Full
			}
			continue
		}
		if q.tailMoved(m, tail, tzEnqCheckTail) {
			continue
		}
		if swapOrStore(m, q.enqStore, q.node(slot), seen, v, q.at[tzEnqSwapSlot]) {
			if q.index(next)%q.every == 0 {
				swapOrStore(m, q.tailStore, q.tail, tail, next, q.at[tzEnqSwapTail])
			}
			return model.OK
		}
	}
}

// fullBehind looks at the slot behind head, which stands in an enqueue's way:
// a value there means full; otherwise head lags, and is helped along.
func (q *tz) fullBehind(m Memory, head uint64) bool {
	slot := q.next(head)
	seen := m.Load(q.node(slot), q.at[tzEnqReadSlotBehindHead])
	if !isNull(seen) && !q.noFullCheck {
		return true
	}
	if q.noHelpHead {
		return false
	}
	if q.index(slot) == 0 {
		m.Store(q.vnull, seen, q.at[tzEnqHelpVnull])
	}
	m.CompareAndSwap(q.head, head, slot, q.at[tzEnqHelpHead])
	return false
}

func (q *tz) deq(m Memory) (uint64, model.Result) {
	for {
		head := m.Load(q.head, q.at[tzDeqReadHead])
		slot := q.next(head)
		seen, tail := q.look(m, slot, tzDeqReadTailFirst, tzDeqReadSlot)
		for isNull(seen) { // head lags behind: look for the first value
			if q.headMoved(m, head, tzDeqCheckHeadInScan) {
				break
			}
			now := m.Load(q.tail, q.at[tzDeqReadTailInScan])
			if q.emptyUnchecked || slot == now && (slot == tail || !q.tailFirst) {
				return model.NoValue, model.Empty
			}
			if slot != tail || !q.tailFirst {
				slot = q.next(slot)
			}
			seen, tail = q.look(m, slot, tzDeqReadNextTailFirst, tzDeqReadNextSlot)
		}
		if q.headMoved(m, head, tzDeqCheckHeadAfterScan) {
			continue
		}
		if !q.noHelpTail && slot == m.Load(q.tail, q.at[tzDeqReadTail]) {
			m.CompareAndSwap(q.tail, slot, q.next(slot), q.at[tzDeqHelpTail])
			continue
		}
		null := q.nullFor(m, slot, head)
		if q.headMoved(m, head, tzDeqCheckHead) {
			continue
		}
		if swapOrStore(m, q.deqStore, q.node(slot), seen, null, q.at[tzDeqSwapSlot]) {
			if first := q.index(slot) == 0; first && q.publishAtZero || !first && q.publishElsewhere {
				m.Store(q.vnull, null, q.at[tzDeqWriteVnull])
			}
			if q.index(slot)%q.every == 0 {
				swapOrStore(m, q.headStore, q.head, head, slot, q.at[tzDeqSwapHead])
			}
			return seen, model.OK
		}
	}
}

// look reads a slot. As published, a dequeue reads tail only afterwards: values
// that arrive between the two reads, with tail, are passed over, and younger
// ones leave before them. Mended, it reads tail before the slot as well: a null
// is a value that has left only if tail had passed the slot before, and the end
// of the queue only if tail stood there before and after.
func (q *tz) look(m Memory, slot uint64, tailSite, slotSite int) (seen, tail uint64) {
	if q.tailFirst {
		tail = m.Load(q.tail, q.at[tailSite])
	}
	return m.Load(q.node(slot), q.at[slotSite]), tail
}

// nullFor chooses the null to leave behind: each round through the array
// leaves the other one, so that an enqueuer that slept through a round cannot
// take the slot for the one that it saw.
func (q *tz) nullFor(m Memory, slot, head uint64) uint64 {
	if q.index(slot) == 0 {
		null := m.Load(q.vnull, q.at[tzDeqReadVnullForFirst])
		if q.oneNull || q.nullNotSwitched {
			return null
		}
		return null ^ 1
	}
	if q.index(slot) < q.index(head) {
		return m.Load(q.nodes.At(0), q.at[tzDeqReadFirst])
	}
	return m.Load(q.vnull, q.at[tzDeqReadVnull])
}

// swapOrStore swaps, or only stores where that is the planted defect.
func swapOrStore(m Memory, store bool, l Location, old, new uint64, a Access) bool {
	if store {
		m.Store(l, new, a)
		return true
	}
	_, swapped := m.CompareAndSwap(l, old, new, a)
	return swapped
}
