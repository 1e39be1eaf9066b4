package litmus

import (
	"maps"
	"slices"

	"stealproof/ref/axioms"
)

// state is where a thread stands on a path.
type state struct {
	at        int
	registers []*expr
	assigned  []bool // registers that an instruction has set
	events    []pathEvent
	reads     int
	conds     []pathCondition
	control   []int       // reads on which branches have depended
	visits    []visit     // of targets of jumps back
	jumps     map[int]int // back, by instruction
	decided   map[int]int // conditions at the last jump
	steps     int
}

// visit is a state in which a thread stood at the beginning of a loop.
type visit struct {
	at, events int
	registers  []*expr
}

// fork copies what further steps change in place.
func (s state) fork() state {
	s.registers = append([]*expr(nil), s.registers...)
	s.assigned = slices.Clone(s.assigned)
	s.events = s.events[:len(s.events):len(s.events)]
	s.conds = s.conds[:len(s.conds):len(s.conds)]
	s.control = s.control[:len(s.control):len(s.control)]
	s.visits = s.visits[:len(s.visits):len(s.visits)]
	s.jumps, s.decided = maps.Clone(s.jumps), maps.Clone(s.decided)
	return s
}

func (s *state) path() *path {
	return &path{events: s.events, reads: s.reads, conds: s.conds, registers: s.registers}
}

// beyond says whether a path is longer than any that is followed.
func (s *state) beyond() bool {
	s.steps++
	return s.steps > longest || len(s.events) > mostEvents || len(s.conds) > mostEvents
}

func (s *state) set(register int, value *expr) {
	s.registers[register], s.assigned[register] = value, true
}

func (s *state) operand(o Operand) *expr {
	if o.IsRegister {
		return s.registers[o.Register]
	}
	return constantOf(o.Constant)
}

func (s *state) event(i *Instruction, kind axioms.Kind, value *expr) *pathEvent {
	e := pathEvent{instruction: i, kind: kind, order: i.Order, location: i.Location, value: value, read: none, rmwOf: none, depends: s.control}
	if value != nil {
		e.depends = union(s.control, value.reads)
	}
	if kind == axioms.Read {
		e.read = s.reads
		s.reads++
	}
	s.events = append(s.events, e)
	return &s.events[len(s.events)-1]
}

// execute takes a step that cannot fork.
func (s *state) execute(i *Instruction) {
	switch i.Op {
	case Load:
		s.set(i.Register, valueRead(s.event(i, axioms.Read, nil).read))
	case Store:
		s.event(i, axioms.Write, s.operand(i.A))
	case Move:
		s.set(i.Register, s.operand(i.A))
	case Compute:
		s.set(i.Register, computed(i.Math, s.operand(i.A), s.operand(i.B)))
	case Fence:
		s.event(i, axioms.Fence, nil)
	case ProxyFence:
		s.event(i, axioms.ProxyFence, nil)
	case AliasFence:
		s.event(i, axioms.AliasFence, nil)
	case Sync, Arrive:
		s.barrier(i)
	case Atomic, Exchange:
		old := s.atomicRead(i)
		value := s.operand(i.A)
		if i.Op == Atomic {
			value = computed(i.Math, old, value)
		}
		s.atomicWrite(i, old, value)
	}
}

func (s *state) barrier(i *Instruction) {
	kind := axioms.BarrierSync
	if i.Op == Arrive {
		kind = axioms.BarrierArrive
	}
	e := s.event(i, kind, nil)
	if i.HasID {
		e.id = s.operand(i.ID)
		e.depends = union(e.depends, e.id.reads)
	}
	if i.HasQuorum {
		e.quorum = s.operand(i.Quorum)
		e.depends = union(e.depends, e.quorum.reads)
	}
}

// atomicRead is the first half of an atomic: its order is the acquire part.
func (s *state) atomicRead(i *Instruction) *expr {
	e := s.event(i, axioms.Read, nil)
	e.atomic = true
	switch {
	case i.Order == axioms.SC: // no test says so, but who makes one for RC11 may
		e.order = axioms.SC
	case i.Order.Acquires():
		e.order = axioms.Acquire
	default:
		e.order = axioms.Relaxed
	}
	return valueRead(e.read)
}

// atomicWrite is the second half, the release part, and sets the register.
func (s *state) atomicWrite(i *Instruction, old, value *expr, decides ...int) {
	e := s.event(i, axioms.Write, value)
	e.atomic, e.rmwOf = true, old.read
	switch {
	case i.Order == axioms.SC:
		e.order = axioms.SC
	case i.Order.Releases():
		e.order = axioms.Release
	default:
		e.order = axioms.Relaxed
	}
	e.depends = union(e.depends, decides)
	s.result(i, old)
}

func (s *state) result(i *Instruction, old *expr) {
	if i.Register != NoRegister {
		s.set(i.Register, old)
	}
}
