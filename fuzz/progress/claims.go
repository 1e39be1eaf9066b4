package progress

import (
	"stealproof/model"
	"stealproof/ref"
)

// Expected is a structure, or one of its uses, and what is expected of
// its operations.
type Expected struct {
	// Spec is the structure, About what is special in these programs.
	Spec, About string
	// Programs are explored exhaustively, every process suspended everywhere.
	Programs []string
	Claims   []Claim
}

// Claim is what is expected of an operation, and why.
type Claim struct {
	Op model.Op
	// Level is LevelUnknown where nothing is claimed.
	Level Level
	// Bound is the exact number of accesses that the longest path of a wait-free
	// operation has.
	Bound int
	// Starve is a program, with N in it, in which process Victim does the operation
	// once, against others that do theirs N times.
	Starve string
	Victim int
	Why    string
}

// Table is the table of what is expected.
var Table = []Expected{
	abpSubject("abp"),
	abpSubject("abp:variant=book"),
	abpSubject("abp:variant=release2011"),
	tzSubject("tz:capacity=4"),
	tzSubject("tz:capacity=4,variant=original"),
	{
		Spec: "tz:variant=skeleton,capacity=4", Programs: []string{"0: deq"},
		Claims: []Claim{
			{Op: model.Deq, Level: Blocking, Why: "as printed in 2008 it has no test for empty, and waits until somebody enqueues"},
		},
	},
	{
		Spec:     "the",
		Programs: []string{"0: push[4,5) pop(2)\n1: steal(1)", "0: push[4,6) pop(1) push[2,3)\n1: steal(1)", "0: push[4,8)\n1: steal(1)\n2: steal(1)"},
		Claims: []Claim{
			{Op: model.Push, Level: Blocking, Why: "filling an empty queue takes the lock, and a thief may be suspended inside it"},
			{Op: model.Pop, Level: Blocking, Why: "a pop that meets a thief takes the lock, and the thief may be suspended inside it"},
			{Op: model.Steal, Level: Blocking, Why: "every steal takes the lock of the victim"},
		},
	},
	{
		Spec: "the", About: "the interval filled before, and owner and thief far from each other",
		Programs: []string{"0: push[64,128) | pop(1) push[64,65)\n1: | steal(1)", "0: push[64,128) | pop(2) pop(2)\n1: | steal(1)\n2: | steal(1)"},
		Claims: []Claim{
			{Op: model.Push, Level: WaitFree, Bound: 6, Why: "extending downward is a load and a store, and needs no lock; the 6 are those of the first push, which fills: beg, lock, end, two stores and unlock"},
			{Op: model.Pop, Level: WaitFree, Bound: 3, Why: "beg, its store, end: the fast path without lock"},
			{Op: model.Steal, Level: Blocking, Why: "thieves exclude each other"},
		},
	},
	{
		Spec: "blocking:capacity=2", Programs: []string{"0: enq\n1: deq", "0: enq\n1: enq", "0: deq\n1: deq"},
		Claims: []Claim{
			{Op: model.Enq, Level: Blocking, Why: "one lock around everything"},
			{Op: model.Deq, Level: Blocking, Why: "one lock around everything"},
		},
	},
	{
		Spec: "static:capacity=4", Programs: []string{"0: put put | take take\n1: put | take", "0: put\n1: put\n2: put", "0: put | take | take\n1: put | take | take"},
		Claims: []Claim{
			{Op: model.Put, Level: WaitFree, Bound: 3, Why: "phase, fetch-and-add, store. That a phase ends only when all have come to its end is the host's doing, and no operation of the structure"},
			{Op: model.Take, Level: WaitFree, Bound: 5, Why: "phase, block, count, task, block; or phase, block, count, left, tail"},
		},
	},
	{
		Spec: "list", Programs: []string{"0: push[4,8)\n1: pop(2)", "0: pop(1)\n1: pop(2)", "0: push[4,8)\n1: push[2,4)"},
		Claims: []Claim{
			{Op: model.Push, Level: Blocking, Why: "one lock around everything"},
			{Op: model.Pop, Level: Blocking, Why: "one lock around everything"},
		},
	},
}

// abpSubject expects what Arora, Blumofe & Plaxton claim: every operation ends
// after a constant number of accesses. A steal that loses a race gives up
// instead of trying again.
func abpSubject(spec string) Expected {
	return Expected{
		Spec:     spec,
		Programs: []string{"0: push pop\n1: steal", "0: push push pop\n1: steal", "0: push pop push\n1: steal", "0: push\n1: steal\n2: steal"},
		Claims: []Claim{
			{Op: model.Push, Level: WaitFree, Bound: 3, Starve: "0: push\n1: [steal]*N", Victim: 0, Why: "tail, task, tail"},
			{Op: model.Pop, Level: WaitFree, Bound: 7, Why: "tail, its store, task, head; at the last task the reset of tail, the swap of head and, if that fails, its store"},
			{Op: model.Steal, Level: WaitFree, Bound: 4, Starve: "0: [push pop]*N\n1: steal\n2: [steal]*N", Victim: 1, Why: "head, tail, task, one swap: it aborts instead of trying again"},
		},
	}
}

// tzSubject expects what Tsigas & Zhang claim: somebody always gets on.
func tzSubject(spec string) Expected {
	return Expected{
		Spec:     spec,
		Programs: []string{"0: enq\n1: deq", "0: enq\n1: enq", "0: enq deq\n1: deq", "0: enq enq\n1: deq"},
		Claims: []Claim{
			{Op: model.Enq, Level: LockFree, Starve: "0: enq\n1: [enq deq]*N", Victim: 0, Why: "a swap fails only because another one succeeded; but that may happen again and again"},
			{Op: model.Deq, Level: LockFree, Starve: "0: deq\n1: [enq deq]*N", Victim: 0, Why: "as an enqueue"},
		},
	}
}

// Nothing expects nothing of a structure: it says which small programs its progress
// is looked at in, and how its operations may be starved.
func Nothing(s ref.Subject) *Expected {
	e := &Expected{Spec: s.Spec().String()}
	d := s.Design()
	starve := map[model.Op]Claim{}
	switch {
	case d.Kind == model.WSDeque:
		like := abpSubject(e.Spec)
		e.Programs = like.Programs
		for _, c := range like.Claims {
			starve[c.Op] = c
		}
		starve[model.Pop] = Claim{Starve: "0: pop\n1: [steal]*N"}
	case d.Kind == model.FIFO:
		like := tzSubject(e.Spec)
		e.Programs = like.Programs
		for _, c := range like.Claims {
			starve[c.Op] = c
		}
	case d.Kind == model.Bag:
		e.Programs = []string{"0: put\n1: take", "0: put\n1: put", "0: put take\n1: take"}
		starve[model.Put] = Claim{Starve: "0: put\n1: [put take]*N"}
		starve[model.Take] = Claim{Starve: "0: take\n1: [put take]*N"}
	case d.Shared:
		starve[model.Pop] = Claim{Starve: "0: push[64,128)\n1: pop(1)\n2: [pop(1)]*N", Victim: 1}
		e.Programs = []string{"0: push[4,8)\n1: pop(2)", "0: pop(1)\n1: pop(2)", "0: push[4,8)\n1: push[2,4)"}
	default:
		starve[model.Pop] = Claim{Starve: "0: pop(1)\n1: [steal(1)]*N"}
		starve[model.Steal] = Claim{Starve: "0: push[64,128) [pop(1)]*N\n1: steal(1)\n2: [steal(1)]*N", Victim: 1}
		e.Programs = []string{"0: push[4,5) pop(2)\n1: steal(1)", "0: push[4,6) pop(1) push[2,3)\n1: steal(1)", "0: push[4,8)\n1: steal(1)\n2: steal(1)"}
	}
	for _, op := range d.Ops {
		if op != model.Phase {
			e.Claims = append(e.Claims, Claim{Op: op, Starve: starve[op].Starve, Victim: starve[op].Victim})
		}
	}
	return e
}
