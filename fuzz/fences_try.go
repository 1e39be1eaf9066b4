package fuzz

import (
	"context"
	"fmt"

	"stealproof/model"
	"stealproof/ref"
)

// try looks for a counterexample to a choice of orders: at random, with more
// and more runs, and if it is to be the answer, in every execution of the bound.
func (s *fenceSearch) try(orders []ref.Order, thorough bool) (*Failure, error) {
	s.tried++
	c := &Campaign{Spec: s.spec(orders), Memory: s.Memory, Shape: s.Shape, Schedule: model.Schedule{Strategy: DefaultStrategy}, Seed: 1, Jobs: s.Jobs}
	runs := []int{s.Runs / 16}
	if thorough {
		runs = []int{s.Runs / 16, s.Runs}
	}
	for _, c.Runs = range runs {
		r, err := c.Run(s.ctx)
		if err != nil {
			return nil, err
		}
		if r.Failure != nil {
			return r.Failure, nil
		}
		if s.ctx.Err() != nil {
			return nil, context.Cause(s.ctx)
		}
	}
	if !thorough {
		return nil, nil
	}
	return s.exhaust(c.Spec)
}

// necessity finds, for each site of the answer, what happens if it is weaker.
func (s *fenceSearch) necessity(orders []ref.Order) error {
	for i, site := range s.sites {
		for k := len(site.Levels) - 1; k >= 0; k-- {
			o := site.Levels[k]
			if !atMost(o, orders[i]) || o == orders[i] {
				continue
			}
			failure, err := s.whyNot(orders, i, o)
			if err != nil {
				return err
			}
			if failure == nil {
				continue // nobody needs it to be as strong; a cheaper choice would have been found
			}
			small, err := s.small(failure)
			if err != nil {
				return err
			}
			small.Case.Note = fmt.Sprintf("%s of %s: %s does not suffice, %s does", site.Kind, s.config.Design.Sites[site.Site], o, orders[i])
			s.answer.Needed = append(s.answer.Needed, NeededOrder{Site: site.Site, Weaker: o, Case: small.Case, Why: small.Finding})
			break
		}
	}
	return nil
}

// small is the smallest counterexample, with a note of what it is one to.
func (s *fenceSearch) small(failure *Failure) (*Failure, error) {
	shrunk, err := (&Shrink{Case: failure.Case}).Run(s.ctx)
	if err != nil {
		return nil, err
	}
	return shrunk.Failure, nil
}

func (s *fenceSearch) whyNot(orders []ref.Order, i int, weaker ref.Order) (*Failure, error) {
	was := orders[i]
	orders[i] = weaker
	defer func() { orders[i] = was }()
	return s.try(orders, true)
}

// exhaust executes every program of the bound in every way.
func (s *fenceSearch) exhaust(spec model.Spec) (*Failure, error) {
	s.answer.Programs, s.answer.Executions = 0, 0
	s.answer.Exhausted = len(s.Bound) > 0
	for _, bound := range s.Bound {
		programs, err := AllPrograms(s.config, bound)
		if err != nil {
			return nil, err
		}
		setup, err := ref.PrepareOn(s.Memory, spec, programs[0])
		if err != nil {
			return nil, err
		}
		r, err := (&Exhaust{Setup: setup, Programs: programs, Jobs: s.Jobs}).Run(s.ctx)
		switch {
		case err != nil:
			return nil, err
		case s.ctx.Err() != nil:
			return nil, context.Cause(s.ctx)
		case r.Failure != nil:
			return r.Failure, nil
		}
		s.answer.Exhausted = s.answer.Exhausted && r.Complete
		s.answer.Programs += len(programs)
		s.answer.Executions += r.Executions
	}
	return nil, nil
}
