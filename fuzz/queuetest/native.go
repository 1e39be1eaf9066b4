package queuetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"stealproof/fuzz"
	"stealproof/fuzz/choice"
	"stealproof/fuzz/programs"
	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

// nativeShape is long enough for goroutines to meet.
var nativeShape = programs.Shape{16, 16, 16}

// Native runs random programs on Go's atomics, with a goroutine for every process and
// the machine's own scheduling: as the queue would run in earnest, with all orders
// sequentially consistent. The test fails if a history of it is none that the queue may
// have. Such a run cannot be repeated, and says less than [Check]: it is there for
// what the simulation leaves out, and for go test -race, which sees what a queue
// shares outside of the memory.
func Native(t testing.TB, q Queue) {
	t.Helper()
	k := measured(t, q, nil)
	ctx, cancel := k.deadline()
	defer cancel()
	if len(q.Shape) == 0 {
		k.queue.Shape = nativeShape
	}
	k.queue.Options = k.queue.Options.withDefaults()
	runs, f, err := k.native(ctx)
	switch {
	case err != nil:
		t.Fatalf("stealproof: %v", err)
	case f != nil:
		if v := f.Finding.Violation; v != nil {
			keepHistory(t, f.History, &linearize.Report{Verdict: model.Violation, Violations: []linearize.Violation{*v}})
		}
		t.Fatalf("stealproof: %s on real atomics: %s (%s) in run %d: %s\n\n%s\nSuch a run cannot be repeated; queuetest.Check may show the same.", q.Name, f.Finding.Verdict, f.Finding.Kind, runs, f.Finding.Explanation, f.Case.Program)
	case ctx.Err() != nil:
		t.Fatalf("stealproof: %s on real atomics: undecided: the deadline of the test came after %s", q.Name, plural(runs, "run"))
	}
	t.Logf("stealproof: %s on real atomics: %s of %s operations, each linearizable (programs of seed %d; what goroutines do is up to the machine)", q.Name, plural(runs, "run"), k.queue.Shape, k.flags.Seed)
}

// native makes the runs, until one fails.
func (k *checker) native(ctx context.Context) (runs int, failed *fuzz.Failure, err error) {
	q := k.queue
	if q.Build == nil {
		return 0, nil, fmt.Errorf("queue %s: nothing builds it: expected the field Build", q.Name)
	}
	subject, err := q.described().Subject(model.Spec{})
	if err != nil {
		return 0, nil, err
	}
	for ; runs < q.Checks && ctx.Err() == nil; runs++ {
		setup, err := subject.Prepare(programs.New(subject, q.Shape, choice.NewRandom(k.flags.Seed<<20+uint64(runs))))
		if err != nil {
			return runs, nil, err
		}
		e, err := nativeRun(ctx, ref.NewNative(setup), uint64(runs), q)
		switch {
		case err != nil:
			return runs, nil, err
		case ctx.Err() != nil:
			return runs, nil, nil
		case e.Misuse:
			return runs, nil, misuse{fmt.Sprintf("queue %s: %s", q.Name, e.Fault)}
		case fuzz.Holds(e):
			continue
		}
		if f := fuzz.Judge(e); f.Verdict != model.Linearizable {
			return runs + 1, fuzz.NewFailure(e, f, "found on real atomics"), nil
		}
	}
	return runs, nil, nil
}

// nativeRun is one run, for which it waits no longer than the patience: a goroutine
// that makes no access cannot be stopped.
func nativeRun(ctx context.Context, n *ref.Native, seed uint64, q Queue) (*ref.Execution, error) {
	limited, cancel := context.WithTimeout(ctx, q.Patience)
	defer cancel()
	done := make(chan *ref.Execution, 1)
	go func() { done <- n.Run(limited, seed) }()
	select {
	case e := <-done:
		if e.Ending == ref.Cut && ctx.Err() == nil {
			return nil, fmt.Errorf("queue %s on real atomics: undecided: run %d did not come to an end within %s: an operation waits for ever, or the machine had no time", q.Name, seed+1, q.Patience)
		}
		return e, nil
	case <-time.After(2 * q.Patience):
		return nil, fmt.Errorf("queue %s on real atomics: undecided: run %d did not end within %s, and makes no access: its goroutines go on until the test binary ends", q.Name, seed+1, 2*q.Patience)
	}
}
