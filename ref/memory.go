// Package ref holds the published structures, each written once, the memories that
// they run on, and the execution of programs under control.
//
// A [Structure] speaks to shared memory through [Memory]. The same text runs on [Sim],
// where a [Scheduler] says who makes the next access, and on [Native], Go's atomics. A
// [Subject] is a structure with its settings on a memory: one of ours, by [NewSubject],
// or one of somebody else's, by [Foreign]. Planted defects and mutants are patches of a
// text, applied by a memory that stands between (patch.go).
package ref

import "fmt"

// Order is the strength of an access or of a fence.
type Order uint8

// The orders of the PTX memory model. A fence of order Weak is no fence: that
// is how one is left out.
const (
	Weak Order = iota
	Relaxed
	Acquire
	Release
	AcqRel
	SC
)

var orderNames = [...]string{"weak", "relaxed", "acquire", "release", "acq_rel", "sc"}

func (o Order) String() string {
	if int(o) >= len(orderNames) {
		return fmt.Sprintf("order %d", o)
	}
	return orderNames[o]
}

// Fits says whether an access of a kind can have the order: nothing loads and
// releases, or stores and acquires. A weak atomic counts as a relaxed one.
func (o Order) Fits(k AccessKind) bool { return ordersOf[k]>>o&1 != 0 }

// distinct says whether the order fits and means something of its own: a spec does not
// name a weak atomic, which would be a relaxed one.
func (o Order) distinct(k AccessKind) bool {
	return o.Fits(k) && (o != Weak || k == Load || k == Store || k == Fence)
}

// ordersOf has a bit for each order that an access of a kind can have.
var ordersOf = [...]uint16{
	Load:           1<<Weak | 1<<Relaxed | 1<<Acquire | 1<<SC,
	Store:          1<<Weak | 1<<Relaxed | 1<<Release | 1<<SC,
	Fence:          1<<Weak | 1<<Acquire | 1<<Release | 1<<AcqRel | 1<<SC,
	CompareAndSwap: atomics, FetchAdd: atomics, Modify: atomics,
}

const atomics = 1<<Weak | 1<<Relaxed | 1<<Acquire | 1<<Release | 1<<AcqRel | 1<<SC

// fitting is the order of an access that is made instead of an atomic one: of what
// it cannot have nothing is left.
func (o Order) fitting(k AccessKind) Order {
	switch {
	case o.Fits(k):
		return o
	case k == Load && o == AcqRel:
		return Acquire
	case k == Store && o == AcqRel:
		return Release
	}
	return Relaxed
}

// Scope says among which threads an access or a fence takes part. Without one it is
// that of the GPU.
type Scope uint8

// The scopes, from a block of threads to the whole system.
const (
	unsaid Scope = iota
	Block
	Cluster
	GPU
	System
)

var scopeNames = [...]string{unsaid: "gpu", Block: "cta", "cluster", "gpu", "sys"}

func (s Scope) String() string { return scopeNames[s] }

// Access says how an access is made, and which site of the algorithm makes it.
type Access struct {
	Order Order
	Scope Scope
	// Site is the access's number in its algorithm; see Design.Sites.
	Site uint8
	// Part says of a load that it needs a part of the word only. To PTX that is another
	// size of access: never morally strong with one of the whole word, so that it is
	// made with order Weak on the memory ptx, and a race of the two is a fault.
	Part bool
}

// Memory is the shared memory as one process sees it. An algorithm keeps in it
// everything that processes share, and nothing else.
type Memory interface {
	Load(l Location, a Access) uint64
	Store(l Location, v uint64, a Access)
	// CompareAndSwap stores new if the location holds old, and returns what
	// it held.
	CompareAndSwap(l Location, old, new uint64, a Access) (seen uint64, swapped bool)
	// FetchAdd adds delta and returns what the location held before.
	FetchAdd(l Location, delta uint64, a Access) uint64
	// Modify stores what change makes of what the location holds, in one access,
	// and returns what it held: any other atomic.
	Modify(l Location, operand uint64, change Change, a Access) uint64
	Fence(a Access)
}

// Change says what an atomic access makes of what a location holds, and of the
// access's operand. It does nothing else, and makes the same of the same.
type Change func(held, operand uint64) uint64

// The atomics of GPUs, of unsigned numbers of 64 bits.
var (
	Exchange Change = func(_, operand uint64) uint64 { return operand }
	And      Change = func(held, operand uint64) uint64 { return held & operand }
	Or       Change = func(held, operand uint64) uint64 { return held | operand }
	Xor      Change = func(held, operand uint64) uint64 { return held ^ operand }
	Min      Change = func(held, operand uint64) uint64 { return min(held, operand) }
	Max      Change = func(held, operand uint64) uint64 { return max(held, operand) }
	// Increment counts up to the operand, and begins anew at 0.
	Increment Change = func(held, operand uint64) uint64 {
		if held >= operand {
			return 0
		}
		return held + 1
	}
	// Decrement counts down to 0, and begins anew at the operand, as it does
	// where it finds more than that.
	Decrement Change = func(held, operand uint64) uint64 {
		if held == 0 || held > operand {
			return operand
		}
		return held - 1
	}
)

// AccessKind is what an access does.
type AccessKind uint8

// The kinds of access.
const (
	Load AccessKind = iota
	Store
	CompareAndSwap
	FetchAdd
	Fence
	Modify
)

var accessNames = [...]string{"load", "store", "cas", "add", "fence", "modify"}

func (k AccessKind) String() string { return accessNames[k] }

// Event is an access that was made.
type Event struct {
	Kind    AccessKind
	Access  Access
	Process int  // or the thread, where processes have lanes: see Setup.Threads
	Op      int  // place of its operation among those of the process
	Step    int  // number of the access in the execution, from 1
	First   bool // it begins its operation, or the part of its lane
	// Behind are the steps of other lanes that come before it since they met.
	Behind []int
	// Silent marks a fence that is no scheduling point. Its step is that of the
	// access before.
	Silent   bool
	Location Location
	// Expected is what a compare-and-swap compared with, and the operand of a Modify.
	Expected uint64
	// Before and After are what the location held.
	Before, After uint64
	// On a weak memory: Source is the access whose write was read, 0 for what was
	// there at the start. Missed is the newest write if that was another, and
	// Overtaken the first write that came before and yet follows in coherence.
	Source            int
	Missed, Overtaken int
}

// Changed says whether the access left another value behind.
func (e *Event) Changed() bool { return e.Before != e.After }

// Writes says whether the access has written, be it the value that was there.
func (e *Event) Writes() bool {
	return e.Kind == Store || e.Kind == FetchAdd || e.Kind == Modify || e.Kind == CompareAndSwap && e.Before == e.Expected
}
