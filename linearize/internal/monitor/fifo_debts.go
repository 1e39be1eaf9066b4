package monitor

// queueDebts adds to the search of queueOrder what ties ask for that (1) of
// fifoMonitor does not say: the order of an enq before a deq of its process.
//
// When w has its place in the order, and a process tied enq(z) before deq(w),
// z is owed: enq(z) must come before deq(w), and so before whatever comes
// after deq(w). That is any empty from here on, and any y whose enq is tied
// after a deq(x) with x not before w: z must come before both.
type queueDebts struct {
	q        *queueOrder
	owing    []debt   // by position
	unpaid   []uint32 // by place in owing: from where on to look for a debt that is not paid
	owed     []bool   // by item, whether it ever was
	position []uint32 // in the order, by item
	used     bool     // a node was put behind an owed value
	// For possible: what must come before the empty, and in which round it last saw an
	// item or an empty.
	needed          []uint32
	seen, seenEmpty []uint32
	round           uint32
}

type debt struct {
	item uint32
	from uint32 // position in the order of what it is owed to
}

func newQueueDebts(q *queueOrder) *queueDebts {
	n := len(q.items)
	return &queueDebts{q: q, owed: make([]bool, n), position: make([]uint32, n), seen: make([]uint32, n), seenEmpty: make([]uint32, len(q.empties))}
}

// settle notes what is owed when a node has got its place: the puts before its removal.
// They go back no further than to an empty: whatever comes before that has its place by
// now, and nothing was owed any more when the empty got its own. Nor further than to
// one that has its place, or is owed already: so have, or are, all before it.
func (d *queueDebts) settle(node uint32) {
	if node&emptyNode != 0 {
		return
	}
	d.position[node] = uint32(len(d.q.order))
	take := d.q.items[node].Take
	if take == absent {
		return
	}
	for put := d.q.tied.put[take]; put != absent; put = d.q.tied.put[put] {
		n := d.q.itemOf[put]
		if d.q.itemState[n] == settled || d.owed[n] {
			return
		}
		d.q.patience.Step(1)
		d.owed[n] = true
		d.unpaid = append(d.unpaid, uint32(len(d.owing)))
		d.owing = append(d.owing, debt{n, d.position[node]})
	}
}

// next is the first debt from a place on that is not paid.
func (d *queueDebts) next(k int) int {
	last := k
	for last < len(d.owing) && (d.unpaid[last] != uint32(last) || d.q.itemState[d.owing[last].item] == settled) {
		d.q.patience.Step(1)
		last = max(last+1, int(d.unpaid[last]))
	}
	for k < last { // the way is short from now on
		k, d.unpaid[k] = max(k+1, int(d.unpaid[k])), uint32(last)
	}
	return last
}

// owedBefore finds an owed value that must come before the node. All that its process did
// before at the same stamp has its place.
func (d *queueDebts) owedBefore(node uint32) uint32 {
	until := uint32(absent)
	if node&emptyNode == 0 {
		take := d.q.tied.take[d.q.items[node].Put]
		if take == absent {
			return absent
		}
		until = d.position[d.q.itemOf[take]]
	}
	for k := d.next(0); k < len(d.owing) && d.owing[k].from <= until; k = d.next(k + 1) {
		if d.owing[k].item != node {
			d.used = true
			return d.owing[k].item
		}
	}
	return absent
}

// possible says whether an empty may have its stamp; see bagOrder.possible,
// whose closure this is, by values instead of operations.
func (d *queueDebts) possible(empty uint32) bool {
	word := d.q.empties[empty&^emptyNode]
	stamp := d.q.Stamp(word)
	d.needed = append(d.needed[:0], empty)
	d.round++
	for k := d.next(0); k < len(d.owing); k = d.next(k + 1) {
		if !d.require(d.owing[k].item, stamp) {
			return false
		}
	}
	for k := d.q.put; k < len(d.q.puts) && d.q.Stamp(d.q.puts[k]) < stamp; k++ {
		if !d.require(d.q.Index(d.q.puts[k]), stamp) {
			return false
		}
	}
	for i := 0; i < len(d.needed) && !d.q.patience.Step(1); i++ {
		node, fine := d.needed[i], true
		if node&emptyNode != 0 {
			fine = d.follow(d.q.Index(d.q.empties[node&^emptyNode]), empty, stamp)
		} else {
			it := &d.q.items[node]
			fine = d.follow(it.Put, empty, stamp) && d.follow(it.Take, empty, stamp)
		}
		if !fine {
			return false
		}
	}
	return true
}

// follow requires what the process claimed just before an operation. What comes before
// that is followed from there; or it has its place, as that has, or is owed.
func (d *queueDebts) follow(op, empty uint32, stamp uint64) bool {
	if op == absent || d.q.tied.claim[op] == absent {
		return true
	}
	before := d.q.tied.claim[op]
	if n := d.q.itemOf[before]; n != absent {
		return d.require(n, stamp)
	}
	return d.requireEmpty(d.q.waitEmpty.at[before]|emptyNode, empty, stamp)
}

func (d *queueDebts) require(item uint32, stamp uint64) bool {
	d.q.patience.Step(1)
	if d.q.itemState[item] == settled || d.seen[item] == d.round {
		return true
	}
	d.seen[item] = d.round
	d.needed = append(d.needed, item)
	it := &d.q.items[item]
	return it.Call <= stamp && it.Out <= stamp
}

func (d *queueDebts) requireEmpty(node, empty uint32, stamp uint64) bool {
	k := node &^ emptyNode
	switch {
	case node == empty:
		return false
	case *d.q.state(node) == settled || d.seenEmpty[k] == d.round:
		return true
	}
	d.seenEmpty[k] = d.round
	d.needed = append(d.needed, node)
	return d.q.Stamp(d.q.empties[k]) <= stamp
}
