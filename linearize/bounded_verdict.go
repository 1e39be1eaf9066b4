package linearize

import (
	"context"
	"fmt"
	"slices"

	"stealproof/model"
)

// searched is what a boundedSearch says of the history. The reason is why
// nothing else decided.
func (l *ledger) searched(ctx context.Context, reason string) outcome {
	b := newBoundedSearch(ctx, l)
	switch b.run() {
	case model.Linearizable:
		if order := b.order(); order != nil {
			return outcome{verdict: model.Linearizable, order: order}
		}
		return undecided(unconfirmed)
	case model.Violation:
		return b.violation()
	}
	return undecided(fmt.Sprintf("%s, and a search of %d steps came to no end", reason, boundedSteps+16*len(l.ops)))
}

// orSearch searches where the monitor could not decide.
func (l *ledger) orSearch(ctx context.Context, found outcome) outcome {
	if found.verdict != model.Undecided || found.reason == unconfirmed {
		return found
	}
	return l.searched(ctx, found.reason)
}

// order puts what claims nothing between what happened.
func (b *boundedSearch) order() []int {
	free := slices.DeleteFunc(slices.Clone(b.free), func(word uint64) bool { return b.isMark(b.index(word)) })
	e := newEmitter(b.stamps, b.ops, free, b.ledger.ties)
	latest := uint64(0)
	for _, op := range b.trail {
		latest = max(latest, b.of(b.ops[op].Call))
		if !e.emit(op, latest) {
			return nil
		}
	}
	return e.finish()
}

// violation has all that claims anything: which part of it is to blame, the
// search does not know.
func (b *boundedSearch) violation() outcome {
	for len(b.frames) > 1 {
		b.takeBackStep()
	}
	kind, text := Order, "no order of these operations explains all results"
	if capacity := b.history.Params.Capacity; capacity > 0 {
		kind, text = Other, fmt.Sprintf("no order of these operations keeps to the capacity of %d", capacity)
	}
	var set []uint32
	for i := range b.ops {
		op, o := uint32(i), &b.ops[i]
		if o.Result == model.Full && b.isMark(op) {
			kind, text = FalseFull, fmt.Sprintf("no order of these operations keeps to the capacity of %d and has it full when it was found so", b.history.Params.Capacity)
		}
		if o.Result != model.Abort && (o.Result != model.Full || b.isMark(op)) {
			set = append(set, op)
		}
	}
	return confirm(b.history, kind, text, set, true)
}
