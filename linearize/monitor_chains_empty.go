package linearize

import (
	"cmp"
	"slices"
)

// placeEmpties turns the words of the empty steals into words of the place
// that each takes, by operations of the owner before it.
func (c *chains) placeEmpties() *clash {
	if len(c.empties) == 0 {
		return nil
	}
	c.sortEmpties()
	next := c.nextVacant()
	returned, called := c.stealsByTime()
	var w window
	var before, beyond int
	for k, word := range c.empties {
		op := c.index(word)
		call, ret := c.stamp(word), c.of(c.ops[op].Return)
		c.look(op, call, ret, &w)
		before = seek(returned, before, call) // steals that precede it
		beyond = seek(called, beyond, ret+1)  // and those that don't come after it
		first, last := c.lookTied(op, before, beyond)
		from, to := w.from, w.to
		if first > 0 {
			from = max(from, int(c.at[first-1]))
		}
		if last < len(c.at) {
			to = min(to, int(c.at[last])-1)
		}
		place := absent
		if from < len(next) {
			place = int(next[from])
		}
		if place > to {
			return &clash{kind: FalseEmpty, needed: none, empty: op, from: w.from, to: w.to}
		}
		c.empties[k] = c.pack(uint64(place), op)
	}
	c.sort(c.empties)
	return nil
}

// sortEmpties orders them by call; those of one process at one stamp as the
// process did.
func (c *chains) sortEmpties() {
	c.sort(c.empties)
	if c.ties == nil {
		return
	}
	slices.SortStableFunc(c.empties, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(c.stamp(a), c.stamp(b)),
			cmp.Compare(c.ops[c.index(a)].Return, c.ops[c.index(b)].Return))
	})
}

// nextVacant finds for every number of operations of the owner the least from
// there on after which the merge finds the object empty.
func (c *chains) nextVacant() []uint32 {
	next := c.vacant
	last := uint32(absent)
	for i := len(next) - 1; i >= 0; i-- {
		if n := next[i]; n > 0 && (n == 1 || c.at[n-2] <= uint32(i)) {
			last = uint32(i)
		}
		next[i] = last
	}
	return next
}

// stealsByTime makes the order of the chain searchable by time: returned[j] is
// the earliest return from steal j on, called[j] the latest call up to it.
func (c *chains) stealsByTime() (returned, called []uint64) {
	n := len(c.steals)
	returned, called = make([]uint64, n), make([]uint64, n)
	latest := uint64(0)
	for j, op := range c.steals {
		returned[j] = c.of(c.ops[op].Return)
		latest = max(latest, c.of(c.ops[op].Call))
		called[j] = latest
	}
	for j := n - 2; j >= 0; j-- {
		returned[j] = min(returned[j], returned[j+1])
	}
	return returned, called
}

// lookTied adds what the process of an empty steal did at the stamps of its
// call and its return.
func (c *chains) lookTied(op uint32, before, beyond int) (int, int) {
	if c.ties == nil {
		return before, beyond
	}
	for q := c.ties[op]; q != absent && c.ops[q].Return == c.ops[op].Call; q = c.ties[q] {
		if j := c.chain[q]; j != absent {
			before = max(before, int(j)+1)
		}
	}
	for q := c.after[op]; q != absent && c.ops[q].Call == c.ops[op].Return; q = c.after[q] {
		if j := c.chain[q]; j != absent {
			beyond = min(beyond, int(j))
		}
	}
	return before, beyond
}

// merge writes the order down: at each place first the steals, then the empty
// ones. It is nil if an operation would have to wait, which cannot be.
func (c *chains) merge() []int {
	e := newEmitter(c.stamps, c.ops, c.free, c.ties)
	latest := uint64(0)
	fine := true
	emit := func(op uint32) {
		latest = max(latest, c.of(c.ops[op].Call))
		fine = e.emit(op, latest) && fine
	}
	j, k := 0, 0
	for i := 0; i <= len(c.own); i++ {
		for ; j < len(c.steals) && c.at[j] == uint32(i); j++ {
			emit(c.steals[j])
		}
		for ; k < len(c.empties) && c.stamp(c.empties[k]) == uint64(i); k++ {
			emit(c.index(c.empties[k]))
		}
		if i < len(c.own) {
			emit(c.own[i])
		}
	}
	if !fine {
		return nil
	}
	return e.finish()
}
