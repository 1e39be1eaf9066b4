package shrink

import (
	"stealproof/fuzz"
	"stealproof/fuzz/exhaust"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// effort is how hard a schedule is looked for.
type effort int

const (
	// cheap: the old schedule without what was left out.
	cheap effort = iota + 1
	// moderate: also those with a few preemptions, and random ones.
	moderate
	// thorough: also all of them, as far as the executions go.
	thorough
	// settled: there is none.
	settled
)

// try looks for a failing schedule of a smaller program, and goes on with it if
// there is one.
func (k *shrinker) try(d draft, level effort) bool {
	d = d.withoutIdleWaits()
	p := d.program()
	if k.ctx.Err() != nil || len(p.Processes) == 0 {
		return false
	}
	if !sizeOfProgram(p).Less(k.best.size.ofProgram()) {
		return false
	}
	text := p.String()
	if known := k.failed[text]; known >= level && level > cheap {
		if known < settled {
			k.open++
		}
		return false
	}
	setup, err := k.subject.Prepare(p)
	if err != nil {
		return false // it no longer makes sense, as a push without its owner
	}
	k.tried++
	if k.Progress != nil {
		k.Progress(k.best.size, k.tried)
	}
	found, decided := k.find(setup, d, level)
	if found == nil {
		if decided {
			level = settled
		} else {
			k.open++
		}
		k.failed[text] = max(level, k.failed[text])
		return false
	}
	k.best = found
	return true
}

// ofProgram is the part of a size that a program has without an execution.
func (s Size) ofProgram() Size {
	s.Preemptions, s.Inside, s.Weak, s.Accesses = 0, 0, 0, 0
	return s
}

// find looks for a schedule under which the program fails for the reason, and
// says whether it is decided that there is none.
func (k *shrinker) find(setup *ref.Setup, d draft, level effort) (found *specimen, decided bool) {
	follow := newFollow(d.transfer(k.best.plan, setup.Lanes()), setup.Threads())
	if s := k.examine(setup, follow, k.limit()); s != nil || level == cheap {
		return s, false
	}
	runs := k.effort * usualExecution / max(usualExecution, k.best.size.Accesses) / setup.Lanes()
	if level == moderate {
		if s, decided := k.exhaust(setup, runs/20); s != nil || decided {
			return s, decided
		}
		runs /= 10
	}
	if s := k.bounded(setup, k.best.size.Preemptions+k.best.size.Weak, runs); s != nil || level == moderate {
		return s, false
	}
	if s := k.random(setup, runs/4); s != nil {
		return s, false
	}
	return k.exhaust(setup, runs)
}

const (
	// usualExecution is how many accesses an execution may have for the effort to
	// be spent in full; of longer ones there are fewer.
	usualExecution = 40
	// longExecution is how many accesses an execution has for which nothing is
	// searched.
	longExecution = 5000
)

// limit is when an execution of a smaller program is given up.
func (k *shrinker) limit() int {
	return 4*k.best.size.Accesses + 4*ref.DefaultPatience*len(k.best.program.Processes)
}

// bounded looks at the schedules with up to so many preemptions, fewest first.
func (k *shrinker) bounded(setup *ref.Setup, most, runs int) *specimen {
	sim := k.simulation(setup)
	defer sim.Close()
	for bound := 0; bound <= most; bound++ {
		for f := (&fewest{bound: bound}); ; runs-- {
			if runs <= 0 || k.ctx.Err() != nil {
				return nil
			}
			if s := k.same(k.ran(sim.Run(f)), &runs); s != nil {
				return s
			}
			if !f.advance() {
				break
			}
		}
	}
	return nil
}

func (k *shrinker) simulation(setup *ref.Setup) *ref.Sim {
	sim := ref.NewSim(setup)
	sim.Limit, sim.Patience = 4*k.best.size.Accesses+16*patienceOfShrinking*len(k.best.program.Processes), patienceOfShrinking
	return sim
}

// patienceOfShrinking is how long everybody may spin until an execution counts
// as stuck; it is executed again with more patience before it is believed.
const patienceOfShrinking = 100

// same judges an execution, and makes it again if it fails for the reason. To
// explain what is wrong takes as long as many executions.
func (k *shrinker) same(e *ref.Execution, runs *int) *specimen {
	if e.Ending == ref.Cut || fuzz.Holds(e) {
		return nil
	}
	*runs -= 20
	f := fuzz.Judge(e)
	if f.Verdict != model.Violation || reasonOf(f) != k.reason {
		return nil
	}
	return k.examine(e.Setup, schedule.NewReplay(e.Choices()), k.limit())
}

// random tries a number of random schedules.
func (k *shrinker) random(setup *ref.Setup, runs int) *specimen {
	st, _, err := schedule.New(model.Schedule{Strategy: schedule.Default}, setup)
	if err != nil {
		return nil
	}
	sim := k.simulation(setup)
	defer sim.Close()
	for seed := uint64(0); runs > 0 && k.ctx.Err() == nil; seed, runs = seed+1, runs-1 {
		st.Begin(seed)
		if s := k.same(k.ran(sim.Run(st)), &runs); s != nil {
			return s
		}
	}
	return nil
}

// exhaust looks at every schedule. A failure for another reason decides
// nothing: it ends the exploration.
func (k *shrinker) exhaust(setup *ref.Setup, runs int) (found *specimen, decided bool) {
	x := exhaust.Search{Subject: k.subject, Programs: []model.Program{setup.Program}, Limit: max(1, runs), Attempts: max(1, 4*runs), Accesses: k.limit()}
	r, err := x.Run(k.ctx)
	if err != nil {
		return nil, false
	}
	k.spend((r.Executions + r.Cut + r.DeadEnds) * k.best.size.Accesses) // about so many
	if r.Failure == nil {
		return nil, r.Complete && r.Verdict == model.Linearizable
	}
	return k.examine(setup, schedule.NewReplay(r.Failure.Case.Schedule.Choices), k.limit()), false
}
