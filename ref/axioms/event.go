package axioms

import "fmt"

// Kind is what an event does.
type Kind uint8

// The kinds of event. An atomic read-modify-write is a Read and a Write, tied
// by Graph.RMW; one that did not write (a failed compare-and-swap) is a Read.
const (
	Read Kind = iota
	Write
	Fence
	BarrierSync
	BarrierArrive
	ProxyFence // of Event.Proxy
	AliasFence
)

var kindNames = [...]string{"read", "write", "fence", "bar.sync", "bar.arrive", "fence.proxy", "fence.proxy.alias"}

func (k Kind) String() string { return nameOf(kindNames[:], int(k)) }

// Order is the strength of an access or of a fence.
type Order uint8

// The orders of PTX. Weak is that of plain accesses; fences are Acquire,
// Release, AcqRel or SC; no access is SC.
const (
	Weak Order = iota
	Relaxed
	Acquire
	Release
	AcqRel
	SC
)

var orderNames = [...]string{"weak", "relaxed", "acquire", "release", "acq_rel", "sc"}

func (o Order) String() string { return nameOf(orderNames[:], int(o)) }

// Acquires says whether the order has acquire semantics.
func (o Order) Acquires() bool { return o == Acquire || o == AcqRel || o == SC }

// Releases says whether the order has release semantics.
func (o Order) Releases() bool { return o == Release || o == AcqRel || o == SC }

// Proxy is the way to memory that an access takes. Proxies may see the writes of
// others late; only PTX knows them.
type Proxy uint8

// The proxies. Ordinary accesses take the generic one.
const (
	Generic Proxy = iota
	Constant
	Surface
	Texture
)

var proxyNames = [...]string{"generic", "constant", "surface", "texture"}

func (p Proxy) String() string { return nameOf(proxyNames[:], int(p)) }

// Scope says among which threads a strong access or a fence takes part.
type Scope uint8

// The scopes, from a block of threads to the whole system.
const (
	CTA Scope = iota
	Cluster
	GPU
	System
)

var scopeNames = [...]string{"cta", "cluster", "gpu", "sys"}

func (s Scope) String() string { return nameOf(scopeNames[:], int(s)) }

func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("unknown(%d)", i)
}

// Place is where a thread runs. Numbers count within what is around them:
// block 0 of GPU 0 and block 0 of GPU 1 are two blocks.
type Place struct{ GPU, Cluster, CTA int }

// shares says whether two places lie within one instance of the scope.
func (p Place) shares(q Place, s Scope) bool {
	switch s {
	case CTA:
		return p == q
	case Cluster:
		return p.GPU == q.GPU && p.Cluster == q.Cluster
	case GPU:
		return p.GPU == q.GPU
	}
	return true
}

// Initial is the thread of the writes that were there before any thread began.
const Initial = -1

// UnknownPhase is the phase of a barrier event of which it is not known yet
// which barrier it takes part in.
const UnknownPhase = -1

// Event is one event of an execution.
type Event struct {
	Thread   int // Initial, or an index of Graph.Places
	Kind     Kind
	Order    Order
	Scope    Scope
	Atomic   bool  // part of an atomic instruction
	Location int   // of a read or write
	Proxy    Proxy // of a read, a write or a proxy fence
	Alias    int   // which of the virtual addresses of the location a read or write has
	Value    int64 // read or written; the axioms do not look at it
	// Phase names, for barrier events, one use of one barrier of the block.
	// Events of a block with the same phase meet there.
	Phase int
}

// Accesses says whether the event reads or writes memory.
func (e *Event) Accesses() bool { return e.Kind == Read || e.Kind == Write }

// IsBarrier says whether the event belongs to a barrier.
func (e *Event) IsBarrier() bool { return e.Kind == BarrierSync || e.Kind == BarrierArrive }

// strong says whether the event is strong: an access with an order above weak,
// or a fence.
func (e *Event) strong() bool {
	return e.Thread != Initial && (e.Accesses() && e.Order != Weak || e.Kind == Fence)
}

func (e *Event) String() string {
	switch {
	case e.Thread == Initial:
		return fmt.Sprintf("initial write of location %d: %d", e.Location, e.Value)
	case e.Accesses() && e.Order == Weak:
		return fmt.Sprintf("thread %d: %s.weak of location %d: %d", e.Thread, e.Kind, e.Location, e.Value)
	case e.Accesses():
		return fmt.Sprintf("thread %d: %s.%s.%s of location %d: %d", e.Thread, e.Kind, e.Order, e.Scope, e.Location, e.Value)
	case e.Kind == Fence:
		return fmt.Sprintf("thread %d: fence.%s.%s", e.Thread, e.Order, e.Scope)
	case e.Kind == ProxyFence:
		return fmt.Sprintf("thread %d: fence.proxy.%s", e.Thread, e.Proxy)
	}
	return fmt.Sprintf("thread %d: %s", e.Thread, e.Kind)
}
