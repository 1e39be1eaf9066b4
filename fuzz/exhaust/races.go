package exhaust

import (
	"math/bits"
	"slices"

	"stealproof/ref"
)

// races looks at every new access of the execution for earlier ones that it
// depends on and that nothing else orders before it: the two could come the
// other way round, and a state where that begins must try it.
func (s *search) races(e *ref.Execution) {
	s.finish(e)
	clear(s.counts)
	for i, n := range s.stack[:s.noted] {
		p := n.event.process
		s.counts[p]++
		if i < s.fresh {
			continue
		}
		n.index = s.counts[p]
		s.racesOf(i)
		n.clock[p] = n.index
		s.forcedOf(i)
	}
}

// follows says whether access b comes after access a in every execution that
// is equivalent to this one.
func follows(a, b *node) bool { return b.clock[a.event.process] >= a.index }

// forces says whether access b comes after access a in every execution of the program
// that has the same results, as it does in those that are equivalent to this one, but
// for the order of processes that are alike.
func forces(a, b *node) bool { return b.forced[a.event.process] >= a.index }

// forcedOf computes what access i follows even where processes that are alike go on in
// another order.
func (s *search) forcedOf(i int) {
	n := s.stack[i]
	if s.alike == nil {
		n.forced = n.clock
		return
	}
	if n.forced == nil {
		n.forced = make([]int32, len(n.clock))
	}
	clear(n.forced)
	for j := i - 1; j >= 0; j-- {
		m := s.stack[j]
		if forces(m, n) || m.event.process != n.event.process && !m.event.depends(&n.event) {
			continue
		}
		for q, c := range m.forced {
			n.forced[q] = max(n.forced[q], c)
		}
	}
	n.forced[n.event.process] = n.index
}

// racesOf computes what access i follows, latest first, and reverses it with
// each access that it follows directly. If its process spun until an access
// let it go on, that one cannot be reversed: then it is reversed with the one
// that made it spin.
func (s *search) racesOf(i int) {
	n := s.stack[i]
	clear(n.clock)
	spun := false
	for j := i - 1; j >= 0; j-- {
		m := s.stack[j]
		if m.phase < n.phase { // nothing comes before the end of its phase
			n.clock[m.event.process] = max(n.clock[m.event.process], m.index)
			continue
		}
		same := m.event.process == n.event.process
		spun = spun && !same
		if spun && !s.waited(j, i) { // m made it spin
			s.reverse(j, i)
			spun = false
		}
		met := slices.Contains(n.behind, j+1)
		if follows(m, n) || !same && !met && !m.event.depends(&n.event) {
			continue
		}
		if !same && !met {
			switch {
			case s.waited(j, i):
				spun = true
			case !n.event.awaits:
				s.reverse(j, i)
			}
		}
		for q, c := range m.clock {
			n.clock[q] = max(n.clock[q], c)
		}
	}
}

// waited says whether the process of access i spun when access j was made, and
// has done nothing in between: then i cannot come before j, only one more turn
// of the loop could.
func (s *search) waited(j, i int) bool {
	n := s.stack[i]
	return s.stack[j].waiting&bitOf(n.event.process) != 0 && n.before < int32(j)
}

// reverse makes the state before access j try somebody with whom access i comes
// before it: one that can begin the accesses after j that do not follow from
// it, up to i. States below the base try everybody anyway.
func (s *search) reverse(j, i int) {
	if j < s.base {
		return
	}
	n := s.stack[j]
	s.between, s.initials = s.between[:0], s.initials[:0]
	for k := j + 1; k <= i; k++ {
		m := s.stack[k]
		if k < i && follows(n, m) {
			continue
		}
		begins := !slices.ContainsFunc(s.between, func(b *node) bool {
			return b.event.process == m.event.process || follows(b, m)
		})
		if begins {
			s.initials = append(s.initials, m.event.process)
		}
		s.between = append(s.between, m)
	}
	for _, p := range s.initials {
		if n.tries(p) {
			return
		}
	}
	for _, p := range s.initials {
		if n.enabled&bitOf(p) != 0 {
			n.try(choose(p))
			return
		}
	}
	s.tryAll(n)
}

// tryAll is the answer where no single process is known to begin.
func (s *search) tryAll(n *node) {
	for able := n.enabled; able != 0; able &= able - 1 {
		n.try(choose(bits.TrailingZeros64(able)))
	}
}
