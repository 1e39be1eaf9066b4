package monitor

import (
	"context"

	"stealproof/model"
)

// boundedSearch decides what the orders of fifoMonitor and bagMonitor leave
// open: whether a declared capacity can be kept to and every full explained,
// and what to do where operations of one process tie. It lets operations happen
// one at a time, depth first, and takes back what led nowhere.
//
// At each step an operation may come next that nothing left precedes, in time
// or, at a tie, in its process. Three things keep the choice small, and take no
// order away:
//   - What found the object full or empty changes nothing, so it comes as soon
//     as it can.
//   - A queue lets only its oldest value out, and of two values, one whose
//     removal precedes the other's must go in first. Of the removals that never
//     came back, the one called first takes what nobody else claims.
//   - What has happened, and the state it led to, are remembered if they led
//     nowhere, as a fingerprint of 128 bits.
//   - A value goes into a queue only at a place that it may have (ranks; places,
//     which know more), and only if the others may still find theirs (foresight).
//
// Nothing else is left out, so if no choice leads to the end there is no order,
// and the answer is exact either way. What makes it quick on histories that have
// an order is how the choices are tried: what must return first comes first, or
// what it needs, and nothing happens before it has to. If that gets stuck, only
// the last steps are taken back, with more and more values to choose among, and
// then more and more steps. What was passed long ago is left alone until then.
// A queue that is not decided soon is searched again with places, as a wrong
// choice between two values shows otherwise only when they leave.
type boundedSearch struct {
	*boundedState
	ctx    context.Context
	frames []boundedFrame
	failed map[fingerprint128]bool
	steps  int // that may still be made
	boundedEffort
}

// boundedFrame is one step: how much had happened before it, and how many
// choices were made after it.
type boundedFrame struct{ trail, choices int32 }

// boundedEffort is how hard the search tries.
type boundedEffort struct {
	width   int // how many values are tried at a step
	back    int // how many steps are taken back
	floor   int // no step before this one is
	deepest int // how many steps were ever made
	goal    int // where what it was stuck at lies behind it
	spell   int // steps until it is stuck
}

const (
	anyWidth      = 1 << 30
	usualBack     = 256
	usualSpell    = 2_000
	behindTrouble = 64
	moods         = 4
	mostFailed    = 4_000_000
)

// effort is how many steps a search may make, and how many more for every
// operation.
type effort struct{ steps, each int }

func (e effort) of(operations int) int { return e.steps + e.each*operations }

var (
	longEffort   = effort{4_000_000, 16}
	placesEffort = effort{1_000_000, 16} // of a search that looks ahead at each step
	soonEffort   = effort{400_000, 2}    // where there is another way to search; tests take that at once
)

func newBoundedSearch(ctx context.Context, s *boundedState, e effort) *boundedSearch {
	b := &boundedSearch{boundedState: s, ctx: ctx, failed: map[fingerprint128]bool{}, steps: e.of(len(s.ops))}
	b.frames = make([]boundedFrame, 0, len(s.ops)+1) // as many as it may need: to grow would take twice the room
	b.boundedEffort = boundedEffort{width: 1, back: usualBack, spell: usualSpell}
	return b
}

// run says whether there is an order, which then is the trail. It is undecided
// when it has made all the steps that it may.
func (b *boundedSearch) run() model.Verdict {
	b.settleMarks()
	b.frames = append(b.frames, boundedFrame{})
	for !b.finished() {
		if b.steps--; b.interrupted() {
			return model.Undecided
		}
		b.spell--
		switch {
		case b.spell < 0:
			b.tryHarder()
		case b.forward():
			b.noteProgress()
		case !b.backward():
			if b.width == anyWidth && b.floor == 0 {
				return model.Violation
			}
			b.tryHarder()
		}
	}
	return model.Linearizable
}

func (b *boundedSearch) interrupted() bool {
	return b.steps < 0 || len(b.failed) > mostFailed || b.steps&0xfff == 0 && b.ctx.Err() != nil
}

// forward makes the next step that was not tried at this place yet.
func (b *boundedSearch) forward() bool {
	f := &b.frames[len(b.frames)-1]
	if f.choices == 0 && b.failed[b.fingerprint()] {
		return false
	}
	op := b.choice(int(f.choices), b.width)
	if op == absent {
		return false
	}
	f.choices++
	b.frames = append(b.frames, boundedFrame{trail: int32(b.happened())})
	b.happen(op)
	b.settleMarks()
	return true
}

// backward takes the last step back, which led nowhere.
func (b *boundedSearch) backward() bool {
	b.failed[b.fingerprint()] = true
	if len(b.frames)-1 <= b.floor {
		return false
	}
	b.takeBackStep()
	return true
}

func (b *boundedSearch) takeBackStep() {
	last := len(b.frames) - 1
	for b.happened() > int(b.frames[last].trail) {
		b.takeBack()
	}
	b.frames = b.frames[:last]
}

// noteProgress lets what was passed well rest.
func (b *boundedSearch) noteProgress() {
	if len(b.frames) <= b.deepest {
		return
	}
	b.deepest = len(b.frames)
	if b.deepest < b.goal {
		return
	}
	if b.goal > 0 {
		b.width, b.back, b.goal, b.mood = 1, usualBack, 0, 0
		b.forget()
	}
	b.spell = usualSpell
	b.floor = max(b.floor, b.deepest-usualBack)
}

// tryHarder takes steps back and begins there anew: in another mood, and when
// there is none left, with more choices.
func (b *boundedSearch) tryHarder() {
	b.mood++
	if b.mood == moods {
		b.mood = 0
		switch {
		case b.width == anyWidth:
			b.back *= 4
		case b.width >= 16:
			b.width = anyWidth
		default:
			b.width *= 4
		}
	}
	b.goal = b.deepest + behindTrouble
	b.floor = max(0, b.deepest-b.back)
	b.spell = usualSpell * (b.back / usualBack)
	if b.floor == 0 && b.width == anyWidth {
		b.spell = b.steps + 1
	}
	for len(b.frames)-1 > b.floor {
		b.takeBackStep()
	}
	b.frames[len(b.frames)-1].choices = 0
	b.forget()
}

// forget drops what was found out with fewer choices.
func (b *boundedSearch) forget() {
	if len(b.failed) > mostCleared {
		b.failed = map[fingerprint128]bool{}
		return
	}
	clear(b.failed)
}

// mostCleared is up to what size it is cheaper to clear a map than to begin a
// new one.
const mostCleared = 1 << 12
