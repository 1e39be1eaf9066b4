package axioms_test

import (
	"fmt"

	"stealproof/ref/axioms"
)

// Message passing: the second thread sees the flag, but not what was written
// before it was raised.
func ExampleCheck() {
	const x, flag = 0, 1
	g := &axioms.Graph{
		Places: []axioms.Place{{CTA: 0}, {CTA: 1}},
		Events: []axioms.Event{
			{Thread: axioms.Initial, Kind: axioms.Write, Location: x},
			{Thread: axioms.Initial, Kind: axioms.Write, Location: flag},
			{Thread: 0, Kind: axioms.Write, Location: x, Value: 1},
			{Thread: 0, Kind: axioms.Write, Order: axioms.Release, Scope: axioms.GPU, Location: flag, Value: 1},
			{Thread: 1, Kind: axioms.Read, Order: axioms.Acquire, Scope: axioms.GPU, Location: flag, Value: 1},
			{Thread: 1, Kind: axioms.Read, Location: x},
		},
		RF: []axioms.Pair{{From: 3, To: 4}, {From: 0, To: 5}},
	}
	fmt.Println(axioms.Check(axioms.PTX, g))
	g.Events[3].Order = axioms.Relaxed
	fmt.Println(axioms.Check(axioms.PTX, g) == nil)
	// Output:
	// forbidden by axiom "causality" of ptx: 5 -fr-> 2 -po-> 3 -sync-> 4 -po-> 5
	// true
}
