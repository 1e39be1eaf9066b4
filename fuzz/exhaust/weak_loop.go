package exhaust

import (
	"slices"

	"stealproof/ref"
)

// A process that goes round a loop, reads the same writes in it as the last time
// and changes nothing, spins. One more turn makes no difference: what it reads it
// knew. So it waits until somebody writes to a location that it looks at, or makes
// an sc fence where it makes some. That the loop has no end of its own is tried out: it makes
// so many more accesses alone, reading the same, as would be made of it.
//
// If in the end nobody is left but those who spin, the execution is stuck, but
// only if all of them have read the newest writes. A memory shows every write
// some time, so that a loop that reads old ones for ever is no execution; in
// others, which are walked as well, it reads the new ones.

// weakLoop is what a process has been doing in its operation since it last
// changed anything.
type weakLoop struct {
	turns []weakTurn
	// length is that of the loop once one is recognised, alone how many accesses
	// of it are still to be tried, and believed whether they were.
	length, alone int
	believed      bool
}

// weakTurn is an access in a loop.
type weakTurn struct {
	kind     ref.AccessKind
	site     uint8
	location ref.Location
	source   int
}

const nobodyAlone = -1

// believedAfterWeak is how many accesses a process makes alone until it is
// believed to spin.
const believedAfterWeak = 100

// add notes an access that was made.
func (l *weakLoop) add(e *ref.Event) {
	if e.First || e.Writes() {
		*l = weakLoop{turns: l.turns[:0]}
	}
	if e.Writes() {
		return
	}
	t := weakTurn{e.Kind, e.Access.Site, e.Location, e.Source}
	n := len(l.turns)
	switch {
	case l.length > 0 && t != l.turns[n-l.length]:
		l.leave()
	case l.alone > 0:
		l.alone--
	}
	if n >= 4*longestCycle {
		l.turns = append(l.turns[:0], l.turns[n-2*longestCycle:]...)
	}
	l.turns = append(l.turns, t)
}

// leave forgets a loop that has ended, or is about to.
func (l *weakLoop) leave() { l.length, l.alone, l.believed = 0, 0, false }

// recognise finds a loop that was gone round twice and is about to begin again.
func (l *weakLoop) recognise(coming *ref.Event) bool {
	n := len(l.turns)
	for k := 1; k <= longestCycle && 2*k <= n; k++ {
		first := &l.turns[n-k]
		if first.kind == coming.Kind && first.site == coming.Access.Site && first.location == coming.Location && slices.Equal(l.turns[n-k:], l.turns[n-2*k:n-k]) {
			l.length, l.alone = k, believedAfterWeak
			return true
		}
	}
	return false
}

// round are the accesses of the loop.
func (l *weakLoop) round() []weakTurn { return l.turns[len(l.turns)-l.length:] }

// pick is the outcome with which a process reads what it read in the turn before.
func (l *weakLoop) pick(v *ref.View, n int) int {
	for k := range n {
		if v.Source(k) == l.turns[len(l.turns)-l.length].source {
			return k
		}
	}
	return 0
}

// same is the outcome with which a process reads what it read in the turn before,
// if there is one.
func (l *weakLoop) same(v *ref.View, n int) (k int, again bool) {
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

// continues says whether a coming access is the one of the turn before.
func (l *weakLoop) continues(coming *ref.Event) bool {
	t := &l.turns[len(l.turns)-l.length]
	return t.kind == coming.Kind && t.site == coming.Access.Site && t.location == coming.Location
}

// lonely is the process that goes round a loop and is to be believed to spin.
func (w *weakSearch) lonely(v *ref.View) (p int, is bool) {
	p = v.Last
	if p < 0 || !slices.Contains(v.Enabled, p) || v.Begins(p) {
		return 0, false
	}
	l := &w.loops[p]
	if l.believed || l.length == 0 && !l.recognise(v.Coming(p)) {
		return 0, false
	}
	if l.alone == 0 {
		l.believed = true
		w.since[p] = v.Step
	}
	return p, !l.believed
}

// stirred says whether anything has happened since a process began to spin that
// may end its loop.
func (w *weakSearch) stirred(p int) bool {
	since := w.since[p]
	return slices.ContainsFunc(w.loops[p].round(), func(t weakTurn) bool {
		if t.kind == ref.Fence {
			return w.fenced(p, since)
		}
		return w.wrote[t.location] > since
	})
}

// unfair says whether a process that spins has read anything but the newest.
func (w *weakSearch) unfair(v *ref.View) bool {
	return slices.ContainsFunc(v.Enabled, func(p int) bool {
		return w.loops[p].believed && slices.ContainsFunc(w.loops[p].round(), func(t weakTurn) bool {
			return t.kind != ref.Fence && t.source != v.Newest(t.location)
		})
	})
}
