// Package monitor decides histories of distinct values in near-linear time, and bounded
// queues and shared ranges by a search that follows time.
package monitor

import (
	"context"
	"fmt"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// maxOperations of one object are what the monitors' indices can count.
const maxOperations = 1 << 30

// question is what a monitor is asked, in one call of Decide and with its patience.
type question struct {
	patience *timing.Patience
	h        *model.History
	look     *timing.Survey // of h
	// wantOrder has the order of a linearization written down, which is done
	// otherwise only where there is no other way to decide.
	wantOrder bool
}

// Decide has the monitor of a kind decide one object in near-linear time, if its
// values are distinct. The survey is of the history, nil if there was none yet.
func Decide(ctx context.Context, h *model.History, look *timing.Survey, wantOrder bool) finding.Finding {
	if len(h.Ops) >= maxOperations {
		return finding.Undecided(fmt.Sprintf("a monitor can take at most %d operations of one object", maxOperations-1))
	}
	if look == nil {
		look = timing.NewSurvey(h.Ops)
	}
	q := &question{patience: timing.NewPatience(ctx), h: h, look: look, wantOrder: wantOrder}
	return q.decide()
}

func (q *question) decide() finding.Finding {
	switch q.h.Kind {
	case model.WSDeque:
		return wsdequeMonitor(q)
	case model.FIFO:
		return fifoMonitor(q)
	case model.Range:
		return rangeMonitor(q)
	default:
		return bagMonitor(q)
	}
}
