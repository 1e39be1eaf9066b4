package schedule

import (
	"fmt"
	"slices"

	"stealproof/model"
	"stealproof/ref"
)

// Replay follows a list of choices. Where the list has ended it goes on
// without preemptions, so that a shortened list is still a schedule; where a
// choice cannot be made it stops and says so, because the structure or its
// program is no longer the one that the list was made for.
type Replay struct {
	choices model.Choices
	run     int // the current run, and how often it was followed
	times   uint32
	pick    uint16 // of the current choice
	// Diverged says why the list could not be followed.
	Diverged error
	rest     RoundRobin
}

// NewReplay returns the strategy that follows the choices.
func NewReplay(c model.Choices) *Replay { return &Replay{choices: c} }

// Begin starts from the first choice; the seed does not matter.
func (r *Replay) Begin(uint64) { r.run, r.times, r.pick, r.Diverged = 0, 0, 0, nil }

// Buffered are the choices if one of them reads what comes later: such an execution is
// made of all of them at once.
func (r *Replay) Buffered() model.Choices {
	if r.choices.Buffered() {
		return r.choices
	}
	return nil
}

// Next returns the next choice.
func (r *Replay) Next(v *ref.View) int {
	if r.run >= len(r.choices) {
		r.pick = 0
		return r.rest.Next(v)
	}
	c := r.choices[r.run]
	r.pick = c.Pick
	if r.times++; r.times >= c.Times {
		r.run++
		r.times = 0
	}
	if !slices.Contains(v.Enabled, int(c.Process)) {
		r.Diverged = fmt.Errorf("choice %d is process %d, which cannot go on (%v can): the structure or the program has changed since the schedule was saved", v.Step+1, c.Process, v.Enabled)
		return ref.Stop
	}
	return int(c.Process)
}

// Pick returns the outcome that the choice names.
func (r *Replay) Pick(v *ref.View, n int) int {
	if int(r.pick) >= n {
		r.Diverged = fmt.Errorf("choice %d picks outcome %d, of which there are %d: the structure or the program has changed since the schedule was saved", v.Step+1, r.pick, n)
		return ref.Stop
	}
	return int(r.pick)
}

// Fits says whether the execution followed the whole list.
func (r *Replay) Fits(e *ref.Execution) error {
	if r.Diverged != nil {
		return r.Diverged
	}
	if r.Buffered() != nil && e.Ending == ref.Cut {
		return fmt.Errorf("%s: the structure or the program has changed since the schedule was saved", e.Fault)
	}
	if all := r.choices.Len(); e.Steps < all {
		return fmt.Errorf("the execution ended after %d accesses, the schedule has %d choices: the structure or the program has changed since it was saved", e.Steps, all)
	}
	return nil
}
