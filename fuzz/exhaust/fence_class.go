package exhaust

import (
	"math/bits"
	"slices"

	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

// fenceClass is a class of histories with the same results: those of an execution
// on a weak memory under all orders of its sc fences that keep to what is demanded
// of them. An operation precedes another if it happened before, or if a fence that
// is its last access or behind it comes before one that is the other's first
// access or ahead of it.
type fenceClass struct {
	*ref.FenceOrders
	history *model.History
	before  []uint64 // of each fence those that come before it
	relation
}

func fenceClassOf(e *ref.Execution) *fenceClass {
	f := e.Fences()
	return &fenceClass{FenceOrders: f, history: e.History, before: f.Before}
}

// processes is how many there are.
func (c *fenceClass) processes() int {
	n := 0
	for i := range c.history.Ops {
		n = max(n, int(c.history.Ops[i].Process)+1)
	}
	return n
}

// relate works out what precedes what.
func (c *fenceClass) relate() {
	n := len(c.Causes)
	var after [maxExhaustedOps]uint64 // fences that come behind every fence of an operation's end
	for j := range n {
		after[j] = ^uint64(0)
		for f := range bitsOf(c.Behind[j]) {
			after[j] &= c.before[f]
		}
	}
	for i := range n {
		ahead := c.Ahead[i]
		for f := range bitsOf(c.Ahead[i]) {
			ahead |= c.before[f]
		}
		c.forced[i], c.possible[i] = c.Causes[i], c.Causes[i]
		for j := range n {
			if i == j || c.Causes[i]>>j&1 != 0 {
				continue
			}
			if c.Behind[j]&ahead != 0 {
				c.forced[i] |= 1 << j
			}
			if c.Ahead[i]&^after[j] != 0 {
				c.possible[i] |= 1 << j
			}
		}
	}
}

// with is the part of the class in which fence f comes before fence g.
func (c *fenceClass) with(f, g int) *fenceClass {
	part := &fenceClass{FenceOrders: c.FenceOrders, history: c.history, before: slices.Clone(c.before)}
	first := part.before[f] | 1<<f
	for i := range part.before {
		if i == g || part.before[i]>>g&1 != 0 {
			part.before[i] |= first
		}
	}
	return part
}

// open are two fences whose order decides whether operation j precedes operation
// i, as it may.
func (c *fenceClass) open(i, j int) (f, g int) {
	for f := range bitsOf(c.Behind[j]) {
		for g := range bitsOf(c.Ahead[i] &^ c.before[f]) {
			return f, g
		}
	}
	panic("exhaust: an operation that may precede another has no fence before one of that")
}

// holds judges all histories of the class, as orders.decide does.
func (c *fenceClass) holds(w *witnesses) bool {
	h := c.history
	c.relate()
	if w.prove(&c.possible) {
		return true
	}
	known := w.respecting(&c.relation)
	if known == nil {
		found, over := w.find(h, &c.relation)
		switch {
		case over:
			return c.each(c.processes(), func(before model.Precedence) bool { return linearize.CheckCausal(h, before) })
		case !found:
			return false
		}
		w.keep(h)
		known = &(*w.current)[len(*w.current)-1]
		if w.respects(known, &c.possible) {
			return true
		}
	}
	late, early := c.conflict(known, w.aborted)
	f, g := c.open(late, early)
	return c.with(f, g).holds(w) && c.with(g, f).holds(w)
}

// each calls do with every precedence of the class, with some more than once,
// until do says no. It reports whether do never did.
func (c *fenceClass) each(processes int, do func(model.Precedence) bool) bool {
	c.relate()
	for i := range c.Causes {
		for j := range bitsOf(c.possible[i] &^ c.forced[i]) {
			f, g := c.open(i, j)
			return c.with(f, g).each(processes, do) && c.with(g, f).each(processes, do)
		}
	}
	return do(c.precedence(processes))
}

// precedence is that of a class in which nothing is open.
func (c *fenceClass) precedence(processes int) model.Precedence {
	var before model.Precedence
	for i, ops := 0, c.history.Ops; i < len(ops); i++ {
		row := make([]int32, processes)
		for j := range bitsOf(c.forced[i]) {
			if p := ops[j].Process; p != ops[i].Process {
				row[p]++
			}
		}
		before = append(before, row)
	}
	return before
}

// bitsOf iterates over a set.
func bitsOf(set uint64) func(func(int) bool) {
	return func(yield func(int) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(bits.TrailingZeros64(set)) {
				return
			}
		}
	}
}
