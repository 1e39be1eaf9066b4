package ref

import (
	"stealproof/model"
	"stealproof/ref/internal/weak"
)

// Scheduler decides, before every access, which process makes the next one, and
// where a weak memory leaves several outcomes open, which of them it has. It is
// an oracle: given the same answers, an execution is the same to the byte.
type Scheduler interface {
	// Next returns one of v.Enabled, or Stop to cut the execution.
	Next(v *View) int
	// Pick is asked behind Next where the access of the chosen process has n
	// outcomes, more than one. Outcome 0 is what a sequentially consistent memory
	// would give; of a load, outcome k reads an older write the larger k is.
	Pick(v *View, n int) int
}

// Newest is the part of a scheduler that does not care for weak outcomes.
type Newest struct{}

// Pick returns the outcome of a sequentially consistent memory.
func (Newest) Pick(*View, int) int { return 0 }

// Stop is the answer of a scheduler that does not want to go on.
const Stop = -1

// View is what a scheduler may look at: who could go on, and with what.
type View struct {
	// Step counts the accesses made so far.
	Step int
	// Phase counts the phases that have ended.
	Phase int
	// Last is the process that made the last access, -1 before the first. Where
	// processes have lanes, it is the thread, here and everywhere else in a View: see
	// Setup.Threads.
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

// Coming is the access that a process waits to make: its kind, location, site
// and what it compares with. It is valid until somebody goes on.
func (v *View) Coming(process int) *Event { return &v.sim.processes[process].upcoming }

// Sources lists, for the read that a process waits to make on a weak memory, the
// accesses whose writes it could read now, newest first; 0 is what was there at
// the start.
func (v *View) Sources(process int, list []int) []int {
	p := v.sim.processes[process]
	a := p.asking(weak.Read, p.upcoming.Location, p.upcoming.Access)
	return v.sim.weak.Sources(&a, list)
}

// Source is, while a pick is being made, the access whose write outcome k would
// read; -1 if it reads nothing.
func (v *View) Source(k int) int { return v.sim.weak.Source(k) }

// Writes says, while a pick is being made, whether outcome k writes.
func (v *View) Writes(k int) bool { return v.sim.weak.Writes(k) }

// Rivals lists, while a pick of an atomic is being made, the accesses whose writes
// it could read, and would then overwrite, if no other atomic had done so; 0 is
// what was there at the start.
func (v *View) Rivals(list []int) []int { return v.sim.weak.Rivals(list) }

// Overtaken is, while a pick is being made, the first access behind which the
// write, or the fence, would take effect with outcome k though it was made
// before; 0 if there is none.
func (v *View) Overtaken(k int) int { return v.sim.weak.Overtaken(k) }

// Newest is, on a weak memory, the access whose write comes last in an order of
// coherence of a location; 0 is what was there at the start.
func (v *View) Newest(l Location) int {
	step, _ := v.sim.weak.Newest(uint32(l))
	return step
}

// Word returns what a location holds.
func (v *View) Word(l Location) uint64 { return v.sim.words[l] }

// Repeats says how many accesses a process has made in its operation since
// memory last changed: a process that waits for another makes many.
func (v *View) Repeats(process int) int {
	p := v.sim.processes[process]
	if p.seenChange != v.sim.changes {
		return 0
	}
	return p.repeats
}

// Waits says whether a process would only repeat its last access, of the same
// site of the algorithm, on a location that holds what it held then: it spins,
// and nothing comes of it until somebody writes there.
func (v *View) Waits(process int) bool {
	p := v.sim.processes[process]
	return p.repeated && v.sim.words[p.upcoming.Location] == p.saw
}

// After returns the process that can go on and comes next in turn behind another.
func (v *View) After(process int) int {
	for _, id := range v.Enabled {
		if id > process {
			return id
		}
	}
	return v.Enabled[0]
}

// Begins says whether a process's upcoming access is the first of an operation.
func (v *View) Begins(process int) bool {
	p := v.sim.processes[process]
	return p.op != nil && !p.begun
}

// GoesOn says whether a process makes another access in this phase: now, or once
// another lane has woken it, or the signal is there that it waits for.
func (v *View) GoesOn(process int) bool {
	p := v.sim.processes[process]
	return !p.finished && !p.waiting
}

// LastEvent is the access that was made last; the simulation must be tracing.
func (v *View) LastEvent() *Event {
	trace := v.sim.result.Trace
	for i := len(trace) - 1; i >= 0; i-- {
		if !trace[i].Silent {
			return &trace[i]
		}
	}
	return nil
}

// Operation returns what a process is doing, or about to begin.
func (v *View) Operation(process int) model.Op { return v.sim.processes[process].op.Op }

// Setup returns what is being executed.
func (v *View) Setup() *Setup { return v.sim.setup }
