package library

import (
	"slices"
	"strings"
)

// What each mechanism forbids, derived by hand from the axioms, where its scope
// takes in all threads:
//
//   - One thread alone always sees its own accesses to a location in order, for
//     what is related in program order is morally strong: CoWW, CoWR0, CoRW1.
//   - Between threads, weak accesses promise nothing, not even that a location
//     is read in order (CoRR): no pair of them is morally strong.
//   - Morally strong accesses keep the order of a location: CoRR, CoRR2, CoWR,
//     CoRW2.
//   - Dependencies forbid load buffering, through the axiom of thin air, and so
//     whatever the scope. A read does not order a read: MP stays allowed.
//   - Release and acquire, or acq_rel fences around strong accesses, make
//     causality from a write to whoever reads it: what follows reads-from all
//     the way (MP, S, WRC, ISA2, LB, 3.LB) is forbidden. What needs a write
//     or a read to come before another thread's write (fr, co) is not.
//   - sc fences between strong accesses order everything.
//   - sc fences between weak accesses order each other, hence what stands
//     before one against what stands after the next; reading from a weak write
//     is no observation, so threads without a fence are tied to nothing: WRC,
//     RWC, IRIW and the CoXX of two threads stay allowed.
//   - acq_rel fences between weak accesses begin no pattern: like weak ones.
//   - Atomics read and write everything that they touch, each reads from the
//     one before it, and with acq_rel that is causality: nothing is left. And
//     since a thread sees its own writes, one that reads by writing back what
//     it read can go back to no older value, nor leave it behind (CoRR, CoWR),
//     whatever the scopes.
var forbids = map[string]string{
	"weak":               "",
	"weak-data":          "LB 3.LB",
	"weak-fence.acq_rel": "",
	"relaxed":            "CoRR CoRR2 CoWR CoRW2",
	"data":               "CoRR CoRR2 CoWR CoRW2 LB 3.LB",
	"ctrl":               "CoRR CoRR2 CoWR CoRW2 LB 3.LB",
	"rel-acq":            "CoRR CoRR2 CoWR CoRW2 LB 3.LB MP S WRC ISA2",
	"fence.acq_rel":      "CoRR CoRR2 CoWR CoRW2 LB 3.LB MP S WRC ISA2",
	"weak-fence.sc":      "LB 3.LB MP S ISA2 SB 3.SB R 2+2W W+RWC",
	"fence.sc":           "all",
	"atomics":            "all",
}

// forbidden says whether PTX forbids what the test asks for.
func (g *Test) forbidden() bool {
	if slices.Contains([]string{"CoWW", "CoWR0", "CoRW1"}, g.Shape) {
		return true
	}
	if g.Mechanism == "atomics" && (g.Shape == "CoRR" || g.Shape == "CoWR") {
		return true
	}
	covers := g.Placement == "one-cta" || g.Scope == "sys" || g.Placement == "ctas" && g.Scope == "gpu"
	list := strings.Fields(forbids[g.Mechanism])
	if depends := slices.Contains([]string{"data", "ctrl", "weak-data"}, g.Mechanism); !covers {
		return depends && slices.Contains([]string{"LB", "3.LB"}, g.Shape)
	}
	return slices.Contains(list, g.Shape) || slices.Contains(list, "all")
}
