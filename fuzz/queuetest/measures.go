package queuetest

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"stealproof/fuzz/fences"
	"stealproof/fuzz/mutate"
	"stealproof/fuzz/progress"
	"stealproof/fuzz/sites"
	"stealproof/model"
	"stealproof/ref"
)

// Fences finds the cheapest orders of accesses and fences with which the queue
// holds on the weak memory, and what happens with each of them one step weaker. The
// test's log has the table; the test fails if the queue does not hold as it is, or
// if that could not be decided. Accesses are named after the lines that make them:
// "pop: read top".
func Fences(t testing.TB, q Queue) *fences.Answer {
	t.Helper()
	var answer *fences.Answer
	k := measured(t, q, func(c *choices) {
		if c.memory.Structure == "" || c.memory.Structure == ref.MemorySC {
			c.memory = model.Spec{Structure: ref.MemoryPTX}
		}
	})
	k.measure(func(ctx context.Context, x *queueTest) error {
		bound, err := fences.Bound(ctx, x.subject)
		if err != nil {
			return err
		}
		clients, err := fences.Calls(ctx, x.subject)
		if err != nil {
			return err
		}
		answer, err = (&fences.Search{Clients: clients, Subject: x.subject, Shape: x.queue.Shape, Runs: x.queue.Checks, Bound: bound, KeepStrong: q.foreign != nil}).Run(ctx)
		return err
	})
	if answer.Failure != nil {
		t.Fatalf("stealproof: %s: no orders up to acq_rel, and no fences as strong as they are, suffice: %s\n\n%s",
			q.Name, answer.Failure.Finding.Explanation, answer.Failure.Case)
	}
	var text bytes.Buffer
	answer.WriteTable(&text, nil) // a buffer takes everything
	t.Logf("stealproof: %s on memory %s: the cheapest orders without a counterexample (cost %d, as it is %d)\n\n%s",
		q.Name, k.flags.Memory, answer.Cost, answer.PublishedCost, text.String())
	return answer
}

// Mutants changes every access of the queue, one at a time, and looks whether
// anybody notices: see package mutate. Those that live on must be among the reasons,
// each with a word why nothing is wrong with it, as "steal-read-top.twice"; the test
// fails if one is not, or if a reason belongs to none.
func Mutants(t testing.TB, q Queue, reasons map[string]string) *mutate.Score {
	t.Helper()
	var score *mutate.Score
	k := measured(t, q, nil)
	k.measure(func(ctx context.Context, x *queueTest) (err error) {
		score, err = (&mutate.Measurement{Subject: x.subject, Seed: k.flags.Seed, Runs: x.queue.Checks, Reasons: reasons}).Run(ctx)
		return err
	})
	var text bytes.Buffer
	mutate.WriteScores(&text, []*mutate.Score{score}) // a buffer takes everything
	score.Write(&text, false)
	t.Logf("stealproof: the mutants of %s\n%s", q.Name, text.String())
	if names := score.Unexplained(); len(names) > 0 {
		t.Errorf("stealproof: %s: nobody notices %s: give a reason for each, or let the queue be tested so that somebody does", q.Name, strings.Join(names, ", "))
	}
	if names := score.Outdated(); len(names) > 0 {
		t.Errorf("stealproof: %s: there is a reason for %s, which does not live on", q.Name, strings.Join(names, ", "))
	}
	return score
}

// Progress finds out which operations are blocking, lock-free or wait-free, in all
// executions of small programs: see package progress. The test fails where that is
// not what the levels say, or could not be found out; operations without a level
// are only looked at.
func Progress(t testing.TB, q Queue, levels map[model.Op]progress.Level) *progress.Report {
	t.Helper()
	var report *progress.Report
	k := measured(t, q, nil)
	for op := range levels {
		if !q.Kind.Has(op) {
			t.Fatalf("stealproof: %s: a %s has no operation %s", q.Name, q.Kind, op)
		}
	}
	k.measure(func(ctx context.Context, x *queueTest) (err error) {
		expected := progress.Nothing(x.subject)
		for i := range expected.Claims {
			expected.Claims[i].Level = levels[expected.Claims[i].Op]
		}
		report, err = progress.Check(ctx, x.subject, expected)
		return err
	})
	var text bytes.Buffer
	report.Write(&text) // a buffer takes everything
	if !report.AsClaimed() || !report.Decided() {
		t.Fatalf("stealproof: %s", text.String())
	}
	t.Logf("stealproof: %s", text.String())
	return report
}

// measured prepares for something else than a test for violations.
func measured(t testing.TB, q Queue, change func(*choices)) *checker {
	t.Helper()
	c, err := chosen()
	if err != nil {
		t.Fatalf("stealproof: %v", err)
	}
	if change != nil {
		change(&c)
	}
	return newChecker(t, q, c)
}

// measure does the work on a queue whose accesses have names, once a few runs have
// shown that it does nothing that no queue may do.
func (k *checker) measure(work func(ctx context.Context, x *queueTest) error) {
	k.t.Helper()
	ctx, cancel := k.deadline()
	defer cancel()
	for _, step := range []func() (*queueTest, func(context.Context, *queueTest) error, error){
		func() (*queueTest, func(context.Context, *queueTest) error, error) {
			x, err := newQueueTest(k.queue, k.flags)
			return x, func(ctx context.Context, x *queueTest) error { x.probe(ctx); return nil }, err
		},
		func() (*queueTest, func(context.Context, *queueTest) error, error) {
			x, err := newQueueTestOf(k.queue, k.flags, sites.Name)
			return x, work, err
		},
	} {
		x, work, err := step()
		if err != nil {
			k.t.Fatalf("stealproof: %v", err)
		}
		var failed error
		r, err := x.watched(ctx, func(ctx context.Context) { failed = work(ctx, x) })
		switch {
		case err != nil:
			k.t.Fatalf("stealproof: %v", err)
		case r.Failure != nil:
			k.t.Fatalf("stealproof: %s", r.text())
		case failed != nil:
			k.t.Fatalf("stealproof: %v", failed)
		case ctx.Err() != nil:
			k.t.Fatalf("stealproof: %s: undecided: the deadline of the test came first", k.queue.Name)
		}
	}
}
