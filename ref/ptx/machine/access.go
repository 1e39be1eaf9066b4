package machine

// Order is the strength of an access or of a fence.
type Order uint8

// The orders of the PTX memory model.
const (
	Weak Order = iota
	Relaxed
	Acquire
	Release
	AcqRel
	SC
)

// Scope says among which threads an access or a fence takes part.
type Scope uint8

// The scopes, from a block of threads to the whole system.
const (
	Block Scope = iota
	Cluster
	GPU
	System
)

// Kind is what an access does.
type Kind uint8

// The kinds of access.
const (
	Load Kind = iota
	Store
	Atomic
	Fence
)

// AtomicOp is what an atomic makes of what it finds.
type AtomicOp uint8

// The operations of atom and red.
const (
	Exchange AtomicOp = iota
	CompareAndSwap
	Add
	And
	Or
	Xor
	Increment
	Decrement
	MinUnsigned
	MaxUnsigned
	MinSigned
	MaxSigned
)

// Apply says what an atomic of so many bytes leaves behind: x and y are its
// operands, of a compare-and-swap what is expected and what is to be stored.
func (op AtomicOp) Apply(old, x, y uint64, size uint8) uint64 {
	switch op {
	case Exchange:
		return x
	case CompareAndSwap:
		if old == x {
			return y
		}
		return old
	case Add:
		return (old + x) & maskOf(8*uint(size))
	case And:
		return old & x
	case Or:
		return old | x
	case Xor:
		return old ^ x
	case Increment:
		if old >= x {
			return 0
		}
		return old + 1
	case Decrement:
		if old == 0 || old > x {
			return x
		}
		return old - 1
	case MinUnsigned:
		return min(old, x)
	case MaxUnsigned:
		return max(old, x)
	}
	shift := 64 - 8*size
	if less := signed(old, shift) < signed(x, shift); less == (op == MinSigned) {
		return old
	}
	return x
}

// Access is an access to memory that threads share, as an instruction makes it.
type Access struct {
	Kind  Kind
	Order Order
	Scope Scope
	Size  uint8 // bytes: 1, 2, 4 or 8; of a fence 0
	// Atomic is what an atomic does; a reduction does not look at the old value.
	Atomic AtomicOp
	Site   int // its place in Program.Sites, or NoSite
	Line   int // in the PTX
}

// Memory is the memory that threads share. Addresses are those of the state space
// .global, aligned to the size of the access; a value has its size. What is no
// address of the memory is for it to refuse.
type Memory interface {
	Load(at uint64, a *Access) uint64
	Store(at, value uint64, a *Access)
	// Update lets a.Atomic do its work in one access, and returns what was there
	// before.
	Update(at, x, y uint64, a *Access) (old uint64)
	Fence(a *Access)
}
