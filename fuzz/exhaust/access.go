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
	// awaits: it is made once somebody's signal is there, so that the two have one
	// order.
	awaits bool
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

// describe is what others feel of an access.
func describe(e *ref.Event) access {
	return access{process: e.Process, location: e.Location, writes: e.Writes()}
}
