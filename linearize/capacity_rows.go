package linearize

import (
	"cmp"
	"slices"

	"stealproof/model"
)

// capacityRows looks for an order that respects a declared capacity. What goes
// in is one row, what goes out another, each in an order that is fixed before,
// and the rows are merged: a place in the merge is how many of each came
// before. Whatever found the object empty or full must stand at a place where
// none is inside, or as many as there is room for.
//
// A place is possible if nothing beyond it precedes anything before it, what
// went out went in before, and no more is inside than there is room for. Any
// row of possible places, none of which takes back what another one had, can
// be joined to a merge: what remains to be done between two of them has a
// first operation, and that is the next of one of the rows.
//
// Each full or empty gets the first possible place, in the order of calls. If
// it has none, another order of a row, or of these, may still do.
type capacityRows struct {
	*ledger
	in, out timedRow
	need    []uint32 // by number of removals: how many puts they need before them
	marks   []uint64 // words of call and operation: the full and the empty
}

// timedRow is operations in a fixed order, searchable by time.
type timedRow struct {
	ops   []uint32
	begun []uint64 // by number of operations: the latest call among these
	due   []uint64 // and the earliest return of those after them
}

func (l *ledger) newRow(ops []uint32) timedRow {
	r := timedRow{ops, make([]uint64, len(ops)+1), make([]uint64, len(ops)+1)}
	for k, op := range ops {
		r.begun[k+1] = max(r.begun[k], l.of(l.ops[op].Call))
	}
	r.due[len(ops)] = l.far()
	for k := len(ops) - 1; k >= 0; k-- {
		r.due[k] = min(r.due[k+1], l.of(l.ops[ops[k]].Return))
	}
	return r
}

// newCapacityRows has the values go in and out in the given orders; what stays
// is left out of the second.
func newCapacityRows(l *ledger, in, out []uint32) *capacityRows {
	c := &capacityRows{ledger: l, need: make([]uint32, len(out)+1)}
	place := make([]uint32, len(l.items))
	puts, takes := make([]uint32, len(in)), make([]uint32, len(out))
	for k, n := range in {
		puts[k], place[n] = l.items[n].put, uint32(k)+1
	}
	for k, n := range out {
		takes[k] = l.items[n].take
		c.need[k+1] = max(c.need[k], place[n])
	}
	c.in, c.out = l.newRow(puts), l.newRow(takes)
	for _, word := range l.empties {
		c.mark(l.index(word))
	}
	for _, word := range l.free {
		if op := l.index(word); l.ops[op].Result == model.Full {
			c.mark(op)
		}
	}
	slices.SortFunc(c.marks, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(l.stamp(a), l.stamp(b)), cmp.Compare(l.ops[l.index(a)].Return, l.ops[l.index(b)].Return))
	})
	return c
}

func (c *capacityRows) mark(op uint32) {
	c.marks = append(c.marks, c.pack(c.of(c.ops[op].Call), op))
}

func (c *capacityRows) possible(i, j int) bool {
	return j <= i && i-j <= c.room() && i >= int(c.need[j]) &&
		max(c.in.begun[i], c.out.begun[j]) <= min(c.in.due[i], c.out.due[j])
}

func (c *capacityRows) room() int {
	return int(min(c.history.Params.Capacity, maxOperations))
}

// merge writes the order down; nil if it finds none.
func (c *capacityRows) merge() []int {
	m := &capacityMerge{capacityRows: c, emitter: newEmitter(c.stamps, c.ops, c.unbounded(), nil)}
	for _, word := range c.marks {
		op := c.index(word)
		if !m.reach(op) {
			return nil
		}
		m.write(op)
	}
	if !m.walk(len(c.in.ops), len(c.out.ops)) {
		return nil
	}
	return m.finish()
}

// unbounded are the operations that claim nothing, whatever the capacity.
func (c *capacityRows) unbounded() []uint64 {
	return slices.DeleteFunc(slices.Clone(c.free), func(word uint64) bool { return c.ops[c.index(word)].Result == model.Full })
}

// capacityMerge is how far the merge is.
type capacityMerge struct {
	*capacityRows
	*emitter
	i, j   int
	latest uint64
}

// reach walks to the first possible place for a full or an empty.
func (m *capacityMerge) reach(op uint32) bool {
	o := &m.capacityRows.ops[op]
	call, ret, level := m.capacityRows.of(o.Call), m.capacityRows.of(o.Return), 0
	if o.Result == model.Full {
		level = m.room()
	}
	i := max(m.i, seek(m.in.due, m.i, call), level+max(m.j, seek(m.out.due, m.j, call)))
	for ; i < len(m.in.begun) && i-level < len(m.out.begun); i++ {
		if max(m.in.begun[i], m.out.begun[i-level]) > ret {
			return false
		}
		if m.possible(i, i-level) {
			if !m.walk(i, i-level) {
				return false
			}
			m.latest = max(m.latest, call)
			m.flush(m.latest)
			return true
		}
	}
	return false
}

// walk lets things happen up to a place, removals as soon as they can.
func (m *capacityMerge) walk(i, j int) bool {
	for m.i < i || m.j < j {
		switch {
		case m.j < j && m.possible(m.i, m.j+1):
			m.step(m.out.ops[m.j])
			m.j++
		case m.i < i && m.possible(m.i+1, m.j):
			m.step(m.in.ops[m.i])
			m.i++
		default:
			return false
		}
	}
	return true
}

func (m *capacityMerge) step(op uint32) {
	m.latest = max(m.latest, m.capacityRows.of(m.capacityRows.ops[op].Call))
	m.emit(op, m.latest)
}
