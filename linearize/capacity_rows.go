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
// Each full or empty gets the first possible place for it, after those whose
// first possible places come before. If it has none, another order of a row, or
// of these, may still do.
type capacityRows struct {
	*ledger
	in, out timedRow
	need    []uint32 // by number of removals: how many puts they need before them
	marks   []uint64 // words of a place, i + j, and an operation: the full and the empty
	// The next possible place from i on, where none is inside and where it is full.
	empty, full []uint32
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
	c.empty, c.full = c.nextPossible(0), c.nextPossible(c.room())
	for k, word := range c.marks {
		op := l.index(word)
		i := c.first(op, 0, 0)
		c.marks[k] = l.pack(uint64(2*i-c.level(op)), op)
	}
	slices.SortFunc(c.marks, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(l.stamp(a), l.stamp(b)), cmp.Compare(l.ops[l.index(a)].Call, l.ops[l.index(b)].Call))
	})
	return c
}

func (c *capacityRows) mark(op uint32) { c.marks = append(c.marks, c.pack(0, op)) }

// level is how many values a full or an empty has seen inside.
func (c *capacityRows) level(op uint32) int {
	if c.ops[op].Result == model.Full {
		return c.room()
	}
	return 0
}

// nextPossible is, by i, the first possible place from there on with so many
// values inside; beyond all if there is none.
func (c *capacityRows) nextPossible(level int) []uint32 {
	next := make([]uint32, len(c.in.begun)+1)
	next[len(c.in.begun)] = uint32(len(c.in.begun))
	for i := len(c.in.begun) - 1; i >= 0; i-- {
		next[i] = next[i+1]
		if j := i - level; j >= 0 && j < len(c.out.begun) && c.possible(i, j) {
			next[i] = uint32(i)
		}
	}
	return next
}

// first is the first possible place, by i, for a full or an empty after some
// place; beyond all if there is none.
func (c *capacityRows) first(op uint32, i, j int) int {
	call, level, next := c.of(c.ops[op].Call), c.level(op), c.empty
	if level > 0 {
		next = c.full
	}
	i = max(i, seek(c.in.due, i, call), level+max(j, seek(c.out.due, j, call)))
	return int(next[min(i, len(c.in.begun))])
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
	i := m.first(op, m.i, m.j)
	if i == len(m.in.begun) {
		return false
	}
	j := i - m.level(op)
	if max(m.in.begun[i], m.out.begun[j]) > m.capacityRows.of(o.Return) || !m.walk(i, j) {
		return false
	}
	m.latest = max(m.latest, m.capacityRows.of(o.Call))
	m.flush(m.latest)
	return m.latest <= m.capacityRows.of(o.Return)
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
