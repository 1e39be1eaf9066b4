package graph

import (
	"slices"

	"stealproof/ref"
)

// Loop is what a process has been doing in its operation since it last changed
// anything.
//
// A process that goes round a loop, reads the same writes in it as the last time
// and changes nothing, spins. One more turn makes no difference: what it reads it
// knew. So it waits until somebody writes to a location that it looks at, or makes
// an sc fence where it makes some. That the loop has no end of its own is tried out:
// the process makes so many more accesses alone, reading the same, as would be made
// of it.
//
// If in the end nobody is left but those who spin, the execution is stuck, but
// only if all of them have read the newest writes. A memory shows every write
// some time, so that a loop that reads old ones for ever is no execution; in
// others, which are searched as well, it reads the new ones.
type Loop struct {
	turns []turn
	// length is that of the loop once one is recognised, alone how many accesses
	// of it are still to be tried, and believed whether they were.
	length, alone int
	believed      bool
	// vigil counts the meetings with other lanes since then.
	vigil int
}

// turn is an access in a loop.
type turn struct {
	kind     ref.AccessKind
	site     uint8
	location ref.Location
	source   int
}

// LongestVigil is after how many meetings with other lanes one that does nothing but look
// is taken to wait together with them. A loop in which it meets them cannot be tried out
// alone, so nobody knows whether it has an end of its own: the search is given up.
const LongestVigil = 100

// LongestCycle is the number of accesses of the longest loop that is recognised,
// and BelievedAfter how many accesses a process makes alone until it is believed
// to spin.
const (
	LongestCycle  = 64
	BelievedAfter = 100
)

// Begin forgets everything.
func (l *Loop) Begin() { *l = Loop{turns: l.turns[:0]} }

// Add notes an access that was made.
func (l *Loop) Add(e *ref.Event) {
	if e.First || e.Writes() {
		l.Begin()
	}
	if e.Writes() {
		return
	}
	if len(e.Behind) > 0 {
		*l = Loop{turns: l.turns[:0], vigil: l.vigil + 1}
	}
	t := turn{e.Kind, e.Access.Site, e.Location, e.Source}
	n := len(l.turns)
	switch {
	case l.length > 0 && t != l.turns[n-l.length]:
		l.Leave()
	case l.alone > 0:
		l.alone--
	}
	if n >= 4*LongestCycle {
		l.turns = append(l.turns[:0], l.turns[n-2*LongestCycle:]...)
	}
	l.turns = append(l.turns, t)
}

// Leave forgets a loop that has ended, or is about to.
func (l *Loop) Leave() { l.length, l.alone, l.believed = 0, 0, false }

// Believed says whether the process is believed to spin.
func (l *Loop) Believed() bool { return l.believed }

// Vigil says whether the process, a lane, waits together with others.
func (l *Loop) Vigil() bool { return l.vigil > LongestVigil }

// Repeats says whether the last access was one more of a loop that was recognised.
func (l *Loop) Repeats() bool { return l.length > 0 }

// TriesOut says whether the process that went on last, which is this one, is to go
// on alone: it goes round a loop that is being tried out.
func (l *Loop) TriesOut(v *ref.View) bool {
	if l.believed || v.Begins(v.Last) {
		return false
	}
	coming := v.Coming(v.Last)
	if l.length > 0 && !l.continues(coming) {
		l.Leave()
		return false
	}
	if l.length == 0 && !l.recognise(coming) {
		return false
	}
	l.believed = l.alone == 0
	return !l.believed
}

// recognise finds a loop that was gone round twice and is about to begin again.
func (l *Loop) recognise(coming *ref.Event) bool {
	n := len(l.turns)
	for k := 1; k <= LongestCycle && 2*k <= n; k++ {
		if l.turns[n-k].is(coming) && slices.Equal(l.turns[n-k:], l.turns[n-2*k:n-k]) {
			l.length, l.alone = k, BelievedAfter
			return true
		}
	}
	return false
}

// is says whether a coming access is this one again.
func (t *turn) is(coming *ref.Event) bool {
	return t.kind == coming.Kind && t.site == coming.Access.Site && t.location == coming.Location
}

// continues says whether a coming access is the next one of the loop.
func (l *Loop) continues(coming *ref.Event) bool { return l.turns[len(l.turns)-l.length].is(coming) }

// round are the accesses of the loop.
func (l *Loop) round() []turn { return l.turns[len(l.turns)-l.length:] }

// Pick is the outcome with which the process reads what it read in the turn before,
// if there is one.
func (l *Loop) Pick(v *ref.View, n int) (k int, again bool) {
	if l.length == 0 {
		return 0, false
	}
	t := &l.turns[len(l.turns)-l.length]
	for k := range n {
		if t.kind == ref.Fence || v.Source(k) == t.source {
			return k, true
		}
	}
	return 0, false
}

// Looks says whether the process, as long as it spins, looks at a location of which
// at is true, or makes an sc fence, if fences is true.
func (l *Loop) Looks(at func(ref.Location) bool, fences bool) bool {
	return slices.ContainsFunc(l.round(), func(t turn) bool {
		if t.kind == ref.Fence {
			return fences
		}
		return at(t.location)
	})
}

// Unfair says whether a process that spins has read anything but the newest.
func (l *Loop) Unfair(v *ref.View) bool {
	return l.believed && slices.ContainsFunc(l.round(), func(t turn) bool {
		return t.kind != ref.Fence && t.source != v.Newest(t.location)
	})
}
