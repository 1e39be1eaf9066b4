package mutate

import (
	"context"
	"fmt"

	"stealproof/fuzz"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// subject is the structure with the mutant, and the settings of a trial.
func (j *mutantJudge) subject(settings string, mutant string) (ref.Subject, error) {
	set, err := model.ParseSettings(settings)
	if err != nil {
		return ref.Subject{}, err
	}
	s := j.Subject.Spec()
	for name, v := range set {
		s = s.With(name, v)
	}
	if mutant != "" {
		s = s.With("mutant", mutant)
	}
	return j.Subject.With(s)
}

// try runs a campaign on the mutant.
func (j *mutantJudge) try(ctx context.Context, t *trial, r *Mutant) error {
	t.once.Do(func() { t.err = j.holdsWithout(ctx, t) })
	if t.err != nil {
		return t.err
	}
	c, err := j.campaign(t, r.Mutant.String())
	if err != nil {
		return err
	}
	res, err := c.Run(ctx)
	if err != nil {
		return fmt.Errorf("mutant %s: %w", r.Mutant, err)
	}
	r.Executions += res.Executions
	if res.Failure != nil {
		r.Outcome, r.Failure = Killed, res.Failure
	}
	return nil
}

// holdsWithout makes sure that it is the mutant that fails.
func (j *mutantJudge) holdsWithout(ctx context.Context, t *trial) error {
	c, err := j.campaign(t, "")
	if err != nil {
		return err
	}
	res, err := c.Run(ctx)
	if err == nil && res.Failure != nil {
		err = fmt.Errorf("%s fails without a mutant already, so that its mutants say nothing: %s\n%s", c.Subject.Spec(), res.Failure.Finding.Explanation, res.Failure.Case.Program)
	}
	return err
}

func (j *mutantJudge) campaign(t *trial, mutant string) (*fuzz.Campaign, error) {
	subject, err := j.subject(t.settings, mutant)
	if err != nil {
		return nil, err
	}
	c := &fuzz.Campaign{
		Subject: subject, Shape: t.shape, Seed: j.Seed, Runs: t.runs, Jobs: 1,
		Accesses: mutantAccesses, Schedule: model.Schedule{Strategy: schedule.Default},
	}
	if t.program == "" {
		return c, nil
	}
	p, err := subject.ParseProgram(t.program)
	c.Program = &p
	return c, err
}

// mutantAccesses bounds an execution of a mutant: some ten operations, or some
// thousands of accesses of everybody on a memory that no longer changes.
const mutantAccesses = 1 << 15
