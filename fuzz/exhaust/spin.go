package exhaust

import (
	"slices"

	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/fuzz/exhaust/internal/rounds"
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
		if !idle(&n.saw) || n.event.none {
			return 0
		}
		if n.saw.Asks(coming) && (length == 1 || s.repeated(s.latest[p], length)) {
			return length
		}
		if i = s.before(i); i < 0 {
			return 0
		}
	}
	return 0
}

// idle says whether an access only looked.
func idle(s *rounds.Sight) bool {
	return s.Kind == ref.Load || s.Kind == ref.CompareAndSwap && s.Read != s.Expected
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
		if saw := &s.stack[i].saw; v.Word(saw.Location) != saw.Read {
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
		guard |= guardBit(s.stack[i].saw.Location)
		i = s.stack[i].before
	}
	return guard
}

// localOf stands for the place of its algorithm, and the values of its local
// variables, at which a process is behind an access: they are a function of
// what it has seen since its operation began.
func (s *search) localOf(n *node, e *ref.Event) uint64 {
	h := stir(0x9d, uint64(n.chosen.Process))
	switch {
	case e == nil || e.Kind == ref.Fence:
		n.first = true
		return h
	case e.First:
		h = stir(h, uint64(e.Op))
	default:
		h = s.stack[n.before].local
	}
	n.first = e.First
	h = stir(h, uint64(n.saw.Kind)<<40|uint64(n.saw.Site)<<32|uint64(n.saw.Location))
	return stir(stir(h, n.saw.Expected), n.saw.Read)
}

// stir mixes a number into a hash.
func stir(h, v uint64) uint64 {
	h = (h ^ v) * 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>29
}

// A process that goes round a loop in vain makes a failed round: it changes nothing,
// and is then where it was before; see package rounds for what is taken for one. An
// execution without the round does the same, but for the operation's call if the
// round begins with it: the operation may then be called later, so that more precedes
// it. Such a history is the harder one to hold. So where only verdicts matter, no
// execution with a failed round needs to be made.
//
// What is left out begins as an execution that is made: a process that has made a
// failed round is left there, and the others go on. If in the end only such processes
// remain, the execution is given up, unless all of them would see the same again for
// ever: then it is stuck.

// endRound notes whether process p, which made the last access, has just made a
// failed round.
func (s *search) endRound(v *ref.View, p int) {
	at := s.latest[p]
	if !s.prunes || s.stack[at].place == 0 {
		return
	}
	if !slices.Contains(v.Enabled, p) || v.Begins(p) {
		s.ended(at)
		return
	}
	coming := v.Coming(p)
	for i, length := at, int32(1); length <= rounds.Longest; length++ {
		n := s.stack[i]
		if n.saw.Changed || n.event.none {
			return
		}
		if n.saw.Asks(coming) && s.book.Failed(s.sim, s.stack[at].place, func() *rounds.Path { return s.pathTo(at) }, int(length)) {
			s.stack[at].round, s.stack[at].over = length, true
			return
		}
		if i = s.before(i); i < 0 {
			return
		}
	}
}

// leaves says whether a process is left where it is.
func (s *search) leaves(p int) bool { return s.latest[p] >= 0 && s.stack[s.latest[p]].over }

// endless says whether those who are left would see the same in another round, and
// so for ever.
func (s *search) endless(v *ref.View) bool {
	for _, p := range v.Enabled {
		if s.alike.waits(p, v) {
			continue // for one who sees the same
		}
		i := s.latest[p]
		for range s.stack[i].round {
			if saw := &s.stack[i].saw; v.Word(saw.Location) != saw.Read {
				return false
			}
			i = s.stack[i].before
		}
	}
	return true
}

// placeOf notes where in its operation a process is behind an access; a signal is
// nowhere.
func (s *search) placeOf(n *node, e *ref.Event) {
	n.operation, n.place = 0, 0
	if n.event.none || n.event.awaits {
		return
	}
	if n.operation = e.Op; e.First {
		n.place = rounds.Begin(e.Process, e.Op)
	} else {
		n.place = s.stack[n.before].place
	}
	n.place = n.place.After(&n.saw)
}

// pathTo is what a process has seen in its operation up to access i.
func (s *search) pathTo(i int32) *rounds.Path {
	p := &rounds.Path{Process: s.stack[i].event.process, Operation: s.stack[i].operation}
	for ; i >= 0; i = s.before(i) {
		p.Seen = append(p.Seen, s.stack[i].saw)
	}
	slices.Reverse(p.Seen)
	return p
}

// ended notes that an operation has ended with access i.
func (s *search) ended(i int32) {
	n := s.stack[i]
	if !s.prunes || n.place == 0 || s.ends[n.place] {
		return
	}
	if len(s.ends) >= mostEnds {
		clear(s.ends)
	}
	s.ends[n.place] = true
	s.matters = s.book.Ended(s.sim, n.place, func() *rounds.Path { return s.pathTo(i) }) || s.matters
}

// mostEnds bounds how many ends of operations are remembered to have been noted.
const mostEnds = 1 << 16
