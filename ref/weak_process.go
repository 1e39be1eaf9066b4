package ref

import (
	"fmt"
	"slices"

	"stealproof/ref/axioms"
	"stealproof/ref/internal/weak"
)

// The accesses of a process on a weak memory.

func (p *process) weakLoad(l Location, a Access) uint64 {
	a = p.fenced(p.ordered(Load, l, a), Acquire)
	p.access(request{Kind: Load, Location: l, Access: a})
	p.asks(weak.Read, l, a)
	v, _ := p.perform()
	p.done(v, v)
	p.mixed(l, a)
	p.undefined()
	return v
}

func (p *process) weakStore(l Location, v uint64, a Access) {
	p.makeStore(l, v, p.fenced(p.ordered(Store, l, a), Release))
}

// ordered is an access with the order that the spec gives it, which must be one that it
// can have: not every site says what is done there.
func (p *process) ordered(k AccessKind, l Location, a Access) Access {
	a = p.sim.setup.Config.ordered(a)
	if !a.Order.Fits(k) {
		refuseOrderAt("orders="+p.sim.setup.Config.Design.SiteSlug(int(a.Site))+"."+a.Order.String(), p.sim.setup.Space, k, l, a)
	}
	return a
}

// makeStore makes a store whose order is settled.
func (p *process) makeStore(l Location, v uint64, a Access) {
	p.access(request{Kind: Store, Location: l, Access: a})
	p.asks(weak.Write, l, a).Value = v
	p.perform()
	before := p.sim.words[l]
	_, p.sim.words[l] = p.sim.weak.Newest(uint32(l))
	p.done(before, v)
	p.mixed(l, a)
	p.undefined()
}

// weakAtomic reads, and writes what stores says of it.
func (p *process) weakAtomic(e request, stores func(uint64) (uint64, bool)) uint64 {
	e.Access = p.fenced(p.ordered(e.Kind, e.Location, e.Access), AcqRel)
	e.Access.Order = max(e.Access.Order, Relaxed) // an atomic is never weak
	p.access(e)
	p.asks(weak.Atomic, e.Location, e.Access).Stores = stores
	v, after := p.perform()
	_, p.sim.words[e.Location] = p.sim.weak.Newest(uint32(e.Location))
	p.done(v, after)
	p.mixed(e.Location, e.Access)
	p.undefined()
	return v
}

// fenced makes the fence that compilers put before an access of order sc, where
// the memory has no such access, and returns what remains of it.
func (p *process) fenced(a Access, rest Order) Access {
	if a.Order == SC && p.sim.weak.Splits() {
		p.weakFence(a)
		a.Order = rest
	}
	return a
}

func (p *process) weakFence(a Access) {
	m := p.sim.weak
	if a.Order != SC || !m.Orders() {
		m.Make(p.asks(weak.Fence, 0, a), 0)
		if p.sim.Tracing {
			p.traceFence(a)
		}
		return
	}
	p.access(request{Kind: Fence, Access: a})
	p.asks(weak.Fence, 0, a)
	k := p.choose(m.Choices(&p.asked))
	p.upcoming.Overtaken = m.Overtaken(k)
	m.Make(&p.asked, k)
	p.began()
	p.done(0, 0)
}

// asks is what the process asks of the memory.
func (p *process) asks(kind weak.Kind, l Location, a Access) *weak.Access {
	p.asked = p.asking(kind, l, a)
	return &p.asked
}

func (p *process) asking(kind weak.Kind, l Location, a Access) weak.Access {
	if a.Order == Weak && p.sim.setup.atomic {
		a.Order = Relaxed
	}
	return weak.Access{Kind: kind, Thread: p.id, Location: uint32(l), Order: axioms.Order(a.Order), Scope: uint8(a.Scope), Site: a.Site, Step: p.sim.view.Step}
}

// perform makes the access that is asked for, as the scheduler picks.
func (p *process) perform() (read, written uint64) {
	m := p.sim.weak
	if s := p.sim; s.Foresees != nil && p.asked.Kind != weak.Write {
		p.asked.From, p.asked.Foreseen = s.Foresees(&s.view)
	}
	k := p.choose(m.Choices(&p.asked))
	p.notice(k)
	read, written = m.Make(&p.asked, k)
	p.race()
	p.began()
	return read, written
}

// race notes which accesses the one that was just made races with.
func (p *process) race() {
	s := p.sim
	if !s.Races && !s.setup.faulty {
		return
	}
	s.weak.Races(func(step int) {
		s.result.Races = append(s.result.Races, Race{step, s.view.Step})
	})
}

// partRead is a load of a part of a word.
type partRead struct {
	step int
	site uint8
}

// mixed faults if the access that was just made, and one that nothing orders before it,
// are of two sizes: then the axioms of PTX do not apply ("mixed-size data-races").
func (p *process) mixed(l Location, a Access) {
	s := p.sim
	if !a.Part && len(s.parts) == 0 {
		return
	}
	part, with := partRead{s.view.Step, a.Site}, 0
	s.weak.Races(func(step int) {
		switch i := slices.IndexFunc(s.parts, func(r partRead) bool { return r.step == step }); {
		case a.Part:
			with = step
		case i >= 0:
			part, with = s.parts[i], s.view.Step
		}
	})
	if a.Part {
		s.parts = append(s.parts, part)
	}
	if with > 0 {
		panic(&Fault{Msg: fmt.Sprintf("%s needs a part of %s only, and nothing orders it and the write of step %d: a mixed-size data race, of which the memory model of PTX says nothing; load the whole word",
			s.setup.Config.Design.Sites[part.site], s.setup.Space.Name(l), with)})
	}
}

// undefined ends the execution if the access that was just made races with another one,
// where that is a fault.
func (p *process) undefined() {
	s := p.sim
	n := len(s.result.Races)
	if !s.setup.faulty || n == 0 {
		return
	}
	e := &p.upcoming
	panic(&Fault{Msg: fmt.Sprintf("data race: the %s of %s by %s (step %d) and the access of step %d, one of which is not atomic, and nothing orders them",
		e.Kind, s.setup.Space.Name(e.Location), s.setup.ThreadName(p.id), e.Step, s.result.Races[n-1].Earlier)})
}

// choose lets the scheduler choose between so many outcomes, if there are several.
func (p *process) choose(outcomes int) int {
	s := p.sim
	if outcomes == 1 && !s.AlwaysPick {
		return 0
	}
	if !s.AlwaysPick && s.view.Repeats(p.id) > s.Patience/2 {
		return 0 // a write is seen some time: nobody reads old ones for ever
	}
	k := s.scheduler.Pick(&s.view, outcomes)
	if k == Stop {
		s.result.Ending = Cut
		s.turn = nobody
		p.park() // for good: whoever collects the execution ends it
	}
	if k < 0 || k >= outcomes {
		panic(badChoice("ref: the scheduler picked an outcome that there is not"))
	}
	s.result.choices[len(s.result.choices)-1].Pick = uint16(k)
	return k
}

// notice says in the event which write was read, and what was overtaken.
func (p *process) notice(k int) {
	m, e := p.sim.weak, &p.upcoming
	e.Source, e.Missed, e.Overtaken = 0, 0, m.Overtaken(k)
	if source := m.Source(k); source >= 0 {
		e.Source = source
		if newest, _ := m.Newest(uint32(e.Location)); newest != source {
			e.Missed = newest
		}
	}
}
