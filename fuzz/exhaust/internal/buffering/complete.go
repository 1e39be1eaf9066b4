package buffering

import (
	"fmt"
	"strings"

	"stealproof/ref"
)

// Complete is a graph in which everybody is done, with an order of coherence and of the
// sc fences.
type Complete struct {
	*made
	// Again: the graph was shown before, with another order of the fences.
	Again bool
}

// Key names the graph: what each read reads, and how writes and fences stand.
func (c *Complete) Key() string {
	var b strings.Builder
	b.WriteString(c.given.key())
	fmt.Fprint(&b, c.graph.CO, c.graph.FenceOrder)
	return b.String()
}

// Buffered says whether program order and reads-from have a cycle.
func (c *Complete) Buffered() bool { return c.buffered() }

// Finals are the values that a location may hold at the end.
func (c *Complete) Finals(l ref.Location) []uint64 {
	var values []uint64
	co := c.x.CO()
	last := func(e int) bool {
		for i := range c.graph.Events {
			if e >= 0 && co.Has(e, i) {
				return false
			}
		}
		return true
	}
	for p, row := range c.events {
		for n := range row {
			if a := &c.course[p].Made[n]; a.Writes && a.Location == l && last(row[n].write) {
				values = append(values, a.Written)
			}
		}
	}
	if len(values) == 0 {
		values = append(values, c.search.setup.Initial(l))
	}
	return values
}

// Replay executes every process once more, by itself, with what its reads read.
func (c *Complete) Replay() []*ref.Course {
	var all []*ref.Course
	for p, row := range c.given {
		all = append(all, c.search.setup.Alone(p, func(n int) (uint64, bool) {
			if n < len(row) && row[n].is == read {
				return row[n].value, true
			}
			return 0, false
		}))
	}
	return all
}
