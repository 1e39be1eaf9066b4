package monitor

import (
	"slices"
	"sort"
)

// placeTies is what the order of a process says beyond the times, where one of
// its operations returned at the very stamp at which the next was called.
type placeTies struct {
	calls, returns []uint64 // stamps of those of all puts, in order
	// By operation: how many puts follow a full so, and by item: the latest call
	// of a full that the put follows so, and the earliest return of one that
	// follows the removal.
	putsAfter  map[uint32]int
	fullBefore []uint64
	fullAfter  []uint64
	takes      map[uint32][]uint32 // by operation: items whose removals a full follows so
}

func newPlaceTies(p *places) *placeTies {
	n := len(p.items)
	t := &placeTies{putsAfter: map[uint32]int{}, takes: map[uint32][]uint32{}, fullBefore: make([]uint64, n), fullAfter: make([]uint64, n)}
	for i := range n {
		put, _ := p.spansOf(uint32(i))
		t.calls, t.returns = append(t.calls, put.low), append(t.returns, put.high)
		t.fullAfter[i] = p.Far()
		p.touching(p.putOf(uint32(i)), func(op uint32) bool {
			if p.claim(op) == findsFull {
				t.putsAfter[op]++
				t.fullBefore[i] = max(t.fullBefore[i], p.Of(p.ops[op].Call))
			}
			return true
		})
	}
	for _, word := range p.fulls {
		full := p.Index(word)
		p.touching(full, func(op uint32) bool {
			if p.claim(op) == takesValue {
				n := p.item[op]
				t.takes[full] = append(t.takes[full], n)
				t.fullAfter[n] = min(t.fullAfter[n], p.Of(p.ops[full].Return))
			}
			return true
		})
	}
	slices.Sort(t.calls)
	slices.Sort(t.returns)
	return t
}

// touching goes back over what the process did before an operation, and had
// done at the very stamp of its call, while it is wanted.
func (b *boundedState) touching(op uint32, visit func(op uint32) bool) {
	stamp := b.ops[op].Call
	for before := b.tied[op]; before != absent && b.ops[before].Return == stamp && visit(before); {
		before = b.tied[before]
	}
}

// mostIn is how many values may have gone in at most when something was full.
func (p *places) mostIn(full uint32, ret uint64) int {
	most := p.firstPlace(func(r int) bool { return p.putAt[r].low > ret })
	if p.ties == nil {
		return most
	}
	called := sort.Search(len(p.ties.calls), func(k int) bool { return p.ties.calls[k] > ret })
	most = min(most, called-p.ties.putsAfter[full])
	for _, n := range p.ties.takes[full] {
		p.notBehind(n, most-p.room-1) // it had come out
	}
	return most
}

// heedTies looks at pairs of operations of one process that touch.
func (p *places) heedTies() {
	if p.ties == nil {
		return
	}
	for i := range p.items {
		n := uint32(i)
		if !p.mustGoIn(n) {
			continue
		}
		p.touching(p.putOf(n), func(op uint32) bool { return p.follows(n, op) })
		if p.named(n) {
			p.touching(p.items[n].take, func(op uint32) bool { return p.removedAfter(n, op) })
		}
	}
}

// follows heeds that a value went in after something was put in or taken out.
func (p *places) follows(n, op uint32) (goOn bool) {
	before := p.item[op]
	if before == absent {
		return true
	}
	p.notBefore(n, int(p.first[before])+1)
	p.notBehind(before, int(p.last[n])-1)
	return false
}

// removedAfter heeds that a value came out after something was put in or taken
// out. What was put in is less places behind it than there is room, and so is
// all that had returned.
func (p *places) removedAfter(n, op uint32) (goOn bool) {
	before := p.item[op]
	switch {
	case before == absent:
		return true
	case before == n:
		return false
	case !p.ops[op].Op.Puts():
		p.notBefore(n, int(p.first[before])+1)
		p.notBehind(before, int(p.last[n])-1)
		return false
	}
	p.raise(&p.take[n], p.put[before].low)
	p.lower(&p.put[before], p.take[n].high)
	p.notBehind(before, int(p.last[n])+p.room-1)
	call := p.Of(p.ops[p.items[n].take].Call)
	returned := sort.Search(len(p.ties.returns), func(k int) bool { return p.ties.returns[k] >= call })
	p.notBefore(n, max(int(p.first[before])-p.room+1, returned+p.putsInARow(op)-p.room))
	return false
}

// putsInARow counts a put, and those that its process had made at the same stamp.
func (p *places) putsInARow(put uint32) int {
	count := 1
	if p.ops[put].Call == p.ops[put].Return {
		p.touching(put, func(op uint32) bool {
			if p.item[op] == absent || !p.ops[op].Op.Puts() {
				return false
			}
			count++
			return true
		})
	}
	return count
}
