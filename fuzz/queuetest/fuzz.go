package queuetest

import (
	"context"
	"testing"

	"stealproof/fuzz/choice"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/model"
)

// MakeFuzz returns a function for f.Fuzz: the bytes are a program and who goes
// next, so that a fuzzer mutates both.
//
//	func FuzzDeque(f *testing.F) { f.Fuzz(queuetest.MakeFuzz(myDeque)) }
//
// What fails is kept as go test keeps it, under testdata/fuzz/, and run again from
// there.
func MakeFuzz(q Queue) func(*testing.T, []byte) {
	return func(t *testing.T, data []byte) {
		t.Helper()
		c, err := chosen()
		if err != nil {
			t.Fatalf("stealproof: %v", err)
		}
		k := newChecker(t, q, c)
		k.queue.NoShrink = k.queue.NoShrink || fuzzing() // the fuzzer does it, input by input
		x, err := newQueueTest(k.queue, k.flags)
		if err != nil {
			t.Fatalf("stealproof: %v", err)
		}
		r, err := x.watched(t.Context(), func(ctx context.Context) { x.runBytes(ctx, data) })
		switch {
		case err != nil:
			t.Fatalf("stealproof: %v", err)
		case r.Verdict == model.Linearizable:
		case fuzzing(): // go test adds the command
			t.Fatalf("stealproof: %s", r.text())
		default:
			k.artifacts(r)
			t.Fatalf("stealproof: %s\nto reproduce: go test -run '%s'", r.text(), pattern(t.Name()))
		}
	}
}

const (
	mostProcesses  = 4
	mostOperations = 5 // of each process
)

// runBytes makes the one execution that the bytes describe.
func (x *queueTest) runBytes(ctx context.Context, data []byte) {
	x.watch.strict.Store(true)
	source := choice.NewBytes(data)
	shape := make(programs.Shape, 1+source.IntN(mostProcesses))
	for i := range shape {
		shape[i] = 1 + source.IntN(mostOperations)
	}
	setup, err := x.subject.Prepare(programs.New(x.subject, shape, source))
	if err != nil {
		x.broken(err)
		return
	}
	sim := x.simulation(setup)
	defer sim.Close()
	holds := x.judge(x.run(sim, setup, schedule.NewByteChoices(source.Rest()), 0), "found by a fuzzer")
	if x.failed() {
		x.confirm(ctx)
	} else if holds {
		x.change(func(r *Report) {
			if r.Open == 0 {
				r.Verdict = model.Linearizable
			}
		})
	}
}
