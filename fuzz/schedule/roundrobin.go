package schedule

import (
	"slices"

	"stealproof/fuzz/choice"
	"stealproof/ref"
)

// RoundRobin lets a process run to its end, but for a few preemptions at
// random accesses, each of which hands over to the next process in turn: most
// defects need few (Musuvathi & Qadeer 2007).
type RoundRobin struct {
	preemptions, steps int

	random choice.Random
	at     []int
}

func newRoundRobin(s *settings, setup *ref.Setup) (Strategy, error) {
	r := &RoundRobin{preemptions: s.number("preemptions", 2, 0, 1000), steps: s.number("steps", 0, 0, 1<<30)}
	if r.steps == 0 {
		r.steps = sequentialSteps(setup)
	}
	return r, nil
}

// Begin draws after which accesses somebody else goes on.
func (r *RoundRobin) Begin(seed uint64) {
	r.random = *choice.NewRandom(seed)
	r.at = r.at[:0]
	for range r.preemptions {
		r.at = append(r.at, r.random.IntN(r.steps))
	}
	r.at = append(r.at, 0) // any process may begin
}

// Next stays with the process that went last, until it is preempted or waits.
func (r *RoundRobin) Next(v *ref.View) int {
	switch {
	case v.Last < 0:
		if len(r.at) == 0 {
			return v.Enabled[0]
		}
		return v.Enabled[r.random.IntN(len(v.Enabled))]
	case slices.Contains(r.at, v.Step), Waits(v, v.Last), !slices.Contains(v.Enabled, v.Last):
		return v.After(v.Last)
	}
	return v.Last
}

// Pick reads an old write now and then: like preemptions, few suffice.
func (r *RoundRobin) Pick(_ *ref.View, n int) int { return seldomOld(&r.random, n) }
