package monitor

// A value is certainly inside at a stamp t if its put returned before t and
// its removal was called after t. An empty needs a stamp of its interval at
// which no value is certainly inside.

// uncovered goes through the stamps at which nothing is certainly inside, gap by
// gap, both ends included.
type uncovered struct {
	*ledger
	next      int // in puts
	reach     uint64
	low, high uint64
}

func (g *uncovered) advance() {
	for ; g.next < len(g.puts); g.next++ {
		word := g.puts[g.next]
		from, to := g.Stamp(word), g.items[g.Index(word)].Out
		if from >= to {
			continue
		}
		if from >= g.reach {
			g.low, g.high, g.reach = g.reach, from, to
			g.next++
			return
		}
		g.reach = max(g.reach, to)
	}
	g.low, g.high = g.reach, g.Far()
}

// placeEmpties turns the words of the empties into words of the earliest
// stamp that each can have, which keeps their order. It returns the first
// empty that has none.
func (l *ledger) placeEmpties() (covered uint32, ok bool) {
	if len(l.empties) == 0 {
		return 0, true
	}
	l.deferTied()
	l.Sort(l.empties)
	g := uncovered{ledger: l}
	g.advance()
	for k, word := range l.empties {
		from, op := l.Stamp(word), l.Index(word)
		for g.high < from && g.high < l.Far() {
			l.patience.Step(1)
			g.advance()
		}
		at := max(from, g.low)
		if (at > from || l.ties != nil) && at > l.Of(l.ops[op].Return) {
			return op, false
		}
		l.empties[k] = l.Pack(at, op)
	}
	return 0, true
}

// deferTied moves an empty that follows a put of its process at the same
// stamp: if the value stays beyond the stamp, it is inside there already.
func (l *ledger) deferTied() {
	if l.ties == nil {
		return
	}
	inside := tiedInside{ledger: l, known: make([]uint8, len(l.ops))}
	for k, word := range l.empties {
		if inside.is(l.Index(word)) {
			l.empties[k] = l.Pack(l.Stamp(word)+1, l.Index(word))
		}
	}
}

// tiedInside answers for one operation after the other whether insideByTie finds
// a value. What it says of an operation holds of all that follow it at the same
// stamp, so it goes back over each only once.
type tiedInside struct {
	*ledger
	known []uint8 // by operation: 0 if it is not known yet, else 1 for no and 2 for yes
	asked []uint32
}

func (t *tiedInside) is(op uint32) bool {
	t.asked = t.asked[:0]
	answer := uint8(0)
	for answer == 0 {
		if answer = t.known[op]; answer != 0 {
			break
		}
		t.patience.Step(1)
		t.asked = append(t.asked, op)
		before := t.ties[op]
		switch {
		case before == absent:
			answer = 1
		case t.stays(before, t.Of(t.ops[op].Call)):
			answer = 2
		case t.ops[before].Call != t.ops[op].Call:
			answer = 1
		}
		op = before
	}
	for _, op := range t.asked {
		t.known[op] = answer
	}
	return answer == 2
}

// stays says whether an operation put a value in that stays beyond a stamp.
func (l *ledger) stays(op uint32, stamp uint64) bool {
	n := l.itemOf[op]
	return n != absent && l.items[n].Put == op && l.items[n].Out > stamp
}

// insideByTie finds a value that the process of an empty put in just before,
// at the stamp of its call, and that stays longer than that.
func (l *ledger) insideByTie(op uint32) uint32 {
	if l.ties == nil {
		return absent
	}
	stamp := l.Of(l.ops[op].Call)
	for q := l.ties[op]; q != absent && l.Of(l.ops[q].Return) == stamp && !l.patience.Step(1); q = l.ties[q] {
		if l.stays(q, stamp) {
			return l.itemOf[q]
		}
	}
	return absent
}

// covering returns the fewest values that together cover the whole interval
// of an empty.
func (l *ledger) covering(op uint32) []uint32 {
	var chosen []uint32
	best, reach, next := uint32(absent), uint64(0), 0
	at, last := l.Of(l.ops[op].Call), l.Of(l.ops[op].Return)
	if n := l.insideByTie(op); n != absent {
		chosen = append(chosen, n)
		at++
	}
	for at <= last {
		for ; next < len(l.puts) && l.Stamp(l.puts[next]) < at; next++ {
			if n := l.Index(l.puts[next]); l.items[n].Out > reach {
				best, reach = n, l.items[n].Out
			}
		}
		if reach <= at {
			break
		}
		chosen = append(chosen, best)
		at = reach
	}
	return chosen
}
