package search

import (
	"stealproof/linearize/internal/timing"
)

// ring is a list of operations from which one can be removed, and put back as
// the last that was removed, at no cost: the operation keeps its neighbours.
type ring struct {
	*links
	end uint32 // stands before the first and behind the last
}

// links hold the neighbours of operations, each of which is in one ring at most.
type links struct {
	next, prev []uint32
	ends       uint32
}

// newLinks makes room for so many operations and rings.
func newLinks(ops, rings int) *links {
	n := &links{next: make([]uint32, ops+rings), prev: make([]uint32, ops+rings), ends: uint32(ops)}
	for i := range ops {
		n.next[i] = absent
	}
	return n
}

// ring makes one of words of a stamp and an operation, by stamp.
func (n *links) ring(c *timing.Clock, words []uint64) *ring {
	c.Sort(words)
	r := &ring{n, n.ends}
	n.ends++
	last := r.end
	for _, word := range words {
		op := c.Index(word)
		n.next[last], n.prev[op] = op, last
		last = op
	}
	n.next[last], n.prev[r.end] = r.end, last
	return r
}

// head is the first operation, absent if there is none.
func (r *ring) head() uint32 { return r.after(r.end) }

func (r *ring) after(op uint32) uint32 {
	if next := r.next[op]; next != r.end {
		return next
	}
	return absent
}

// remove passes over operations that are in no ring, as does putBack.
func (r *ring) remove(op uint32) {
	if r.next[op] != absent {
		r.next[r.prev[op]], r.prev[r.next[op]] = r.next[op], r.prev[op]
	}
}

func (r *ring) putBack(op uint32) {
	if r.next[op] != absent {
		r.next[r.prev[op]], r.prev[r.next[op]] = op, op
	}
}

// open adds an operation to a ring that it was in no ring with, and shut takes it out
// again, when all that happened since was taken back.
func (r *ring) open(op uint32) {
	first := r.next[r.end]
	r.next[r.end], r.prev[op] = op, r.end
	r.next[op], r.prev[first] = first, op
}

func (r *ring) shut(op uint32) {
	r.remove(op)
	r.next[op] = absent
}
