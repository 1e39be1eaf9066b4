package litmus

import (
	"context"

	"stealproof/ref/axioms"
)

// path is one way of a thread through its code: its events, and what must hold
// for it to be taken.
type path struct {
	events    []pathEvent
	reads     int
	conds     []pathCondition
	registers []*expr // at the end
	// waits says that the thread waits for ever at its last event, a barrier.
	// Then unset marks the registers that it has not come to set.
	waits bool
	unset []bool
}

// pathEvent is an event whose values may depend on what is read.
type pathEvent struct {
	instruction *Instruction
	kind        axioms.Kind
	order       axioms.Order
	location    int
	atomic      bool
	value       *expr // of a write
	read        int   // number of a read
	rmwOf       int   // of an atomic's write: the read's number; otherwise none
	depends     []int // reads that decide its value, or whether it happens
	id, quorum  *expr // of a barrier; nil if not given
}

const none = -1

// pathCondition is a decision that a branch or a compare-and-swap has taken.
type pathCondition struct {
	comparison Comparison
	a, b       *expr
}

// walker finds the paths of a thread.
type walker struct {
	ctx    context.Context // of the one call that it is made for
	thread *Thread
	unroll int
	live   [][]bool // registers whose values matter, at each instruction
	loops  []bool   // instructions that are jumped back to
	paths  []*path
	cut    string // what bound cut some path, if one did
	steps  int

	followSpins bool
}

// What cuts a path.
const (
	cutLoop   = "a loop goes on beyond the bound (--unroll)"
	cutLength = "a thread is too long: more than 200 events or decisions, or 2,000 steps"
)

// Bounds beyond which paths are cut, so that every test ends.
const (
	mostSteps  = 2_000_000 // of a thread, on all its paths
	mostEvents = 200       // of a path, and as many decisions
	longest    = 2_000     // steps of a path
)

// paths finds the paths of a thread, and says which bound cut some, if one did.
// The variables are those that are looked at in the end.
func (t *Test) paths(ctx context.Context, thread int, o *Options) ([]*path, string) {
	w := &walker{ctx: ctx, thread: &t.Threads[thread], unroll: o.unroll(), live: t.liveRegisters(thread, o.variables), followSpins: o.followSpins}
	w.loops = make([]bool, len(w.thread.Code)+1)
	for at, i := range w.thread.Code {
		if i.Target <= at {
			w.loops[i.Target] = i.Op == Branch || i.Op == Goto || w.loops[i.Target]
		}
	}
	s := state{jumps: map[int]int{}, decided: map[int]int{}}
	for _, v := range w.thread.Initial {
		s.registers = append(s.registers, constantOf(v))
	}
	s.assigned = make([]bool, len(s.registers))
	w.walk(s)
	return w.paths, w.cut
}

// walk follows a path to its end, and those that fork from it.
func (w *walker) walk(s state) {
	for s.at < len(w.thread.Code) {
		if w.steps++; w.steps > mostSteps || s.beyond() || w.ctx.Err() != nil {
			w.cut = cutLength
			return
		}
		if w.loops[s.at] && !w.followSpins && w.spins(&s) {
			return
		}
		i := &w.thread.Code[s.at]
		switch i.Op {
		case Branch:
			if !w.branch(&s, i) {
				return
			}
		case Goto:
			if !w.jump(&s, i.Target, true) {
				return
			}
		case Compare:
			w.compare(s, i)
			return
		default:
			s.execute(i)
			if i.Op == Sync && i.HasQuorum {
				w.wait(s.fork())
			}
			s.at++
		}
	}
	w.paths = append(w.paths, s.path())
}

// wait ends a path at a barrier that the thread never leaves.
func (w *walker) wait(s state) {
	p := s.path()
	p.waits, p.unset = true, make([]bool, len(p.registers))
	for r := range p.registers {
		p.unset[r] = !s.assigned[r] && !w.thread.declared[r] && w.thread.sets(r, s.at)
	}
	w.paths = append(w.paths, p)
}

// sets says whether a thread may set a register behind an instruction.
func (th *Thread) sets(register, behind int) bool {
	seen := make([]bool, len(th.Code))
	var reach func(at int) bool
	reach = func(at int) bool {
		if at >= len(th.Code) || seen[at] {
			return false
		}
		seen[at] = true
		i := &th.Code[at]
		switch {
		case i.setsRegister() && i.Register == register:
			return true
		case i.Op == Goto:
			return reach(i.Target)
		case i.Op == Branch && reach(i.Target):
			return true
		}
		return reach(at + 1)
	}
	return reach(behind + 1)
}

// branch goes the way that is taken, and says whether there is one; if both may
// be, it follows one of them to its end first.
func (w *walker) branch(s *state, i *Instruction) bool {
	a, b := s.operand(i.A), s.operand(i.B)
	if a.kind == constantExpr && b.kind == constantExpr {
		if i.Comparison.holds(a.constant, b.constant) {
			return w.jump(s, i.Target, true)
		}
		s.at++
		return true
	}
	s.control = union(s.control, union(a.reads, b.reads))
	yes, no := s.fork(), s.fork()
	yes.conds = append(yes.conds, pathCondition{i.Comparison, a, b})
	no.conds = append(no.conds, pathCondition{i.Comparison.negated(), a, b})
	mayBe, mayNot := !contradictory(yes.conds), !contradictory(no.conds)
	if mayBe && mayNot {
		if w.jump(&yes, i.Target, false) {
			w.walk(yes)
		}
		*s, mayBe = no, false
	}
	if mayBe { // decided before, in other words
		return w.jump(s, i.Target, false)
	}
	if mayNot {
		s.at++
	}
	return mayNot
}

// compare follows a compare-and-swap that writes, and one that does not. What
// comes after does not depend on which it was; its own write does.
func (w *walker) compare(s state, i *Instruction) {
	expected, value := s.operand(i.A), s.operand(i.B)
	old := s.atomicRead(i)
	s.at++
	yes := s.fork()
	yes.conds = append(yes.conds, pathCondition{Equal, old, expected})
	yes.atomicWrite(i, old, value, union(old.reads, expected.reads)...)
	if !contradictory(yes.conds) {
		w.walk(yes)
	}
	no := s.fork()
	no.conds = append(no.conds, pathCondition{NotEqual, old, expected})
	no.result(i, old)
	if !contradictory(no.conds) {
		w.walk(no)
	}
}

// jump goes to an instruction, and says whether to go on from there. Jumps back
// count towards the bound, but for those that were certain and come round
// without any decision in between: such a loop counts by itself.
func (w *walker) jump(s *state, target int, certain bool) bool {
	from := s.at
	s.at = target
	if target > from {
		return true
	}
	decided := s.decided[from] != len(s.conds)
	s.decided[from] = len(s.conds)
	if certain && !decided {
		return true
	}
	s.jumps[from]++
	if s.jumps[from] > w.unroll {
		if w.cut == "" {
			w.cut = cutLoop
		}
		return false
	}
	return true
}

// spins says whether the thread stands at the beginning of a loop where it
// stood before, having only read since, with registers that do not tell. Without what it read since then, the
// rest of the path is possible just as well: taking reads and fences out of an
// execution forbids nothing. So another path has the same outcomes.
func (w *walker) spins(s *state) bool {
	for k := len(s.visits) - 1; k >= 0; k-- {
		v := &s.visits[k]
		if !silent(s.events[v.events:]) {
			break // nor since any visit before that
		}
		if v.at == s.at && w.sameLive(s.at, v.registers, s.registers) {
			return true
		}
	}
	s.visits = append(s.visits, visit{s.at, len(s.events), append([]*expr(nil), s.registers...)})
	return false
}

// silent says whether the events change nothing for anybody.
func silent(events []pathEvent) bool {
	for _, e := range events {
		switch e.kind {
		case axioms.Read, axioms.Fence, axioms.ProxyFence, axioms.AliasFence:
		default:
			return false
		}
	}
	return true
}

func (w *walker) sameLive(at int, a, b []*expr) bool {
	for r := range a {
		if w.live[at][r] && !a[r].same(b[r]) {
			return false
		}
	}
	return true
}
