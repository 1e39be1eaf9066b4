package litmus

import "stealproof/ref/axioms"

// DefaultUnroll is how often a jump back is taken if nothing else is said.
const DefaultUnroll = 3

// Options say under which model a test is looked at, and how far.
type Options struct {
	Model axioms.Model
	// Unroll bounds how often a path takes each jump back, where that depends
	// on what was read. Spinning without effect does not count, for it is cut
	// without loss. 0 is DefaultUnroll.
	Unroll int
	// AllStates goes on after the verdict is known, and counts executions.
	AllStates bool

	variables    []Variable // shown in states beside the test's own
	deciding     bool       // only what may decide the statement
	onlyWaiting  bool       // only executions in which somebody waits for ever
	oncePerReads bool       // one order of writes and fences for each choice of reads
	followSpins  bool       // up to the bound, like other loops; to test that cutting is sound
}

func (o Options) unroll() int {
	if o.Unroll > 0 {
		return o.Unroll
	}
	return DefaultUnroll
}
