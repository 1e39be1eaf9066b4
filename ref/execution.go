package ref

import (
	"slices"

	"stealproof/model"
)

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
	// Misuse says that the fault is none of the algorithm: what it asked for is not
	// to be had of any memory.
	Misuse bool
	Steps  int
	// LastChange is the access that changed memory last.
	LastChange int
	// Trace has every access, fences included, if it was asked for.
	Trace []Event
	// Races are the data races that there are, on a weak memory and if they were asked
	// for.
	Races []Race

	choices    []model.Choice
	precedence model.Precedence
	fences     FenceOrders
	fit        bool
}

// Race is two accesses, by their steps, of the same location, one of which writes at
// least: they are not morally strong, and neither precedes the other in causality.
type Race struct{ Earlier, Later int }

// Choices are those that the schedule made: replayed, they give the same
// execution. Of one that got stuck they end with the last change of memory, or
// the last read of an old write: whoever goes on from there, nothing happens.
func (e *Execution) Choices() model.Choices {
	made := e.choices
	if e.Ending == Stuck {
		last := len(made)
		for last > e.LastChange && made[last-1].Pick == 0 {
			last--
		}
		made = made[:last]
	}
	var c model.Choices
	for _, p := range made {
		c.Add(p)
	}
	return c
}

// cause is what an operation follows: of each of its lanes, the clock of the first
// event, nil if it had none, and the number of the last among those of the lane.
type cause struct {
	first []clock
	last  []int32
}

func (c *cause) forget() {
	clear(c.first)
	clear(c.last)
}

// began notes what happened before the first event of an operation.
func (p *process) began() {
	s := p.sim
	if c := &s.causes[p.from+p.upcoming.Op]; p.upcoming.First {
		c.first[p.lane] = s.weak.Clock(p.id)
	}
}

// ended notes the last events of an operation.
func (s *Sim) ended(i int, p *process) {
	c := &s.causes[i]
	for lane := range c.last {
		if c.first[lane] != nil {
			c.last[lane] = s.weak.Index(p.id - p.lane + lane)
		}
	}
}

// before is what happened before every first event of the operation's lanes.
func (c *cause) before() clock {
	var all clock
	for _, first := range c.first {
		switch {
		case first == nil:
		case all == nil:
			all = first
		default:
			all = slices.Clone(all)
			for i, n := range first {
				all[i] = min(all[i], n)
			}
		}
	}
	return all
}

// known says whether a clock describes the last events of the operation, of a process
// whose first lane is thread from.
func (c *cause) known(from int, by clock) bool {
	for lane, n := range c.last {
		if n > by[from+lane] {
			return false
		}
	}
	return true
}

// Precedence says which operations of the history precede which, where no clock
// could tell: on a weak memory one precedes another if its last access happened
// before the other's first, by the model's causality together with program
// order. It is nil on a sequentially consistent memory, whose history has times, and where
// the order of fences is left open.
func (e *Execution) Precedence() model.Precedence { return e.precedence }

// precede computes it, for operations of a complete execution: one precedes another if
// all that its lanes did happened before all that the lanes of the other did.
func (s *Sim) precede() {
	t := &s.took
	t.first, t.ends, t.of = t.first[:0], t.ends[:0], t.of[:0]
	for i := range s.ops {
		if o, c := &s.ops[i], &s.causes[i]; tookPlace(o) {
			t.first, t.ends, t.of = append(t.first, c.before()), append(t.ends, c), append(t.of, o.Process)
		}
	}
	if s.OpenFences {
		s.openPrecede(t.first, t.of, t.ends)
		return
	}
	rows := s.result.precedence[:0]
	lanes := s.setup.Lanes()
	last := make([][]*cause, s.setup.Processes()) // of each process, its operations
	for i, c := range t.ends {
		last[t.of[i]] = append(last[t.of[i]], c)
	}
	for i, f := range t.first {
		row := s.rows.clone(f)[:len(last)]
		for p, ops := range last {
			n := 0
			for n < len(ops) && ops[n].known(p*lanes, f) {
				n++
			}
			row[p] = int32(n)
		}
		row[t.of[i]] = 0 // an operation of one access has ended when it begins; the order of a process holds anyhow
		rows = append(rows, row)
	}
	s.result.precedence = rows
}

// took are the operations that took place, of the process that each is of.
type took struct {
	first []clock
	ends  []*cause
	of    []uint32
}

// Timed is the history with times that say no more than causality does, so that
// whoever judges it by them raises no false alarm. On a weak memory these are
// epochs: one ends where everything that has returned precedes everything that
// is still to be called.
func (e *Execution) Timed() *model.History {
	if !e.Setup.Weak() || e.Ending != Complete {
		return e.History
	}
	h := *e.History
	h.Clock = model.Clock{Source: "epochs of causality", Unit: "epoch", Resolution: 1}
	h.Ops = append([]model.Operation(nil), e.History.Ops...)
	var ends []uint64 // the first accesses behind an epoch's end
	for i := range e.History.Ops {
		if at := e.History.Ops[i].Call; e.separates(at) {
			ends = append(ends, at)
		}
	}
	epoch := func(at uint64) uint64 {
		n := uint64(0)
		for _, end := range ends {
			if end <= at {
				n++
			}
		}
		return n
	}
	for i := range h.Ops {
		h.Ops[i].Call, h.Ops[i].Return = epoch(h.Ops[i].Call), epoch(h.Ops[i].Return)
	}
	return &h
}

// separates says whether all operations that returned before an access precede
// all that were called at it or later.
func (e *Execution) separates(at uint64) bool {
	ops := e.History.Ops
	for j := range ops {
		if ops[j].Call < at {
			continue
		}
		returned := make([]int32, len(e.precedence[j]))
		for i := range ops {
			if ops[i].Return < at {
				returned[ops[i].Process]++
			}
		}
		for p, n := range returned {
			if p != int(ops[j].Process) && n > e.precedence[j][p] {
				return false
			}
		}
	}
	return true
}
