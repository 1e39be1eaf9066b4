package monitor

// possible says whether an empty may have its stamp, considering ties: what
// must come before it is then called no later than at that stamp, and does not
// have to come after it.
//
// What must come before is a closure of rules with one premise each: the
// operation before in its process, the put of a removal, and the removal of a
// put. So it does not matter in which order empties are asked, or what others
// did before: the closure for two is that for one and that for the other.
func (b *bagOrder) possible(empty uint32) bool {
	_, stamp := b.op(empty)
	b.needed = append(b.needed[:0], empty)
	b.round++
	if b.seen == nil {
		b.seen, b.seenEmpty = make([]uint32, len(b.opState)), make([]uint32, len(b.l.empties))
	}
	b.l.patience.Step(len(b.inside))
	for _, n := range b.inside {
		if b.opState[2*n+1] != settled && !b.require(2*n+1, empty, stamp) {
			return false
		}
	}
	for i := 0; i < len(b.needed) && !b.l.patience.Step(1); i++ {
		node := b.needed[i]
		op, _ := b.op(node)
		if before := b.tiedBefore(op); before != absent && !b.require(before, empty, stamp) {
			return false
		}
		if node&emptyNode == 0 && !b.require(node^1, empty, stamp) {
			return false
		}
	}
	return true
}

// require adds a node to what must come before the empty.
func (b *bagOrder) require(node, empty uint32, stamp uint64) bool {
	if node == empty {
		return false
	}
	if *b.state(node) == settled || b.isSeen(node) {
		return true
	}
	b.needed = append(b.needed, node)
	if node&emptyNode == 0 && b.l.items[node/2].Take == absent {
		return false // it stays
	}
	_, begins := b.op(node)
	return begins <= stamp
}

// isSeen says whether possible has looked at a node before in this round, and
// that it has now.
func (b *bagOrder) isSeen(node uint32) bool {
	seen := b.seen
	if node&emptyNode != 0 {
		seen, node = b.seenEmpty, node&^emptyNode
	}
	was := seen[node] == b.round
	seen[node] = b.round
	return was
}
