package graph

import (
	"math/bits"
	"slices"
)

// What follows is asked of a complete graph, whose events belong to operations: what
// becomes of it in a client that gives a signal behind one operation and waits for it
// before another one. All that the one did then happens before all that the other does.
// The graph has two events more, and is one of the client's if the memory allows it.

// Owners says of each event of the graph that was made last to which operation it
// belongs, or -1: those of a process that were made at a step from first to last of it.
func (r *Run) Owners(process []int, first, last []int) []int16 {
	of := make([]int16, len(r.graph))
	for i := range of {
		of[i] = -1
		step := r.facts.events[i].step
		for op := range process {
			if process[op] == int(r.graph[i].process) && first[op] <= step && step <= last[op] {
				of[i] = int16(op)
			}
		}
	}
	return of
}

// Opposed says of each of n operations which others cannot be made to happen before it,
// as bits: because one of the two has read what the other one wrote, or stands before
// it in coherence, or has not seen it. What it does not say may be impossible too.
// Strong says whether the write and the read of two events are morally strong.
func (r *Run) Opposed(of []int16, n int, strong func(write, read int) bool) []uint64 {
	opposed := make([]uint64, n)
	before := make([][]int16, n) // of each operation, the union of its events' prefixes
	note := func(first, then int16) {
		if f, t := of[first], of[then]; f >= 0 && t >= 0 && f != t {
			opposed[f] |= 1 << t // then cannot happen before first
		}
	}
	for i, prefix := range r.prefixes() {
		if op := of[i]; op >= 0 {
			before[op] = joined(before[op], prefix)
		}
	}
	for i := range r.graph {
		for op, prefix := range before {
			if own := of[i]; own >= 0 && int(own) != op && within(prefix, r.graph[i].process, r.facts.events[i].number) {
				opposed[own] |= 1 << op
			}
		}
	}
	for _, l := range r.facts.touched {
		order := r.facts.order[l]
		place := map[int16]int{fromStart: -1}
		for k, w := range order {
			place[w] = k
			for _, later := range order[k+1:] {
				note(w, later)
			}
		}
		observes := func(read int16) bool {
			s := r.graph[read].source
			return s >= 0 && strong(int(s), int(read))
		}
		for _, x := range r.facts.reads[l] {
			from := place[r.graph[x].source]
			for k, w := range order {
				switch {
				case w == x:
				case k > from:
					note(x, w) // it would have had to see it
				case observes(x):
					note(w, x) // what it has seen, or what comes before that in coherence
				}
			}
			for _, y := range r.facts.reads[l] {
				if place[r.graph[y].source] > from && observes(y) {
					note(x, y)
				}
			}
		}
	}
	return opposed
}

// prefixes count, of each event, those that come before it in program order and
// reads-from together, itself included, by processes.
func (r *Run) prefixes() [][]int16 {
	all := make([][]int16, len(r.graph))
	last := make([][]int16, len(r.facts.counts))
	for i, e := range r.graph {
		row := slices.Clone(last[e.process])
		if row == nil {
			row = make([]int16, len(r.facts.counts))
		}
		if e.source >= 0 {
			joined(row, all[e.source])
		}
		row[e.process]++
		all[i], last[e.process] = row, row
	}
	return all
}

func joined(a, b []int16) []int16 {
	if a == nil {
		return slices.Clone(b)
	}
	for p, n := range b {
		a[p] = max(a[p], n)
	}
	return a
}

// Strengthened is the graph that was made last in a client where some operations happen
// before others: each has in waits, as bits, those that it waits for. Behind an
// operation that somebody waits for there is a signal, and before an operation a wait
// for each. It is not if that makes a circle with what the processes do and read.
func (r *Run) Strengthened(of []int16, waits []uint64) (g Graph, is bool) {
	s := strengthened{run: r, of: of, waits: waits, signal: make([]int16, len(waits)), left: make([]int, len(waits)), now: make([]int16, len(r.graph))}
	for _, w := range waits {
		s.signals |= w
	}
	for i := range r.graph {
		s.now[i] = notMade
		if of[i] >= 0 {
			s.left[of[i]]++
		}
	}
	for op := range s.signal {
		s.signal[op] = notMade
	}
	s.entered = make([]bool, len(waits))
	for made := true; made; {
		made = false
		for i := range r.graph {
			if s.now[i] == notMade && s.mayCome(int16(i)) {
				s.make(int16(i))
				made = true
				break // the first that can come, to stay close to the order that it had
			}
		}
	}
	return s.graph, s.events == len(r.graph)
}

const notMade = -2

type strengthened struct {
	run     *Run
	of      []int16
	waits   []uint64
	signals uint64  // operations that give one
	signal  []int16 // the event that is its signal
	left    []int   // events of each operation that are not made
	entered []bool  // operations that have begun
	now     []int16 // of each event, its number in the new graph
	events  int     // that were made
	graph   Graph
}

func (s *strengthened) mayCome(i int16) bool {
	e := &s.run.graph[i]
	for k := range i {
		if s.run.graph[k].process == e.process && s.now[k] == notMade {
			return false
		}
	}
	if e.source >= 0 && s.now[e.source] == notMade {
		return false
	}
	if op := s.of[i]; op >= 0 && !s.entered[op] {
		for w := s.waits[op]; w != 0; w &= w - 1 {
			if s.signal[bits.TrailingZeros64(w)] == notMade {
				return false
			}
		}
	}
	return true
}

func (s *strengthened) make(i int16) {
	e := s.run.graph[i]
	op := s.of[i]
	if op >= 0 && !s.entered[op] {
		s.entered[op] = true
		for w := s.waits[op]; w != 0; w &= w - 1 {
			s.add(event{process: e.process, source: s.signal[bits.TrailingZeros64(w)], place: lastPlace})
		}
	}
	if e.source >= 0 {
		e.source = s.now[e.source]
	}
	if s.run.facts.events[i].writes {
		e.place = s.placeOf(i)
	}
	s.now[i] = int16(len(s.graph))
	s.add(e)
	s.events++
	if op < 0 {
		return
	}
	if s.left[op]--; s.left[op] == 0 && s.signals>>op&1 != 0 {
		s.signal[op] = int16(len(s.graph))
		s.add(event{process: e.process, source: fromStart, place: lastPlace})
	}
}

// placeOf is the place of a write among those that were made before it.
func (s *strengthened) placeOf(i int16) int16 {
	place := int16(lastPlace)
	order := s.run.facts.order[s.run.facts.events[i].location]
	for k := len(order) - 1; order[k] != i; k-- {
		if now := s.now[order[k]]; now != notMade {
			place = now
		}
	}
	return place
}

func (s *strengthened) add(e event) {
	e.added = int32(2 * len(s.graph))
	e.written = e.added + 1
	s.graph = append(s.graph, e)
}

// Made says whether the graph that was given was made, and nothing else.
func (r *Run) Made() bool {
	return !r.Dead && !r.Lost && !r.Blocked && len(r.graph) == len(r.given)
}

// Step is the access at which an event was made.
func (r *Run) Step(event int) int { return r.facts.events[event].step }
