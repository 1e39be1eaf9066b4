package model

import (
	"fmt"
	"slices"
	"strings"
)

// Kind says what an object promises: which operations it has, and what they
// mean when they happen one at a time.
type Kind uint8

// The kinds of the history format, and what their operations may answer. Empty says
// that nothing was inside at some moment of the operation; abort says nothing.
const (
	// WSDeque is a work-stealing deque: its owner pushes (ok, full) and pops (ok,
	// empty) at the bottom, anyone steals (ok, empty, abort) at the top. A full is
	// never held to a capacity.
	WSDeque Kind = iota + 1
	// FIFO is a queue that any process may enter (enq: ok, full) and leave (deq: ok,
	// empty, abort). With a capacity, full says that so many were inside at some
	// moment.
	FIFO
	// Range is an interval of indices: its owner takes from the low end (pop: ok,
	// empty) and extends it there (push: ok, or full where the indices do not adjoin
	// what is inside, or exceed a capacity), anyone steals from the high end (ok,
	// empty, abort).
	Range
	// Bag gives every value back at most once, in any order: put (ok, full) and take
	// (ok, empty, abort). Full is that of a FIFO.
	Bag
)

// Kinds lists every kind.
var Kinds = []Kind{WSDeque, FIFO, Range, Bag}

var kindNames = [...]string{WSDeque: "wsdeque", FIFO: "fifo", Range: "range", Bag: "bag"}

func (k Kind) String() string { return nameOf(kindNames[:], k) }

// ParseKind reads the name of a kind.
func ParseKind(s string) (Kind, error) { return parseName[Kind]("model", kindNames[:], s) }

// Op is what a process asks of an object.
type Op uint8

// The operations of all kinds. The last three are not operations on an object: in a
// program Phase is the point where all processes wait for one another, and Signal
// and Wait are how a process lets others go on; see Sync.
const (
	Push Op = iota + 1
	Pop
	Steal
	Enq
	Deq
	Put
	Take
	Phase
	Signal
	Wait
)

var opNames = [...]string{Push: "push", Pop: "pop", Steal: "steal", Enq: "enq", Deq: "deq", Put: "put", Take: "take", Phase: "|", Signal: "signal", Wait: "wait"}

func (o Op) String() string { return nameOf(opNames[:], o) }

// ParseOp reads the name of an operation on an object.
func ParseOp(s string) (Op, error) { return parseName[Op]("op", opNames[:Phase], s) }

// Puts says whether the operation brings something into the object.
func (o Op) Puts() bool { return o == Push || o == Enq || o == Put }

// Removes says whether the operation takes something out of the object.
func (o Op) Removes() bool { return o.OnObject() && !o.Puts() }

// OnObject says whether it is an operation on an object: one that a history has.
func (o Op) OnObject() bool { return o < Phase }

// Synchronizes says whether it is a signal or a wait.
func (o Op) Synchronizes() bool { return o == Signal || o == Wait }

// Result is how an operation came back.
type Result uint8

// The results. Unknown is that of an operation that never came back.
const (
	Unknown Result = iota
	OK
	Full
	Empty
	Abort
)

var resultNames = [...]string{OK: "ok", Full: "full", Empty: "empty", Abort: "abort"}

func (r Result) String() string {
	if r == Unknown {
		return "unknown"
	}
	return nameOf(resultNames[:], r)
}

// ParseResult reads the name of a result.
func ParseResult(s string) (Result, error) { return parseName[Result]("result", resultNames[:], s) }

// role is one line of the table of kinds: an operation of a kind, the
// results it may have, and whether only the owner may call it.
type role struct {
	op      Op
	results []Result
	owner   bool
}

var roles = [...][]role{
	WSDeque: {
		{Push, []Result{OK, Full}, true},
		{Pop, []Result{OK, Empty}, true},
		{Steal, []Result{OK, Empty, Abort}, false},
	},
	FIFO: {
		{Enq, []Result{OK, Full}, false},
		{Deq, []Result{OK, Empty, Abort}, false},
	},
	Range: {
		{Push, []Result{OK, Full}, true},
		{Pop, []Result{OK, Empty}, true},
		{Steal, []Result{OK, Empty, Abort}, false},
	},
	Bag: {
		{Put, []Result{OK, Full}, false},
		{Take, []Result{OK, Empty, Abort}, false},
	},
}

func (k Kind) role(op Op) (role, bool) {
	for _, r := range roles[k] {
		if r.op == op {
			return r, true
		}
	}
	return role{}, false
}

// Ops lists the operations of the kind.
func (k Kind) Ops() []Op {
	ops := make([]Op, len(roles[k]))
	for i, r := range roles[k] {
		ops[i] = r.op
	}
	return ops
}

// Has says whether the kind has the operation.
func (k Kind) Has(op Op) bool {
	_, ok := k.role(op)
	return ok
}

// Results lists what the operation may come back with.
func (k Kind) Results(op Op) []Result {
	r, _ := k.role(op)
	return r.results
}

// Allows says whether the operation may have the result.
func (k Kind) Allows(op Op, res Result) bool { return slices.Contains(k.Results(op), res) }

// OwnerOnly says whether a single process per object may call the operation.
func (k Kind) OwnerOnly(op Op, p Params) bool {
	r, _ := k.role(op)
	return r.owner && !p.Shared
}

func nameOf[T ~uint8](names []string, v T) string {
	if int(v) < len(names) && names[v] != "" {
		return names[v]
	}
	return fmt.Sprintf("invalid(%d)", v)
}

func parseName[T ~uint8](what string, names []string, s string) (T, error) {
	var known []string
	for i, n := range names {
		if n == "" {
			continue
		}
		if n == s {
			return T(i), nil
		}
		known = append(known, n)
	}
	return 0, fmt.Errorf("unknown %s %.40q: expected one of %s", what, s, strings.Join(known, ", "))
}
