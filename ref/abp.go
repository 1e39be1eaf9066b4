package ref

import (
	"fmt"
	"strconv"
	"strings"

	"stealproof/model"
)

var abpDesign = &Design{
	Name:      "abp",
	Source:    "Arora, Blumofe & Plaxton 1998, as in Cederman & Tsigas 2011, listings 35.1 to 35.4",
	Kind:      model.WSDeque,
	Ops:       []model.Op{model.Push, model.Pop, model.Steal},
	Anonymous: true,
	Settings: []Setting{
		{Name: "variant", Default: "fenced", Values: []string{"fenced", "book", "release2011"},
			Doc: "fenced: every order that the algorithm needs; book: the listing, plain accesses and no fence; release2011: the authors' source, volatile accesses and three fences"},
		{Name: "width", Default: "16", Values: []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "32"},
			Doc: "bits of the counter beside the 16 bits of the index; 32 has 32 bits of each"},
		{Name: "capacity", Default: "16", Min: 1, Max: 1 << 20, Doc: "tasks that the array holds, at most 65535 with a 16-bit index"},
	},
	Defects:  abpDefects,
	Sites:    names(new(abp).sites()),
	declared: func() []site { return new(abp).sites() },
	build:    newABP,
	bound:    func(c *Config) uint64 { return uint64(c.number("capacity")) },
	counter:  func(c *Config) uint64 { return 1 << indexBits(c) },
	show:     showABP,
}

// abp is the deque of listing 35.1: head is an index and a counter in one word.
type abp struct {
	head, tail Location
	tasks      Array
	indexBits  uint
	ctrMask    uint64
	// capacity is not in the listing, which has room for all tasks there are.
	capacity uint64
	// slack is 0. It is a number for a defect, since what pop does with head it
	// does twice: no change of the access alone makes one of the two wrong.
	slack uint64
	// release2011 reads the task before it stores tail.
	release2011 bool

	pushReadTail, pushWriteTask, pushFence, pushWriteTail Access

	stealReadHead, stealFenceHeadTail, stealReadTail, stealFenceTailTask Access
	stealReadTask, stealFenceTaskHead, stealSwapHead                     Access

	popReadTail, popFenceTaskTail, popWriteTail, popFenceTailHead, popReadTask, popReadHead Access
	popResetTail, popFenceReset, popSwapHead, popResetHead                                  Access
}

// sites are where the published texts differ: fenced, book, release2011. CUDA's
// atomicCAS is relaxed and of the device's scope in all of them: an atomic is
// never weak, and only atomicCAS_system is wider.
func (d *abp) sites() []site {
	return []site{
		{"push: read tail", &d.pushReadTail, variants{relaxed, plain, volatile}},
		{"push: write task", &d.pushWriteTask, variants{relaxed, plain, volatile}},
		{"push: fence task, tail", &d.pushFence, variants{acqRel, noFence, seqCst}},
		{"push: write tail", &d.pushWriteTail, variants{relaxed, plain, volatile}},

		{"steal: read head", &d.stealReadHead, variants{relaxed, plain, volatile}},
		{"steal: fence head, tail", &d.stealFenceHeadTail, variants{seqCst, noFence, noFence}},
		{"steal: read tail", &d.stealReadTail, variants{relaxed, plain, volatile}},
		{"steal: fence tail, task", &d.stealFenceTailTask, variants{acqRel, noFence, noFence}},
		{"steal: read task", &d.stealReadTask, variants{relaxed, plain, volatile}},
		{"steal: fence task, head", &d.stealFenceTaskHead, variants{acqRel, noFence, seqCst}},
		{"steal: swap head", &d.stealSwapHead, variants{relaxed, relaxed, relaxed}},

		{"pop: read tail", &d.popReadTail, variants{relaxed, plain, volatile}},
		{"pop: fence task, tail", &d.popFenceTaskTail, variants{noFence, noFence, seqCst}},
		{"pop: write tail", &d.popWriteTail, variants{relaxed, plain, volatile}},
		{"pop: fence tail, head", &d.popFenceTailHead, variants{seqCst, noFence, noFence}},
		{"pop: read task", &d.popReadTask, variants{relaxed, plain, volatile}},
		{"pop: read head", &d.popReadHead, variants{relaxed, plain, volatile}},
		{"pop: reset tail", &d.popResetTail, variants{relaxed, plain, volatile}},
		{"pop: fence tail, head on reset", &d.popFenceReset, variants{acqRel, noFence, noFence}},
		{"pop: swap head", &d.popSwapHead, variants{relaxed, relaxed, relaxed}},
		{"pop: reset head", &d.popResetHead, variants{relaxed, plain, volatile}},
	}
}

func newABP(c *Config, s *Space) Structure {
	room := uint64(c.number("capacity"))
	d := &abp{
		head: s.Word("head", 0), tail: s.Word("tail", 0),
		indexBits: indexBits(c), ctrMask: 1<<uint(c.number("width")) - 1,
		capacity: c.constant("capacity", room), slack: c.constant("slack", 0),
		release2011: c.is("variant", "release2011"),
	}
	if d.indexBits == 16 && room > 1<<16-1 {
		panic(&Fault{Msg: fmt.Sprintf("capacity=%d: a 16-bit index allows at most 65535; width=32 allows more", room)})
	}
	d.tasks = s.Array("tasks", int(room), 0)
	c.bind(d.sites())
	return d
}

func indexBits(c *Config) uint {
	if c.is("width", "32") {
		return 32
	}
	return 16
}

func (d *abp) pack(index, ctr uint64) uint64 { return ctr&d.ctrMask<<d.indexBits | index }

func (d *abp) index(head uint64) uint64 { return head & (1<<d.indexBits - 1) }

func (d *abp) ctr(head uint64) uint64 { return head >> d.indexBits }

// showABP prints head as index and counter.
func showABP(c *Config, location string, v uint64) string {
	if !strings.HasSuffix(location, "head") {
		return strconv.FormatUint(v, 10)
	}
	bits := indexBits(c)
	return fmt.Sprintf("{%d,ctr %d}", v&(1<<bits-1), v>>bits)
}

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

// push is listing 35.2.
func (d *abp) push(m Memory, task uint64) model.Result {
	tail := m.Load(d.tail, d.pushReadTail)
	if tail == d.capacity {
		return model.Full
	}
	m.Store(d.tasks.At(tail), task, d.pushWriteTask)
	m.Fence(d.pushFence)
	m.Store(d.tail, tail+1, d.pushWriteTail)
	return model.OK
}

// steal is listing 35.3.
func (d *abp) steal(m Memory) (uint64, model.Result) {
	oldHead := m.Load(d.head, d.stealReadHead)
	m.Fence(d.stealFenceHeadTail)
	index := d.index(oldHead)
	if m.Load(d.tail, d.stealReadTail) <= index {
		return model.NoValue, model.Empty
	}
	m.Fence(d.stealFenceTailTask)
	task := m.Load(d.tasks.At(index), d.stealReadTask)
	m.Fence(d.stealFenceTaskHead)
	newHead := d.pack(index+1, d.ctr(oldHead))
	if _, swapped := m.CompareAndSwap(d.head, oldHead, newHead, d.stealSwapHead); swapped {
		return task, model.OK
	}
	return model.NoValue, model.Abort
}

// pop is listing 35.4, its first half in the order of the book or of the release
// of 2011.
func (d *abp) pop(m Memory) (uint64, model.Result) {
	tail := m.Load(d.tail, d.popReadTail)
	if tail == 0 {
		return model.NoValue, model.Empty
	}
	tail--
	var task uint64
	if d.release2011 {
		task = m.Load(d.tasks.At(tail), d.popReadTask)
		m.Fence(d.popFenceTaskTail)
		m.Store(d.tail, tail, d.popWriteTail)
		m.Fence(d.popFenceTailHead)
	} else {
		m.Store(d.tail, tail, d.popWriteTail)
		m.Fence(d.popFenceTailHead)
		task = m.Load(d.tasks.At(tail), d.popReadTask)
	}
	oldHead := m.Load(d.head, d.popReadHead)
	if tail+d.slack > d.index(oldHead) {
		return task, model.OK
	}
	m.Store(d.tail, 0, d.popResetTail)
	m.Fence(d.popFenceReset)
	newHead := d.pack(0, d.ctr(oldHead)+1)
	if tail == d.index(oldHead) {
		if _, swapped := m.CompareAndSwap(d.head, oldHead, newHead, d.popSwapHead); swapped {
			return task, model.OK
		}
	}
	m.Store(d.head, newHead, d.popResetHead)
	return model.NoValue, model.Empty
}
