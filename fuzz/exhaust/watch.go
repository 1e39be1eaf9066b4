package exhaust

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"stealproof/model"
	"stealproof/ref"
)

// defaultSilence is how long an operation may run without an access.
const defaultSilence = 10 * time.Second

// silentError says that an operation neither returns nor makes another access.
// What loops so cannot be stopped from outside: it goes on, by itself, until the
// program ends.
type silentError struct {
	Process   int
	Operation model.Call
	Index     int // of the operation in its process, from 0
	After     time.Duration
	// Choices lead there.
	Choices model.Choices
}

func (e *silentError) Error() string {
	return fmt.Sprintf("process %d has made no access for %s, in its operation %d (%s): it neither returns nor looks at the memory; choices:%s",
		e.Process, e.After, e.Index+1, e.Operation.Op, e.Choices)
}

// pulse shows to somebody outside whether an execution goes on.
type pulse struct {
	beats atomic.Int64 // choices of the scheduler
	// resting: no execution is going on, so that there are no accesses to wait for.
	resting atomic.Bool
	// silence says who is silent, and how it came there.
	silence func(after time.Duration) error
}

func (p *pulse) beat() { p.beats.Add(1) }

// overseen is a scheduler whose choices somebody outside can look at.
type overseen struct {
	ref.Scheduler
	pulse   pulse
	choices []model.Choice // of this execution
}

// run makes an execution with a scheduler.
func (o *overseen) run(sim *ref.Sim, scheduler ref.Scheduler) *ref.Execution {
	o.Scheduler, o.choices = scheduler, o.choices[:0]
	o.pulse.resting.Store(false)
	defer o.pulse.resting.Store(true)
	return sim.Run(o)
}

// Next keeps who goes on.
func (o *overseen) Next(v *ref.View) int {
	p := o.Scheduler.Next(v)
	if p >= 0 {
		o.choices = append(o.choices, model.Choice{Process: uint16(p)})
	}
	o.pulse.beat()
	return p
}

// Pick keeps which outcome an access has.
func (o *overseen) Pick(v *ref.View, n int) int {
	k := o.Scheduler.Pick(v, n)
	if k >= 0 {
		o.choices[len(o.choices)-1].Pick = uint16(k)
	}
	o.pulse.beat()
	return k
}

// hand is one of those who work for a search.
type hand interface {
	work(ctx context.Context)
	// pulse is that of what it executes, nil if it does not.
	pulse() *pulse
}

// together lets all work until they are done, or until one of them is silent for
// too long: then it tells the others to stop, and waits for nobody.
func together(ctx context.Context, hands []hand, patience time.Duration, stop func()) error {
	var working sync.WaitGroup
	for _, h := range hands {
		working.Go(func() { h.work(ctx) })
	}
	done := make(chan struct{})
	go func() {
		working.Wait()
		close(done)
	}()
	if patience <= 0 {
		patience = defaultSilence
	}
	const looks = 8 // in the time of patience
	tick := time.NewTicker(max(patience/looks, time.Millisecond))
	defer tick.Stop()
	beats := make([]int64, len(hands))
	silent := make([]int, len(hands))
	for {
		select {
		case <-done:
			return nil
		case <-tick.C:
		}
		for i, h := range hands {
			p := h.pulse()
			if p == nil {
				silent[i] = 0
				continue
			}
			before := beats[i]
			if beats[i] = p.beats.Load(); beats[i] != before || p.resting.Load() {
				silent[i] = 0
				continue
			}
			if silent[i]++; silent[i] > looks {
				stop()
				return p.silence(patience)
			}
		}
	}
}

// silent says which process of a simulation is silent, after these choices.
func silent(sim *ref.Sim, setup *ref.Setup, made []model.Choice, after time.Duration) error {
	e := &silentError{Process: sim.Starting(), After: after}
	if e.Process < 0 {
		for _, c := range made {
			e.Choices.Add(c)
			e.Process = int(c.Process)
		}
	}
	e.Index = sim.Doing(e.Process)
	e.Process, _ = setup.ProcessOf(e.Process)
	e.Operation = setup.Program.Expand()[e.Process][e.Index]
	return e
}

func (x *explorer) silence(after time.Duration) error {
	var made []model.Choice
	for _, n := range x.search.stack {
		made = append(made, n.chosen)
	}
	return silent(x.sim, x.setup, made, after)
}
