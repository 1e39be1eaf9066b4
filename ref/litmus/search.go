package litmus

import (
	"context"
	"slices"

	"stealproof/ref/axioms"
)

// search goes through the executions of a combination of paths: first what each
// read reads from, then the order of sc fences, then the order of writes. It
// checks the axioms after each choice, since what they forbid stays forbidden.
type search struct {
	*combination
	ctx     context.Context // of the one call that it is made for, asked at every choice
	options *Options
	values  values
	source  []int // of each event that is a read; none if not chosen yet
	// gathered says that it is chosen who meets whom at barriers with quorums.
	gathered bool
	yield    func(*Execution) bool
	stopped  bool
	// anything lets executions through that the axioms forbid, so that the one
	// may be shown that comes nearest to what was asked for.
	anything bool
}

func (c *combination) search(ctx context.Context, o *Options, yield func(*Execution) bool) *search {
	s := &search{combination: c, ctx: ctx, options: o, yield: yield, values: newValues(c)}
	s.source = make([]int, len(c.graph.Events))
	for i := range s.source {
		s.source[i] = none
	}
	return s
}

// next is what remains of a search after an execution was seen.
type next uint8

const (
	goOn      next = iota
	otherRead      // other orders of the same reads would tell nothing new
	stop
)

func (s *search) run() bool {
	s.gathered = !slices.ContainsFunc(s.barriers, func(at int) bool { return s.details[at].instruction.counted })
	if s.refresh() {
		s.choose(0)
	}
	return !s.stopped
}

// refresh computes the values that are known now, and says whether the choices
// so far are possible.
func (s *search) refresh() bool {
	if !s.values.compute(s.source) {
		return false
	}
	if s.options.deciding && !s.test.mayDecide(s.values.register) {
		return false
	}
	s.values.meet()
	s.x.Update()
	return s.possible()
}

func (s *search) possible() bool { return s.anything || s.x.Allowed() }

// choose goes on with the reads from number i on, or with the barriers as soon
// as it is known which they are.
func (s *search) choose(i int) next {
	if s.ctx.Err() != nil {
		s.stopped = true
		return stop
	}
	if !s.gathered {
		if comers, known := s.values.comers(); known {
			return s.gather(i, comers)
		}
	}
	if i == len(s.reads) {
		return s.finish()
	}
	return s.read(i)
}

// gather chooses who meets whom at the barriers with quorums.
func (s *search) gather(i int, comers [][]comer) next {
	s.gathered = true
	defer func() {
		s.gathered = false
		s.values.gather(nil)
	}()
	saved := s.values.save()
	for _, r := range s.values.roundsOf(comers) {
		s.values.gather(&r)
		if s.refresh() && s.choose(i) == stop {
			return stop
		}
		s.values.restore(saved)
	}
	return goOn
}

// read chooses what read number i reads from.
func (s *search) read(i int) next {
	r := s.reads[i]
	saved := s.values.save()
	for _, w := range s.sources(r, s.anything) {
		s.source[r] = w
		s.graph.RF = append(s.graph.RF, axioms.Pair{From: w, To: r})
		if s.refresh() && s.choose(i+1) == stop {
			return stop
		}
		s.graph.RF = s.graph.RF[:len(s.graph.RF)-1]
		s.source[r] = none
		s.values.restore(saved)
	}
	return goOn
}

// finish has all reads; with values in a circle there is nothing to see.
func (s *search) finish() next {
	if !s.gathered || !s.values.complete() && !(s.anything && s.values.circle(s.source)) {
		return goOn
	}
	if s.options.deciding && !s.test.mayDecide(s.values.register) {
		return goOn
	}
	s.x.Update()
	return s.orderFences()
}

// orderFences chooses the order of the first two sc fences that need one.
func (s *search) orderFences() next {
	for i := range s.graph.Events {
		for j := range i {
			if s.x.MustOrderFences(j, i) && !s.fencesOrdered(i, j) {
				return s.eitherWay(&s.graph.FenceOrder, i, j, s.x.Update, s.orderFences)
			}
		}
	}
	return s.orderWrites()
}

func (s *search) fencesOrdered(i, j int) bool {
	return slices.Contains(s.graph.FenceOrder, axioms.Pair{From: i, To: j}) || slices.Contains(s.graph.FenceOrder, axioms.Pair{From: j, To: i})
}

// orderWrites chooses the order of the first two writes that need one.
func (s *search) orderWrites() next {
	co := s.x.CO()
	if s.anything {
		co = s.x.ChosenCO()
	}
	for i := range s.graph.Events {
		for j := range i {
			if s.mustOrder(j, i) && !co.Has(i, j) && !co.Has(j, i) {
				return s.eitherWay(&s.graph.CO, j, i, s.x.Order, s.orderWrites)
			}
		}
	}
	return s.emit()
}

// mustOrder: where anything goes every order of writes is tried, so that what
// comes last is chosen too.
func (s *search) mustOrder(i, j int) bool {
	a, b := &s.graph.Events[i], &s.graph.Events[j]
	return s.x.MustOrder(i, j) || s.anything && a.Kind == axioms.Write && b.Kind == axioms.Write && a.Location == b.Location
}

func (s *search) eitherWay(order *[]axioms.Pair, i, j int, update func(), rest func() next) next {
	if s.ctx.Err() != nil {
		s.stopped = true
		return stop
	}
	for _, p := range [2]axioms.Pair{{From: i, To: j}, {From: j, To: i}} {
		*order = append(*order, p)
		update()
		n := goOn
		if s.possible() {
			n = rest()
		}
		*order = (*order)[:len(*order)-1]
		if n != goOn {
			return n
		}
	}
	update()
	return goOn
}

func (s *search) emit() next {
	e := &Execution{Test: s.test, Graph: s.graph, Instructions: s.instructions, Waiting: s.values.waiting(), registers: s.values.registers(), relations: s.x, forbidden: s.anything}
	if !s.yield(e) {
		s.stopped = true
		return stop
	}
	if s.options.oncePerReads {
		return otherRead
	}
	return goOn
}
