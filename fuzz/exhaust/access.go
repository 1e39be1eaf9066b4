package exhaust

import "stealproof/ref"

// access is what matters of an access for the question of dependence.
type access struct {
	process  int
	location ref.Location
	writes   bool
	// none: the operation takes place without touching memory at all.
	none bool
	// guard are further locations that the process waits for, modulo 64: it
	// spins, and would not make this access while they hold what they held.
	guard uint64
}

// depends is the one place that says which accesses may not change places. Two
// accesses depend on one another if they touch the same location and one of
// them writes, or if one writes where the other waits for a write.
func (a *access) depends(b *access) bool {
	switch {
	case a.none || b.none:
		return false
	case a.location == b.location:
		return a.writes || b.writes
	}
	return a.writes && b.waitsFor(a.location) || b.writes && a.waitsFor(b.location)
}

// waitsFor may say so of a location in vain, never the other way round.
func (a *access) waitsFor(l ref.Location) bool { return a.guard&guardBit(l) != 0 }

func guardBit(l ref.Location) uint64 { return 1 << (l % 64) }

// sight is what a process saw at an access: who saw the same since the call of
// its operation is in the same place of its algorithm.
type sight struct {
	kind             ref.AccessKind
	site             uint8
	location         ref.Location
	expected, before uint64
}

// idle says whether the access only looked.
func (s *sight) idle() bool {
	return s.kind == ref.Load || s.kind == ref.CompareAndSwap && s.before != s.expected
}

// asks says whether a coming access asks the same.
func (s *sight) asks(e *ref.Event) bool {
	return s.kind == e.Kind && s.site == e.Access.Site && s.location == e.Location && (s.kind != ref.CompareAndSwap || s.expected == e.Expected)
}

// describe splits an access that was made into what others feel of it and what
// its process saw.
func describe(e *ref.Event) (access, sight) {
	s := sight{kind: e.Kind, site: e.Access.Site, location: e.Location, before: e.Before}
	if e.Kind == ref.CompareAndSwap {
		s.expected = e.Expected
	}
	return access{process: e.Process, location: e.Location, writes: !s.idle()}, s
}
