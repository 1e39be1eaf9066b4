package shrink

import (
	"slices"

	"stealproof/model"
)

// schedule makes the schedule of the smallest program easier to read: fewer
// preemptions first, then fewer inside of operations, then fewer weak outcomes.
// All schedules with fewer preemptions are looked at, if they are not too many;
// otherwise neighbouring turns are exchanged, which joins those of the same
// process. Where there are many preemptions, as among lanes, that comes first.
func (k *shrinker) schedule() {
	for k.ctx.Err() == nil {
		if k.best.size.Preemptions > manyPreemptions && k.joinTurns() {
			continue
		}
		if !k.fewerPreemptions() && !k.joinTurns() && !k.wholeOperations() && !k.newerOutcomes() {
			return
		}
	}
}

// manyPreemptions are so many that no schedule with fewer is found by looking at all.
const manyPreemptions = 10

func (k *shrinker) fewerPreemptions() bool {
	most := k.best.size.Preemptions + k.best.size.Weak - 1
	if most < 0 || k.best.size.Accesses > longExecution {
		return false
	}
	setup, err := k.subject.Prepare(k.best.program)
	if err != nil {
		return false
	}
	return k.better(k.bounded(setup, most, 4*k.effort/setup.Lanes()))
}

// better goes on with another schedule of the same program if it is smaller.
func (k *shrinker) better(s *specimen) bool {
	if s == nil || !s.size.Less(k.best.size) {
		return false
	}
	k.best = s
	return true
}

// turn is a row of accesses of one process.
type turn struct{ from, to int }

func turnsOf(plan []planned) []turn {
	var turns []turn
	for i := range plan {
		if i > 0 && plan[i].process == plan[i-1].process {
			turns[len(turns)-1].to = i + 1
		} else {
			turns = append(turns, turn{i, i + 1})
		}
	}
	return turns
}

// mostTurns is how many turns are exchanged one by one.
const mostTurns = 200

// joinTurns moves a turn behind the next one, or to the next one of its process.
func (k *shrinker) joinTurns() bool {
	turns := turnsOf(k.best.plan)
	if len(turns) > mostTurns {
		return false
	}
	for i := range turns {
		for j := i + 1; j < len(turns); j++ {
			moved := slices.Concat(k.best.plan[:turns[i].from], k.best.plan[turns[i].to:turns[j].to], k.best.plan[turns[i].from:turns[i].to], k.best.plan[turns[j].to:])
			if k.replan(moved) {
				return true
			}
			if j > i+1 && k.best.plan[turns[j].from].process == k.best.plan[turns[i].from].process {
				break
			}
		}
	}
	return false
}

// wholeOperations puts off what a turn has begun and not ended to the next turn
// of its process.
func (k *shrinker) wholeOperations() bool {
	turns, plan := turnsOf(k.best.plan), k.best.plan
	if len(turns) > mostTurns {
		return false
	}
	for i, t := range turns {
		begun := t.to - 1
		for begun > t.from && plan[begun-1].op == plan[t.to-1].op {
			begun--
		}
		next := slices.IndexFunc(turns[i+1:], func(n turn) bool { return plan[n.from].process == plan[t.from].process })
		if next < 0 {
			continue
		}
		to := turns[i+1+next].from
		if k.replan(slices.Concat(plan[:begun], plan[t.to:to], plan[begun:t.to], plan[to:])) {
			return true
		}
	}
	return false
}

// newerOutcomes gives every weak outcome another one: that of a sequentially
// consistent memory, half as old, one newer.
func (k *shrinker) newerOutcomes() bool {
	for i := range k.best.plan {
		for _, pick := range newer(k.best.plan[i].pick) {
			plan := slices.Clone(k.best.plan)
			plan[i].pick = pick
			if k.replan(plan) {
				return true
			}
		}
	}
	return false
}

func newer(pick uint16) []uint16 {
	if pick == 0 {
		return nil
	}
	return slices.Compact([]uint16{0, pick / 2, pick - 1})
}

// replan follows another plan for the same program.
func (k *shrinker) replan(plan []planned) bool {
	setup, err := k.subject.Prepare(k.best.program)
	if err != nil || k.ctx.Err() != nil {
		return false
	}
	plan = draftOf(k.best.program).transfer(plan, setup.Lanes())
	return k.better(k.examine(setup, newFollow(plan, setup.Threads()), k.limit()))
}

// rolled writes neighbouring repetitions as one group again.
func rolled(p model.Program) model.Program {
	r := model.Program{Processes: make([][]model.Step, len(p.Processes))}
	for id, steps := range p.Processes {
		for _, s := range steps {
			r.Processes[id] = rollInto(append(r.Processes[id], s))
		}
	}
	return r
}

// rollInto joins the last step with the group before it, or calls with the
// group behind them.
func rollInto(steps []model.Step) []model.Step {
	last := steps[len(steps)-1]
	if last.Times > 0 {
		for from := len(steps) - 1 - len(last.Group); from >= 0 && slices.EqualFunc(steps[from:from+len(last.Group)], last.Group, sameCall); from -= len(last.Group) {
			last.Times++
			steps = append(steps[:from:from], last)
		}
		return steps
	}
	for i := len(steps) - 2; i >= 0; i-- {
		if g := steps[i]; g.Times > 0 {
			if slices.EqualFunc(steps[i+1:], g.Group, sameCall) {
				steps = append(steps[:i:i], model.Step{Times: g.Times + 1, Group: g.Group})
			}
			break
		}
	}
	return steps
}

func sameCall(a, b model.Step) bool { return a.Times == 0 && b.Times == 0 && a.Call == b.Call }
