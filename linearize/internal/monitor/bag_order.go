package monitor

import (
	"slices"

	"stealproof/linearize/internal/timing"
)

// bagOrder writes the order of bagMonitor: depth first, like queueOrder. Its
// nodes are 2i for the put of item i, 2i+1 for its removal, and for an empty
// its place among the empties with the mark emptyNode.
type bagOrder struct {
	*timing.Writer
	l       *ledger
	opState []nodeState
	empties *emptyQueue
	stack   []uint32
	stuck   []uint32
	claims  []uint32 // by operation, the one before it at its stamp that has a node; nil if nothing ties
	latest  uint64
	inside  []uint32 // items put in; those taken are dropped when it is looked at

	put, take int // heads of the lists of what must be out by some time
	roots     []uint64
	// For possible: what must come before the empty, and in which round it last saw a node.
	needed          []uint32
	seen, seenEmpty []uint32
	round           uint32
}

func newBagOrder(l *ledger) *bagOrder {
	b := &bagOrder{
		Writer:  timing.NewWriter(l.Clock, l.ops, l.free, l.ties),
		l:       l,
		opState: make([]nodeState, 2*len(l.items)),
		empties: newEmptyQueue(l),
		roots:   l.takes,
	}
	b.claims = l.ties.LastClaims(l.ops, func(op uint32) bool { return b.nodeOf(op) != absent })
	if l.history.Params.Capacity > 0 {
		b.roots = b.earlyTakes()
	}
	return b
}

// earlyTakes has the removals by the time from which they are possible rather
// than by that at which they must be done: so that little is inside at once.
func (b *bagOrder) earlyTakes() []uint64 {
	roots := make([]uint64, len(b.l.takes))
	for k, word := range b.l.takes {
		it := &b.l.items[b.Index(word)]
		roots[k] = b.Pack(max(it.Call, it.Out), b.Index(word))
	}
	b.Sort(roots)
	return roots
}

func (b *bagOrder) state(node uint32) *nodeState {
	if node&emptyNode != 0 {
		return &b.empties.state[node&^emptyNode]
	}
	return &b.opState[node]
}

// op is the operation of a node, and the stamp from which it may happen.
func (b *bagOrder) op(node uint32) (op uint32, begins uint64) {
	if node&emptyNode != 0 {
		word := b.l.empties[node&^emptyNode]
		return b.Index(word), b.Stamp(word)
	}
	it := &b.l.items[node/2]
	if node&1 == 0 {
		return it.Put, it.Call
	}
	return it.Take, it.Out
}

// run is false if it got stuck. At equal stamps empties come first, while as
// little as possible is done, and puts last.
func (b *bagOrder) run() bool {
	end := b.Far() + 1
	for !b.l.patience.Step(1) {
		k, e := b.empties.head()
		t, p := end, b.headPut()
		if len(b.roots) > 0 {
			t = b.Stamp(b.roots[0])
		}
		var root uint32
		switch {
		case t == end && e == end && p == end:
			return true
		case e <= t && e <= p:
			root = k | emptyNode
			if b.Ties != nil && !b.possible(root) {
				if b.empties.postpone(k, b.needed) {
					continue
				}
				b.stuck = b.empties.failed[k]
				return false
			}
		case t <= p:
			root = 2*b.Index(b.roots[0]) + 1
			b.roots = b.roots[1:]
		default:
			root = 2 * b.Index(b.l.puts[b.put])
		}
		if *b.state(root) != settled && !b.visit(root) {
			return false
		}
	}
	return false
}

// headPut and headTake move the heads of the lists past what is
// written, and return the stamps there.
func (b *bagOrder) headPut() uint64 {
	for ; b.put < len(b.l.puts); b.put++ {
		if word := b.l.puts[b.put]; b.opState[2*b.Index(word)] != settled {
			return b.Stamp(word)
		}
	}
	return b.Far() + 1
}

func (b *bagOrder) headTake() uint64 {
	for ; b.take < len(b.l.takes); b.take++ {
		if word := b.l.takes[b.take]; b.opState[2*b.Index(word)+1] != settled {
			return b.Stamp(word)
		}
	}
	return b.Far() + 1
}

func (b *bagOrder) visit(root uint32) bool {
	*b.state(root) = waiting
	b.stack = append(b.stack[:0], root)
	for len(b.stack) > 0 && !b.l.patience.Step(1) {
		node := b.stack[len(b.stack)-1]
		before, possible := b.unsettled(node)
		switch {
		case !possible:
			b.stuck = b.stack
			return false
		case before == absent:
			b.settle(node)
			b.stack = b.stack[:len(b.stack)-1]
		case *b.state(before) == waiting:
			b.stuck = b.stack[slices.Index(b.stack, before):]
			return false
		default:
			*b.state(before) = waiting
			b.stack = append(b.stack, before)
		}
	}
	return true
}

func (b *bagOrder) settle(node uint32) {
	*b.state(node) = settled
	op, begins := b.op(node)
	b.latest = max(b.latest, begins)
	b.Emit(op, b.latest)
	if node&emptyNode == 0 && node&1 == 0 {
		b.inside = append(b.inside, node/2)
	}
}

// unsettled finds a node that must come before the given one and is not
// written yet. It is impossible if that never happened.
func (b *bagOrder) unsettled(node uint32) (before uint32, possible bool) {
	op, begins := b.op(node)
	switch {
	case b.headPut() < begins:
		return 2 * b.Index(b.l.puts[b.put]), true
	case b.headTake() < begins:
		return 2*b.Index(b.l.takes[b.take]) + 1, true
	}
	if k, stamp := b.empties.head(); stamp < begins {
		return k | emptyNode, true
	}
	if before := b.tiedBefore(op); before != absent {
		return before, true
	}
	if node&emptyNode != 0 {
		return b.unsettledInside()
	}
	if node&1 == 1 && b.opState[node-1] != settled {
		return node - 1, true
	}
	return absent, true
}

// unsettledInside is the removal of a value that an empty must not meet.
func (b *bagOrder) unsettledInside() (before uint32, possible bool) {
	for len(b.inside) > 0 {
		n := b.inside[len(b.inside)-1]
		if b.l.items[n].Take == absent {
			return absent, false
		}
		if b.opState[2*n+1] != settled {
			return 2*n + 1, true
		}
		b.inside = b.inside[:len(b.inside)-1]
	}
	return absent, true
}

func (b *bagOrder) tiedBefore(op uint32) uint32 {
	if b.claims == nil || b.claims[op] == absent {
		return absent
	}
	if node := b.nodeOf(b.claims[op]); *b.state(node) != settled {
		return node
	}
	return absent
}

// nodeOf is for histories with ties only.
func (b *bagOrder) nodeOf(op uint32) uint32 {
	if k, is := b.empties.at[op]; is {
		return k | emptyNode
	}
	n := b.l.itemOf[op]
	switch {
	case n == absent:
		return absent
	case b.l.items[n].Take == op:
		return 2*n + 1
	}
	return 2 * n
}
