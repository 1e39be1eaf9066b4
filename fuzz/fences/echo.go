package fences

import (
	"slices"

	"stealproof/fuzz/schedule"
	"stealproof/ref"
)

// echo carries out an execution of a weak memory again on another choice of
// orders: the same process makes the same access, reads the same write and
// overtakes the same one, as far as the orders allow it. Fences that the
// execution did not have are made just before the access that follows them.
// Where the execution can no longer be had, something like it is made; whoever
// asks judges what comes of it.
type echo struct {
	plan []echoed
	at   int
	// steps are those of the planned accesses in this execution, 0 if not made.
	steps  []int
	choice *echoed // what is being picked, nil if it is not planned
	rest   schedule.RoundRobin
}

// echoed is an access of the execution. Writes are named by the place in the
// plan of the access that made them, noPlace for what was there at the start.
type echoed struct {
	process           int
	fence             bool
	source, overtaken int
}

const noPlace = -1

// newEcho remembers a traced execution.
func newEcho(trace []ref.Event) *echo {
	r := &echo{}
	places := map[int]int{0: noPlace}
	for i := range trace {
		ev := &trace[i]
		if ev.Silent {
			continue
		}
		places[ev.Step] = len(r.plan)
		r.plan = append(r.plan, echoed{ev.Process, ev.Kind == ref.Fence, places[ev.Source], places[ev.Overtaken]})
	}
	r.steps = make([]int, len(r.plan))
	return r
}

// Begin starts from the first access; the seed does not matter.
func (r *echo) Begin(uint64) {
	r.at = 0
	clear(r.steps)
}

// Next returns the process of the next planned access, or of a fence before it.
func (r *echo) Next(v *ref.View) int {
	r.choice = nil
	for ; r.at < len(r.plan); r.at++ {
		next := &r.plan[r.at]
		if !slices.Contains(v.Enabled, next.process) {
			continue
		}
		kind, _ := v.Upcoming(next.process)
		if next.fence && kind != ref.Fence {
			continue
		}
		if next.fence == (kind == ref.Fence) {
			r.choice, r.steps[r.at] = next, v.Step+1
			r.at++
		}
		return next.process
	}
	return r.rest.Next(v)
}

// Pick returns the outcome that reads and overtakes what the planned one did, or
// if there is none, one that reads the same.
func (r *echo) Pick(v *ref.View, n int) int {
	if r.choice == nil {
		return 0
	}
	best := 0
	for k := n - 1; k >= 0; k-- {
		if read := v.Source(k); read >= 0 && read != r.step(r.choice.source) {
			continue
		}
		best = k
		if v.Overtaken(k) == r.step(r.choice.overtaken) {
			return k
		}
	}
	return best
}

func (r *echo) step(place int) int {
	if place == noPlace {
		return 0
	}
	return r.steps[place]
}
