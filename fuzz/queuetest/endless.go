package queuetest

import (
	"context"
	"fmt"
	"sync"

	"stealproof/fuzz"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// recorder keeps the choices of an execution that may never end.
type recorder struct {
	schedule.Strategy
	mu      sync.Mutex
	choices []model.Choice
}

// Begin forgets the execution before.
func (r *recorder) Begin(seed uint64) {
	r.mu.Lock()
	r.choices = r.choices[:0]
	r.mu.Unlock()
	r.Strategy.Begin(seed)
}

// Next records the choice.
func (r *recorder) Next(v *ref.View) int {
	p := r.Strategy.Next(v)
	r.mu.Lock()
	defer r.mu.Unlock()
	if p >= 0 {
		r.choices = append(r.choices, model.Choice{Process: uint16(p)})
	}
	return p
}

// Buffered are the choices of an execution that is made of all of them at once.
func (r *recorder) Buffered() model.Choices {
	if b, ok := r.Strategy.(ref.BufferedScheduler); ok {
		return b.Buffered()
	}
	return nil
}

// Pick records the outcome.
func (r *recorder) Pick(v *ref.View, n int) int {
	k := r.Strategy.Pick(v, n)
	r.mu.Lock()
	defer r.mu.Unlock()
	if k >= 0 && len(r.choices) > 0 {
		r.choices[len(r.choices)-1].Pick = uint16(k)
	}
	return k
}

func (r *recorder) made() model.Choices {
	r.mu.Lock()
	defer r.mu.Unlock()
	var c model.Choices
	for _, choice := range r.choices {
		c.Add(choice)
	}
	return c
}

// endless is the failure of an operation that never ends. The goroutine that
// carries it out cannot be stopped.
func (x *queueTest) endless(op *operation) *fuzz.Failure {
	text := fmt.Sprintf("process %d: %s has neither returned nor made an access for %s, since its access number %d; its goroutine goes on until the test binary ends", op.process, op.what, x.queue.Patience, op.accesses.Load())
	if x.watch.stray.Load() {
		text += " (it waits for a goroutine of its own that accessed memory and was stopped: only the process itself may)"
	}
	f := fuzz.Finding{Verdict: model.Violation, Kind: KindEndless, Explanation: text}
	x.mu.Lock()
	defer x.mu.Unlock()
	var choices model.Choices
	note := "found by exhaustive exploration, where the schedule is not known"
	if x.running != nil {
		choices, note = x.running.made(), "found by a run that did not end"
	}
	return &fuzz.Failure{Finding: f, Case: x.save(x.program, choices, f, note)}
}

// reproduceEndless looks for a schedule under which an operation never ends, of
// the program whose exhaustive exploration has met one.
func (x *queueTest) reproduceEndless(r *Report) {
	again, err := newQueueTest(x.queue, x.flags)
	if err != nil {
		return
	}
	again.reproducing, again.strategy = true, model.Schedule{Strategy: "random"} // which measures nothing first
	found, err := again.watched(context.Background(), func(ctx context.Context) {
		again.runProgram(ctx, r.Failure.Case.Program, 0, 1000)
	})
	if err == nil && found.Failure != nil && found.Failure.Finding.Kind == KindEndless {
		r.Failure = found.Failure
	}
}

// strayed is the failure of a queue whose goroutines have ended the work.
func (x *queueTest) strayed() *fuzz.Failure {
	x.mu.Lock()
	defer x.mu.Unlock()
	f := fuzz.Finding{Verdict: model.Violation, Kind: fuzz.KindFault, Explanation: "an operation " + strayed}
	return &fuzz.Failure{Finding: f, Case: x.save(x.program, nil, f, "found by a run that did not end")}
}
