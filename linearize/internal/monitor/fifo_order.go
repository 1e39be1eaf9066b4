package monitor

// emptyNode marks a node that is an empty, by its place among the empties; the
// others are items.
const emptyNode = 1 << 31

// queueOrder finds a topological order of relation (1) of fifoMonitor: depth
// first, what must come before a node is put before it. The predecessors by
// time are prefixes of lists sorted by return, and a prefix is worked off only
// once: whatever a list's head has left behind is in the order already, and
// the head itself waits until it is.
type queueOrder struct {
	*ledger
	order     []uint32
	itemState []nodeState
	waitEmpty *emptyQueue
	stack     []uint32
	tied      *tiedClaims // only if there are ties
	debts     *queueDebts

	put, take int // heads of the lists
}

type nodeState uint8

const (
	untouched nodeState = iota
	waiting
	settled
)

func (q *queueOrder) state(node uint32) *nodeState {
	if node&emptyNode != 0 {
		return &q.waitEmpty.state[node&^emptyNode]
	}
	return &q.itemState[node]
}

// sort returns a cycle if there is one.
func (q *queueOrder) sort() (cycle []uint32) {
	q.itemState = make([]nodeState, len(q.items))
	q.waitEmpty = newEmptyQueue(q.ledger)
	q.order = make([]uint32, 0, len(q.puts)+len(q.empties))
	if q.ties != nil {
		q.tied = q.tiedClaims()
		q.debts = newQueueDebts(q)
	}
	for {
		root, ok := q.nextRoot()
		if !ok || q.patience.Step(1) {
			return nil
		}
		if q.ties != nil && root&emptyNode != 0 && !q.debts.possible(root) {
			place := root &^ emptyNode
			if q.waitEmpty.postpone(place, q.debts.needed) {
				continue
			}
			return q.waitEmpty.failed[place]
		}
		if cycle := q.visit(root); cycle != nil {
			return cycle
		}
	}
}

// nextRoot is what must be out next: by the return of its removal, and what
// stays last, by the return of its put.
func (q *queueOrder) nextRoot() (uint32, bool) {
	end := q.Far() + 1
	e, stamp := q.waitEmpty.head()
	if t := q.headTake(end); t != absent && q.Stamp(q.takes[q.take]) < stamp {
		return t, true
	}
	if e != absent {
		return e | emptyNode, true
	}
	p := q.headPut(end)
	return p, p != absent
}

func (q *queueOrder) headPut(before uint64) uint32 {
	for ; q.put < len(q.puts); q.put++ {
		n := q.Index(q.puts[q.put])
		if q.itemState[n] != settled {
			if q.Stamp(q.puts[q.put]) < before {
				return n
			}
			break
		}
	}
	return absent
}

func (q *queueOrder) headTake(before uint64) uint32 {
	for ; q.take < len(q.takes); q.take++ {
		n := q.Index(q.takes[q.take])
		if q.itemState[n] != settled {
			if q.Stamp(q.takes[q.take]) < before {
				return n
			}
			break
		}
	}
	return absent
}

func (q *queueOrder) headEmpty(before uint64) uint32 {
	if e, stamp := q.waitEmpty.head(); stamp < before {
		return e | emptyNode
	}
	return absent
}

// visit puts a node into the order, after all that must come before it.
func (q *queueOrder) visit(root uint32) (cycle []uint32) {
	*q.state(root) = waiting
	q.stack = append(q.stack[:0], root)
	for len(q.stack) > 0 && !q.patience.Step(1) {
		node := q.stack[len(q.stack)-1]
		before := q.unsettled(node)
		switch {
		case before == absent:
			*q.state(node) = settled
			q.order = append(q.order, node)
			if q.debts != nil {
				q.debts.settle(node)
			}
			q.stack = q.stack[:len(q.stack)-1]
		case *q.state(before) == waiting:
			k := len(q.stack) - 1
			for q.stack[k] != before {
				k--
			}
			return q.stack[k:]
		default:
			*q.state(before) = waiting
			q.stack = append(q.stack, before)
		}
	}
	return nil
}

// unsettled finds a node that must come before the given one and is not in the
// order yet.
func (q *queueOrder) unsettled(node uint32) uint32 {
	var in, out uint64
	if node&emptyNode != 0 {
		in = q.Stamp(q.empties[node&^emptyNode])
		out = in
	} else {
		it := &q.items[node]
		in, out = it.Call, max(it.Call, it.Out)
	}
	if p := q.headPut(in); p != absent {
		return p
	}
	if t := q.headTake(out); t != absent {
		return t
	}
	if e := q.headEmpty(out); e != absent {
		return e
	}
	if q.ties == nil {
		return absent
	}
	if n := q.unsettledTie(node); n != absent {
		return n
	}
	return q.debts.owedBefore(node)
}

func (q *queueOrder) unsettledTie(node uint32) uint32 {
	if node&emptyNode != 0 {
		return q.tiedBefore(q.Index(q.empties[node&^emptyNode]), true)
	}
	it := &q.items[node]
	if n := q.tiedBefore(it.Put, true); n != absent || it.Take == absent {
		return n
	}
	return q.tiedBefore(it.Take, false)
}

// tiedBefore finds what must come before an operation by the order of its process at
// one stamp. An enq comes after the enqs and deqs before it, a deq only after the
// deqs: for a value, deq before enq means more than enq before deq. Of what has its
// place, all that must come before it has its own as well.
func (q *queueOrder) tiedBefore(op uint32, isPut bool) uint32 {
	take, put := q.tied.take[op], q.tied.put[op]
	if take != absent && q.itemState[q.itemOf[take]] != settled {
		return q.itemOf[take]
	}
	if put != absent && isPut && q.itemState[q.itemOf[put]] != settled {
		return q.itemOf[put]
	}
	if take != absent || put != absent && isPut || q.tied.empty[op] == absent {
		return absent
	}
	if k := q.waitEmpty.at[q.tied.empty[op]]; q.waitEmpty.state[k] != settled {
		return k | emptyNode
	}
	return absent
}
