package ref

import (
	"fmt"
	"slices"

	"stealproof/model"
)

// Course is what a process does by itself when its reads are given: its accesses up
// to the first read that is not, in the order of its text. An access of order sc is a
// fence and an access, as on the weak memory.
type Course struct {
	Made []Made
	// Ended: it has carried out all its operations. Waits: it would read next, and was
	// not told what; that access is the last of Made. Fault says why it can do neither.
	// If there is none, it waits for a signal, and what it was told is not that.
	Ended, Waits bool
	Fault        string
	Ops          []model.Operation
	// Tells: the structure said on which reads its accesses depend.
	Tells bool
}

// Made is an access of a course.
type Made struct {
	Kind          AccessKind
	Access        Access
	Location      Location
	Op            int // place of its operation among those of the process
	Reads, Writes bool
	Expected      uint64 // as in Event
	Read, Written uint64
	// Depends are the reads on which it depends whether the access comes, and where,
	// and Data those that what it writes depends on beside them, as far as the
	// structure tells; an access of which that is told to depend on itself writes
	// what it makes of what it reads.
	Depends, Data Reads
}

// Reads is a set of accesses of one process, by their numbers in its course.
type Reads [4]uint64

// mostAccesses is how many accesses a course has at the most.
const mostAccesses = 4 * 64

// Add adds an access.
func (r *Reads) Add(n int) { r[n/64] |= 1 << (n % 64) }

// Has says whether an access is in the set.
func (r *Reads) Has(n int) bool { return r[n/64]>>(n%64)&1 != 0 }

// And is the set of those that are in both.
func (r Reads) And(s Reads) Reads { return Reads{r[0] & s[0], r[1] & s[1], r[2] & s[2], r[3] & s[3]} }

// Or is the set of those that are in either.
func (r Reads) Or(s Reads) Reads { return Reads{r[0] | s[0], r[1] | s[1], r[2] | s[2], r[3] | s[3]} }

// Dependencies is what a Memory may be as well: one that wants to know on which
// accesses of its process an access depends. A structure that knows, because it has
// registers, says so before each access.
type Dependencies interface {
	// Depends is told the accesses that decide whether and where the next access is
	// made, and those that decide what it writes. Accesses are numbered by Count.
	Depends(control, data Reads)
	// Count is the number of the next access that is not a fence put before it.
	Count(a Access) int
	// Brought is what was told last of control, which an operation begins with, and the
	// accesses that its operands depend on.
	Brought() (control, operands Reads)
}

// tooLong is the fault of a course of more than mostAccesses accesses.
const tooLong = "the process makes too many accesses"

// Alone executes the operations of a process by itself. What access n reads is given
// by a function; where it does not know, the course ends.
func (s *Setup) Alone(process int, given func(n int) (uint64, bool)) *Course {
	from, to := s.first[process], s.first[process+1]
	c := &Course{Ops: append([]model.Operation(nil), s.ops[from:to]...)}
	(&alone{setup: s, course: c, given: given, from: from}).run()
	return c
}

// TooLong says whether the course was given up.
func (c *Course) TooLong() bool { return c.Fault == tooLong }

// Initial is what a location holds at the start.
func (s *Setup) Initial(l Location) uint64 { return s.Space.initial[l] }

// checkBuffering refuses programs of which no executions with load buffering are made.
func (s *Setup) checkBuffering() error {
	const leave = ": leave buffering=yes out"
	name := s.Config.Design.Name
	if s.Lanes() > 1 {
		return fmt.Errorf("structure %s: load buffering is not made where lanes carry out operations together, since what they tell one another by shuffles is not followed%s", name, leave)
	}
	if slices.ContainsFunc(s.ops, func(o model.Operation) bool { return o.Op == model.Phase }) {
		return fmt.Errorf("structure %s: load buffering is not made in programs with phases, since what the host does between them is not followed%s", name, leave)
	}
	return nil
}

// alone is the memory of a process that is by itself.
type alone struct {
	setup         *Setup
	course        *Course
	given         func(n int) (uint64, bool)
	from          int
	op            int
	control, data Reads
	waited        Reads // those of waits
	operands      Reads // those on which what the operation brings depends
	over          bool
}

func (m *alone) run() {
	c := m.course
	defer func() {
		switch r := recover(); r.(type) {
		case nil, unwinding:
		default:
			c.Fault = describePanic(r)
		}
	}()
	var removed *model.Operation
	taken := 0 // its place
	for i := range c.Ops {
		o := &c.Ops[i]
		m.op = i
		if o.Op.Synchronizes() {
			m.synchronize(o.Op, m.setup.syncs[m.from+i])
			continue
		}
		if m.setup.last[m.from+i] && !resolveLast(o, removed) {
			continue
		}
		m.operands = Reads{}
		if m.setup.last[m.from+i] {
			m.operands = m.readBy(taken)
		}
		n := len(c.Made)
		m.setup.do(m, o)
		if len(c.Made) == n { // an operation without access still takes place
			m.make(Made{Kind: Fence})
		}
		if o.TakesOut() {
			removed, taken = o, i
		}
	}
	c.Ended = true
}

// readBy are the reads of an operation.
func (m *alone) readBy(op int) (all Reads) {
	for n := range m.course.Made {
		if a := &m.course.Made[n]; a.Op == op && a.Reads {
			all.Add(n)
		}
	}
	return all
}

// synchronize makes the access of a signal, or of a wait, which goes on only if it reads
// the signal. That decides whether anything behind it is done.
func (m *alone) synchronize(op model.Op, c clientSync) {
	m.data = Reads{}
	if op == model.Signal {
		m.make(Made{Kind: Store, Access: c.access, Location: c.word, Writes: true, Written: given})
		return
	}
	a := m.make(Made{Kind: Load, Access: c.access, Location: c.word, Reads: true})
	n := len(m.course.Made) - 1
	if m.read(a) != given {
		m.over = true
		panic(unwinding{})
	}
	m.waited.Add(n)
}

// make notes an access.
func (m *alone) make(a Made) *Made {
	m.unwind()
	c := m.course
	if len(c.Made) == mostAccesses {
		m.over = true
		panic(&Fault{Msg: tooLong})
	}
	a.Op, a.Depends, a.Data = m.op, m.control.Or(m.waited), m.data
	c.Made = append(c.Made, a)
	return &c.Made[len(c.Made)-1]
}

func (m *alone) unwind() {
	if m.over {
		panic(unwinding{})
	}
}

// fenced makes the fence that an access of order sc stands for, and returns what is
// left of it.
func (m *alone) fenced(a Access, rest Order) Access {
	a = m.setup.Config.ordered(a)
	if a.Order == SC {
		m.make(Made{Kind: Fence, Access: a})
		a.Order = rest
	}
	return a
}

// read gives the access that was noted last what it reads, or ends the course.
func (m *alone) read(a *Made) uint64 {
	v, known := m.given(len(m.course.Made) - 1)
	if !known {
		m.course.Waits, m.over = true, true
		panic(unwinding{})
	}
	a.Read = v
	return v
}

func (m *alone) Load(l Location, a Access) uint64 {
	a = m.fenced(a, Acquire)
	return m.read(m.make(Made{Kind: Load, Access: a, Location: l, Reads: true}))
}

func (m *alone) Store(l Location, v uint64, a Access) {
	a = m.fenced(a, Release)
	m.make(Made{Kind: Store, Access: a, Location: l, Writes: true, Written: v})
}

func (m *alone) atomic(e Made, stores func(uint64) (uint64, bool)) uint64 {
	e.Access = m.fenced(e.Access, AcqRel)
	e.Access.Order = max(e.Access.Order, Relaxed)
	e.Reads = true
	made := m.make(e)
	v := m.read(made)
	made.Written, made.Writes = stores(v)
	return v
}

func (m *alone) CompareAndSwap(l Location, old, new uint64, a Access) (uint64, bool) {
	seen := m.atomic(Made{Kind: CompareAndSwap, Access: a, Location: l, Expected: old}, func(v uint64) (uint64, bool) { return new, v == old })
	return seen, seen == old
}

func (m *alone) FetchAdd(l Location, delta uint64, a Access) uint64 {
	return m.atomic(Made{Kind: FetchAdd, Access: a, Location: l, Expected: delta}, func(v uint64) (uint64, bool) { return v + delta, true })
}

func (m *alone) Modify(l Location, operand uint64, change Change, a Access) uint64 {
	return m.atomic(Made{Kind: Modify, Access: a, Location: l, Expected: operand}, func(v uint64) (uint64, bool) { return change(v, operand), true })
}

func (m *alone) Fence(a Access) {
	m.unwind()
	if a = m.setup.Config.ordered(a); a.Order != Weak {
		m.make(Made{Kind: Fence, Access: a})
	}
}

func (m *alone) Depends(control, data Reads) {
	m.course.Tells = true
	m.control, m.data = control, data
}

func (m *alone) Brought() (control, operands Reads) { return m.control, m.operands }

func (m *alone) Count(a Access) int {
	if m.setup.Config.ordered(a).Order == SC {
		return len(m.course.Made) + 1
	}
	return len(m.course.Made)
}

// Place is where a process runs, on a weak memory.
func (s *Setup) Place(process int) (gpu, cluster, block int) {
	at := s.places[process]
	return at.gpu, at.cluster, at.block
}

// Feed carries out an operation of a process of this execution, or of the last one,
// from its beginning and by itself: no memory is touched, its accesses read what
// answer says, which ends the operation by false. So one sees what an operation would do
// if it read this and that: it is a function of what it reads. Feed returns what came of the operation, and whether
// it came to its end.
func (s *Sim) Feed(process, operation int, answer func(asked *Event) (read uint64, goOn bool)) (done model.Operation, ended bool) {
	i := s.processes[process].from + operation
	done = s.setup.ops[i]
	if s.setup.last[i] { // what it pushes is known since it was called
		done.Value, done.To = s.ops[i].Value, s.ops[i].To
	}
	m := &fed{setup: s.setup, answer: answer, asked: Event{Process: process, Op: operation}}
	defer func() {
		if recover() != nil { // it was ended, or failed
			ended = false
		}
	}()
	s.setup.do(m, &done)
	return done, !m.over
}

// fed is the memory of an operation that is carried out by itself.
type fed struct {
	setup  *Setup
	answer func(asked *Event) (read uint64, goOn bool)
	asked  Event
	over   bool
}

// ask is an access: of order sc it is two on a weak memory, as process.fenced has it.
func (m *fed) ask(kind AccessKind, l Location, expected uint64, a Access) uint64 {
	a = m.setup.Config.ordered(a)
	if m.setup.Weak() && a.Order == SC && kind != Fence {
		m.make(Fence, 0, 0, a)
	}
	return m.make(kind, l, expected, a)
}

func (m *fed) make(kind AccessKind, l Location, expected uint64, a Access) uint64 {
	if m.over {
		panic(unwinding{}) // what is still deferred
	}
	m.asked.Kind, m.asked.Location, m.asked.Expected, m.asked.Access = kind, l, expected, a
	read, goOn := m.answer(&m.asked)
	if !goOn {
		m.over = true
		panic(unwinding{})
	}
	return read
}

func (m *fed) Load(l Location, a Access) uint64 { return m.ask(Load, l, 0, a) }

func (m *fed) Store(l Location, _ uint64, a Access) { m.ask(Store, l, 0, a) }

func (m *fed) CompareAndSwap(l Location, old, _ uint64, a Access) (uint64, bool) {
	seen := m.ask(CompareAndSwap, l, old, a)
	return seen, seen == old
}

func (m *fed) FetchAdd(l Location, _ uint64, a Access) uint64 { return m.ask(FetchAdd, l, 0, a) }

func (m *fed) Modify(l Location, operand uint64, _ Change, a Access) uint64 {
	return m.ask(Modify, l, operand, a)
}

func (m *fed) Fence(a Access) {
	if a = m.setup.Config.ordered(a); m.setup.Weak() && a.Order == SC {
		m.make(Fence, 0, 0, a)
	}
}
