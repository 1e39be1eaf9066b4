package ptx

import (
	"encoding/binary"
	"fmt"
	"sync"

	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx/machine"
)

// queue is an object in a memory. Several simulations may be at work on it, each in
// the middle of its operations, so that every operation has a runner for itself.
type queue struct {
	plan  *plan
	first []ref.Location // of each part of memory
	weak  bool
	sized bool      // what part of a word is needed matters
	idle  sync.Pool // of runners
	crews sync.Pool
}

// runner carries out operations.
type runner struct {
	machine *machine.Machine
	words   words
}

func (q *queue) newRunner() any {
	r := &runner{machine: q.plan.design.newMachine(q.plan.processes, false), words: words{queue: q}}
	r.machine.Shared = &r.words
	return r
}

func (q *queue) Do(m ref.Memory, o *model.Operation) {
	r := q.idle.Get().(*runner)
	defer q.idle.Put(r)
	if q.plan.design.team.Threads() > 1 {
		panic(&ref.Fault{Msg: "lanes carry out operations together, which needs a simulated memory"})
	}
	r.words.memory, r.machine.Follower = m, nil
	if follower, wants := m.(ref.Dependencies); wants {
		r.words.follower, r.machine.Follower = follower, &r.words
	}
	if err := perform(r.machine, o); err != nil {
		panic(&ref.Fault{Msg: err.Error()})
	}
}

// crew is the lanes that carry out an operation.
type crew struct {
	queue     *queue
	operation *model.Operation
	crew      machine.Crew
	runners   []*runner       // of the lanes
	left      int             // lanes that have not come back
	first     model.Operation // what the lane was told that came back first
	before    int             // which one that was, -1 for none yet
}

func (q *queue) newCrew() any {
	c := &crew{queue: q}
	c.crew.Apart = q.plan.design.setup.Apart
	for lane := range q.plan.design.team.Threads() {
		r := q.newRunner().(*runner)
		r.machine.Lane, r.machine.Crew = lane, &c.crew
		r.words.lane, r.words.crew = lane, &c.crew
		c.runners = append(c.runners, r)
	}
	return c
}

// Together lets all lanes of a process carry out an operation.
func (q *queue) Together(o *model.Operation) ref.Crew {
	c := q.crews.Get().(*crew)
	c.operation, c.left, c.before = o, len(c.runners), -1
	c.crew.Begin(q.plan.design.team)
	return c
}

// Lane does the part of a lane. What the first one is told in the end is what comes
// of the operation.
func (c *crew) Lane(m ref.Lane, lane int) {
	r := c.runners[lane]
	r.words.memory, r.words.process, r.machine.Waiter = m, int(c.operation.Process), m
	own := *c.operation
	err := perform(r.machine, &own)
	if err == nil {
		err = r.machine.Back()
	}
	if err != nil {
		panic(&ref.Fault{Msg: err.Error()})
	}
	if c.queue.plan.design.agree {
		c.agree(&own, lane)
	}
	if lane == 0 {
		*c.operation = c.came(&own)
	}
	if c.left--; c.left == 0 {
		c.queue.crews.Put(c)
	}
}

// agree faults if a lane was told something else than another one.
func (c *crew) agree(own *model.Operation, lane int) {
	if c.before < 0 {
		c.first, c.before = *own, lane
		return
	}
	if first := &c.first; own.Result != first.Result || own.TakesOut() && (own.Value != first.Value || own.To != first.To) {
		panic(&ref.Fault{Msg: fmt.Sprintf("%s came back with %s, in lane %d with %s: all threads of a block are to be told the same", own.Op, answer(own), c.before, answer(first))})
	}
}

// answer is what an operation came back with.
func answer(o *model.Operation) string {
	switch {
	case !o.TakesOut():
		return o.Result.String()
	case o.To != 0:
		return fmt.Sprintf("%s %d to %d", o.Result, o.Value, o.To)
	}
	return fmt.Sprintf("%s %d", o.Result, o.Value)
}

// came is the operation with what came of it.
func (c *crew) came(own *model.Operation) model.Operation {
	o := *c.operation // which says by now when it was called
	o.Result, o.Value, o.To = own.Result, own.Value, own.To
	return o
}

// NextPhase does nothing for what has no phases.
func (q *queue) NextPhase(m ref.Memory) {
	if q.plan.design.kind != model.Bag {
		return
	}
	r := q.idle.Get().(*runner)
	defer q.idle.Put(r)
	r.words.memory, r.machine.Process = m, 0
	if err := r.machine.Run(phaseKernel, machine.Arguments); err != nil {
		panic(&ref.Fault{Msg: err.Error()})
	}
}

// kernels are the kernels of the operations, so that no name is made in an
// execution.
var kernels = func() (names [model.Phase + 1]string) {
	for _, kind := range model.Kinds {
		for _, op := range kind.Ops() {
			names[op] = kernelOf(op)
		}
	}
	return names
}()

// perform carries out an operation: it writes a struct call of stealproof.cuh, runs
// the kernel, and reads what came of it.
func perform(m *machine.Machine, o *model.Operation) error {
	b := m.Arguments
	m.Process = int(o.Process)
	put32(b, 0, o.Process)
	put32(b, 4, uint32(o.Size))
	put32(b, 8, 0)
	value, to := o.Value, o.To
	if o.Op.Removes() {
		value, to = 0, 0
	}
	put64(b, 16, value)
	put64(b, 24, to)
	if err := m.Run(kernels[o.Op], machine.Arguments); err != nil {
		return err
	}
	o.Result = model.Result(binary.LittleEndian.Uint32(b[8:]))
	if o.Op.Removes() {
		o.Value = model.NoValue
		if o.Result == model.OK {
			o.Value = binary.LittleEndian.Uint64(b[16:])
			o.To = binary.LittleEndian.Uint64(b[24:])
		}
	}
	return nil
}
