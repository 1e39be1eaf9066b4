package exhaust

import (
	"slices"

	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/ref"
)

// A process spins when it would repeat for ever what it did, since nobody
// writes what it looks at. Nothing can be known of its local variables, so
// what is taken for a spin is a matter of evidence, and of one assumption.
//
// The evidence: it has made the same accesses twice in a row and is about to
// begin again (once, if it is a single access); none of them was a write; all
// locations hold what it saw. Then it is tried out: run alone from here, it makes
// believedAfter more accesses, all the same again. A loop with a counter that
// gives up earlier is therefore no spin, and is explored to its end.
//
// The assumption: who has repeated itself so often will do so for ever, and the
// number of turns makes no difference to what it does once somebody writes.
// Then any execution in which it makes one more turn has the same history as
// the one without it, and a spinning process need not be scheduled until a
// location holds something else.

// longestCycle is the number of accesses of the longest loop that is recognised.
const longestCycle = graph.LongestCycle

// believedAfter is the number of accesses that a process must make alone, all of
// them repetitions, before it is believed to spin.
const believedAfter = 1000

// cycleOf returns the length of the loop that a process has just gone round, and
// is about to begin again, or 0. It depends on nothing but what the process saw.
func (s *search) cycleOf(v *ref.View, p int) int32 {
	if !slices.Contains(v.Enabled, p) || v.Begins(p) {
		return 0
	}
	coming := v.Coming(p)
	for i, length := s.latest[p], int32(1); length <= longestCycle; length++ {
		n := s.stack[i]
		if !n.saw.idle() || n.event.none {
			return 0
		}
		if n.saw.asks(coming) && (length == 1 || s.repeated(s.latest[p], length)) {
			return length
		}
		if i = s.before(i); i < 0 {
			return 0
		}
	}
	return 0
}

// before returns the access of the same operation before access i, or -1.
func (s *search) before(i int32) int32 {
	if s.stack[i].first {
		return -1
	}
	return s.stack[i].before
}

// repeated says whether the last accesses up to i are twice the same.
func (s *search) repeated(i, length int32) bool {
	j := i
	for range length {
		if j = s.before(j); j < 0 {
			return false
		}
	}
	for range length {
		if j < 0 || s.stack[i].saw != s.stack[j].saw {
			return false
		}
		i, j = s.stack[i].before, s.before(j)
	}
	return true
}

// waits says whether a process spins in the state that v shows.
func (s *search) waits(v *ref.View, p int) bool {
	last := s.latest[p]
	if last < 0 || s.stack[last].cycle == 0 {
		return false
	}
	i := last
	for range s.stack[last].cycle {
		if saw := &s.stack[i].saw; v.Word(saw.location) != saw.before {
			return false
		}
		i = s.stack[i].before
	}
	return s.probe.endless(s, v, p, s.stack[last])
}

// guard returns the locations, beside its own, that an access waits for that
// comes after access i of its process.
func (s *search) guard(i int32) uint64 {
	if i < 0 || s.stack[i].cycle < 2 {
		return 0
	}
	guard := uint64(0)
	for range s.stack[i].cycle {
		guard |= guardBit(s.stack[i].saw.location)
		i = s.stack[i].before
	}
	return guard
}

// localOf stands for the place of its algorithm, and the values of its local
// variables, at which a process is behind an access: they are a function of
// what it has seen since its operation began.
func (s *search) localOf(n *node, e *ref.Event) uint64 {
	h := uint64(n.chosen.Process)
	switch {
	case e == nil:
		n.first = true
		return h
	case e.First:
		h = stir(h, uint64(e.Op))
	default:
		h = s.stack[n.before].local
	}
	n.first = e.First
	h = stir(h, uint64(n.saw.kind)<<40|uint64(n.saw.site)<<32|uint64(n.saw.location))
	return stir(stir(h, n.saw.expected), n.saw.before)
}

// stir mixes a number into a hash.
func stir(h, v uint64) uint64 {
	h = (h ^ v) * 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>29
}
