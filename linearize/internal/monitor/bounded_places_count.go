package monitor

// count gives the r-th put and the r-th removal the times that they have by
// their number alone.
func (p *places) count() {
	lows := func(at []span, words []uint64) {
		for r, word := range words {
			p.raise(&at[r], p.Stamp(word))
		}
	}
	highs := func(at []span, words []uint64) {
		for r, word := range words {
			p.lower(&at[r], p.Stamp(word))
		}
	}
	lows(p.putAt, p.ordered(func(n uint32) uint64 { return p.put[n].low }))
	highs(p.putAt, p.ordered(func(n uint32) uint64 { return p.put[n].high }))
	highs(p.takeAt, p.ordered(func(n uint32) uint64 { return p.take[n].high }))
	removals := p.words(p.only(takesWild), p.called)
	for n := range p.items {
		if p.named(uint32(n)) {
			removals = append(removals, p.Pack(p.take[n].low, 0))
		}
	}
	lows(p.takeAt, p.sorted(removals)[:min(len(removals), len(p.takeAt))])
	for r := len(removals); r < len(p.takeAt); r++ {
		p.raise(&p.takeAt[r], p.Far())
	}
}

// couple holds the times of neighbouring places, and of such as are as far
// apart as there is room, against one another.
func (p *places) couple() {
	n := len(p.putAt)
	for r := range n {
		if r > 0 {
			p.raise(&p.putAt[r], p.putAt[r-1].low)
			p.raise(&p.takeAt[r], p.takeAt[r-1].low)
		}
		if r >= p.room {
			p.raise(&p.putAt[r], p.takeAt[r-p.room].low)
		}
		p.raise(&p.takeAt[r], p.putAt[r].low)
	}
	for r := n - 1; r >= 0; r-- {
		if r+1 < n {
			p.lower(&p.putAt[r], p.putAt[r+1].high)
			p.lower(&p.takeAt[r], p.takeAt[r+1].high)
		}
		if r+p.room < n {
			p.lower(&p.takeAt[r], p.putAt[r+p.room].high)
		}
		p.lower(&p.putAt[r], p.takeAt[r].high)
	}
}

// heedFulls: at most so many had gone in, so not as many less the room had come
// out, and at least so many had come out, so as many and the room had gone in.
func (p *places) heedFulls() {
	for _, word := range p.fulls {
		full := p.Index(word)
		call, ret := p.Stamp(word), p.Of(p.ops[full].Return)
		most := p.mostIn(full, ret)
		least := p.firstPlace(func(r int) bool { return p.takeAt[r].high >= call })
		if most-p.room < least {
			p.possible = false
			return
		}
		if r := most - p.room; r < len(p.takeAt) {
			p.raise(&p.takeAt[r], call)
		}
		if r := least + p.room - 1; r < len(p.putAt) {
			p.lower(&p.putAt[r], ret)
		}
	}
}

// heedEmpties: at most so many had come out, so no more had gone in, and at
// least so many had gone in, so they had come out.
func (p *places) heedEmpties() {
	for _, word := range p.empties {
		call, ret := p.Stamp(word), p.Of(p.ops[p.Index(word)].Return)
		most := p.firstPlace(func(r int) bool { return p.takeAt[r].low > ret })
		least := p.firstPlace(func(r int) bool { return p.putAt[r].high >= call })
		if most < least {
			p.possible = false
			return
		}
		if most < len(p.putAt) {
			p.raise(&p.putAt[most], call)
		}
		if least > 0 {
			p.lower(&p.takeAt[least-1], ret)
		}
	}
}

// place finds the places that each value may have, and holds its times and
// theirs against one another.
func (p *places) place() {
	for i := range p.items {
		n := uint32(i)
		if !p.mustGoIn(n) {
			continue
		}
		put, take := &p.put[n], &p.take[n]
		p.notBefore(n, p.firstPlace(func(r int) bool { return p.putAt[r].high >= put.low && p.takeAt[r].high >= take.low }))
		p.notBehind(n, p.firstPlace(func(r int) bool { return p.putAt[r].low > put.high || p.takeAt[r].low > take.high })-1)
		if !p.possible {
			return
		}
		first, last := p.first[n], p.last[n]
		p.raise(put, p.putAt[first].low)
		p.lower(put, p.putAt[last].high)
		p.raise(&p.putAt[last], put.low)
		p.lower(&p.putAt[first], put.high)
		if p.named(n) {
			p.raise(take, p.takeAt[first].low)
			p.lower(take, p.takeAt[last].high)
			p.raise(&p.takeAt[last], take.low)
			p.lower(&p.takeAt[first], take.high)
		}
	}
}
