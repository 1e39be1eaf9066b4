package exhaust

import (
	"slices"

	"stealproof/fuzz/exhaust/internal/rounds"
	"stealproof/model"
	"stealproof/ref"
)

// node is a state of the execution: who could go on, who did, and who must
// still be tried.
type node struct {
	chosen model.Choice
	event  access // of the one chosen, once it was made
	saw    rounds.Sight
	// enabled are the processes that can go on, as bits; waiting those that
	// could, but would only spin.
	enabled, waiting uint64
	todo             []model.Choice // to be tried, tried ones included
	// sleep holds choices that were explored from here or before, and whose
	// access has met nothing since that it depends on.
	sleep []sleeper
	// clock says of each process how many accesses the event follows; index is
	// its number among those of its own process.
	clock []int32
	index int32
	// forced is the clock without what is only made in this order because processes are
	// alike; the same one if none are.
	forced []int32
	phase  int
	// before is the access of the same process before this one, or -1; local
	// stands for all that the process has seen in its operation.
	before int32
	behind []int // steps that it comes after: of other lanes since they met, of processes that are alike
	source int32 // access that wrote last where it is made, if that is asked for
	local  uint64
	first  bool // of its operation
	// vigil counts the meetings with other lanes since the process last changed something.
	vigil int32
	// cycle is the number of accesses that the process would now repeat for ever
	// if nobody wrote what they look at, 0 if it would not.
	cycle int32
	// round is the number of accesses of the failed round that ends with this one, 0
	// if none does, and over whether the process is left there for good; place is
	// where in its operation, of those of its process, it then is.
	round     int32
	over      bool
	operation int
	place     rounds.Local
}

// sleeper is a choice that need not be tried, and the access that it was.
type sleeper struct {
	choice model.Choice
	event  access
}

func (n *node) sleeps(c model.Choice) bool {
	for i := range n.sleep {
		if n.sleep[i].choice == c {
			return true
		}
	}
	return false
}

// tries says whether a process is to be tried, whatever the outcome.
func (n *node) tries(process int) bool {
	for _, c := range n.todo {
		if int(c.Process) == process {
			return true
		}
	}
	return false
}

func (n *node) try(c model.Choice) {
	if !slices.Contains(n.todo, c) {
		n.todo = append(n.todo, c)
	}
}

func choose(process int) model.Choice { return model.Choice{Process: uint16(process)} }

func bitOf(process int) uint64 { return 1 << uint(process) }

// maxExhaustedProcesses and maxExhaustedOps are what the bit sets hold.
const (
	maxExhaustedProcesses = 64
	maxExhaustedOps       = 64
)

// look fills in what the simulation says of a state.
func (s *search) look(n *node, v *ref.View) {
	n.enabled, n.waiting, n.phase = 0, 0, v.Phase
	for _, p := range v.Enabled {
		switch {
		case s.leaves(p) || s.alike.waits(p, v):
		case s.waits(v, p):
			n.waiting |= bitOf(p)
		default:
			n.enabled |= bitOf(p)
		}
	}
}

// inherit keeps those asleep that were so before, and do not depend on the
// access that led here.
func (n *node) inherit(before *node) {
	for i := range before.sleep {
		a := &before.sleep[i]
		if a.choice.Process != before.chosen.Process && !a.event.depends(&before.event) {
			n.sleep = append(n.sleep, *a)
		}
	}
}
