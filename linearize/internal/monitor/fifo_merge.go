package monitor

import (
	"stealproof/linearize/internal/timing"
)

// queueMerge writes the operations of an order of values down: two hands go
// along the order, one for what comes in, one for what leaves, and both give
// their operations the stamps P and Q of fifoMonitor.
type queueMerge struct {
	*timing.Writer
	q       *queueOrder
	in, out int
	inAt    uint64 // P at in
	outAt   uint64 // Q at out
	outIn   uint64 // P at out
}

func newQueueMerge(q *queueOrder) *queueMerge {
	return &queueMerge{Writer: timing.NewWriter(q.Clock, q.ops, q.free, q.ties), q: q}
}

// run returns what stands in each other's way, if anything does.
func (m *queueMerge) run() (stuck []uint32) {
	m.seeIn()
	m.seeOut()
	for (m.in < len(m.q.order) || m.out < m.in) && !m.q.patience.Step(1) {
		if m.out < m.in && (m.in == len(m.q.order) || m.outAt <= m.inAt) && m.leave() {
			continue
		}
		if m.in == len(m.q.order) || m.out < m.in && m.inAt > m.outAt || !m.enter() {
			return m.between()
		}
	}
	return nil
}

// seeIn updates P for the node at in, seeOut P and Q for the one at out.
func (m *queueMerge) seeIn() {
	if m.in < len(m.q.order) {
		m.inAt = max(m.inAt, m.enters(m.q.order[m.in]))
	}
}

func (m *queueMerge) seeOut() {
	for m.out < len(m.q.order) {
		node := m.q.order[m.out]
		m.outIn = max(m.outIn, m.enters(node))
		m.outAt = max(m.outAt, m.outIn)
		if node&emptyNode != 0 {
			return
		}
		if out := m.q.items[node].Out; out != m.Far() {
			m.outAt = max(m.outAt, out)
			return
		}
		m.out = len(m.q.order) // what stays is last
	}
}

func (m *queueMerge) enters(node uint32) uint64 {
	if node&emptyNode != 0 {
		return m.Stamp(m.q.empties[node&^emptyNode])
	}
	return m.q.items[node].Call
}

// leave lets the value at out leave, if it may.
func (m *queueMerge) leave() bool {
	take := m.q.items[m.q.order[m.out]].Take
	if !m.Emit(take, m.outAt) {
		return false
	}
	m.out++
	m.seeOut()
	return true
}

// enter lets the node at in come in, if it may. An empty leaves at once.
func (m *queueMerge) enter() bool {
	node := m.q.order[m.in]
	if node&emptyNode == 0 {
		if !m.Emit(m.q.items[node].Put, m.inAt) {
			return false
		}
	} else {
		op := m.Index(m.q.empties[node&^emptyNode])
		if m.out < m.in || !m.Emit(op, m.inAt) {
			return false
		}
		m.out++
		m.seeOut()
	}
	m.in++
	m.seeIn()
	return true
}

// between are the nodes among which the hands are stuck.
func (m *queueMerge) between() []uint32 {
	from, to := min(m.out, m.in), min(m.in+1, len(m.q.order))
	return append([]uint32(nil), m.q.order[max(from, to-MaxProof):to]...)
}
