package ref

// The accesses of a process on a weak memory.

func (p *process) weakLoad(l Location, a Access) uint64 {
	a = p.fenced(p.sim.setup.Config.ordered(a), Acquire)
	p.access(request{Kind: Load, Location: l, Access: a})
	m := p.sim.weak
	at := p.attempt(l, a)
	at.reads = true
	o := p.pick(&at)
	p.notice(&at, o)
	v := m.read(&at, o.source)
	p.race(&at, false)
	p.began()
	p.done(v, v)
	return v
}

// race notes which accesses the one that was just made races with.
func (p *process) race(a *attempt, writes bool) {
	s := p.sim
	if !s.Races {
		return
	}
	s.weak.racing(a, writes, func(step int) {
		s.result.Races = append(s.result.Races, Race{step, a.step})
	})
}

func (p *process) weakStore(l Location, v uint64, a Access) {
	p.makeStore(l, v, p.fenced(p.sim.setup.Config.ordered(a), Release))
}

// makeStore makes a store whose order is settled.
func (p *process) makeStore(l Location, v uint64, a Access) {
	p.access(request{Kind: Store, Location: l, Access: a})
	m := p.sim.weak
	at := p.attempt(l, a)
	o := p.pick(&at)
	p.notice(&at, o)
	m.event(p.id)
	m.write(&at, o, v, p.sim.view.Step)
	p.race(&at, true)
	p.began()
	before := p.sim.words[l]
	p.sim.words[l] = at.location.writes[at.location.newest()].value
	p.done(before, v)
}

// weakAtomic reads, and writes what stores says of it.
func (p *process) weakAtomic(e request, stores func(uint64) (uint64, bool)) uint64 {
	e.Access = p.fenced(p.sim.setup.Config.ordered(e.Access), AcqRel)
	e.Access.Order = max(e.Access.Order, Relaxed) // an atomic is never weak
	p.access(e)
	m := p.sim.weak
	at := p.attempt(e.Location, e.Access)
	at.reads, at.atomic, at.stores = true, true, stores
	o := p.pick(&at)
	p.notice(&at, o)
	v := m.read(&at, o.source)
	after, writes := stores(v)
	if writes {
		m.write(&at, o, after, p.sim.view.Step)
		p.sim.words[e.Location] = at.location.writes[at.location.newest()].value
	} else {
		after = v
	}
	p.race(&at, writes)
	p.began()
	p.done(v, after)
	return v
}

// fenced makes the fence that compilers put before an access of order sc, which
// the model does not have, and returns what remains of the access.
func (p *process) fenced(a Access, rest Order) Access {
	if a.Order == SC {
		p.weakFence(a)
		a.Order = rest
	}
	return a
}

func (p *process) weakFence(a Access) {
	m := p.sim.weak
	if a.Order != SC {
		m.fence(p.id, a, 0, 0)
		if p.sim.Tracing {
			p.traceFence(a)
		}
		return
	}
	p.access(request{Kind: Fence, Access: a})
	o := p.choose(m.fencePlaces(p.id, a))
	p.upcoming.Overtaken = m.overtakenFence(o)
	m.fence(p.id, a, int(o.above), p.sim.view.Step)
	p.began()
	p.done(0, 0)
}

func (p *process) attempt(l Location, a Access) attempt {
	return attempt{location: p.sim.weak.location(l), at: l, by: actor{int32(p.id), a.Order, a.Scope}, step: p.sim.view.Step}
}

// pick lets the scheduler choose between the outcomes, if there are several.
func (p *process) pick(a *attempt) outcome {
	p.sim.weak.picking = a.location
	return p.choose(p.sim.weak.choices(a))
}

func (p *process) choose(outcomes []outcome) outcome {
	s := p.sim
	if len(outcomes) == 1 && !s.AlwaysPick {
		return outcomes[0]
	}
	if !s.AlwaysPick && s.view.Repeats(p.id) > s.Patience/2 {
		return outcomes[0] // a write is seen some time: nobody reads old ones for ever
	}
	k := s.scheduler.Pick(&s.view, len(outcomes))
	if k == Stop {
		s.result.Ending = Cut
		s.turn = nobody
		p.park() // for good: whoever collects the execution ends it
	}
	if k < 0 || k >= len(outcomes) {
		panic(badChoice("ref: the scheduler picked an outcome that there is not"))
	}
	s.result.choices[len(s.result.choices)-1].Pick = uint16(k)
	return outcomes[k]
}

// notice says in the event which write was read, and what was overtaken.
func (p *process) notice(a *attempt, o outcome) {
	l, e := a.location, &p.upcoming
	e.Source, e.Missed, e.Overtaken = 0, 0, l.overtaken(o)
	if a.reads {
		e.Source = l.writes[o.source].step
		if n := l.newest(); n != o.source {
			e.Missed = l.writes[n].step
		}
	}
}

// overtaken is the step of the first write that the write of an outcome precedes
// though it was there before, 0 if there is none.
func (l *weakLocation) overtaken(o outcome) int {
	for _, x := range l.order {
		if o.above>>x&1 != 0 {
			return l.writes[x].step
		}
	}
	return 0
}

// overtakenFence is the same for the place of an sc fence.
func (m *weakMemory) overtakenFence(o outcome) int {
	if o.above == 0 {
		return 0
	}
	return m.sc[len(m.sc)-int(o.above)].step
}
