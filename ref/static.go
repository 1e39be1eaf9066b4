package ref

import (
	"fmt"

	"stealproof/model"
)

const (
	staticReadPhase = iota
	staticReadBlock
	staticWriteBlock
	staticReadCount
	staticReadTask
	staticReadLeft
	staticAddTail
	staticReadTail
	staticWriteTail
	staticWriteTask
	staticHost
	staticSites
)

var staticDesign = &Design{
	Name:   "static",
	Source: "Cederman & Tsigas 2008, algorithm 1; 2011, section 35.3.1",
	Kind:   model.Bag,
	Ops:    []model.Op{model.Put, model.Take},
	Settings: []Setting{
		{Name: "capacity", Default: "16", Min: 1, Max: 1 << 20, Doc: "tasks that each of the two arrays holds"},
	},
	Defects: []Defect{
		{"take-in-put-phase", "a take reads the array that is being written"},
		{"no-fetch-and-add", "a put reads tail and stores it in two accesses"},
		{"tail-not-reset", "the host does not reset tail between phases"},
		{"not-swapped", "the host does not swap the arrays between phases"},
		{"count-off-by-one", "the host counts one task too many"},
		{"block-repeated", "a process runs the same block twice"},
		{"no-capacity-check", "a put does not look whether there is room, as printed"},
		{"empty-claimed", "a take calls the bag empty when its own share is used up"},
	},
	Sites: []string{"read phase", "take: read block", "take: write block", "take: read count", "take: read task", "take: read left",
		"put: add tail", "put: read tail", "put: write tail", "put: write task", "host"},
	build: newStatic,
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
	at                 [staticSites]Access

	takeInPutPhase, noAdd, tailNotReset, notSwapped, blockRepeated, noCapacityCheck, emptyClaimed bool
	countTooMany                                                                                  uint64
}

func newStatic(c *Config, s *Space) Structure {
	q := &static{
		phase: s.Word("phase", 0), count: s.Word("count", 0), tail: s.Word("tail", 0), left: s.Word("left", 0),
		capacity: uint64(c.number("capacity")), processes: uint64(c.Processes),
		takeInPutPhase: c.has("take-in-put-phase"), noAdd: c.has("no-fetch-and-add"), tailNotReset: c.has("tail-not-reset"),
		notSwapped: c.has("not-swapped"), blockRepeated: c.has("block-repeated"), noCapacityCheck: c.has("no-capacity-check"),
		emptyClaimed: c.has("empty-claimed"),
	}
	if c.has("count-off-by-one") {
		q.countTooMany = 1
	}
	q.block = s.Array("block", c.Processes, 0)
	for p := range c.Processes {
		s.Set(q.block.At(uint64(p)), uint64(p))
	}
	for i := range q.tasks {
		q.tasks[i] = s.Array(fmt.Sprintf("tasks%d", i), int(q.capacity), 0)
	}
	for site := range q.at {
		q.at[site] = Access{Weak, GPU, uint8(site)} // a kernel's end orders everything
	}
	q.at[staticAddTail].Order = Relaxed
	return q
}

func (q *static) Do(m Memory, o *model.Operation) {
	in := m.Load(q.phase, q.at[staticReadPhase]) % 2
	if o.Op == model.Put {
		o.Result = q.put(m, q.tasks[1-in], o.Value)
		return
	}
	from := q.tasks[in]
	if q.takeInPutPhase {
		from = q.tasks[1-in]
	}
	o.Value, o.Result = q.take(m, from, uint64(o.Process))
}

func (q *static) put(m Memory, out Array, task uint64) model.Result {
	slot := q.nextSlot(m)
	if slot >= q.capacity && !q.noCapacityCheck {
		return model.Full
	}
	m.Store(out.At(slot), task, q.at[staticWriteTask])
	return model.OK
}

func (q *static) nextSlot(m Memory) uint64 {
	if !q.noAdd {
		return m.FetchAdd(q.tail, 1, q.at[staticAddTail])
	}
	slot := m.Load(q.tail, q.at[staticReadTail])
	m.Store(q.tail, slot+1, q.at[staticWriteTail])
	return slot
}

func (q *static) take(m Memory, in Array, process uint64) (uint64, model.Result) {
	block := m.Load(q.block.At(process), q.at[staticReadBlock])
	tasks := q.tasksToTake(m)
	if block >= tasks {
		if q.emptyClaimed || tasks == 0 && q.nothingPut(m) {
			return model.NoValue, model.Empty
		}
		return model.NoValue, model.Abort
	}
	task := m.Load(in.At(block), q.at[staticReadTask])
	if !q.blockRepeated {
		block += q.processes
	}
	m.Store(q.block.At(process), block, q.at[staticWriteBlock])
	return task, model.OK
}

// nothingPut says whether nothing is waiting for the next phase either.
func (q *static) nothingPut(m Memory) bool {
	return m.Load(q.left, q.at[staticReadLeft]) == 0 && m.Load(q.tail, q.at[staticReadTail]) == 0
}

func (q *static) tasksToTake(m Memory) uint64 {
	if q.takeInPutPhase {
		return min(m.Load(q.tail, q.at[staticReadTail]), q.capacity)
	}
	return m.Load(q.count, q.at[staticReadCount])
}

// NextPhase is what the host does when all blocks have ended.
func (q *static) NextPhase(m Memory) {
	host := q.at[staticHost]
	for p := range q.processes {
		if m.Load(q.block.At(p), host) < m.Load(q.count, host) {
			m.Store(q.left, 1, host)
		}
	}
	tasks := min(m.Load(q.tail, host), q.capacity)
	m.Store(q.count, min(tasks+q.countTooMany, q.capacity), host)
	if !q.tailNotReset {
		m.Store(q.tail, 0, host)
	}
	if !q.notSwapped {
		m.Store(q.phase, m.Load(q.phase, host)+1, host)
	}
	for p := range q.processes {
		m.Store(q.block.At(p), p, host)
	}
}
