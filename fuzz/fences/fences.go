// Package fences finds the cheapest orders of accesses and fences that suffice on a
// weak memory, and what happens with less.
package fences

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"stealproof/fuzz"
	"stealproof/fuzz/choice"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// Search finds out which orders and fences a structure needs on a weak
// memory: the cheapest that suffice, and for each of them a counterexample if it
// is any weaker.
//
// Orders are monotone: what a choice of orders allows, every weaker choice
// allows. So a choice with a counterexample rules out all below it. Each
// counterexample is made again with stronger orders, site by site, as long as
// it stays one, in several ways, so that it rules out as much as it can. What is
// tried next is always the cheapest choice that nothing rules out yet, and the
// first to which no counterexample is found is the answer.
type Search struct {
	Subject ref.Subject
	// Also are further settings of the structure for which the orders must
	// suffice, as those of smaller arrays.
	Also []model.Spec
	// FencesOnly leaves the orders of accesses as they are.
	FencesOnly bool
	// KeepStrong leaves accesses at least relaxed that are not weak as they are: of what
	// a compiler is still to read, it may merge and move weak accesses.
	KeepStrong bool
	// Shape is the size of the random programs.
	Shape programs.Shape
	// Runs is the number of random executions that a choice must pass.
	Runs int
	// Bound is the size up to which every program is then executed in every way;
	// none if it is empty.
	Bound []programs.Bounds
	// Clients is up to how many calls the orders must suffice for all clients, too,
	// whatever order these give their operations by signals; 0 for none.
	Clients int
	Jobs    int
	// Progress is told what is being tried, and Shrinking, at the end, which
	// counterexample is made small.
	Progress  func(tried, cost int)
	Shrinking func(which, of int)
}

// Orders gives sites orders.
type Orders map[int]ref.Order

// Answer is the answer.
type Answer struct {
	Design *ref.Design
	Sites  []Site
	// Sufficient are the cheapest orders without a counterexample.
	Sufficient Orders
	Cost       int
	// Published are the orders of the structure itself, and what they cost.
	Published     Orders
	PublishedCost int
	// Needed has a counterexample for each site that is not as weak as it could
	// be: what happens if it is one step weaker.
	Needed []Needed
	Tried  int
	// Exhausted says that the answer holds in every execution of Bound, which has so
	// many programs, and of all clients of up to so many calls.
	Exhausted  bool
	Bound      []programs.Bounds
	Clients    int
	Programs   int
	Executions int
	// Failure is a counterexample to the strongest choice: none suffices.
	Failure *fuzz.Failure
}

// Needed is an order that cannot be weaker.
type Needed struct {
	Site   int
	Weaker ref.Order
	Case   model.Case
	Why    fuzz.Finding
}

// Site is an access whose order can be chosen.
type Site struct {
	Site   int
	Kind   ref.AccessKind
	Given  ref.Order
	Levels []ref.Order // from the cheapest
}

// orderCost is what an order is worth to whoever must pay for it: a fence that
// all wait for most, an access that needs no more than its own bytes nothing.
// Only the order of these costs matters much.
func orderCost(kind ref.AccessKind, o ref.Order) int {
	if kind == ref.Fence {
		return map[ref.Order]int{ref.Weak: 0, ref.AcqRel: 10, ref.SC: 24}[o]
	}
	return map[ref.Order]int{ref.Weak: 0, ref.Relaxed: 1, ref.Acquire: 4, ref.Release: 4, ref.AcqRel: 7, ref.SC: 28}[o]
}

// atMost says whether an order allows all that another one allows.
func atMost(a, b ref.Order) bool {
	return a == b || a < b && !(a == ref.Acquire && b == ref.Release)
}

// sitesMade finds the accesses that random programs of the shape make.
func sitesMade(subject ref.Subject, shape programs.Shape) (map[int]*Site, error) {
	found := map[int]*Site{}
	for seed := range uint64(100) {
		setup, err := subject.Prepare(programs.New(subject, shape, choice.NewRandom(seed)))
		if err != nil {
			return nil, err
		}
		sim := ref.NewSim(setup)
		sim.Tracing, sim.Limit = true, 10000
		w := &schedule.Walk{}
		w.Begin(seed)
		e := sim.Run(w)
		for i := range e.Trace {
			ev := &e.Trace[i]
			if int(ev.Access.Site) >= len(subject.Design().Sites) {
				continue // nobody has a name for it
			}
			if s := found[int(ev.Access.Site)]; s == nil || s.Kind == ref.Fence {
				found[int(ev.Access.Site)] = &Site{Site: int(ev.Access.Site), Kind: ev.Kind, Given: ev.Access.Order}
			}
		}
		sim.Close()
	}
	return found, nil
}

// fenceSites finds the accesses whose order can be chosen. An access may become
// as strong as it is, or acquire and release; a fence as strong as it is.
func (f *Search) fenceSites() ([]Site, error) {
	found := map[int]*Site{}
	for _, spec := range f.specs() {
		subject, err := f.sequential(spec)
		if err != nil {
			return nil, err
		}
		made, err := sitesMade(subject, f.Shape)
		if err != nil {
			return nil, err
		}
		maps.Copy(found, made)
	}
	var sites []Site
	for _, s := range found {
		if f.FencesOnly && s.Kind != ref.Fence {
			continue
		}
		most := s.Given
		if s.Kind != ref.Fence {
			most = max(most, ref.AcqRel)
		}
		for _, o := range ordersOf[s.Kind] {
			half := s.Kind == ref.Fence && (o == ref.Acquire || o == ref.Release) // costs as much as both
			kept := f.KeepStrong && s.Kind != ref.Fence && o == ref.Weak && s.Given != ref.Weak
			if o <= most && !half && !kept {
				s.Levels = append(s.Levels, o)
			}
		}
		if len(s.Levels) > 1 {
			sites = append(sites, *s)
		}
	}
	slices.SortFunc(sites, func(a, b Site) int { return a.Site - b.Site })
	return sites, nil
}

// specs are all that the orders must suffice for.
func (f *Search) specs() []model.Spec { return append([]model.Spec{f.Subject.Spec()}, f.Also...) }

// sequential is one of the specs on a sequentially consistent memory.
func (f *Search) sequential(spec model.Spec) (ref.Subject, error) {
	s, err := f.Subject.With(spec)
	if err != nil {
		return s, err
	}
	return s.On(model.Spec{})
}

// Run searches. An error is one of the input or the end of the context.
func (f *Search) Run(ctx context.Context) (*Answer, error) {
	spec := f.Subject.Spec()
	for _, also := range f.Also {
		if also.Structure != spec.Structure || also.Settings["orders"] != spec.Settings["orders"] {
			return nil, fmt.Errorf("%s is asked for with %s: expected the same structure and orders, with other settings", also, spec)
		}
		if _, err := f.Subject.With(also); err != nil {
			return nil, err
		}
	}
	s := &search{Search: f, random: choice.NewRandom(1)}
	var err error
	if s.sites, err = f.fenceSites(); err != nil {
		return nil, err
	}
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	return s.answer, nil
}

// with is one of the specs with a choice of orders.
func (s *search) with(base model.Spec, orders []ref.Order) (ref.Subject, error) {
	return s.Subject.With(WithOrders(base, s.Subject.Design(), s.sites, s.named(orders)))
}

// WithOrders is a structure some of whose sites have other orders than it gives
// them. Orders that the spec itself gives to other sites stay.
func WithOrders(spec model.Spec, d *ref.Design, sites []Site, orders Orders) model.Spec {
	var changed []string
	replaced := map[string]bool{}
	for _, s := range sites {
		if o := orders[s.Site]; o != s.Given {
			slug := d.SiteSlug(s.Site)
			replaced[slug] = true
			changed = append(changed, slug+"."+o.String())
		}
	}
	var items []string
	for item := range strings.SplitSeq(spec.Settings["orders"], "+") {
		if slug, _, _ := strings.Cut(item, "."); item != "" && !replaced[slug] {
			items = append(items, item)
		}
	}
	items = append(items, changed...)
	with := model.Spec{Structure: spec.Structure, Settings: model.Settings{}}
	for k, v := range spec.Settings {
		with.Settings[k] = v
	}
	if len(items) > 0 {
		with.Settings["orders"] = strings.Join(items, "+")
	}
	return with
}
