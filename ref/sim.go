package ref

import (
	"fmt"
	"slices"
	"sync/atomic"

	"stealproof/model"
	"stealproof/ref/internal/weak"
)

// Sim executes a program one access at a time, on a sequentially consistent
// memory or on one that does what the PTX model allows; see PrepareOn. Its
// logical clock counts accesses: an operation is called at its first access and
// returns at its last, the shortest interval that the execution allows.
//
// Fences do nothing on the sequentially consistent memory and are no scheduling
// points; a trace shows them. On a weak memory those of order sc are scheduling
// points, since they are ordered as they are made.
type Sim struct {
	// Limit is the number of accesses after which an execution is cut.
	Limit int
	// Patience is how many accesses each process makes on a memory that no
	// longer changes before the execution counts as stuck.
	Patience int
	// AlwaysPick asks the scheduler on a weak memory even where there is only one
	// outcome.
	AlwaysPick bool
	// OpenFences leaves the order of sc fences open on a weak memory, where that
	// can be done: an execution stands for all that differ in nothing else. What
	// precedes what is then said by Fences, and Fit says whether it could be done.
	OpenFences bool
	// Foresees says, of the access that is coming, from which step's write it will read, if
	// that is known because an execution is made again as far: then other outcomes need not
	// be worked out. It may be nil.
	Foresees func(v *View) (step int, known bool)
	// Races notes data races on a weak memory.
	Races bool
	// Tracing keeps every access in the trace.
	Tracing bool

	setup     *Setup
	words     []uint64
	weak      weak.Memory  // nil if the memory is sequentially consistent
	buffered  *bufferedRun // the last execution, if it has load buffering
	ops       []model.Operation
	processes []*process // or the lanes of all
	view      View
	scheduler Scheduler
	running   bool
	turn      int
	waiting   int        // threads at the end of a phase
	woken     []*process // lanes that are to run to their next access
	gathered  []*process // lanes that wait until all of those have
	causes    []cause    // of each operation, on a weak memory
	took      took       // room for what is asked of them
	rows      clockArena // of their precedence
	parts     []partRead // on a weak memory
	changes   int        // accesses that changed memory
	lastStep  int        // at which memory last changed
	result    Execution
	history   model.History
	starting  atomic.Int32 // process that runs to its first access, or nobody
}

const (
	nobody    = -1
	phaseEnds = -2
	settling  = -3 // somebody was woken
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
	if setup.places != nil {
		s.weak = setup.weakMemory()
		s.rows.size = len(setup.places)
		s.causes = make([]cause, len(setup.ops))
		for i := range s.causes {
			s.causes[i] = cause{make([]clock, setup.Lanes()), make([]int32, setup.Lanes())}
		}
	}
	s.processes = make([]*process, setup.Threads())
	for id := range s.processes {
		n, lane := setup.ProcessOf(id)
		p := &process{sim: s, id: id, number: n, lane: lane, from: setup.first[n], to: setup.first[n+1]}
		s.processes[id] = p
		if setup.Lanes() == 1 {
			continue
		}
		if p.team = new(team); lane > 0 {
			p.team = s.processes[id-1].team
		}
		p.team.lanes = append(p.team.lanes, p)
		p.met = make([]int, setup.Lanes())
	}
	s.view = View{sim: s, Enabled: make([]int, 0, len(s.processes))}
	s.history = *setup.history(nil, model.Clock{Source: "accesses", Unit: "access", Resolution: 1})
	return s
}

// ptx is the memory if it is that of PTX, else nil.
func (s *Sim) ptx() *weakMemory {
	m, _ := s.weak.(*weakMemory)
	return m
}

// Finals are the values that a location may hold behind the last execution: on a
// weak memory, those of the writes that no other follows in coherence.
func (s *Sim) Finals(l Location) []uint64 {
	if s.weak == nil {
		return []uint64{s.words[l]}
	}
	if s.buffered != nil {
		return s.buffered.finals(l)
	}
	return s.weak.Finals(uint32(l))
}

// Starting is the process that runs to its first access of a phase, or -1, and
// Doing the place of the operation that a process has come to. Both may be asked
// while the simulation runs, by somebody who finds that it does not go on.
func (s *Sim) Starting() int { return int(s.starting.Load()) }

// Doing is explained at Starting.
func (s *Sim) Doing(process int) int { return int(s.processes[process].doing.Load()) }

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
	s.buffered = nil
	if b, ok := scheduler.(BufferedScheduler); ok {
		if choices := b.Buffered(); choices != nil {
			return s.runBuffered(choices)
		}
	}
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
	if s.weak != nil {
		if m := s.ptx(); m != nil {
			m.leaveOpen(s.OpenFences)
		}
		s.weak.Reset()
	}
	s.scheduler = scheduler
	s.view.Step, s.view.Phase, s.view.Last = 0, 0, nobody
	s.changes, s.lastStep, s.waiting = 0, 0, 0
	s.woken, s.gathered = s.woken[:0], s.gathered[:0]
	s.rows.reset()
	s.parts = s.parts[:0]
	for i := range s.causes {
		s.causes[i].forget()
	}
	s.result = Execution{Setup: s.setup, Trace: s.result.Trace[:0], Races: s.result.Races[:0], choices: s.result.choices[:0], precedence: s.result.precedence[:0], fences: s.result.fences, FaultProcess: nobody}
	s.result.fences.reset()
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
				s.starting.Store(int32(p.id))
				p.resume()
			}
			if s.result.Ending != Complete {
				return false
			}
		}
		s.starting.Store(nobody)
		s.view.Enabled = s.view.Enabled[:0]
		if s.settle(); s.result.Ending != Complete {
			return false
		}
		s.view.Enabled = s.view.Enabled[:0]
		for _, p := range s.processes {
			if p.able() {
				s.view.Enabled = append(s.view.Enabled, p.id)
			}
		}
		if len(s.view.Enabled) > 0 {
			s.running = true
			s.turn = s.choose()
			return true
		}
		if s.pass(); s.turn != phaseEnds {
			return false // nobody has anything to do
		}
		s.endPhase()
	}
}

func (s *Sim) loop() {
	for s.turn != nobody {
		if s.turn == settling {
			s.turn = nobody
			if s.settle(); s.result.Ending == Complete {
				s.pass()
			}
		} else {
			s.processes[s.turn].resume()
		}
		if s.turn == phaseEnds {
			s.endPhase()
			if !s.start() {
				return
			}
		}
	}
}

func (s *Sim) endPhase() {
	s.view.Phase++
	for _, st := range s.setup.structures {
		if p, ok := st.(Phased); ok {
			p.NextPhase(hostMemory{s.words})
		}
	}
	if s.weak != nil {
		s.weak.Meet(s.words)
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
	s.result.choices = append(s.result.choices, model.Choice{Process: uint16(c)})
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
	s.pass()
}

// pass says what comes next: usually the access of whom the scheduler chooses.
func (s *Sim) pass() {
	switch {
	case len(s.woken)+len(s.gathered) > 0:
		s.turn = settling
	case len(s.view.Enabled) > 0:
		s.turn = s.choose()
	case s.blocked():
		s.result.Ending = Stuck // no program that was checked comes here
		s.turn = nobody
	default:
		p := s.sleeper()
		switch s.turn = nobody; {
		case p != nil:
			s.result.Ending, s.result.FaultProcess, s.result.Fault = Faulted, p.number, "all that is left are lanes that wait for one another"
		case s.waiting > 0:
			s.turn = phaseEnds
		}
	}
}

// collect turns the operations that were begun into a history.
func (s *Sim) collect() {
	ops := s.ops
	if s.result.Ending != Complete || s.skipped() {
		ops = slices.DeleteFunc(slices.Clone(s.ops), func(o model.Operation) bool { return !tookPlace(&o) })
	}
	if s.result.Ending != Complete {
		forgetUnfinished(ops)
		for _, p := range s.processes {
			p.close()
		}
	}
	s.history.Ops = ops
	s.result.History = &s.history
	if s.weak != nil && s.result.Ending == Complete {
		s.precede()
	}
	m := s.ptx()
	s.result.fit = s.OpenFences && s.weak != nil && (m == nil || !m.open.unfit)
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

// tookPlace says whether a call of the program is an operation of the history: not
// one that was never made, nor a signal or a wait, which is on no object.
func tookPlace(o *model.Operation) bool { return o.Call != 0 && o.Op.OnObject() }

// skipped says whether some calls are no operations of the history: ends of phases,
// signals and waits, and pushes of what was not there.
func (s *Sim) skipped() bool {
	for i := range s.ops {
		if !tookPlace(&s.ops[i]) {
			return true
		}
	}
	return false
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

func (h hostMemory) Modify(l Location, operand uint64, change Change, _ Access) uint64 {
	before := h.words[l]
	h.words[l] = change(before, operand)
	return before
}
