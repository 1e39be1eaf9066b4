package buffering

import (
	"encoding/binary"
	"slices"

	"stealproof/ref"
)

// course is what a process does with some values read, and on what that depends.
type course struct {
	*ref.Course
	count int // accesses that were made: not that which waits
	needs []*needs
}

// needs are the reads on which an access depends: whether it comes, and where, and,
// beside those, what it writes.
type needs struct{ depends, data ref.Reads }

// depends are the reads on which it depends whether and where an access comes.
func (c *course) depends(n int16) ref.Reads { return c.needs[n].depends }

// writeDepends are the reads on which it depends whether, where and what an access
// writes.
func (c *course) writeDepends(n int16) ref.Reads {
	return c.needs[n].depends.Or(c.needs[n].data)
}

// courses remembers the courses of a program, and finds out on which reads accesses
// depend, where the structure does not say: a text in Go has no registers. A process is
// executed again with another value read, one after the other of all that its location
// is known to hold at some time, and of some that it never holds. If then another access
// comes, or none, or it writes something else, it depends on that read. What depends in
// one execution is taken to depend in all in which the process has come to the access by
// the same lines, whatever it has read there: a & b depends on a, even where b is 0.
//
// More values and more executions show more dependencies. Who has found new ones begins
// anew, until none are found.
type courses struct {
	setup *ref.Setup
	known []map[string]*course // by the values read
	// values are those that a location is known to hold at some time.
	values map[ref.Location][]uint64
	// lines has the dependencies of an access, by its process and the lines before it.
	lines map[string]*needs
	grew  bool
}

func newCourses(setup *ref.Setup) *courses {
	c := &courses{setup: setup, values: map[ref.Location][]uint64{}, lines: map[string]*needs{}}
	c.forget()
	return c
}

// forget forgets the courses, but not what was learned from them.
func (c *courses) forget() {
	c.known = c.known[:0]
	for range c.setup.Processes() {
		c.known = append(c.known, map[string]*course{})
	}
	c.grew = false
}

// of is the course of a process with what its reads read.
func (c *courses) of(p int, given []entry) *course {
	var key []byte
	for n := range given {
		if given[n].is == read {
			key = binary.LittleEndian.AppendUint16(key, uint16(n))
			key = binary.LittleEndian.AppendUint64(key, given[n].value)
		}
	}
	if known := c.known[p][string(key)]; known != nil {
		return known
	}
	value := func(n int) (uint64, bool) {
		if n < len(given) && given[n].is == read {
			return given[n].value, true
		}
		return 0, false
	}
	made := &course{Course: c.setup.Alone(p, value)}
	made.count = len(made.Made)
	if made.Waits {
		made.count--
	}
	for i := range made.count {
		if a := &made.Made[i]; a.Writes && !made.Tells {
			c.hold(a.Location, a.Written)
		}
	}
	if made.Tells {
		for i := range made.Made {
			made.needs = append(made.needs, &needs{made.Made[i].Depends, made.Made[i].Data})
		}
	} else {
		c.vary(p, made, value)
	}
	c.known[p][string(key)] = made
	return made
}

// hold notes that a location holds a value at some time.
func (c *courses) hold(l ref.Location, v uint64) {
	if !slices.Contains(c.values[l], v) {
		c.values[l] = append(c.values[l], v)
		c.grew = true
	}
}

// vary finds out on which reads the accesses of a course depend.
func (c *courses) vary(p int, made *course, value func(int) (uint64, bool)) {
	shape := []byte{byte(p)}
	for i := range made.Made {
		a := &made.Made[i]
		shape = append(shape, byte(a.Kind), a.Access.Site, byte(a.Access.Order), byte(a.Op))
		if c.lines[string(shape)] == nil {
			c.lines[string(shape)] = &needs{}
		}
		made.needs = append(made.needs, c.lines[string(shape)])
	}
	for n := range made.count {
		if !made.Made[n].Reads {
			continue
		}
		for _, v := range c.candidates(made.Made[n].Location) {
			if v == made.Made[n].Read {
				continue
			}
			c.compare(made, n, c.setup.Alone(p, func(i int) (uint64, bool) {
				if i == n {
					return v, true
				}
				return value(i)
			}))
		}
	}
}

// candidates are values that a read of a location may read, and two that it never does.
func (c *courses) candidates(l ref.Location) []uint64 {
	list := append([]uint64{c.setup.Initial(l)}, c.values[l]...)
	return append(list, slices.Max(list)+1, ^uint64(0))
}

// compare notes which accesses of a course are others if one of its reads reads another
// value.
func (c *courses) compare(made *course, n int, other *ref.Course) {
	for i := n; i < len(made.Made); i++ {
		if i > n && (i >= len(other.Made) || !sameLine(&made.Made[i], &other.Made[i])) {
			for k := i; k < len(made.Made); k++ { // a branch: all behind it depends on the read
				c.add(&made.needs[k].depends, n)
			}
			return
		}
		a, b := &made.Made[i], &other.Made[i]
		if a.Location != b.Location {
			c.add(&made.needs[i].depends, n)
		}
		if i < made.count && (a.Writes != b.Writes || a.Written != b.Written || a.Expected != b.Expected) {
			c.add(&made.needs[i].data, n)
		}
	}
}

func sameLine(a, b *ref.Made) bool {
	return a.Kind == b.Kind && a.Access == b.Access && a.Op == b.Op
}

func (c *courses) add(r *ref.Reads, n int) {
	if !r.Has(n) {
		r.Add(n)
		c.grew = true
	}
}
