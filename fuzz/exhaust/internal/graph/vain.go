package graph

import (
	"slices"

	"stealproof/fuzz/exhaust/internal/rounds"
	"stealproof/ref"
)

// Rounds says which turns of loops are failed rounds; see package rounds. A graph with one
// needs not be made if the round teaches its process nothing that orders: then it is left
// there for good, and the others go on.
//
// Take a graph with such a round, and take its events out. They wrote nothing, so that
// nobody has read from them, and what the others did is possible without them; the axioms
// have less to forbid; and the process goes on from the same place, with the same results.
// So that is a graph as well. Does it say as much of what precedes what? One operation
// precedes another one by what happened between its last event and the other's first one:
// by a path through reads, releases and fences. If it leads through the round, the process
// knows the end of the first operation behind the round, or it has seen a release that
// does. If it did so before, the path does not need the round. The orders of sc fences are
// decided by fences that happened before one another, by the same paths; so the process may not
// learn of an sc fence either, and not make one: without it, an order of fences would say less.
// In a client that orders operations by signals a path may enter an operation at its
// beginning, too: where clients are judged, the process may not learn of a beginning.
// If the operation begins with the round, it begins later without it, which
// puts more before it.
//
// Whether a round has taught something is a question of the prefix of its last event, so
// that the process which is left there is one that has come to the end of its program,
// to the rest of the search.
type Rounds struct {
	Book *rounds.Book
	Sim  *ref.Sim
	// Clients are judged.
	Clients bool
	// Teaches is the rule, nil for that which is explained above; tests make mistakes.
	Teaches func(v *ref.View, process int, since *ref.Known) bool

	// Matters: a failed round has turned out to make a difference, and graphs are missing.
	Matters bool

	ways  []way
	ended map[rounds.Local]bool // ends of operations that the book knows
}

// way is what a process has seen in its operation.
type way struct {
	operation int
	seen      []rounds.Sight
	sources   []int
	known     []ref.Known // before each of these accesses
	place     rounds.Local
	round     int // the length of the failed round behind which it is left, or 0
}

// mostEnds bounds how many ends of operations are remembered to have been noted.
const mostEnds = 1 << 16

func (s *Rounds) begin(processes int) {
	if s == nil {
		return
	}
	if s.ended == nil {
		s.ended = map[rounds.Local]bool{}
	}
	for len(s.ways) < processes {
		s.ways = append(s.ways, way{})
	}
	for p := range s.ways {
		s.ways[p].reset(p, 0)
	}
}

func (w *way) reset(process, operation int) {
	*w = way{operation: operation, seen: w.seen[:0], sources: w.sources[:0], known: w.known[:0], place: rounds.Begin(process, operation)}
}

// leaves says whether a process has been left behind a failed round.
func (s *Rounds) leaves(p int) bool { return s != nil && s.ways[p].round > 0 }

// goes notes that a process is about to make its access.
func (s *Rounds) goes(p int, v *ref.View) {
	if s == nil {
		return
	}
	w := &s.ways[p]
	if v.Begins(p) {
		w.reset(p, v.Coming(p).Op)
	}
	w.known = append(w.known, v.Known(p))
}

// made notes an access, and leaves its process there if that ends a failed round.
func (s *Rounds) made(e *ref.Event, v *ref.View) {
	if s == nil {
		return
	}
	p := e.Process
	w := &s.ways[p]
	if !s.sees(w, e) {
		return
	}
	if !slices.Contains(v.Enabled, p) || v.Begins(p) {
		s.ends(p)
		return
	}
	coming := v.Coming(p)
	for length, n := 1, len(w.seen); length <= min(n, rounds.Longest); length++ {
		saw := &w.seen[n-length]
		if saw.Changed || saw.Kind == ref.Fence {
			return
		}
		if !saw.Asks(coming) || s.teaches(v, p, &w.known[n-length]) {
			continue
		}
		if s.Book.Failed(s.Sim, w.place, func() *rounds.Path { return w.path(p) }, length) {
			w.round = length
			return
		}
	}
}

// teaches says whether a process has learnt anything since that orders operations.
func (s *Rounds) teaches(v *ref.View, p int, since *ref.Known) bool {
	if s.Teaches != nil {
		return s.Teaches(v, p, since)
	}
	return v.Taught(p, since, s.Clients)
}

// sees notes what a process has seen. An operation without an access has seen nothing.
func (s *Rounds) sees(w *way, e *ref.Event) bool {
	if e.Kind == ref.Fence && e.Access.Order != ref.SC || len(w.known) != len(w.seen)+1 {
		return false
	}
	w.seen = append(w.seen, rounds.Of(e, true))
	w.sources = append(w.sources, e.Source)
	w.place = w.place.After(&w.seen[len(w.seen)-1])
	return true
}

func (w *way) path(p int) *rounds.Path {
	return &rounds.Path{Process: p, Operation: w.operation, Seen: w.seen}
}

// ends notes that an operation has come to its end.
func (s *Rounds) ends(p int) {
	w := &s.ways[p]
	if s.ended[w.place] {
		return
	}
	if len(s.ended) >= mostEnds {
		clear(s.ended)
	}
	s.ended[w.place] = true
	s.Matters = s.Book.Ended(s.Sim, w.place, func() *rounds.Path { return w.path(p) }) || s.Matters
}

// finish notes the last access of an execution, behind which nobody was asked.
func (s *Rounds) finish(e *ref.Execution) {
	if s == nil || e.Ending != ref.Complete {
		return
	}
	for i := len(e.Trace) - 1; i >= 0; i-- {
		if last := &e.Trace[i]; !last.Silent {
			if s.sees(&s.ways[last.Process], last) {
				s.ends(last.Process)
			}
			return
		}
	}
}

// unfair says whether a process that was left has read anything but the newest.
func (s *Rounds) unfair(p int, v *ref.View) bool {
	if !s.leaves(p) {
		return false
	}
	w := &s.ways[p]
	for i := len(w.seen) - w.round; i < len(w.seen); i++ {
		if w.sources[i] != v.Newest(w.seen[i].Location) {
			return true
		}
	}
	return false
}
