package ref

import (
	"fmt"
	"slices"

	"stealproof/model"
	"stealproof/ref/axioms"
)

// An execution with load buffering reads what is written only later, so that no memory
// can make it as it goes along. It is made of a schedule that says what such a read
// reads. Each process is executed by itself (alone.go), and whether the memory allows
// what comes of it is asked of the axioms in the end.

// BufferedScheduler is a scheduler that may know all choices beforehand: it has to,
// where some access reads what comes later.
type BufferedScheduler interface {
	Scheduler
	// Buffered are the choices of such an execution, nil if it is none.
	Buffered() model.Choices
}

// MayBuffer says whether the last execution, which had no load buffering, has a read and
// a write of one location of which the read could have read the write, had that come
// earlier: it comes behind the read, in program order and reads-from together, but
// nothing makes it take effect behind it, unless it depends on it. It also says so where
// there is an atomic at a location that others access in a way that is not morally strong
// with it, and where there are two atomics of which nothing but load buffering makes the
// later one come first. Without such an execution a program has no load buffering at all.
func (s *Sim) MayBuffer() bool {
	m := s.ptx()
	return m != nil && m.mayBuffer()
}

func (m *weakMemory) mayBuffer() bool {
	if m.forgot || m.overtaking { // with writes the reads of them were forgotten
		return true
	}
	for _, at := range m.touched {
		l := &m.locations[at]
		for x := range slots(l.live) {
			w := &l.writes[x]
			if w.atomic && m.strong(l, l.live, w.by) != l.live&^m.initialWrites(l) {
				return true
			}
			for i := range l.reads {
				// it stands for reads of one process, from the first to the last
				p := l.reads[i].by.thread
				if w.atomic && !m.morallyStrong(w.by, l.reads[i].by) {
					return true
				}
				if p != w.by.thread && w.by.thread >= 0 && l.reads[i].first <= w.made[p] && l.reads[i].clock[p] > w.clock[p] {
					return true
				}
			}
		}
	}
	return false
}

// overtakes notes that an atomic that is about to be made could come before one that it
// cannot come before without load buffering: that was made before it, in program order and
// reads-from together, but has not happened before it.
func (m *weakMemory) overtakes(a *attempt) {
	if !m.buffers || m.overtaking {
		return
	}
	t := &m.threads[a.by.thread]
	for x := range slots(a.location.live) {
		w := &a.location.writes[x]
		if q := w.by.thread; w.atomic && q >= 0 && q != a.by.thread && w.index <= t.made[q] && w.index > t.clock[q] {
			m.overtaking = true
		}
	}
}

func (m *weakMemory) initialWrites(l *weakLocation) uint64 {
	var set uint64
	for x := range slots(l.live) {
		if l.writes[x].by.thread < 0 {
			set |= 1 << x
		}
	}
	return set
}

// bufferedRun makes an execution of choices.
type bufferedRun struct {
	sim     *Sim
	setup   *Setup
	values  []map[int]uint64 // of each process, what its reads have read
	courses []*Course
	at      []int // of each process, the accesses that it has made
	made    []bufferedAccess
	steps   []int // places in made of those that are steps
	orders  map[Location][]int
	fences  []int // sc fences
	late    map[int]model.Choice
	x       *axioms.Execution // at the end
}

// bufferedAccess is an access that was made.
type bufferedAccess struct {
	process, number int
	source          int // place in made, or one of the two below
	event           Event
	read, write     int // events of the axioms, or -1
	fence           int
}

// AtomicPlace stands in the choice of an atomic that does not come right behind what it
// reads: so many times one more than the writes that it precedes.
const AtomicPlace = 256

const (
	sourceStart = -1
	sourceNone  = -2
)

// runBuffered makes the execution that some choices give.
func (s *Sim) runBuffered(choices model.Choices) *Execution {
	if s.ptx() == nil || s.setup.checkBuffering() != nil {
		e := &s.result
		e.Ending, e.Fault, e.History = Cut, "only on the memory ptx, and in a program without phases and lanes, can an access read what comes later", &s.history
		s.history.Ops = nil
		return e
	}
	r := &bufferedRun{sim: s, setup: s.setup, orders: map[Location][]int{}, late: map[int]model.Choice{}}
	s.result.FaultProcess = nobody
	for p := range s.setup.Processes() {
		r.values = append(r.values, map[int]uint64{})
		r.courses = append(r.courses, r.course(p))
		r.at = append(r.at, 0)
		r.silent(p)
	}
	for _, run := range choices {
		for range run.Times {
			if err := r.step(run.Choice); err != nil {
				return r.forbidden(err)
			}
			s.result.choices = append(s.result.choices, run.Choice)
		}
	}
	return r.finish()
}

func (r *bufferedRun) course(p int) *Course {
	return r.setup.Alone(p, func(n int) (uint64, bool) {
		v, known := r.values[p][n]
		return v, known
	})
}

// upcoming is the access that a process makes next, nil if there is none.
func (r *bufferedRun) upcoming(p int) *Made {
	if made := r.courses[p].Made; r.at[p] < len(made) {
		return &made[r.at[p]]
	}
	return nil
}

// silent makes the fences that are no steps.
func (r *bufferedRun) silent(p int) {
	for a := r.upcoming(p); a != nil && a.Kind == Fence && a.Access.Order != Weak && a.Access.Order != SC; a = r.upcoming(p) {
		r.make(p, a, sourceNone).event.Silent = true
	}
}

func (r *bufferedRun) make(p int, a *Made, source int) *bufferedAccess {
	first := r.at[p] == 0 || r.courses[p].Made[r.at[p]-1].Op != a.Op
	r.made = append(r.made, bufferedAccess{process: p, number: r.at[p], source: source, event: Event{
		Kind: a.Kind, Access: a.Access, Process: p, Op: a.Op, Step: len(r.steps), First: first,
		Location: a.Location, Expected: a.Expected,
	}})
	r.at[p]++
	return &r.made[len(r.made)-1]
}

// step makes an access as a choice has it.
func (r *bufferedRun) step(c model.Choice) error {
	p := int(c.Process)
	if p >= len(r.courses) || r.upcoming(p) == nil {
		return fmt.Errorf("choice %d is process %d, which cannot go on", len(r.steps)+1, p)
	}
	a := r.upcoming(p)
	source := sourceNone
	if a.Reads {
		var err error
		if source, err = r.read(p, a, c); err != nil {
			return err
		}
		r.courses[p] = r.course(p)
		a = r.upcoming(p)
		if c.Later == 0 && r.setup.Sync(a.Location) && a.Read != given {
			return fmt.Errorf("choice %d lets process %d go on, whose signal is not there", len(r.steps)+1, p)
		}
	}
	i := len(r.made)
	r.steps = append(r.steps, i)
	made := r.make(p, a, source)
	made.event.Before, made.event.After = r.newest(a.Location), r.newest(a.Location)
	if a.Reads {
		r.notice(made, a, c)
	}
	switch {
	case a.Writes:
		made.event.Overtaken = r.place(i, a, c)
		made.event.After = a.Written
	case a.Kind == Fence && a.Access.Order == SC:
		k := max(0, len(r.fences)-int(c.Pick))
		if k < len(r.fences) {
			made.event.Overtaken = r.made[r.fences[k]].event.Step
		}
		r.fences = slices.Insert(r.fences, k, i)
	}
	r.silent(p)
	return nil
}

// read finds what an access reads, and gives it to its process.
func (r *bufferedRun) read(p int, a *Made, c model.Choice) (source int, err error) {
	n := r.at[p]
	if c.Later > 0 {
		r.late[len(r.made)] = c
		r.values[p][n] = c.Value
		return sourceNone, nil
	}
	order := r.orders[a.Location]
	pick := int(c.Pick)
	if a.Kind != Load {
		pick %= AtomicPlace
	}
	switch {
	case pick > len(order):
		return 0, fmt.Errorf("choice %d picks outcome %d, of which there are %d", len(r.steps)+1, pick, len(order)+1)
	case pick == len(order):
		r.values[p][n] = r.setup.Space.initial[a.Location]
		return sourceStart, nil
	}
	source = order[len(order)-1-pick]
	r.values[p][n] = r.written(source)
	return source, nil
}

func (r *bufferedRun) written(i int) uint64 {
	m := &r.made[i]
	return r.courses[m.process].Made[m.number].Written
}

// newest is what a location holds, in the order of coherence.
func (r *bufferedRun) newest(l Location) uint64 {
	if order := r.orders[l]; len(order) > 0 {
		return r.written(order[len(order)-1])
	}
	return r.setup.Space.initial[l]
}

// notice says in the event of a read what it read.
func (r *bufferedRun) notice(made *bufferedAccess, a *Made, c model.Choice) {
	e := &made.event
	e.Before, e.After = a.Read, a.Read
	e.Source = int(c.Later)
	if made.source >= 0 {
		e.Source = r.made[made.source].event.Step
	}
	if order := r.orders[a.Location]; len(order) > 0 && c.Later == 0 {
		if last := order[len(order)-1]; last != made.source {
			e.Missed = r.made[last].event.Step
		}
	}
}

// place puts a write into coherence, and returns the first step that it precedes though
// that was made before. An atomic's comes behind what it has read.
func (r *bufferedRun) place(i int, a *Made, c model.Choice) (overtaken int) {
	order := r.orders[a.Location]
	k := len(order) - int(c.Pick)
	switch {
	case a.Reads && c.Pick >= AtomicPlace:
		k = len(order) - (int(c.Pick)/AtomicPlace - 1)
	case c.Later > 0:
		k = len(order)
	}
	k = max(0, k)
	if k < len(order) {
		overtaken = r.made[order[k]].event.Step
	}
	r.orders[a.Location] = slices.Insert(order, k, i)
	return overtaken
}

// forbidden is an execution that the choices do not give.
func (r *bufferedRun) forbidden(err error) *Execution {
	e := &r.sim.result
	e.Ending, e.Fault = Cut, err.Error()
	r.sim.history.Ops = nil
	e.History = &r.sim.history
	e.Steps = len(r.steps)
	return e
}

// finish looks at what came of the choices.
func (r *bufferedRun) finish() *Execution {
	s, e := r.sim, &r.sim.result
	for i, c := range r.late {
		if err := r.comes(i, c); err != nil {
			return r.forbidden(err)
		}
	}
	x := r.graph()
	s.buffered, r.x = r, x
	if f := x.Explain(); f != nil {
		return r.forbidden(fmt.Errorf("the memory does not allow these choices: %s", f))
	}
	e.Steps, e.LastChange = len(r.steps), len(r.steps)
	for p, c := range r.courses {
		switch {
		case c.Fault != "" && r.at[p] == len(c.Made):
			e.Ending, e.Fault, e.FaultProcess = Faulted, c.Fault, p
		case !c.Ended || r.at[p] < len(c.Made):
			if e.Ending == Complete {
				e.Ending = Cut
			}
		}
	}
	s.history.Ops = r.history()
	e.History = &s.history
	if e.Ending == Complete {
		e.precedence = r.precedence(x)
	}
	if s.Tracing {
		for i := range r.made {
			e.Trace = append(e.Trace, r.made[i].event)
		}
	}
	return e
}

// finals are the values of the writes of a location that no other follows.
func (r *bufferedRun) finals(l Location) []uint64 {
	var values []uint64
	co := r.x.CO()
	for _, i := range r.orders[l] {
		if !slices.ContainsFunc(r.orders[l], func(j int) bool { return co.Has(r.made[i].write, r.made[j].write) }) {
			values = append(values, r.written(i))
		}
	}
	if len(values) == 0 {
		values = append(values, r.setup.Space.initial[l])
	}
	return values
}

// comes says whether a write that was read before it came has come.
func (r *bufferedRun) comes(i int, c model.Choice) error {
	if int(c.Later) <= len(r.steps) {
		w := &r.made[r.steps[c.Later-1]]
		a := &r.courses[w.process].Made[w.number]
		if a.Writes && a.Location == r.made[i].event.Location && a.Written == c.Value {
			r.made[i].source = r.steps[c.Later-1]
			return nil
		}
	}
	return fmt.Errorf("choice %d reads %d of access %d, which does not write that", r.made[i].event.Step, c.Value, c.Later)
}

// graph is the execution as the axioms see it.
func (r *bufferedRun) graph() *axioms.Execution {
	g := &axioms.Graph{}
	for p := range r.courses {
		gpu, cluster, block := r.setup.Place(p)
		g.Places = append(g.Places, axioms.Place{GPU: gpu, Cluster: cluster, CTA: block})
	}
	start := map[Location]int{}
	for i := range r.made {
		if e := &r.made[i].event; e.Kind != Fence {
			if _, known := start[e.Location]; !known {
				start[e.Location] = e.Location.AddInitial(g)
			}
		}
	}
	rows := make([][]*bufferedAccess, len(r.courses))
	for i := range r.made {
		m := &r.made[i]
		a := &r.courses[m.process].Made[m.number]
		m.read, m.write, m.fence = a.AddTo(g, m.process, a.Writes)
		rows[m.process] = append(rows[m.process], m)
		for k, from := range rows[m.process] {
			if from.read < 0 {
				continue
			}
			if a.Depends.Has(k) && k < m.number && m.read >= 0 {
				g.Deps = append(g.Deps, axioms.Pair{From: from.read, To: m.read})
			}
			if (a.Depends.Has(k) || a.Data.Has(k)) && m.write >= 0 {
				g.Deps = append(g.Deps, axioms.Pair{From: from.read, To: m.write})
			}
		}
	}
	for i := range r.made {
		m := &r.made[i]
		switch {
		case m.read < 0:
		case m.source >= 0:
			g.RF = append(g.RF, axioms.Pair{From: r.made[m.source].write, To: m.read})
		case m.source == sourceStart:
			g.RF = append(g.RF, axioms.Pair{From: start[m.event.Location], To: m.read})
		}
	}
	x := axioms.NewExecution(axioms.PTX, g)
	pairs := func(order []int, event func(*bufferedAccess) int, must func(i, j int) bool, to *[]axioms.Pair) {
		for j := range order {
			for i := range j {
				if a, b := event(&r.made[order[i]]), event(&r.made[order[j]]); must(a, b) {
					*to = append(*to, axioms.Pair{From: a, To: b})
				}
			}
		}
	}
	for _, order := range r.orders {
		pairs(order, func(m *bufferedAccess) int { return m.write }, x.MustOrder, &g.CO)
	}
	pairs(r.fences, func(m *bufferedAccess) int { return m.fence }, x.MustOrderFences, &g.FenceOrder)
	x.Update()
	return x
}

// history are the operations that were begun.
func (r *bufferedRun) history() []model.Operation {
	var ops []model.Operation
	last := make([]int, len(r.courses)) // the step of each process
	all := make([][]model.Operation, len(r.courses))
	for p, c := range r.courses {
		all[p] = slices.Clone(c.Ops)
	}
	for i := range r.made {
		e := &r.made[i].event
		p := e.Process
		o := &all[p][e.Op]
		if !e.Silent {
			last[p] = e.Step
		}
		if o.Call == 0 && !e.Silent {
			o.Call = uint64(e.Step)
		}
		c, next := r.courses[p], r.made[i].number+1
		if next == len(c.Made) && c.Ended || next < len(c.Made) && c.Made[next].Op != e.Op {
			o.Return = uint64(last[p])
		}
	}
	for p := range all {
		for _, o := range all[p] {
			if tookPlace(&o) {
				ops = append(ops, o)
			}
		}
	}
	if r.sim.result.Ending != Complete {
		forgetUnfinished(ops)
	}
	return ops
}

// span is an operation among the events of the axioms: its first event is first, or
// comes right behind that; its last is last, or comes right before that.
type span struct{ op, first, last int }

const noEvent = -1

// spans are those of all operations, process by process.
func (r *bufferedRun) spans() [][]span {
	all := make([][]span, len(r.courses))
	before := make([]int, len(r.courses)) // the last event of each process
	for p := range before {
		before[p] = noEvent
	}
	for i := range r.made {
		m := &r.made[i]
		p := m.process
		n := len(all[p])
		if n == 0 || all[p][n-1].op != m.event.Op {
			all[p] = append(all[p], span{m.event.Op, noEvent, noEvent})
			n++
		}
		last := max(m.read, m.write, m.fence)
		first := last
		if m.read >= 0 {
			first = m.read
		}
		if first >= 0 && n > 1 && all[p][n-2].last == noEvent { // an operation without access comes before it
			all[p][n-2].last = first
		}
		s := &all[p][n-1]
		if s.first == noEvent && !m.event.Silent {
			if s.first = first; first < 0 {
				s.first = before[p]
			}
		}
		if last >= 0 {
			s.last, before[p] = last, last
		}
	}
	return all
}

// precedence says which operations precede which: their last events happened before the
// others' first ones.
func (r *bufferedRun) precedence(x *axioms.Execution) model.Precedence {
	happened := x.Happened()
	precedes := func(a, b span) bool {
		return a.last >= 0 && b.first >= 0 && (a.last == b.first || happened.Has(a.last, b.first))
	}
	var rows model.Precedence
	spans := r.spans()
	for p := range spans { // signals and waits are on no object
		spans[p] = slices.DeleteFunc(spans[p], func(s span) bool { return !r.courses[p].Ops[s.op].Op.OnObject() })
	}
	for p := range spans {
		for _, s := range spans[p] {
			row := make([]int32, len(spans))
			for q := range spans {
				for p != q && int(row[q]) < len(spans[q]) && precedes(spans[q][row[q]], s) {
					row[q]++
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// AddInitial adds the event of what the location holds at the start.
func (l Location) AddInitial(g *axioms.Graph) int {
	g.Events = append(g.Events, axioms.Event{Thread: axioms.Initial, Kind: axioms.Write, Location: int(l)})
	return len(g.Events) - 1
}

// AddTo adds the events of an access to a graph: that of its read, of its write, if it
// is to have one, or of the fence; -1 for those that it does not have.
func (a *Made) AddTo(g *axioms.Graph, process int, writes bool) (read, write, fence int) {
	read, write, fence = -1, -1, -1
	e := axioms.Event{Thread: process, Scope: axioms.Scope(a.Access.Scope - Block), Location: int(a.Location), Order: axioms.Order(a.Access.Order)}
	put := func(kind axioms.Kind, order axioms.Order) int {
		e.Kind, e.Order = kind, order
		g.Events = append(g.Events, e)
		return len(g.Events) - 1
	}
	switch a.Kind {
	case Fence:
		if a.Access.Order != Weak {
			e.Location = 0
			fence = put(axioms.Fence, e.Order)
		}
		return read, write, fence
	case Load:
		return put(axioms.Read, e.Order), write, fence
	case Store:
		if writes {
			write = put(axioms.Write, e.Order)
		}
		return read, write, fence
	}
	e.Atomic = true
	order := e.Order
	half := func(has bool, strong axioms.Order) axioms.Order {
		if has {
			return strong
		}
		return axioms.Relaxed
	}
	read = put(axioms.Read, half(order.Acquires(), axioms.Acquire))
	if writes {
		write = put(axioms.Write, half(order.Releases(), axioms.Release))
		g.RMW = append(g.RMW, axioms.Pair{From: read, To: write})
	}
	return read, write, fence
}
