package mutate

import (
	"stealproof/fuzz/programs"
)

// mutantSuite is how the mutants of a structure are looked at: by campaigns,
// and if those find nothing, by exhaustive exploration.
type mutantSuite struct {
	trials []campaignSize
	bounds []bound
}

// campaignSize is a campaign of random programs of a shape, or of one program.
type campaignSize struct {
	settings string
	shape    programs.Shape
	program  string
	runs     int
}

// bound is what is exhausted: all programs of a shape, or one program. A rare
// one is for mutants only of which no other bound reaches the line.
type bound struct {
	settings string
	shape    programs.Shape
	program  string
	rare     bool
}

// suites are small arrays on purpose: what wraps, fills and empties often has
// to show its mistakes soon.
var suites = map[string]*mutantSuite{
	"abp": {
		trials: []campaignSize{
			{runs: 20_000},
			{settings: "capacity=2", shape: programs.Shape{6, 2, 2}, runs: 10_000},
			{shape: programs.Shape{12, 3, 3}, runs: 10_000},
		},
		bounds: []bound{
			{settings: "capacity=2", shape: programs.Shape{3, 1}},
			{settings: "capacity=2", shape: programs.Shape{4, 2}},
			{settings: "capacity=2", shape: programs.Shape{3, 1, 1}},
			{program: "0: push push pop pop push\n1: steal\n2: steal"},
		},
	},
	// The two nulls protect an enqueue that sleeps through N enqueues of others, N
	// being the slots, and not through more (see docs/findings.md): there the queue
	// fails without a mutant, so that nobody has more to sleep through here. A
	// queue of 3 slots holds one value: declared, a full that comes too early is a
	// violation too.
	"tz": {
		trials: []campaignSize{
			{runs: 5_000},
			{settings: "capacity=3,declare=1", shape: programs.Shape{3, 3}, runs: 10_000},
			{settings: "capacity=3,every=1,declare=1", shape: programs.Shape{3, 3}, runs: 10_000},
			{settings: "capacity=4", shape: programs.Shape{4, 4}, runs: 10_000},
			{settings: "capacity=4", shape: programs.Shape{2, 2, 2}, runs: 10_000},
			{settings: "capacity=6", shape: programs.Shape{3, 3, 3}, runs: 10_000},
			{settings: "capacity=5,every=1", shape: programs.Shape{5, 5}, runs: 10_000},
			{settings: "capacity=3,declare=1", program: "0: [enq deq]*3\n1: [enq deq]*3\n", runs: 20_000},
			{settings: "capacity=3,every=1,declare=1", program: "0: [enq deq]*3\n1: [enq deq]*3\n", runs: 20_000},
			{settings: "capacity=3,declare=1", program: "0: enq enq deq deq enq\n1: [enq deq]*3\n2: deq deq\n", runs: 20_000},
			{settings: "capacity=3,every=1,declare=1", program: "0: enq deq deq enq enq\n1: [enq deq]*3\n2: deq deq deq\n", runs: 20_000},
			{settings: "capacity=4,every=1", program: "0: [enq deq]*4\n1: [enq deq]*4\n", runs: 20_000},
		},
		bounds: []bound{
			{settings: "capacity=3,declare=1", shape: programs.Shape{3, 1}},
			{settings: "capacity=3,every=1,declare=1", shape: programs.Shape{2, 2}},
			{settings: "capacity=3,declare=1", shape: programs.Shape{1, 1, 1}},
			{settings: "capacity=3,declare=1", program: "0: enq deq enq deq enq\n1: deq"},
			{settings: "capacity=3,every=1,declare=1", program: "0: enq deq enq deq enq\n1: deq"},
			{settings: "capacity=3,declare=1", program: "0: enq enq deq deq enq enq deq deq\n1: enq"},
			{settings: "capacity=3,every=1,declare=1", program: "0: enq enq deq deq enq enq deq deq\n1: enq"},
			{settings: "capacity=3,declare=1", program: "0: enq deq enq deq enq deq\n1: enq", rare: true},
		},
	},
	"the": {
		trials: []campaignSize{
			{runs: 20_000},
			{shape: programs.Shape{4, 2, 2}, runs: 20_000},
			{settings: "base=8", shape: programs.Shape{8, 3}, runs: 10_000},
		},
		bounds: []bound{
			{settings: "base=2", program: "0: push[4,6) pop(1) push[2,4)\n1: steal(1)"},
			{program: "0: push[4,8) pop(1) pop(3)\n1: steal(2)"},
			{program: "0: push[4,6) pop(2) push[2,4)\n1: steal(1)"},
			{program: "0: push[4,5) push[2,4) pop(1)\n1: steal(2)"},
			{program: "0: push[4,6) pop(1)\n1: steal(1)\n2: steal(1)"},
			{program: "0: push[4,5) pop(2) push[2,3) pop(1)\n1: steal(1)"},
		},
	},
	"blocking": {
		trials: []campaignSize{{runs: 5_000}, {settings: "capacity=2", shape: programs.Shape{5, 3}, runs: 5_000}},
		bounds: []bound{
			{settings: "capacity=1", shape: programs.Shape{2, 2}},
			{settings: "capacity=2", shape: programs.Shape{3, 1}},
		},
	},
	"static": {
		trials: []campaignSize{{runs: 5_000}, {settings: "capacity=2", runs: 5_000}},
		bounds: []bound{
			{program: "0: put put | take take | take\n1: put | take | take"},
			{settings: "capacity=1", program: "0: put | take | take\n1: put | take | take"},
			{program: "0: put put put | take | take put | take\n1: | | take | take"},
		},
	},
	"list": {
		trials: []campaignSize{{runs: 10_000}, {shape: programs.Shape{3, 3}, runs: 5_000}},
		bounds: []bound{
			{program: "0: push[4,8) pop(3)\n1: pop(2)"},
			{program: "0: push[4,6) push[2,4) pop(1)\n1: pop(3)"},
		},
	},
}

// defaultRuns is what Measurement.Runs is if nothing is said.
const defaultRuns = 20_000

// suite is that of the structure. One without a suite of its own is looked
// at by random programs of the default shape, and by all programs of small ones.
func (x *Measurement) suite() *mutantSuite {
	if s, known := suites[x.Subject.Design().Name]; known {
		return s
	}
	runs := x.Runs
	if runs <= 0 {
		runs = defaultRuns
	}
	return &mutantSuite{
		trials: []campaignSize{{runs: runs}},
		bounds: []bound{{shape: programs.Shape{2, 1}}, {shape: programs.Shape{3, 1}}, {shape: programs.Shape{2, 1, 1}}},
	}
}
