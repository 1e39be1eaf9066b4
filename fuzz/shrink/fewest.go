package shrink

import "stealproof/ref"

// fewest runs every schedule of a program with at most so many preemptions and
// weak outcomes, one execution after the other: iterative context bounding
// (Musuvathi & Qadeer 2007). With a bound of 0 processes change only where one
// has ended or waits.
type fewest struct {
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
		case p == v.Last:
			able = append([]int{p}, able...)
		default:
			able = append(able, p)
		}
	}
	switch {
	case len(able) == 0: // all spin: that is for the simulation to notice
		return v.After(v.Last)
	case able[0] == v.Last:
		return f.decide(able, 1)
	}
	return f.decide(able, len(able))
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
