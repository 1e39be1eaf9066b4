// Package weak says what a simulation asks of a memory that is weaker than a
// sequentially consistent one, and has those of processors: RC11 and TSO.
//
// Such a memory keeps the execution graph: which write each read has read, and how the
// writes of a location stand in coherence. It lists what an access may do as far as the
// axioms leave it open, and somebody picks. Program order and reads-from have no cycle,
// so that a graph can be made event by event.
package weak

import "stealproof/ref/axioms"

// Kind is what an access does.
type Kind uint8

// The kinds of access. An atomic reads, and writes if Access.Stores says so.
const (
	Read Kind = iota
	Write
	Atomic
	Fence
)

// Access is an access that a thread is about to make.
type Access struct {
	Kind     Kind
	Thread   int
	Location uint32
	Order    axioms.Order
	Scope    uint8 // for who knows scopes
	Site     uint8 // the line of the text
	Step     int   // of the execution
	Value    uint64
	// Stores says what an atomic leaves behind for what it has read.
	Stores func(read uint64) (value uint64, writes bool)
	// Awaits: it reads nothing but Value.
	Awaits bool
	// Foreseen: it is known to read the write of step From, which was found to be possible
	// before: no other outcomes need be listed.
	Foreseen bool
	From     int
}

// Memory is a memory that all threads of an execution share. Steps are those of the
// execution, 0 is what was there at the start. Clocks say of each thread how many of its
// events happened before something: that is what precedence of operations is made of.
type Memory interface {
	// Reset forgets an execution.
	Reset()
	// Meet is the end of a phase: all that was done happened before all that comes, and
	// memory holds these words.
	Meet(words []uint64)
	// MeetLanes puts what some threads did, as bits from one on, before what they do
	// next: program order alone, or, with fence, for the memory, too.
	MeetLanes(from int, lanes uint64, fence bool)

	// Splits says whether the memory has no accesses of order sc, so that such a one is
	// made as compilers do: as a fence, and an access that acquires or releases.
	Splits() bool
	// Orders says whether the memory orders fences of order sc among each other, so that
	// there is something to choose. Others are made as they come, with outcome 0.
	Orders() bool
	// Choices counts the outcomes of an access, one at least. Outcome 0 is what a sequentially
	// consistent memory would give. The next four are about them.
	Choices(a *Access) int
	// Source is the step of the write that is read, -1 for none.
	Source(k int) int
	// Writes says whether there is a write.
	Writes(k int) bool
	// Overtaken is the step of the first access behind which the write, or the fence,
	// would take effect though it was made before, 0 for none.
	Overtaken(k int) int
	// Rivals adds the steps of those writes that an atomic could read, and would then
	// overwrite, if no other atomic had done so.
	Rivals(list []int) []int
	// Make makes the access with an outcome: what it read, and what it wrote.
	Make(a *Access, k int) (read, written uint64)
	// Event is an event without an access.
	Event(thread int)

	// Sources adds the steps of the writes that an access could read, newest first.
	Sources(a *Access, list []int) []int
	// Newest is the write that comes last in an order of coherence.
	Newest(location uint32) (step int, value uint64)
	// Finals are the values of the writes that no other follows.
	Finals(location uint32) []uint64

	// Clock is what happened before the next event of a thread, its last one included. It
	// lives until the end of the execution.
	Clock(thread int) []int32
	// Index is how many events a thread has made.
	Index(thread int) int32
	// Races calls race with the steps of the accesses that race with the one that was
	// made last.
	Races(race func(step int))
}
