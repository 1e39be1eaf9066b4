// Package mutate measures how much of a structure the checks see: it changes every
// access of its algorithm, one at a time, and looks whether somebody notices.
package mutate

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"stealproof/fuzz"
	"stealproof/fuzz/internal/workers"
	"stealproof/ref"
)

// Measurement measures how much of a structure the checks see: every access of its
// algorithm is changed mechanically, one at a time, and each mutant must be
// killed by a violation, or be shown to make no difference.
type Measurement struct {
	// Subject is the structure; its settings hold for every mutant.
	Subject ref.Subject
	Seed    uint64
	// Runs is the number of random executions of a structure that has no suite of its
	// own in this package, 0 for 20,000.
	Runs int
	// Reasons say why nothing is wrong with mutants that live on, by their names; nil
	// for those that this package knows of the structure.
	Reasons map[string]string
	// Only keeps the mutants that it accepts, if it is there.
	Only func(ref.Mutant) bool
	// Jobs is the number of mutants at the same time, 0 for one per processor.
	Jobs int
	// Progress is told how many mutants are decided.
	Progress func(done int)
}

// Outcome is what became of a mutant.
type Outcome uint8

// The outcomes.
const (
	// NotJudged: the run was interrupted before.
	NotJudged Outcome = iota
	// Unreached: its line is not executed, or there is nothing to change there.
	Unreached
	// OrdersOnly: it changes orders, which this memory does not look at.
	OrdersOnly
	// Killed: a violation was found.
	Killed
	// Equivalent: all programs of the bound, in all executions, have the same
	// histories as without it.
	Equivalent
	// SameResults: all programs of the bound hold in all executions, and the
	// operations have the same results as without it; only how they overlap
	// differs, since there are more or fewer accesses.
	SameResults
	// Survivor: none of these. It needs a reason.
	Survivor
)

var outcomeNames = [...]string{"not judged", "unreached", "orders only", "killed", "equivalent", "same results", "survivor"}

func (o Outcome) String() string { return outcomeNames[o] }

// Mutant is what became of a mutant, and how that is known.
type Mutant struct {
	Mutant  ref.Mutant
	Outcome Outcome
	// Failure is the violation that killed it, Executions how many it took,
	// Exhaustive whether that was in the exhaustive search.
	Failure    *fuzz.Failure
	Executions int
	Exhaustive bool
	// Open says of a survivor that its executions were not exhausted, Missed that
	// no program that was exhausted reaches its line.
	Open, Missed bool
}

// Score is the result of a Measurement.
type Score struct {
	Subject ref.Subject
	Mutants []Mutant
	reasons map[string]string
	// Programs is the number of programs that were exhausted for each mutant that
	// was not killed before.
	Programs int
	Elapsed  time.Duration
}

// Count says how many mutants had one of the outcomes.
func (s *Score) Count(outcomes ...Outcome) int {
	n := 0
	for _, m := range s.Mutants {
		for _, o := range outcomes {
			if m.Outcome == o {
				n++
			}
		}
	}
	return n
}

// Run judges every mutant. The result depends on nothing but the structure, the
// memory and the seed, whatever the number of workers.
func (x *Measurement) Run(ctx context.Context) (*Score, error) {
	if x.Subject.Buffers() {
		return nil, errors.New("mutants are looked for in random executions, too, which have no load buffering: leave buffering=yes out")
	}
	start := time.Now()
	j, err := newMutantJudge(x)
	if err != nil {
		return nil, err
	}
	score := &Score{Subject: x.Subject, reasons: x.reasons(), Programs: j.count()}
	for _, m := range x.Subject.Design().Mutants() {
		if x.Only == nil || x.Only(m) {
			score.Mutants = append(score.Mutants, Mutant{Mutant: m})
		}
	}
	if err := x.all(ctx, j, score); err != nil {
		return nil, err
	}
	score.Elapsed = time.Since(start)
	return score, nil
}

// all spreads the mutants over the workers.
func (x *Measurement) all(ctx context.Context, j *mutantJudge, score *Score) (err error) {
	jobs := workers.Count(x.Jobs)
	var (
		next, done atomic.Int64
		wg         sync.WaitGroup
		once       sync.Once
	)
	for range jobs {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(score.Mutants) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if failed := j.judge(ctx, &score.Mutants[i]); failed != nil {
					once.Do(func() { err = failed })
					return
				}
				if n := int(done.Add(1)); x.Progress != nil {
					x.Progress(n)
				}
			}
		})
	}
	wg.Wait()
	return err
}

// mutantJudge is what the judgements of one structure share.
type mutantJudge struct {
	*Measurement
	trials    []*trial
	baselines []*baseline
}

// judge decides about one mutant: is its line reached, do random programs kill
// it, does the exhaustive search, and if not, what differs.
func (j *mutantJudge) judge(ctx context.Context, r *Mutant) error {
	reached, err := j.reached(ctx, r.Mutant)
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return nil
	case !reached:
		r.Outcome = Unreached
		return nil
	case !j.Subject.Weak() && r.Mutant.Operator.Orders:
		r.Outcome = OrdersOnly
		return nil
	}
	for _, t := range j.trials {
		if err := j.try(ctx, t, r); err != nil || r.Outcome != NotJudged || ctx.Err() != nil {
			return err
		}
	}
	return j.compare(ctx, r)
}
