package fences

import (
	"context"
	"slices"

	"stealproof/fuzz"
	"stealproof/fuzz/choice"
	"stealproof/ref"
)

// search is one call of Run.
type search struct {
	*Search
	sites  []Site
	wrong  []wrongOrders
	random *choice.Random
	answer *Answer
	tried  int
}

// wrongOrders is a choice, one order per site, with a counterexample.
type wrongOrders struct {
	orders  []ref.Order
	failure *fuzz.Failure
}

// raises is in how many ways a counterexample is raised.
const raises = 8

func (s *search) run(ctx context.Context) error {
	s.answer = &Answer{Design: s.Subject.Design(), Sites: s.sites, Bound: s.Bound, Clients: s.Clients, Published: Orders{}}
	for i, site := range s.sites {
		s.answer.Published[site.Site] = site.Given
		s.answer.PublishedCost += orderCost(s.sites[i].Kind, site.Given)
	}
	for {
		orders, cost := s.cheapest()
		if orders == nil {
			s.answer.Failure, s.answer.Tried = s.ruledOutBy(s.strongest()).failure, s.tried
			return nil
		}
		if s.Progress != nil {
			s.Progress(s.tried, cost)
		}
		failure, err := s.try(ctx, orders)
		if err != nil {
			return err
		}
		if failure == nil {
			s.answer.Sufficient, s.answer.Cost = s.named(orders), cost
			s.answer.Tried = s.tried
			return s.necessity(ctx, orders)
		}
		if err := s.exclude(ctx, orders, failure); err != nil {
			return err
		}
	}
}

func (s *search) strongest() []ref.Order {
	orders := make([]ref.Order, len(s.sites))
	for i, site := range s.sites {
		orders[i] = site.Levels[len(site.Levels)-1]
	}
	return orders
}

func (s *search) named(orders []ref.Order) Orders {
	m := Orders{}
	for i, o := range orders {
		m[s.sites[i].Site] = o
	}
	return m
}

// exclude raises a wrong choice, site by site in some order, as long as its
// counterexample can be made again. What does not matter to one order of the
// sites may matter to another.
func (s *search) exclude(ctx context.Context, orders []ref.Order, failure *fuzz.Failure) error {
	again, err := s.echo(failure)
	if err != nil {
		return err
	}
	for range raises {
		w := wrongOrders{slices.Clone(orders), failure}
		for _, i := range s.random.Order(len(s.sites)) {
			if err := s.raise(&w, i, again); err != nil {
				return err
			}
		}
		if s.ruledOutBy(w.orders) == nil {
			s.wrong = append(s.wrong, w)
		}
	}
	return ctx.Err()
}

// raise gives one site the strongest order with which the choice stays wrong.
func (s *search) raise(w *wrongOrders, i int, again *recorded) error {
	was := w.orders[i]
	for k := len(s.sites[i].Levels) - 1; k >= 0; k-- {
		o := s.sites[i].Levels[k]
		if o == was || !atMost(was, o) {
			continue
		}
		w.orders[i] = o
		failure, err := s.repeat(again, w.orders)
		if err != nil {
			return err
		}
		if failure != nil {
			w.failure = failure
			return nil
		}
	}
	w.orders[i] = was
	return nil
}
