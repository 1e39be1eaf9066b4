package search

import "math/bits"

// restarting are the tactics for shared ranges: where the search is stuck it does
// not try all that is possible near a dead end, which may be much. It goes some
// steps back, tries the same in another order, and prefers what it often came too
// late for. What is known to lead nowhere stays known meanwhile, which is said of a
// state only when all that may come next, in one and the same order, led nowhere.
type restarting struct {
	shared *sharedRange
	tries  int // since it was stuck
	orders uint64
}

const rangeGrace = 400

// deeper goes back to the usual order where the trouble lies behind.
func (t *restarting) deeper(p *progress) {
	depth := len(p.steps)
	if depth <= p.deepest || t.tries > 0 && depth < p.deepest+behindTrouble {
		return
	}
	p.deepest = depth
	p.grace = rangeGrace
	if t.tries > 0 {
		t.tries = 0
		t.orders++
		t.shared.usualOrder()
		p.beginAnew()
	}
}

// stuck takes steps back, mostly few, and goes on in another order.
func (t *restarting) stuck(p *progress) (keep int) {
	t.tries++
	t.orders++
	t.shared.anotherOrder(t.orders)
	back := 16 << min(bits.TrailingZeros64(scramble(t.orders)), 20)
	p.grace = rangeGrace*luby(t.tries) + back
	return max(1, p.deepest-back)
}

func (t *restarting) exact() bool { return true }

// luby is the sequence 1 1 2 1 1 2 4 1 1 2 ..., which wastes little whatever the
// right length of a try is.
func luby(n int) int {
	for {
		k := bits.Len(uint(n))
		if n == 1<<k-1 {
			return 1 << (k - 1)
		}
		n -= 1<<(k-1) - 1
	}
}
