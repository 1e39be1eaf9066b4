package fences

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"stealproof/fuzz"
	"stealproof/fuzz/exhaust"
	"stealproof/fuzz/internal/workers"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/fuzz/shrink"
	"stealproof/model"
	"stealproof/ref"
)

// try looks for a counterexample to a choice of orders: at random, and then in
// every execution of the bound.
func (s *search) try(ctx context.Context, orders []ref.Order) (*fuzz.Failure, error) {
	s.tried++
	for _, base := range s.specs() {
		subject, err := s.with(base, orders)
		if err != nil {
			return nil, err
		}
		c := &fuzz.Campaign{Subject: subject, Shape: s.Shape, Schedule: model.Schedule{Strategy: schedule.Default}, Seed: 1, Runs: s.Runs, Jobs: s.Jobs}
		r, err := c.Run(ctx)
		switch {
		case err != nil:
			return nil, err
		case r.Failure != nil:
			return r.Failure, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		}
	}
	s.answer.Programs, s.answer.Executions = 0, 0
	s.answer.Exhausted = len(s.Bound) > 0
	for _, base := range s.specs() {
		subject, err := s.with(base, orders)
		if err != nil {
			return nil, err
		}
		if failure, err := s.exhaust(ctx, subject); failure != nil || err != nil {
			return failure, err
		}
	}
	return nil, nil
}

// recorded is a counterexample that can be tried on other orders.
type recorded struct {
	base    model.Spec
	program model.Program
	again   schedule.Strategy
}

func (s *search) echo(failure *fuzz.Failure) (*recorded, error) {
	r, err := fuzz.RunCaseOf(s.Subject, failure.Case)
	if err != nil {
		return nil, err
	}
	if !r.Expected() {
		return nil, fmt.Errorf("%s: a counterexample did not fail again: %s instead of %s", failure.Case.Spec, r.Finding.Verdict, failure.Case.Found)
	}
	var again schedule.Strategy = newEcho(r.Execution.Trace)
	if choices := r.Execution.Choices(); choices.Buffered() {
		again = schedule.NewReplay(choices) // which other orders allow, or not: nothing like it is made
	}
	return &recorded{s.baseOf(failure.Case.Spec), failure.Case.Program, again}, nil
}

// baseOf is the spec that was given other orders.
func (s *search) baseOf(spec model.Spec) model.Spec {
	all := s.specs()
	i := slices.IndexFunc(all, func(base model.Spec) bool {
		base.Settings, spec.Settings = maps.Clone(base.Settings), maps.Clone(spec.Settings)
		delete(base.Settings, "orders")
		delete(spec.Settings, "orders")
		return base.String() == spec.String()
	})
	return all[max(0, i)]
}

// repeat tries a counterexample on other orders.
func (s *search) repeat(r *recorded, orders []ref.Order) (*fuzz.Failure, error) {
	subject, err := s.with(r.base, orders)
	if err != nil {
		return nil, err
	}
	setup, err := subject.Prepare(r.program)
	if err != nil {
		return nil, err
	}
	sim := ref.NewSim(setup)
	defer sim.Close()
	r.again.Begin(0)
	e := sim.Run(r.again)
	if fuzz.Holds(e) {
		return nil, nil
	}
	f := fuzz.Judge(e)
	if f.Verdict != model.Violation {
		return nil, nil
	}
	failure := fuzz.NewFailure(e, f, "")
	failure.Run = 1
	return failure, nil
}

// necessity finds, for each site of the answer, what happens if it is weaker.
func (s *search) necessity(ctx context.Context, orders []ref.Order) error {
	var needed []Needed
	for i := range s.sites {
		n, err := s.neededAt(ctx, orders, i)
		if err != nil {
			return err
		}
		if n != nil {
			needed = append(needed, *n)
		}
	}
	s.answer.Needed = needed
	return s.shrinkAll(ctx)
}

// neededAt is a counterexample to the next weaker order of a site; nil if nobody
// needs it to be as strong, and then a cheaper choice would have been found.
func (s *search) neededAt(ctx context.Context, orders []ref.Order, i int) (*Needed, error) {
	site := s.sites[i]
	for k := len(site.Levels) - 1; k >= 0; k-- {
		o := site.Levels[k]
		if !atMost(o, orders[i]) || o == orders[i] {
			continue
		}
		failure, err := s.whyNot(ctx, orders, i, o)
		if err != nil {
			return nil, err
		}
		if failure != nil {
			failure.Case.Note = fmt.Sprintf("%s of %s: %s does not suffice, %s does", site.Kind, s.Subject.Design().Sites[site.Site], o, orders[i])
			return &Needed{Site: site.Site, Weaker: o, Case: failure.Case, Why: failure.Finding}, nil
		}
	}
	return nil, nil
}

// shrinkEffort is enough for cases that a reader can follow; there are many.
const shrinkEffort = shrink.DefaultEffort / 10

// shrinkAll makes the counterexamples small, several at a time.
func (s *search) shrinkAll(ctx context.Context) error {
	places, errs := make(chan int), make([]error, len(s.answer.Needed))
	var wg sync.WaitGroup
	for range workers.Count(s.Jobs) {
		wg.Go(func() {
			for i := range places {
				errs[i] = s.shrink(ctx, &s.answer.Needed[i])
			}
		})
	}
	for i := range s.answer.Needed {
		if s.Shrinking != nil {
			s.Shrinking(i, len(s.answer.Needed))
		}
		places <- i
	}
	close(places)
	wg.Wait()
	return errors.Join(append(errs, context.Cause(ctx))...)
}

func (s *search) shrink(ctx context.Context, n *Needed) error {
	note := n.Case.Note
	r, err := (&shrink.Search{Subject: s.Subject, Case: n.Case, Effort: shrinkEffort}).Run(ctx)
	if err != nil {
		return err
	}
	n.Case, n.Why = r.Failure.Case, r.Failure.Finding
	n.Case.Note = note
	return nil
}

// whyNot is a counterexample to a choice with one weaker order: a known one, if
// it can be made again.
func (s *search) whyNot(ctx context.Context, orders []ref.Order, i int, weaker ref.Order) (*fuzz.Failure, error) {
	orders = slices.Clone(orders)
	orders[i] = weaker
	if w := s.ruledOutBy(orders); w != nil {
		again, err := s.echo(w.failure)
		if err != nil {
			return nil, err
		}
		if failure, err := s.repeat(again, orders); failure != nil || err != nil {
			return failure, err
		}
	}
	return s.try(ctx, orders)
}

// mostAccesses is how long an execution of a small program may be. With weaker orders
// than anybody has thought of, a loop may see what is old again and again: then the
// answer is not known to hold in every execution.
const mostAccesses = 500

// exhaust executes every program of the bound in every way.
func (s *search) exhaust(ctx context.Context, subject ref.Subject) (*fuzz.Failure, error) {
	for _, bound := range s.Bound {
		all, err := programs.All(subject, bound)
		if err != nil {
			return nil, err
		}
		if failure, err := s.exhaustAll(ctx, subject, all, false); failure != nil || err != nil {
			return failure, err
		}
	}
	if s.Clients == 0 {
		return nil, nil
	}
	all, err := programs.Clients(subject, programs.Bounds{}, s.Clients)
	if err != nil {
		return nil, err
	}
	return s.exhaustAll(ctx, subject, all, true)
}

func (s *search) exhaustAll(ctx context.Context, subject ref.Subject, all []model.Program, clients bool) (*fuzz.Failure, error) {
	if clients { // which are not made with load buffering
		subject = subject.Unbuffered()
	}
	r, err := (&exhaust.Search{Subject: subject, Programs: all, Jobs: s.Jobs, Accesses: mostAccesses, Clients: clients}).Run(ctx)
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case r.Failure != nil:
		return r.Failure, nil
	}
	s.answer.Exhausted = s.answer.Exhausted && r.Complete && r.Unasked == 0
	if !clients {
		s.answer.Programs += len(all)
		s.answer.Executions += r.Executions
	}
	return nil, nil
}
