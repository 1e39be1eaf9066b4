package monitor

import "slices"

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
	position []uint32 // in the order, by item
	used     bool     // a node was put behind an owed value
	// For possible: what must come before the empty, and in which round it last saw an item.
	needed []uint32
	seen   []uint32
	round  uint32
}

type debt struct {
	item uint32
	from uint32 // position in the order of what it is owed to
}

func newQueueDebts(q *queueOrder) *queueDebts {
	return &queueDebts{q: q, position: make([]uint32, len(q.items)), seen: make([]uint32, len(q.items))}
}

// settle notes what is owed when a node has got its place.
func (d *queueDebts) settle(node uint32) {
	if node&emptyNode != 0 {
		return
	}
	d.position[node] = uint32(len(d.q.order))
	d.eachTied(d.q.items[node].Take, func(n uint32, isPut bool) bool {
		if isPut && d.q.itemState[n] != settled {
			d.owing = append(d.owing, debt{n, d.position[node]})
		}
		return true
	})
}

// eachTied calls f for the values before an operation in its process, at the
// same stamp, until it returns false. It goes back no further than to an empty:
// whatever comes before that has its place by now, and nothing was owed any more
// when the empty got its own.
func (d *queueDebts) eachTied(op uint32, f func(item uint32, isPut bool) bool) {
	if op == absent {
		return
	}
	stamp := d.q.ops[op].Call
	for b := d.q.ties[op]; b != absent && d.q.ops[b].Return == stamp; b = d.q.ties[b] {
		n := d.q.itemOf[b]
		if _, isEmpty := d.q.waitEmpty.at[b]; isEmpty || n != absent && !f(n, d.q.items[n].Put == b) {
			return
		}
	}
}

// owed finds an owed value that must come before the node.
func (d *queueDebts) owed(node uint32) uint32 {
	until, waits := uint32(absent), node&emptyNode != 0
	if !waits {
		until = 0
		d.eachTied(d.q.items[node].Put, func(n uint32, isPut bool) bool {
			if !isPut && d.q.itemState[n] == settled {
				until, waits = max(until, d.position[n]), true
			}
			return true
		})
	}
	if !waits {
		return absent
	}
	d.forget()
	for _, o := range d.owing {
		if o.from > until {
			break
		}
		if o.item != node && d.q.itemState[o.item] != settled {
			d.used = true
			return o.item
		}
	}
	return absent
}

// forget drops the oldest debts as far as they are paid.
func (d *queueDebts) forget() {
	for len(d.owing) > 0 && d.q.itemState[d.owing[0].item] == settled {
		d.owing = d.owing[1:]
	}
}

// possible says whether an empty may have its stamp; see bagOrder.possible,
// whose closure this is, by values instead of operations.
func (d *queueDebts) possible(empty uint32) bool {
	word := d.q.empties[empty&^emptyNode]
	stamp := d.q.Stamp(word)
	d.needed = append(d.needed[:0], empty)
	d.round++
	d.forget()
	fine := true
	follow := func(op uint32) {
		if op == absent {
			return
		}
		for b := d.q.ties[op]; b != absent && d.q.ops[b].Return == d.q.ops[op].Call; b = d.q.ties[b] {
			if n := d.q.itemOf[b]; n != absent {
				fine = fine && d.require(n, stamp)
			} else if k, is := d.q.waitEmpty.at[b]; is {
				// What comes before b has its place already if b has, and is
				// followed from b if it has not.
				fine = fine && d.requireEmpty(k|emptyNode, empty, stamp)
				return
			}
		}
	}
	for k := 0; k < len(d.owing) && fine; k++ {
		fine = d.require(d.owing[k].item, stamp)
	}
	for k := d.q.put; k < len(d.q.puts) && d.q.Stamp(d.q.puts[k]) < stamp && fine; k++ {
		fine = d.require(d.q.Index(d.q.puts[k]), stamp)
	}
	follow(d.q.Index(word))
	for i := 1; i < len(d.needed) && fine; i++ {
		if node := d.needed[i]; node&emptyNode != 0 {
			follow(d.q.Index(d.q.empties[node&^emptyNode]))
		} else {
			follow(d.q.items[node].Put)
			follow(d.q.items[node].Take)
		}
	}
	return fine
}

func (d *queueDebts) require(item uint32, stamp uint64) bool {
	if d.q.itemState[item] == settled || d.seen[item] == d.round {
		return true
	}
	d.seen[item] = d.round
	d.needed = append(d.needed, item)
	it := &d.q.items[item]
	return it.Call <= stamp && it.Out <= stamp
}

func (d *queueDebts) requireEmpty(node, empty uint32, stamp uint64) bool {
	if node == empty {
		return false
	}
	if *d.q.state(node) == settled || slices.Contains(d.needed, node) {
		return true
	}
	d.needed = append(d.needed, node)
	return d.q.Stamp(d.q.empties[node&^emptyNode]) <= stamp
}
