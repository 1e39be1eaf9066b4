package ref

import (
	"fmt"
	"iter"
	"runtime/debug"
	"slices"

	"stealproof/model"
)

// Scheduler decides, before every access, which process makes the next one.
// It is an oracle: given the same answers, an execution is the same to the
// byte.
type Scheduler interface {
	// Next returns one of v.Enabled, or Stop to cut the execution.
	Next(v *View) int
}

// Stop is the answer of a scheduler that does not want to go on.
const Stop = -1

// View is what a scheduler may look at: who could go on, and with what.
type View struct {
	// Step counts the accesses made so far.
	Step int
	// Last is the process that made the last access, -1 before the first.
	Last int
	// Enabled lists the processes that can go on, in ascending order.
	Enabled []int

	sim *Sim
}

// Upcoming returns the access that a process waits to make.
func (v *View) Upcoming(process int) (AccessKind, Location) {
	p := v.sim.processes[process]
	return p.upcoming.Kind, p.upcoming.Location
}

// Word returns what a location holds.
func (v *View) Word(l Location) uint64 { return v.sim.words[l] }

// Repeats says how many accesses a process has made since memory last changed:
// a process that waits for another makes many.
func (v *View) Repeats(process int) int {
	p := v.sim.processes[process]
	if p.seenChange != v.sim.changes {
		return 0
	}
	return p.repeats
}

// Completed counts the operations that a process has finished.
func (v *View) Completed(process int) int { return v.sim.processes[process].completed }

// Ending says how an execution came to its end.
type Ending uint8

// The endings.
const (
	// Complete: every process has finished its program.
	Complete Ending = iota
	// Faulted: an access outside of the memory, or a panic.
	Faulted
	// Stuck: memory no longer changes, though every process that has not
	// finished made thousands of accesses since.
	Stuck
	// Cut: the limit of accesses was met.
	Cut
)

var endingNames = [...]string{"complete", "faulted", "stuck", "cut"}

func (e Ending) String() string { return endingNames[e] }

// Execution is what came of a program under a schedule.
type Execution struct {
	Setup   *Setup
	History *model.History
	Ending  Ending
	// Fault says what went wrong if the execution faulted, and Process where.
	Fault        string
	FaultProcess int
	Steps        int
	// LastChange is the access that changed memory last.
	LastChange int
	// Trace has every access, fences included, if it was asked for.
	Trace []Event

	choices []uint16
}

// Choices are those that the schedule made: replayed, they give the same
// execution. Of one that got stuck they end with the last change of memory:
// whoever goes on from there, nothing happens.
func (e *Execution) Choices() model.Choices {
	made := e.choices
	if e.Ending == Stuck {
		made = made[:e.LastChange]
	}
	var c model.Choices
	for _, p := range made {
		c.Add(int(p))
	}
	return c
}

// Sim is a sequentially consistent memory on which a program is executed one
// access at a time. Its logical clock counts accesses: an operation is called
// at its first access and returns at its last, the shortest interval that the
// execution allows.
//
// Fences do nothing here and are no scheduling points; a trace shows them.
type Sim struct {
	// Limit is the number of accesses after which an execution is cut.
	Limit int
	// Patience is how many accesses each process makes on a memory that no
	// longer changes before the execution counts as stuck.
	Patience int
	// Tracing keeps every access in the trace.
	Tracing bool

	setup     *Setup
	words     []uint64
	ops       []model.Operation
	processes []*process
	view      View
	scheduler Scheduler
	running   bool
	turn      int
	waiting   int // processes at the end of a phase
	changes   int // accesses that changed memory
	lastStep  int // at which memory last changed
	result    Execution
	history   model.History
}

const (
	nobody    = -1
	phaseEnds = -2
)

// DefaultLimit and DefaultPatience bound an execution.
const (
	DefaultLimit    = 1 << 24
	DefaultPatience = 2000
)

// NewSim prepares a simulation; it can run any number of executions, one after
// the other. Close it after use.
func NewSim(setup *Setup) *Sim {
	s := &Sim{Limit: DefaultLimit, Patience: DefaultPatience, setup: setup}
	s.words = make([]uint64, len(setup.Space.initial))
	s.ops = make([]model.Operation, len(setup.ops))
	s.processes = make([]*process, setup.Processes())
	for id := range s.processes {
		s.processes[id] = &process{sim: s, id: id, from: setup.first[id], to: setup.first[id+1]}
	}
	s.view = View{sim: s, Enabled: make([]int, 0, len(s.processes))}
	s.history = *setup.history(nil, model.Clock{Source: "accesses", Unit: "access", Resolution: 1})
	return s
}

// Close ends the coroutines.
func (s *Sim) Close() {
	for _, p := range s.processes {
		p.close()
	}
}

// Run executes the program. The execution, its history included, is valid
// until the next call.
func (s *Sim) Run(scheduler Scheduler) *Execution {
	s.reset(scheduler)
	if s.start() {
		s.loop()
	}
	s.running = false
	s.collect()
	return &s.result
}

func (s *Sim) reset(scheduler Scheduler) {
	copy(s.words, s.setup.Space.initial)
	copy(s.ops, s.setup.ops)
	s.scheduler = scheduler
	s.view.Step, s.view.Last = 0, nobody
	s.changes, s.lastStep, s.waiting = 0, 0, 0
	s.result = Execution{Setup: s.setup, Trace: s.result.Trace[:0], choices: s.result.choices[:0], FaultProcess: nobody}
	for _, p := range s.processes {
		p.reset()
	}
}

// start lets every process run to its first access, and past the ends of
// phases that come before it.
func (s *Sim) start() bool {
	for {
		s.running = false
		s.waiting = 0
		for _, p := range s.processes {
			if !p.finished {
				p.waiting = false
				p.resume()
			}
			if s.result.Ending != Complete {
				return false
			}
		}
		s.view.Enabled = s.view.Enabled[:0]
		for _, p := range s.processes {
			if !p.finished && !p.waiting {
				s.view.Enabled = append(s.view.Enabled, p.id)
			}
		}
		if len(s.view.Enabled) > 0 {
			s.running = true
			s.turn = s.choose()
			return true
		}
		if s.waiting == 0 {
			return false // nobody has anything to do
		}
		s.endPhase()
	}
}

func (s *Sim) loop() {
	for s.turn >= 0 {
		s.processes[s.turn].resume()
		if s.turn == phaseEnds {
			s.endPhase()
			if !s.start() {
				return
			}
		}
	}
}

func (s *Sim) endPhase() {
	for _, st := range s.setup.structures {
		if p, ok := st.(Phased); ok {
			p.NextPhase(hostMemory{s.words})
		}
	}
}

// choose asks the scheduler, or ends the execution.
func (s *Sim) choose() int {
	v := &s.view
	if v.Step >= s.Limit {
		s.result.Ending = Cut
		return nobody
	}
	if v.Step-s.lastStep > s.Patience && s.stuck() {
		s.result.Ending = Stuck
		return nobody
	}
	c := s.scheduler.Next(v)
	if c == Stop {
		s.result.Ending = Cut
		return nobody
	}
	if !slices.Contains(v.Enabled, c) {
		panic(badChoice(fmt.Sprintf("ref: the scheduler chose process %d at step %d, enabled are %v", c, v.Step, v.Enabled)))
	}
	s.result.choices = append(s.result.choices, uint16(c))
	return c
}

func (s *Sim) stuck() bool {
	for _, p := range s.view.Enabled {
		if s.view.Repeats(p) < s.Patience {
			return false
		}
	}
	return true
}

// leave takes the running process out of those that can go on.
func (s *Sim) leave(p *process) {
	if !s.running {
		return
	}
	i := slices.Index(s.view.Enabled, p.id)
	s.view.Enabled = slices.Delete(s.view.Enabled, i, i+1)
	switch {
	case len(s.view.Enabled) > 0:
		s.turn = s.choose()
	case s.waiting > 0:
		s.turn = phaseEnds
	default:
		s.turn = nobody
	}
}

// collect turns the operations that were begun into a history.
func (s *Sim) collect() {
	ops := s.ops
	if s.result.Ending != Complete || s.skipped() {
		ops = slices.DeleteFunc(slices.Clone(s.ops), func(o model.Operation) bool { return o.Call == 0 })
	}
	if s.result.Ending != Complete {
		forgetUnfinished(ops)
		for _, p := range s.processes {
			p.close()
		}
	}
	s.history.Ops = ops
	s.result.History = &s.history
	s.result.Steps, s.result.LastChange = s.view.Step, s.lastStep
}

// forgetUnfinished takes back what operations wrote down before they returned.
func forgetUnfinished(ops []model.Operation) {
	for i := range ops {
		if o := &ops[i]; o.Pending() {
			o.Result = model.Unknown
			if o.Op.Removes() {
				o.Value = model.NoValue
			}
		}
	}
}

// skipped says whether some operations never took place: ends of phases, and
// pushes of what was not there.
func (s *Sim) skipped() bool {
	for i := range s.ops {
		if s.ops[i].Call == 0 {
			return true
		}
	}
	return false
}

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
	op         *model.Operation
	completed  int
	finished   bool
	waiting    bool // at the end of a phase
	seenChange int
	repeats    int
}

func (p *process) reset() {
	p.completed, p.finished, p.waiting, p.seenChange, p.repeats = 0, false, false, 0, 0
	p.op = nil
	p.upcoming = Event{Process: p.id}
}

func (p *process) close() {
	if p.stop != nil {
		p.stop()
		p.next, p.stop = nil, nil
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
			p.access(Event{Kind: Fence}) // an operation without access still takes place at some time
		}
		o.Return = uint64(p.upcoming.Step)
		p.completed++
		if o.TakesOut() {
			removed = o
		}
	}
}

// access waits for the process's turn and counts the access that it now makes.
func (p *process) access(e Event) {
	s := p.sim
	p.upcoming.Kind, p.upcoming.Location, p.upcoming.Access, p.upcoming.Expected = e.Kind, e.Location, e.Access, e.Expected
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
	if p.op.Call == 0 {
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

func (p *process) Load(l Location, a Access) uint64 {
	p.access(Event{Kind: Load, Location: l, Access: a})
	v := p.sim.words[l]
	p.done(v, v)
	return v
}

func (p *process) Store(l Location, v uint64, a Access) {
	p.access(Event{Kind: Store, Location: l, Access: a})
	before := p.sim.words[l]
	p.sim.words[l] = v
	p.done(before, v)
}

func (p *process) CompareAndSwap(l Location, old, new uint64, a Access) (uint64, bool) {
	p.access(Event{Kind: CompareAndSwap, Location: l, Access: a, Expected: old})
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
	p.access(Event{Kind: FetchAdd, Location: l, Access: a})
	before := p.sim.words[l]
	p.sim.words[l] = before + delta
	p.done(before, before+delta)
	return before
}

func (p *process) Fence(a Access) {
	if a.Order == Weak || !p.sim.Tracing {
		return
	}
	e := p.upcoming
	e.Kind, e.Access, e.Before, e.After = Fence, a, 0, 0
	p.sim.result.Trace = append(p.sim.result.Trace, e)
}

// hostMemory is the memory between phases, when nobody else runs.
type hostMemory struct{ words []uint64 }

func (h hostMemory) Load(l Location, _ Access) uint64     { return h.words[l] }
func (h hostMemory) Store(l Location, v uint64, _ Access) { h.words[l] = v }
func (h hostMemory) Fence(Access)                         {}

func (h hostMemory) CompareAndSwap(l Location, old, new uint64, _ Access) (uint64, bool) {
	before := h.words[l]
	if before == old {
		h.words[l] = new
	}
	return before, before == old
}

func (h hostMemory) FetchAdd(l Location, delta uint64, _ Access) uint64 {
	before := h.words[l]
	h.words[l] += delta
	return before
}
