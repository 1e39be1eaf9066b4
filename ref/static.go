package ref

import (
	"fmt"

	"stealproof/model"
)

var staticDesign = &Design{
	Name:   "static",
	Source: "Cederman & Tsigas 2008, algorithm 1; 2011, section 35.3.1",
	Kind:   model.Bag,
	Ops:    []model.Op{model.Put, model.Take},
	Settings: []Setting{
		{Name: "capacity", Default: "16", Min: 1, Max: 1 << 20, Doc: "tasks that each of the two arrays holds"},
	},
	Defects:  staticDefects,
	Sites:    names(new(static).sites()),
	declared: func() []site { return new(static).sites() },
	build:    newStatic,
}

// static has two arrays that swap roles between phases. In a phase process p
// of n runs the blocks p, p+n, p+2n, …, and block i takes task i of the array
// that is read; puts go to the other one. A process whose share is used up
// aborts, since others may still have theirs; it finds the bag empty only if
// there was nothing to take in this phase and nothing has been put, and no
// task was ever left behind by a phase that ended too early.
type static struct {
	phase, count, tail Location
	left               Location // 1 once a phase ended before all tasks were taken
	block              Array    // next block of each process
	tasks              [2]Array
	capacity           uint64
	processes          uint64

	readPhase, readBlock, writeBlock, readCount, readTask, readLeft Access
	addTail, readTail, writeTail, writeTask, host                   Access
}

// sites are plain but for the addition: a kernel's end orders everything.
func (q *static) sites() []site {
	return []site{
		{"read phase", &q.readPhase, variants{plain}},
		{"take: read block", &q.readBlock, variants{plain}},
		{"take: write block", &q.writeBlock, variants{plain}},
		{"take: read count", &q.readCount, variants{plain}},
		{"take: read task", &q.readTask, variants{plain}},
		{"take: read left", &q.readLeft, variants{plain}},
		{"put: add tail", &q.addTail, variants{relaxed}},
		{"put: read tail", &q.readTail, variants{plain}},
		{"put: write tail", &q.writeTail, variants{plain}}, // of a defect alone
		{"put: write task", &q.writeTask, variants{plain}},
		{"host", &q.host, variants{plain}},
	}
}

func newStatic(c *Config, s *Space) Structure {
	room := c.number("capacity")
	q := &static{
		phase: s.Word("phase", 0), count: s.Word("count", 0), tail: s.Word("tail", 0), left: s.Word("left", 0),
		capacity: c.constant("capacity", uint64(room)), processes: uint64(c.Processes),
	}
	q.block = s.Array("block", c.Processes, 0)
	for p := range c.Processes {
		s.Set(q.block.At(uint64(p)), uint64(p))
	}
	for i := range q.tasks {
		q.tasks[i] = s.Array(fmt.Sprintf("tasks%d", i), room, 0)
	}
	c.bind(q.sites())
	return q
}

func (q *static) Do(m Memory, o *model.Operation) {
	in := m.Load(q.phase, q.readPhase) % 2
	if o.Op == model.Put {
		o.Result = q.put(m, q.tasks[1-in], o.Value)
	} else {
		o.Value, o.Result = q.take(m, q.tasks[in], uint64(o.Process))
	}
}

func (q *static) put(m Memory, out Array, task uint64) model.Result {
	slot := m.FetchAdd(q.tail, 1, q.addTail)
	if slot >= q.capacity {
		return model.Full
	}
	m.Store(out.At(slot), task, q.writeTask)
	return model.OK
}

func (q *static) take(m Memory, in Array, process uint64) (uint64, model.Result) {
	block := m.Load(q.block.At(process), q.readBlock)
	tasks := m.Load(q.count, q.readCount)
	if block >= tasks {
		if tasks == 0 && q.nothingPut(m) {
			return model.NoValue, model.Empty
		}
		return model.NoValue, model.Abort
	}
	task := m.Load(in.At(block), q.readTask)
	m.Store(q.block.At(process), block+q.processes, q.writeBlock)
	return task, model.OK
}

// nothingPut says whether nothing is waiting for the next phase either.
func (q *static) nothingPut(m Memory) bool {
	return m.Load(q.left, q.readLeft) == 0 && m.Load(q.tail, q.readTail) == 0
}

// NextPhase is what the host does when all blocks have ended.
func (q *static) NextPhase(m Memory) {
	for p := range q.processes {
		if m.Load(q.block.At(p), q.host) < m.Load(q.count, q.host) {
			m.Store(q.left, 1, q.host)
		}
	}
	m.Store(q.count, min(m.Load(q.tail, q.host), q.capacity), q.host)
	m.Store(q.tail, 0, q.host)
	m.Store(q.phase, m.Load(q.phase, q.host)+1, q.host)
	for p := range q.processes {
		m.Store(q.block.At(p), p, q.host)
	}
}
