package exhaust

import (
	"fmt"

	"stealproof/fuzz"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// explorer executes one program, again and again, and judges what it meets.
type explorer struct {
	setup     *ref.Setup
	sim       *ref.Sim
	search    *search
	orders    orders
	seen      *seen
	witnesses witnesses
	judged    model.History // room for a history to judge
	// unjudged: executions are only counted.
	unjudged bool
	wrong    []int // endpoints of a history that does not hold, in its order

	each      func(*ref.Execution) // see Exhaust
	around    func(ref.Scheduler) ref.Scheduler
	histories func(HistoryKey)
}

// newExplorer prepares for executions of a program.
func newExplorer(p *exhausting, accesses int, all, prunes bool) *explorer {
	sim := ref.NewSim(p.setup)
	x := &explorer{setup: p.setup, sim: sim, search: newSearch(p, sim, prunes), seen: p.seen}
	x.search.pulse.silence = x.silence
	x.sim.Tracing = true
	x.sim.Limit = accesses
	x.orders.all = all
	x.orders.found = x.found
	x.orders.proved = func() bool { return x.witnesses.prove(&x.orders.pre) }
	return x
}

func (x *explorer) close() {
	x.sim.Close()
	x.search.close()
}

// outcome is what came of one execution.
type outcome struct {
	cut       bool // it is equivalent to one that was made
	undecided bool // it did not come to its end
	vigil     bool // nor does it: lanes wait together
	failure   *fuzz.Failure
	err       error
}

// once makes the execution that the search has chosen.
func (x *explorer) once() outcome {
	s := x.search
	s.begin()
	x.search.pulse.resting.Store(false)
	var scheduler ref.Scheduler = s
	if x.around != nil {
		scheduler = x.around(s)
	}
	e := x.sim.Run(scheduler)
	x.search.pulse.resting.Store(true)
	if s.broken != nil {
		return outcome{err: x.describeBroken(e)}
	}
	if s.vigil {
		return outcome{undecided: true, vigil: true}
	}
	s.races(e)
	if s.asleep || s.failed && !s.stuck || s.unlike() {
		return outcome{cut: true}
	}
	if s.stuck {
		e.Ending = ref.Stuck
	}
	if x.each != nil {
		x.each(e)
	}
	switch {
	case x.around != nil && (e.Ending == ref.Cut || e.Ending == ref.Stuck):
		return outcome{} // whoever stopped it, or hides somebody, knows why
	case e.Ending == ref.Complete:
		if x.unjudged && x.histories == nil || x.holds(e) {
			return outcome{}
		}
		return outcome{failure: x.realise()}
	}
	f := fuzz.Judge(e)
	if f.Verdict == model.Violation {
		return outcome{failure: fuzz.NewFailure(e, f, foundExhaustively)}
	}
	return outcome{undecided: true}
}

func (x *explorer) describeBroken(e *ref.Execution) error {
	return fmt.Errorf("structure %s: %w; choices:%s", x.setup.Subject.Spec(), x.search.broken, e.Choices())
}

// holds judges the histories of all executions equivalent to one, as far as
// they are new.
func (x *explorer) holds(e *ref.Execution) bool {
	x.orders.prepare(x.search, e)
	x.judged = *e.History
	x.wrong = x.wrong[:0]
	x.witnesses.begin(x.orders.outcome, e.History)
	if !x.orders.all && oneObject(e.History) {
		holds, sure := x.orders.decide(&x.witnesses, e.History)
		if sure && !holds {
			x.wrong = append(x.wrong, x.orders.word...)
		}
		if sure {
			return holds
		}
		x.orders.word = x.orders.word[:0]
	}
	return x.orders.enumerate()
}

// found judges one history, unless it is known, and says whether to go on.
func (x *explorer) found(key orderKey) bool {
	if x.orders.all && x.seen.has(key.sum()) {
		return true
	}
	for at, i := range x.orders.word {
		p := &x.orders.points[i]
		if p.begins {
			x.judged.Ops[p.op].Call = uint64(at + 1)
		}
		if p.ends {
			x.judged.Ops[p.op].Return = uint64(at + 1)
		}
	}
	if !x.unjudged && !x.witnesses.holds(&x.judged) {
		x.wrong = append(x.wrong, x.orders.word...)
		return false
	}
	if x.orders.all {
		x.seen.add(key.sum())
		if x.histories != nil {
			x.histories(key.sum())
		}
	}
	return true
}

// realise executes the program so that it has the history that was found
// wrong: the accesses of the last execution in another order.
func (x *explorer) realise() *fuzz.Failure {
	var choices model.Choices
	made := make([]bool, len(x.search.stack))
	for _, i := range x.wrong {
		p := &x.orders.points[i]
		if !p.ends && x.setup.Lanes() > 1 {
			continue // whichever lane begins, behind what must come before
		}
		for at := range p.nodes() {
			last := x.search.stack[at]
			for k, n := range x.search.stack[:at+1] {
				if !made[k] && (n == last || forces(n, last)) {
					made[k] = true
					choices.Add(n.chosen)
				}
			}
		}
	}
	for k, n := range x.search.stack {
		if !made[k] {
			choices.Add(n.chosen)
		}
	}
	sim := ref.NewSim(x.setup)
	defer sim.Close()
	e := sim.Run(schedule.NewReplay(choices))
	return fuzz.NewFailure(e, fuzz.Judge(e), foundExhaustively)
}

// foundExhaustively is the note of cases that an exhaustive search found.
const foundExhaustively = "found by exhaustive exploration"
