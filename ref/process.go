package ref

import (
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"stealproof/model"
	"stealproof/ref/internal/weak"
)

// process is the memory as one process sees it, or one of its lanes, and the
// coroutine that runs its program.
type process struct {
	sim      *Sim
	id       int // among all threads
	number   int // of the process
	lane     int // which of its lanes this is
	team     *team
	from, to int // its operations

	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool

	upcoming   Event
	requested  request     // as upcoming says it
	asked      weak.Access // the same, of a weak memory
	op         *model.Operation
	begun      bool // it has made an access in its operation
	finished   bool
	over       bool  // the execution is: what is still deferred makes no access
	waiting    bool  // at the end of a phase
	blocked    bool  // at a wait whose signal is not there
	asleep     bool  // it waits for another lane
	met        []int // of each lane, the last step that comes before its next access
	behind     []int // those that there are
	seenChange int
	repeats    int
	// The last access changed nothing and saw this; the upcoming one is the same
	// again.
	idle, repeated bool
	saw            uint64

	doing atomic.Int32 // place of its operation
}

func (p *process) reset() {
	p.finished, p.waiting, p.blocked, p.asleep, p.seenChange, p.repeats = false, false, false, false, 0, 0
	p.op, p.begun, p.idle, p.repeated, p.requested = nil, false, false, false, request{}
	p.behind = p.behind[:0]
	clear(p.met)
	if p.team != nil {
		*p.team = team{lanes: p.team.lanes}
	}
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
	s.result.Ending, s.result.FaultProcess = Faulted, p.number
	s.result.Fault = describePanic(r)
	s.result.Misuse = isMisuse(r)
	if p.team != nil {
		s.result.Fault = fmt.Sprintf("lane %d: %s", p.lane, s.result.Fault)
	}
}

func describePanic(r any) string {
	switch f := r.(type) {
	case *Fault:
		return f.Msg
	case *misuse:
		return f.msg
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
		p.op, p.begun = o, false
		switch {
		case s.setup.Lanes() > 1:
			p.partake(i, o)
		case o.Op.Synchronizes():
			p.synchronize(o, s.setup.syncs[i])
		default:
			s.setup.do(p, o)
			p.finish(i, o, 0)
		}
		p.repeats = 0 // who comes back waits for nobody
		if o.TakesOut() {
			removed = o
		}
	}
}

// finish notes that an operation has come to its end: with the last access of this
// thread, or with a later one of another lane.
func (p *process) finish(i int, o *model.Operation, last int) {
	s := p.sim
	if o.Call == 0 {
		p.access(request{Kind: Fence}) // an operation without access still takes place at some time
		if s.weak != nil {
			s.weak.Event(p.id)
			p.began()
		}
		p.done(0, 0)
	}
	o.Return = uint64(max(last, p.upcoming.Step))
	if s.weak != nil {
		s.ended(i, p)
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
	p.announce(r)
	s := p.sim
	if s.running {
		s.pass()
		if s.turn != p.id {
			p.park()
		}
	} else {
		p.park()
	}
	p.count()
}

// announce says which access comes next.
func (p *process) announce(r request) {
	p.repeated = p.idle && r == p.requested && p.begun
	p.requested = r
	e := &p.upcoming
	e.Kind, e.Access, e.Location, e.Expected = r.Kind, r.Access, r.Location, r.Expected
	e.Behind = p.comesBehind()
}

// count counts the access that was announced, whose turn it is.
func (p *process) count() {
	s := p.sim
	s.view.Step++
	s.view.Last = p.id
	p.upcoming.Step = s.view.Step
	p.upcoming.First = !p.begun
	p.upcoming.Source, p.upcoming.Missed, p.upcoming.Overtaken = 0, 0, 0
	if p.begun = true; p.op.Call == 0 {
		p.op.Call = uint64(s.view.Step)
	}
	if p.team != nil {
		p.team.last = s.view.Step
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
		if len(e.Behind) > 0 {
			e.Behind = slices.Clone(e.Behind)
		}
		s.result.Trace = append(s.result.Trace, e)
	}
	clear(p.met)
}

// enter ends an access that an algorithm makes though its execution is over: one
// that it has deferred, as to give back a lock. And it refuses one with an order
// that it cannot have.
func (p *process) enter(k AccessKind, l Location, a Access) {
	if p.over {
		panic(unwinding{})
	}
	if !a.Order.Fits(k) {
		refuseOrder(p.sim.setup.Space, k, l, a)
	}
}

func (p *process) Load(l Location, a Access) uint64 {
	p.enter(Load, l, a)
	if p.sim.weak != nil {
		return p.weakLoad(l, a)
	}
	p.access(request{Kind: Load, Location: l, Access: a})
	v := p.sim.words[l]
	p.done(v, v)
	return v
}

func (p *process) Store(l Location, v uint64, a Access) {
	p.enter(Store, l, a)
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
	p.enter(CompareAndSwap, l, a)
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
	p.enter(FetchAdd, l, a)
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
	p.enter(Modify, l, a)
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
	p.enter(Fence, 0, a)
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
	e.Source, e.Missed, e.Overtaken, e.Behind = 0, 0, 0, nil
	p.sim.result.Trace = append(p.sim.result.Trace, e)
}

// synchronize makes the access of a signal, or of a wait: that one is not asked for
// until the signal is there, and reads it.
func (p *process) synchronize(o *model.Operation, c clientSync) {
	s := p.sim
	switch {
	case o.Op == model.Wait:
		p.wait(c)
	case s.weak != nil:
		p.makeStore(c.word, given, c.access)
	default:
		p.access(request{Kind: Store, Location: c.word, Access: c.access})
		s.words[c.word] = given
		p.done(0, given)
	}
	if o.Op == model.Signal {
		s.wake(c.word)
	}
	p.repeats = 0
}

// wait makes the load of a wait. While the signal is not there, the process is none
// of those that can go on.
func (p *process) wait(c clientSync) {
	s := p.sim
	r := request{Kind: Load, Location: c.word, Access: c.access}
	if s.words[c.word] == given {
		p.access(r)
	} else {
		p.announce(r)
		p.blocked = true
		s.leave(p)
		p.park()
		p.count()
	}
	if s.weak != nil {
		a := p.asks(weak.Read, c.word, c.access)
		a.Awaits, a.Value = true, given
		p.perform()
	}
	p.done(given, given)
}

// wake lets those go on who wait for a signal.
func (s *Sim) wake(word Location) {
	for _, p := range s.processes {
		if p.blocked && p.upcoming.Location == word {
			p.blocked = false
			at, _ := slices.BinarySearch(s.view.Enabled, p.id)
			s.view.Enabled = slices.Insert(s.view.Enabled, at, p.id)
		}
	}
}

// blocked says whether somebody waits for a signal that is not there.
func (s *Sim) blocked() bool {
	return slices.ContainsFunc(s.processes, func(p *process) bool { return p.blocked })
}
