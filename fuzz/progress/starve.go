package progress

import (
	"slices"

	"stealproof/fuzz/choice"
	"stealproof/ref"
)

// starver is a scheduler that wants one process to make as many accesses as it
// can in a single operation, while the others complete theirs. Just before a
// swap that would succeed it lets others go on until it fails; and before any
// access it may let them do a few more.
type starver struct {
	ref.Newest
	victim int
	random choice.Random
	others []int
	// ahead is how many accesses the others still make before the victim's next.
	ahead int
	drawn int // the step of the victim for which ahead was drawn
	made  int
}

func (s *starver) begin(seed uint64) {
	s.random, s.ahead, s.drawn, s.made = *choice.NewRandom(seed), 0, -1, 0
}

// Next prefers the victim, unless the others can do harm first.
func (s *starver) Next(v *ref.View) int {
	s.others = s.others[:0]
	for _, p := range v.Enabled {
		if p != s.victim && !v.Waits(p) {
			s.others = append(s.others, p)
		}
	}
	if !slices.Contains(v.Enabled, s.victim) {
		return v.Enabled[s.random.IntN(len(v.Enabled))]
	}
	if len(s.others) > 0 && s.harms(v) {
		return s.others[s.random.IntN(len(s.others))]
	}
	s.made++
	return s.victim
}

// harms says whether another should go first.
func (s *starver) harms(v *ref.View) bool {
	if v.Waits(s.victim) {
		return true // it is harmed already, and must see something new to go on
	}
	if kind, l := v.Upcoming(s.victim); kind == ref.CompareAndSwap && v.Word(l) == v.Coming(s.victim).Expected {
		return true
	}
	if s.drawn != s.made {
		s.drawn, s.ahead = s.made, s.random.IntN(2)*s.random.IntN(24)
	}
	s.ahead--
	return s.ahead >= 0
}

// starvingSeeds is how often the starver tries.
const starvingSeeds = 100

// starve returns the most accesses that an operation of the victim was brought
// to make. The victim's program is that one operation.
func starve(setup *ref.Setup, victim int) int {
	sim := ref.NewSim(setup)
	defer sim.Close()
	sim.Tracing = true
	s := &starver{victim: victim}
	most := 0
	for seed := range uint64(starvingSeeds) {
		s.begin(seed)
		e := sim.Run(s)
		n := 0
		for i := range e.Trace {
			if ev := &e.Trace[i]; ev.Process == victim && ev.Kind != ref.Fence {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}
