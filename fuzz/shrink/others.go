package shrink

import (
	"stealproof/fuzz/programs"
	"stealproof/model"
)

// What is left when nothing single can be left out need not be the smallest: a
// smaller program may be no part of it. The small ones are few enough to ask
// them all.
const (
	mostForOthers   = 6 // operations of the smallest case so far
	processesOfMost = 3
)

// others tries every program with fewer operations, fewest first, and no more
// processes.
func (k *shrinker) others() bool {
	best := k.best.size
	if best.Operations > mostForOthers || best.Phases > 0 || k.best.program.Objects() > 1 {
		return false
	}
	open := k.open // these do not matter to what can be left out
	defer func() { k.open = open }()
	for n := 1; n < best.Operations; n++ {
		for _, shape := range sharedOut(n, min(best.Processes, processesOfMost), k.subject.Design().Kind == model.WSDeque) {
			programs, err := programs.All(k.subject, programs.Bounds{Shape: shape, Exactly: true})
			if err != nil {
				return false // what goes in is not a matter of operations alone
			}
			for _, p := range programs {
				if k.try(draftOf(p), moderate) {
					return true
				}
			}
		}
	}
	return false
}

// sharedOut lists how n operations can be shared among up to so many processes,
// whose order does not matter but for an owner, who comes first and may have
// none.
func sharedOut(n, processes int, owner bool) (all []programs.Shape) {
	if owner {
		for k := range n + 1 {
			for _, thieves := range descending(n-k, processes-1, n) {
				all = append(all, append(programs.Shape{k}, thieves...))
			}
		}
		return all
	}
	return descending(n, processes, n)
}

// descending lists the rows of up to so many numbers, none above most and none
// above the one before, that add up to n.
func descending(n, numbers, most int) (all []programs.Shape) {
	if n == 0 {
		return []programs.Shape{nil}
	}
	if numbers == 0 {
		return nil
	}
	for first := min(n, most); first > 0; first-- {
		for _, rest := range descending(n-first, numbers-1, first) {
			all = append(all, append(programs.Shape{first}, rest...))
		}
	}
	return all
}
