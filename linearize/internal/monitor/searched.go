package monitor

import (
	"fmt"
	"slices"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/search"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// searched is what a search says of the history. The reason is why nothing else
// decided.
func (l *ledger) searched(reason string) finding.Finding {
	h := l.history
	verdict, order := search.Queue(l.patience, l.values())
	if verdict == model.Violation {
		return refuteAll(h)
	}
	return ordered(verdict, order, reason)
}

// values are what a search needs to know. It needs no more, so that the rest of
// the ledger gives room to the search.
func (l *ledger) values() *search.Values {
	return &search.Values{Clock: l.Clock, History: l.history, Ties: l.ties, Items: l.items, Returns: l.puts, Unseen: l.unseen, Lost: len(l.lost)}
}

// orSearch searches where the monitor could not decide.
func (l *ledger) orSearch(found finding.Finding) finding.Finding {
	if found.Verdict != model.Undecided || found.Reason == unconfirmed {
		return found
	}
	return l.searched(found.Reason)
}

// searchRange decides a range without two chains. The reason is why nothing else
// decided. What was called after all that the search looked at had no part in a
// violation.
func searchRange(q *question, reason string) finding.Finding {
	verdict, order, latest := search.Range(q.patience, q.h, q.look)
	if verdict != model.Violation {
		return ordered(verdict, order, reason)
	}
	if q.h.HasLost() {
		return finding.Undecided(unresolved(q.h))
	}
	out := refuteAll(q.h)
	if v := &out.Violation; len(v.Ops) > MaxProof && latest != absent {
		until := q.h.Ops[latest].Return
		v.Ops = slices.DeleteFunc(v.Ops, func(i int) bool { return q.h.Ops[i].Call > until })
	}
	return out
}

// ordered is what a search says that found no violation.
func ordered(verdict model.Verdict, order []int, reason string) finding.Finding {
	switch {
	case verdict == model.Undecided:
		return finding.Undecided(fmt.Sprintf("%s, and a search gave up", reason))
	case order == nil:
		return finding.Undecided(unconfirmed)
	}
	return finding.Finding{Verdict: model.Linearizable, Order: order}
}

// refuteAll is the violation of all that claims anything: which part of it is to
// blame, a search does not know.
func refuteAll(h *model.History) finding.Finding {
	kind, text := finding.Order, "no order of these operations explains all results"
	if capacity := h.Params.Capacity; capacity > 0 {
		kind, text = finding.Other, fmt.Sprintf("no order of these operations keeps to the capacity of %d", capacity)
	}
	var set []uint32
	for i := range h.Ops {
		op, o := uint32(i), &h.Ops[i]
		isMark := search.IsMark(h, op)
		if !timing.IsFree(o) || isMark {
			set = append(set, op)
		}
		if o.Result == model.Full && isMark {
			kind, text = finding.FalseFull, fmt.Sprintf("no order of these operations keeps to the capacity of %d and has it full when it was found so", h.Params.Capacity)
		}
	}
	return confirm(h, kind, text, set, true)
}
