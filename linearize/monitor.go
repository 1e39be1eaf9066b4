package linearize

import (
	"context"
	"fmt"

	"stealproof/model"
)

func init() {
	monitors[model.WSDeque] = wsdequeMonitor
	monitors[model.FIFO] = fifoMonitor
	monitors[model.Range] = rangeMonitor
	monitors[model.Bag] = bagMonitor
}

// maxOperations of one object are what the monitors' indices can count.
const maxOperations = 1 << 30

// ask has the monitor of a kind decide. There is one for every kind.
func ask(ctx context.Context, h *model.History, look *survey, wantOrder bool) outcome {
	if len(h.Ops) >= maxOperations {
		return undecided(fmt.Sprintf("a monitor can take at most %d operations of one object", maxOperations-1))
	}
	if look == nil {
		look = newSurvey(h.Ops)
	}
	return monitors[h.Kind](&question{ctx: ctx, h: h, look: look, wantOrder: wantOrder})
}
