// Package rounds recognises failed rounds: turns of a loop that only look, and
// after which the process is where it was.
//
// Nothing can be known of the local variables of an operation. But it is a function
// of what it reads, and can be carried out by itself, reading whatever one likes; so
// there is evidence:
//
//  1. Its last accesses changed nothing, and it is about to make the first of them
//     again.
//  2. If it goes on reading the same, it makes the same accesses again, for
//     BelievedAfter accesses. A loop with a counter that gives up earlier is
//     therefore none.
//  3. Whatever an operation was seen to do without the round, it does behind the
//     round as well, with the same result.
package rounds

import (
	"slices"
	"sync"

	"stealproof/model"
	"stealproof/ref"
)

// BelievedAfter is the number of accesses that an operation must repeat until it is
// believed to be where it was, and Longest that of the longest round that is
// recognised.
const (
	BelievedAfter = 1000
	Longest       = 64
)

// Sight is what an access asked and read.
type Sight struct {
	Kind           ref.AccessKind
	Site           uint8
	Location       ref.Location
	Expected, Read uint64
	Changed        bool // the access has changed something
}

// Of is the sight of an access. On a sequentially consistent memory a write of what
// was there changes nothing; on a weak one others may read it.
func Of(e *ref.Event, weak bool) Sight {
	s := Sight{Kind: e.Kind, Site: e.Access.Site, Location: e.Location, Read: e.Before, Changed: e.Changed()}
	if e.Kind == ref.CompareAndSwap || e.Kind == ref.Modify {
		s.Expected = e.Expected
	}
	if weak {
		s.Changed = e.Writes()
	}
	return s
}

// Asks says whether an access, made or coming, asks the same.
func (s *Sight) Asks(e *ref.Event) bool {
	return s.Kind == e.Kind && s.Site == e.Access.Site && s.Location == e.Location && (s.Kind != ref.CompareAndSwap && s.Kind != ref.Modify || s.Expected == e.Expected)
}

// Local stands for the place of its algorithm at which an operation is, and for the
// values of its local variables: they are a function of what it has seen.
type Local uint64

// Begin is where an operation of a process begins.
func Begin(process, operation int) Local {
	return Local(1).stir(uint64(process)).stir(uint64(operation))
}

// After is where it is behind an access.
func (l Local) After(s *Sight) Local {
	return l.stir(uint64(s.Kind)<<40 | uint64(s.Site)<<32 | uint64(s.Location)).stir(s.Expected).stir(s.Read)
}

func (l Local) stir(v uint64) Local {
	h := (uint64(l)+0x9e3779b97f4a7c15)*0x94d049bb133111eb ^ v
	h ^= h >> 32
	h *= 0xbf58476d1ce4e5b9
	return Local(h ^ h>>29)
}

// Path is what an operation has seen so far.
type Path struct {
	Process, Operation int
	Seen               []Sight
}

// to is where the operation was behind so many accesses.
func (p *Path) to(accesses int) Local {
	l := Begin(p.Process, p.Operation)
	for i := range p.Seen[:accesses] {
		l = l.After(&p.Seen[i])
	}
	return l
}

// with is the path with a round at a place of it.
func (p *Path) with(round []Sight, at int) *Path {
	return &Path{p.Process, p.Operation, slices.Concat(p.Seen[:at], round, p.Seen[at:])}
}

// result carries the operation out along the path, and says whether it is one.
func (p *Path) result(sim *ref.Sim) (done model.Operation, fits bool) {
	at := 0
	done, ended := sim.Feed(p.Process, p.Operation, func(asked *ref.Event) (uint64, bool) {
		if at == len(p.Seen) || !p.Seen[at].Asks(asked) {
			return 0, false
		}
		at++
		return p.Seen[at-1].Read, true
	})
	return done, ended && at == len(p.Seen)
}

// repeats feeds the operation all that it has seen, and then the last so many
// accesses again and again.
func (p *Path) repeats(sim *ref.Sim, length int) bool {
	at, n := 0, len(p.Seen)
	sim.Feed(p.Process, p.Operation, func(asked *ref.Event) (uint64, bool) {
		i := at
		if at >= n {
			i = n - length + (at-n)%length
		}
		if at == n+BelievedAfter || !p.Seen[i].Asks(asked) {
			return 0, false
		}
		at++
		return p.Seen[i].Read, true
	})
	return at == n+BelievedAfter
}

// Book remembers, of one program, which rounds are failed ones, and what operations
// did without them. Workers share it.
type Book struct {
	mu     sync.Mutex
	known  map[roundAt]bool
	rounds map[Local][][]Sight // of each place, the failed rounds from there back to it
	paths  map[Local]*Path     // of operations that have ended
	passed map[Local][]*Path   // by the places that they passed
}

type roundAt struct {
	end    Local
	length int
}

// mostPaths and mostKnown bound what is remembered, and mostAtPlace the rounds and the
// paths that are compared at a place. What is forgotten of rounds is tried again.
const (
	mostPaths   = 1 << 14
	mostKnown   = 1 << 16
	mostAtPlace = 16
)

// NewBook is a book of which nothing is written.
func NewBook() *Book {
	return &Book{known: map[roundAt]bool{}, rounds: map[Local][][]Sight{}, paths: map[Local]*Path{}, passed: map[Local][]*Path{}}
}

// Failed says whether the last accesses of an operation are a failed round.
func (b *Book) Failed(sim *ref.Sim, end Local, path func() *Path, length int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	failed, tried := b.known[roundAt{end, length}]
	if tried {
		return failed
	}
	if len(b.known) >= mostKnown {
		clear(b.known)
	}
	p := path()
	from := len(p.Seen) - length
	head, round := p.to(from), p.Seen[from:]
	failed = p.repeats(sim, length)
	for _, other := range b.passed[head] {
		failed = failed && alike(sim, other, round, from)
	}
	b.known[roundAt{end, length}] = failed
	if failed && len(b.rounds[head]) < mostAtPlace {
		b.rounds[head] = append(b.rounds[head], slices.Clone(round))
	}
	return failed
}

// Ended notes an operation that has come to its end, and says whether it does
// something else behind what was taken for a failed round.
func (b *Book) Ended(sim *ref.Sim, end Local, path func() *Path) (matters bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.paths[end] != nil {
		return false
	}
	p := path()
	if len(b.paths) < mostPaths {
		p.Seen = slices.Clone(p.Seen)
		b.paths[end] = p
	}
	l := Begin(p.Process, p.Operation)
	for i := range p.Seen {
		for _, round := range b.rounds[l] {
			matters = matters || !alike(sim, p, round, i)
		}
		if b.paths[end] == p && len(b.passed[l]) < mostAtPlace {
			b.passed[l] = append(b.passed[l], p)
		}
		l = l.After(&p.Seen[i])
	}
	return matters
}

// alike says whether an operation does the same with a round as without it.
func alike(sim *ref.Sim, p *Path, round []Sight, at int) bool {
	without, fits := p.result(sim)
	with, fitsToo := p.with(round, at).result(sim)
	return fits == fitsToo && with == without
}
