package exhaust

import (
	"fmt"
	"time"

	"stealproof/model"
)

// DefaultSilence is how long an operation may run without an access.
const DefaultSilence = 10 * time.Second

// SilentError says that an operation neither returns nor makes another access.
// What loops so cannot be stopped from outside: it goes on, by itself, until the
// program ends.
type SilentError struct {
	Process   int
	Operation model.Call
	Index     int // of the operation in its process, from 0
	After     time.Duration
	// Choices lead there.
	Choices model.Choices
}

func (e *SilentError) Error() string {
	return fmt.Sprintf("process %d has made no access for %s, in its operation %d (%s): it neither returns nor looks at the memory; choices:%s",
		e.Process, e.After, e.Index+1, e.Operation.Op, e.Choices)
}

// watch waits until the workers are over, or one of them is silent.
func (c *crew) watch(workers []*worker, over <-chan struct{}) error {
	patience := c.exhaust.Patience
	if patience <= 0 {
		patience = DefaultSilence
	}
	const looks = 8 // in the time of patience
	tick := time.NewTicker(max(patience/looks, time.Millisecond))
	defer tick.Stop()
	beats := make([]int64, len(workers))
	silent := make([]int, len(workers))
	for {
		select {
		case <-over:
			return nil
		case <-tick.C:
		}
		for i, w := range workers {
			x := w.at.Load()
			if x == nil || x.search.beat.Load() != beats[i] || x.judging.Load() {
				silent[i] = 0
				if x != nil {
					beats[i] = x.search.beat.Load()
				}
				continue
			}
			if silent[i]++; silent[i] > looks {
				c.board.stop()
				return x.silence(patience)
			}
		}
	}
}

// silence says who is silent, and how it came there.
func (x *explorer) silence(after time.Duration) error {
	e := &SilentError{Process: x.sim.Starting(), After: after}
	if e.Process < 0 {
		for _, n := range x.search.stack {
			e.Choices.Add(n.chosen)
			e.Process = int(n.chosen.Process)
		}
	}
	e.Index = x.sim.Doing(e.Process)
	e.Operation = x.setup.Program.Expand()[e.Process][e.Index]
	return e
}
