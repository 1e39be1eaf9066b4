package shrink

import (
	"slices"

	"stealproof/ref"
)

// fewest runs every schedule of a program with at most so many preemptions and
// weak outcomes, one execution after the other: iterative context bounding
// (Musuvathi & Qadeer 2007). With a bound of 0 processes change only where one
// has ended or waits.
type fewest struct {
	course
	bound int
	forks []fork // of the current execution, in order
	at    int    // forks passed so far
	spent int
}

// mostRounds is how many accesses a process makes on a memory that does not change
// until it is taken to go round a loop.
const mostRounds = 200

// fork is a decision that could have been another one.
type fork struct {
	options []int
	chosen  int
	free    int // options from here on are preemptions or weak outcomes
}

// Begin starts from the first schedule; the seed does not matter.
func (f *fewest) Begin(uint64) { f.forks, f.at, f.spent = f.forks[:0], 0, 0 }

// Next goes on with the same process first, and tries the others later.
func (f *fewest) Next(v *ref.View) int {
	var able []int
	for _, p := range v.Enabled {
		switch {
		case v.Waits(p) || v.Repeats(p) > mostRounds: // until somebody else changes memory
		default:
			able = append(able, p)
		}
	}
	if len(able) == 0 { // all spin: that is for the simulation to notice
		return f.chose(v, v.After(v.Last))
	}
	options := f.unforced(v, able)
	free := len(options)
	for _, p := range able {
		if !slices.Contains(options[:free], p) {
			options = append(options, p)
		}
	}
	return f.chose(v, f.decide(options, free))
}

// course says who goes on where nobody is preempted.
type course struct {
	op int // operation of the last access, among those of its process
}

// unforced are those of the able that can be chosen without a preemption: who made the
// last access. If that one cannot go on, it is the first lane that is in the same
// operation, or, behind that, one of each process.
func (c *course) unforced(v *ref.View, able []int) []int {
	lanes := v.Setup().Lanes()
	switch {
	case slices.Contains(able, v.Last):
		return []int{v.Last}
	case lanes == 1:
		return slices.Clone(able)
	}
	var each []int
	for _, p := range able {
		if v.Last >= 0 && p/lanes == v.Last/lanes && v.Coming(p).Op == c.op {
			return []int{p}
		}
		if n := len(each); n == 0 || each[n-1]/lanes != p/lanes {
			each = append(each, p)
		}
	}
	return each
}

// chose notes who goes on.
func (c *course) chose(v *ref.View, thread int) int {
	c.op = v.Coming(thread).Op
	return thread
}

// Pick takes the newest write first.
func (f *fewest) Pick(_ *ref.View, n int) int {
	outcomes := make([]int, n)
	for i := range outcomes {
		outcomes[i] = i
	}
	return f.decide(outcomes, 1)
}

func (f *fewest) decide(options []int, free int) int {
	if f.spent >= f.bound {
		options = options[:free]
	}
	if len(options) == 1 {
		return options[0]
	}
	if f.at == len(f.forks) {
		f.forks = append(f.forks, fork{options: options, free: free})
	}
	k := f.forks[f.at]
	f.at++
	if k.chosen >= k.free {
		f.spent++
	}
	return k.options[k.chosen]
}

// advance goes to the next schedule, or says that there is none.
func (f *fewest) advance() bool {
	for len(f.forks) > 0 {
		last := &f.forks[len(f.forks)-1]
		if last.chosen++; last.chosen < len(last.options) {
			f.at, f.spent = 0, 0
			return true
		}
		f.forks = f.forks[:len(f.forks)-1]
	}
	return false
}
