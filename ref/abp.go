package ref

import (
	"fmt"
	"strconv"
	"strings"

	"stealproof/model"
)

// The accesses of the deque. The names say in which operation they stand.
const (
	abpPushReadTail = iota
	abpPushWriteTask
	abpPushFence
	abpPushWriteTail
	abpStealReadHead
	abpStealFenceHeadTail
	abpStealReadTail
	abpStealFenceTailTask
	abpStealReadTask
	abpStealFenceTaskHead
	abpStealSwapHead
	abpPopReadTail
	abpPopFenceTaskTail
	abpPopWriteTail
	abpPopFenceTailHead
	abpPopReadTask
	abpPopReadHead
	abpPopResetTail
	abpPopFenceReset
	abpPopSwapHead
	abpPopResetHead
	abpSites
)

var abpDesign = &Design{
	Name:   "abp",
	Source: "Arora, Blumofe & Plaxton 1998, as in Cederman & Tsigas 2011, listings 35.1 to 35.4",
	Kind:   model.WSDeque,
	Ops:    []model.Op{model.Push, model.Pop, model.Steal},
	Settings: []Setting{
		{Name: "variant", Default: "fenced", Values: []string{"fenced", "book", "release2011"},
			Doc: "fenced: every order that the algorithm needs; book: the listing, plain accesses and no fence; release2011: the authors' source, volatile accesses and three fences"},
		{Name: "width", Default: "16", Values: []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "32"},
			Doc: "bits of the counter beside the 16 bits of the index; 32 has 32 bits of each"},
		{Name: "capacity", Default: "16", Min: 1, Max: 1 << 20, Doc: "tasks that the array holds, at most 65535 with a 16-bit index"},
	},
	Defects: []Defect{
		{"tail-before-task", "push announces the task before it has stored it"},
		{"tail-before-head", "steal reads tail before head"},
		{"task-after-cas", "steal reads the task after it has taken it"},
		{"steal-store", "steal stores the new head instead of swapping it"},
		{"steal-off-by-one", "steal finds a task where index equals tail"},
		{"steal-ignores-tail", "steal does not look at tail"},
		{"head-before-tail", "pop reads head before it has lowered tail"},
		{"pop-off-by-one", "pop takes the last task without swapping head"},
		{"pop-store", "pop stores the new head for the last task instead of swapping it"},
		{"head-reset-first", "pop resets head before tail"},
		{"tail-not-reset", "pop leaves tail where it was when it resets head"},
		{"counter-kept-on-swap", "pop does not count when it swaps head"},
		{"counter-kept-on-store", "pop does not count when it stores head"},
		{"no-capacity-check", "push does not look whether there is room, as in the listing"},
	},
	Sites: []string{
		"push: read tail", "push: write task", "push: fence task, tail", "push: write tail",
		"steal: read head", "steal: fence head, tail", "steal: read tail", "steal: fence tail, task", "steal: read task", "steal: fence task, head", "steal: swap head",
		"pop: read tail", "pop: fence task, tail", "pop: write tail", "pop: fence tail, head", "pop: read task", "pop: read head",
		"pop: reset tail", "pop: fence tail, head on reset", "pop: swap head", "pop: reset head",
	},
	build: newABP,
	bound: func(c *Config) uint64 { return uint64(c.number("capacity")) },
	show:  showABP,
}

type abp struct {
	head, tail Location
	tasks      Array
	capacity   uint64
	indexBits  uint
	ctrMask    uint64
	at         [abpSites]Access

	popReadsTaskFirst bool // the order of the release of 2011

	tailBeforeTask, tailBeforeHead, taskAfterCAS, headBeforeTail, headResetFirst bool
	stealStore, stealIgnoresTail, popStore, tailNotReset, noCapacityCheck        bool
	keptOnSwap, keptOnStore                                                      bool
	stealSlack, popSlack                                                         uint64 // off by one
}

func newABP(c *Config, s *Space) Structure {
	d := &abp{
		head:      s.Word("head", 0),
		tail:      s.Word("tail", 0),
		capacity:  uint64(c.number("capacity")),
		indexBits: indexBits(c),
		at:        abpAccesses(c),

		popReadsTaskFirst: c.is("variant", "release2011"),

		tailBeforeTask: c.has("tail-before-task"), tailBeforeHead: c.has("tail-before-head"), taskAfterCAS: c.has("task-after-cas"),
		headBeforeTail: c.has("head-before-tail"), headResetFirst: c.has("head-reset-first"),
		stealStore: c.has("steal-store"), stealIgnoresTail: c.has("steal-ignores-tail"), popStore: c.has("pop-store"),
		tailNotReset: c.has("tail-not-reset"), noCapacityCheck: c.has("no-capacity-check"),
		keptOnSwap: c.has("counter-kept-on-swap"), keptOnStore: c.has("counter-kept-on-store"),
	}
	if c.has("steal-off-by-one") {
		d.stealSlack = 1
	}
	if c.has("pop-off-by-one") {
		d.popSlack = 1
	}
	width := uint(c.number("width"))
	if d.indexBits == 16 && d.capacity > 1<<16-1 {
		panic(&Fault{Msg: fmt.Sprintf("capacity=%d: a 16-bit index allows at most 65535; width=32 allows more", d.capacity)})
	}
	d.ctrMask = 1<<width - 1
	d.tasks = s.Array("tasks", int(d.capacity), 0)
	return d
}

// showABP prints head as index and counter.
func showABP(c *Config, location string, v uint64) string {
	if !strings.HasSuffix(location, "head") {
		return strconv.FormatUint(v, 10)
	}
	bits := indexBits(c)
	return fmt.Sprintf("{%d,ctr %d}", v&(1<<bits-1), v>>bits)
}

func indexBits(c *Config) uint {
	if c.is("width", "32") {
		return 32
	}
	return 16
}

// abpAccesses is where the published texts differ: the orders and the fences.
func abpAccesses(c *Config) (at [abpSites]Access) {
	order, scope := Relaxed, GPU
	fences := map[int]Order{
		abpPushFence:          AcqRel,
		abpStealFenceHeadTail: SC,
		abpStealFenceTailTask: AcqRel,
		abpStealFenceTaskHead: AcqRel,
		abpPopFenceTaskTail:   Weak,
		abpPopFenceTailHead:   SC,
		abpPopFenceReset:      AcqRel,
	}
	switch {
	case c.is("variant", "book"):
		order, fences = Weak, nil
	case c.is("variant", "release2011"):
		// volatile is relaxed at system scope, __threadfence is fence.sc.gpu
		scope = System
		fences = map[int]Order{abpPushFence: SC, abpPopFenceTaskTail: SC, abpStealFenceTaskHead: SC}
	}
	for site := range at {
		at[site] = Access{order, scope, uint8(site)}
	}
	for _, site := range []int{abpPushFence, abpStealFenceHeadTail, abpStealFenceTailTask, abpStealFenceTaskHead, abpPopFenceTaskTail, abpPopFenceTailHead, abpPopFenceReset} {
		at[site] = Access{fences[site], GPU, uint8(site)}
	}
	for _, site := range []int{abpStealSwapHead, abpPopSwapHead} {
		// CUDA's atomicCAS is relaxed and of the device's scope, in every variant:
		// an atomic is never weak, and only atomicCAS_system is wider
		at[site] = Access{Relaxed, GPU, uint8(site)}
	}
	return at
}

func (d *abp) pack(index, ctr uint64) uint64 { return ctr&d.ctrMask<<d.indexBits | index }

func (d *abp) index(head uint64) uint64 { return head & (1<<d.indexBits - 1) }

func (d *abp) ctr(head uint64) uint64 { return head >> d.indexBits }

func (d *abp) Do(m Memory, o *model.Operation) {
	switch o.Op {
	case model.Push:
		o.Result = d.push(m, o.Value)
	case model.Pop:
		o.Value, o.Result = d.pop(m)
	case model.Steal:
		o.Value, o.Result = d.steal(m)
	}
}

func (d *abp) push(m Memory, task uint64) model.Result {
	tail := m.Load(d.tail, d.at[abpPushReadTail])
	if tail == d.capacity && !d.noCapacityCheck {
		return model.Full
	}
	inOrder(d.tailBeforeTask,
		func() {
			m.Store(d.tasks.At(tail), task, d.at[abpPushWriteTask])
			m.Fence(d.at[abpPushFence])
		},
		func() { m.Store(d.tail, tail+1, d.at[abpPushWriteTail]) })
	return model.OK
}

func (d *abp) steal(m Memory) (uint64, model.Result) {
	var head, tail uint64
	inOrder(d.tailBeforeHead,
		func() {
			head = m.Load(d.head, d.at[abpStealReadHead])
			m.Fence(d.at[abpStealFenceHeadTail])
		},
		func() { tail = m.Load(d.tail, d.at[abpStealReadTail]) })
	index := d.index(head)
	if tail+d.stealSlack <= index && !d.stealIgnoresTail {
		return model.NoValue, model.Empty
	}
	var task uint64
	taken := true
	inOrder(d.taskAfterCAS,
		func() {
			m.Fence(d.at[abpStealFenceTailTask])
			task = m.Load(d.tasks.At(index), d.at[abpStealReadTask])
		},
		func() {
			m.Fence(d.at[abpStealFenceTaskHead])
			taken = d.moveHead(m, d.stealStore, head, d.pack(index+1, d.ctr(head)), d.at[abpStealSwapHead])
		})
	if !taken {
		return model.NoValue, model.Abort
	}
	return task, model.OK
}

// moveHead swaps head, or only stores it where that is the planted defect.
func (d *abp) moveHead(m Memory, store bool, old, new uint64, a Access) bool {
	if store {
		m.Store(d.head, new, a)
		return true
	}
	_, swapped := m.CompareAndSwap(d.head, old, new, a)
	return swapped
}

func (d *abp) pop(m Memory) (uint64, model.Result) {
	tail := m.Load(d.tail, d.at[abpPopReadTail])
	if tail == 0 {
		return model.NoValue, model.Empty
	}
	tail--
	var task, head uint64
	readTask := func() { task = m.Load(d.tasks.At(tail), d.at[abpPopReadTask]) }
	inOrder(d.headBeforeTail,
		func() {
			if d.popReadsTaskFirst {
				readTask()
				m.Fence(d.at[abpPopFenceTaskTail])
			}
			m.Store(d.tail, tail, d.at[abpPopWriteTail])
			m.Fence(d.at[abpPopFenceTailHead])
			if !d.popReadsTaskFirst {
				readTask()
			}
		},
		func() { head = m.Load(d.head, d.at[abpPopReadHead]) })
	if tail+d.popSlack > d.index(head) {
		return task, model.OK
	}
	if d.reset(m, tail, head) {
		return task, model.OK
	}
	return model.NoValue, model.Empty
}

// reset moves head and tail back to the start of the array and reports whether
// the owner got the last task.
func (d *abp) reset(m Memory, tail, head uint64) (won bool) {
	inOrder(d.headResetFirst,
		func() {
			if !d.tailNotReset {
				m.Store(d.tail, 0, d.at[abpPopResetTail])
			}
			m.Fence(d.at[abpPopFenceReset])
		},
		func() {
			if tail == d.index(head) {
				won = d.moveHead(m, d.popStore, head, d.pack(0, d.next(head, d.keptOnSwap)), d.at[abpPopSwapHead])
			}
			if !won {
				m.Store(d.head, d.pack(0, d.next(head, d.keptOnStore)), d.at[abpPopResetHead])
			}
		})
	return won
}

// next counts a reset.
func (d *abp) next(head uint64, kept bool) uint64 {
	if kept {
		return d.ctr(head)
	}
	return d.ctr(head) + 1
}
