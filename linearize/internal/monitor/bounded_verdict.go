package monitor

import (
	"context"
	"fmt"
	"slices"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// searched is what a boundedSearch says of the history. The reason is why
// nothing else decided.
func (l *ledger) searched(ctx context.Context, reason string) finding.Finding {
	l.takes, l.free, l.empties = nil, nil, nil // nobody looks at them any more
	verdict, trail := l.search(ctx)
	switch verdict {
	case model.Linearizable:
		if order := writeTrail(l.Clock, l.ops, l.ties, trail, l.isMark); order != nil {
			return finding.Finding{Verdict: model.Linearizable, Order: order}
		}
		return finding.Undecided(unconfirmed)
	case model.Violation:
		return refuteAll(l.history, l.isMark)
	}
	return finding.Undecided(fmt.Sprintf("%s, and a search gave up", reason))
}

// orSearch searches where the monitor could not decide.
func (l *ledger) orSearch(ctx context.Context, found finding.Finding) finding.Finding {
	if found.Verdict != model.Undecided || found.Reason == unconfirmed {
		return found
	}
	return l.searched(ctx, found.Reason)
}

// writeTrail puts what claims nothing between what happened.
func writeTrail(s timing.Clock, ops []model.Operation, t timing.Ties, trail []uint32, isMark func(op uint32) bool) []int {
	var free []uint64
	for i := range ops {
		if op := uint32(i); timing.IsFree(&ops[i]) && !isMark(op) {
			free = append(free, s.Pack(s.Of(ops[i].Call), op))
		}
	}
	e := timing.NewWriter(s, ops, free, t)
	latest := uint64(0)
	for _, op := range trail {
		latest = max(latest, s.Of(ops[op].Call))
		if !e.Emit(op, latest) {
			return nil
		}
	}
	return e.Finish()
}

// refuteAll is the violation of all that claims anything: which part of it is to
// blame, the search does not know.
func refuteAll(h *model.History, isMark func(op uint32) bool) finding.Finding {
	kind, text := finding.Order, "no order of these operations explains all results"
	if capacity := h.Params.Capacity; capacity > 0 {
		kind, text = finding.Other, fmt.Sprintf("no order of these operations keeps to the capacity of %d", capacity)
	}
	full := slices.ContainsFunc(h.Places(), func(i int) bool { return h.Ops[i].Result == model.Full && isMark(uint32(i)) })
	if full {
		kind, text = finding.FalseFull, fmt.Sprintf("no order of these operations keeps to the capacity of %d and has it full when it was found so", h.Params.Capacity)
	}
	var set []uint32
	for i := range h.Ops {
		if op := uint32(i); !timing.IsFree(&h.Ops[i]) || isMark(op) {
			set = append(set, op)
		}
	}
	return confirm(h, kind, text, set, true)
}

// search keeps nothing of the search but what happened in it.
func (l *ledger) search(ctx context.Context) (verdict model.Verdict, trail []uint32) {
	b := newBoundedState(l)
	verdict = b.search(ctx, soonEffort)
	return verdict, b.trail
}

// search has a queue searched again where it is not decided soon.
func (b *boundedState) search(ctx context.Context, soon effort) model.Verdict {
	if b.bag {
		return newBoundedSearch(ctx, b, longEffort).run()
	}
	verdict := newBoundedSearch(ctx, b, soon).run()
	if verdict != model.Undecided || ctx.Err() != nil {
		return verdict
	}
	return b.searchPlaces(ctx)
}

// searchPlaces begins a search anew that knows the places of the values. This
// takes more time and room, so it is done only if the search was stuck without.
func (b *boundedState) searchPlaces(ctx context.Context) model.Verdict {
	for b.happened() > 0 {
		b.takeBack()
	}
	b.mood, b.ranks, b.places = 0, nil, newPlaces(ctx, b)
	if !b.places.possible {
		return model.Violation
	}
	return newBoundedSearch(ctx, b, placesEffort).run()
}
