package ref

import (
	"fmt"
	"iter"
	"runtime/debug"
	"sync/atomic"

	"stealproof/model"
)

// process is the memory as one process sees it, and the coroutine that runs
// its program.
type process struct {
	sim      *Sim
	id       int
	from, to int // its operations

	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool

	upcoming   Event
	requested  request // as upcoming says it
	op         *model.Operation
	finished   bool
	over       bool // the execution is: what is still deferred makes no access
	waiting    bool // at the end of a phase
	seenChange int
	repeats    int
	// The last access changed nothing and saw this; the upcoming one is the same
	// again.
	idle, repeated bool
	saw            uint64

	doing atomic.Int32 // place of its operation
}

func (p *process) reset() {
	p.finished, p.waiting, p.seenChange, p.repeats = false, false, 0, 0
	p.op, p.idle, p.repeated, p.requested = nil, false, false, request{}
	p.upcoming = Event{Process: p.id}
}

func (p *process) close() {
	if p.stop != nil {
		p.over = true
		p.stop()
		p.next, p.stop, p.over = nil, nil, false
	}
}

// resume lets the process run until it gives up its turn.
func (p *process) resume() {
	if p.next == nil {
		p.next, p.stop = iter.Pull(p.run)
	}
	if _, alive := p.next(); !alive {
		p.next, p.stop = nil, nil
	}
}

type (
	unwinding struct{} // the execution is over, the coroutine ends
	badChoice string   // a panic that is the scheduler's fault, not the algorithm's
)

// run carries out the program, once per execution.
func (p *process) run(yield func(struct{}) bool) {
	defer p.catch()
	p.yield = yield
	for {
		p.runProgram()
		p.finished = true
		p.sim.leave(p)
		p.park()
	}
}

// catch turns a panic of the algorithm into a fault of the execution.
func (p *process) catch() {
	r := recover()
	switch r.(type) {
	case nil, unwinding:
		return
	case badChoice:
		panic(r)
	}
	s := p.sim
	s.turn = nobody
	s.result.Ending, s.result.FaultProcess = Faulted, p.id
	s.result.Fault = describePanic(r)
}

func describePanic(r any) string {
	if f, ok := r.(*Fault); ok {
		return f.Msg
	}
	return fmt.Sprintf("panic: %v\n%s", r, debug.Stack())
}

// park gives up the turn until somebody resumes the process.
func (p *process) park() {
	if !p.yield(struct{}{}) {
		panic(unwinding{})
	}
}

func (p *process) runProgram() {
	s := p.sim
	var removed *model.Operation
	for i := p.from; i < p.to; i++ {
		o := &s.ops[i]
		p.upcoming.Op = i - p.from
		p.doing.Store(int32(i - p.from))
		if o.Op == model.Phase {
			p.waiting = true
			s.waiting++
			s.leave(p)
			p.park()
			continue
		}
		if s.setup.last[i] && !resolveLast(o, removed) {
			continue
		}
		p.op = o
		s.setup.do(p, o)
		if o.Call == 0 {
			p.access(request{Kind: Fence}) // an operation without access still takes place at some time
			if s.weak != nil {
				s.weak.event(p.id)
				p.began()
			}
			p.done(0, 0)
		}
		o.Return = uint64(p.upcoming.Step)
		if s.weak != nil {
			s.causes[i].last = s.weak.threads[p.id].index
		}
		p.repeats = 0 // who comes back waits for nobody
		if o.TakesOut() {
			removed = o
		}
	}
}

// request is an access that a process wants to make.
type request struct {
	Kind     AccessKind
	Access   Access
	Location Location
	Expected uint64
}

// access waits for the process's turn and counts the access that it now makes.
func (p *process) access(r request) {
	s := p.sim
	p.repeated = p.idle && r == p.requested && p.op.Call != 0
	p.requested = r
	e := &p.upcoming
	e.Kind, e.Access, e.Location, e.Expected = r.Kind, r.Access, r.Location, r.Expected
	if s.running {
		s.turn = s.choose()
		if s.turn != p.id {
			p.park()
		}
	} else {
		p.park()
	}
	s.view.Step++
	s.view.Last = p.id
	p.upcoming.Step = s.view.Step
	p.upcoming.First = p.op.Call == 0
	p.upcoming.Source, p.upcoming.Missed, p.upcoming.Overtaken = 0, 0, 0
	if p.upcoming.First {
		p.op.Call = uint64(s.view.Step)
	}
	if p.seenChange != s.changes {
		p.seenChange, p.repeats = s.changes, 0
	}
	p.repeats++
}

// done records what the access did.
func (p *process) done(before, after uint64) {
	s := p.sim
	p.saw, p.idle = before, before == after && p.upcoming.Kind != Store
	if before != after {
		s.changes++
		s.lastStep = s.view.Step
	}
	if s.Tracing {
		e := p.upcoming
		e.Before, e.After = before, after
		s.result.Trace = append(s.result.Trace, e)
	}
}

// unwind ends an access that an algorithm makes though its execution is over: one
// that it has deferred, as to give back a lock.
func (p *process) unwind() {
	if p.over {
		panic(unwinding{})
	}
}

func (p *process) Load(l Location, a Access) uint64 {
	p.unwind()
	if p.sim.weak != nil {
		return p.weakLoad(l, a)
	}
	p.access(request{Kind: Load, Location: l, Access: a})
	v := p.sim.words[l]
	p.done(v, v)
	return v
}

func (p *process) Store(l Location, v uint64, a Access) {
	p.unwind()
	if p.sim.weak != nil {
		p.weakStore(l, v, a)
		return
	}
	p.access(request{Kind: Store, Location: l, Access: a})
	before := p.sim.words[l]
	p.sim.words[l] = v
	p.done(before, v)
}

func (p *process) CompareAndSwap(l Location, old, new uint64, a Access) (uint64, bool) {
	p.unwind()
	if p.sim.weak != nil {
		seen := p.weakAtomic(request{Kind: CompareAndSwap, Location: l, Access: a, Expected: old}, func(v uint64) (uint64, bool) { return new, v == old })
		return seen, seen == old
	}
	p.access(request{Kind: CompareAndSwap, Location: l, Access: a, Expected: old})
	before := p.sim.words[l]
	if before != old {
		p.done(before, before)
		return before, false
	}
	p.sim.words[l] = new
	p.done(before, new)
	return before, true
}

func (p *process) FetchAdd(l Location, delta uint64, a Access) uint64 {
	p.unwind()
	if p.sim.weak != nil {
		return p.weakAtomic(request{Kind: FetchAdd, Location: l, Access: a}, func(v uint64) (uint64, bool) { return v + delta, true })
	}
	p.access(request{Kind: FetchAdd, Location: l, Access: a})
	before := p.sim.words[l]
	p.sim.words[l] = before + delta
	p.done(before, before+delta)
	return before
}

func (p *process) Modify(l Location, operand uint64, change Change, a Access) uint64 {
	p.unwind()
	e := request{Kind: Modify, Location: l, Access: a, Expected: operand}
	if p.sim.weak != nil {
		return p.weakAtomic(e, func(v uint64) (uint64, bool) { return change(v, operand), true })
	}
	p.access(e)
	before := p.sim.words[l]
	p.sim.words[l] = change(before, operand)
	p.done(before, p.sim.words[l])
	return before
}

func (p *process) Fence(a Access) {
	p.unwind()
	a = p.sim.setup.Config.ordered(a)
	if a.Order == Weak {
		return
	}
	if p.sim.weak != nil {
		p.weakFence(a)
		return
	}
	if p.sim.Tracing {
		p.traceFence(a)
	}
}

// traceFence shows a fence where it stands; it makes no step.
func (p *process) traceFence(a Access) {
	e := p.upcoming
	e.Kind, e.Access, e.Before, e.After, e.Silent = Fence, a, 0, 0, true
	e.Source, e.Missed, e.Overtaken = 0, 0, 0
	p.sim.result.Trace = append(p.sim.result.Trace, e)
}
