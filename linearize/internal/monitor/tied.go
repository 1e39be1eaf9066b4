package monitor

import "stealproof/model"

// tiedClaims says of every operation which ones of its process stand before it at the
// very stamp of its call: the nearest that claims anything, and the nearest put and the
// nearest removal of a value unless something was found empty in between. With these
// nobody has to go back over all that a process did at one stamp, again and again.
type tiedClaims struct {
	claim, put, take []uint32 // absent if there is none
	empty            []uint32 // what found it empty and stands behind no other
}

// tiedClaims is for a ledger with ties, of which everything is entered.
func (l *ledger) tiedClaims() *tiedClaims {
	n := len(l.ops)
	t := &tiedClaims{claim: make([]uint32, n), put: make([]uint32, n), take: make([]uint32, n), empty: make([]uint32, n)}
	known := make([]bool, n)
	var row []uint32
	for first := range n {
		row = row[:0]
		for op := uint32(first); op != absent && !known[op]; op = l.ties[op] {
			known[op] = true
			row = append(row, op)
		}
		for k := len(row) - 1; k >= 0; k-- {
			t.follow(l, row[k])
		}
	}
	return t
}

// follow finds what stands before an operation from what stands before the one before.
func (t *tiedClaims) follow(l *ledger, op uint32) {
	t.claim[op], t.put[op], t.take[op], t.empty[op] = absent, absent, absent, absent
	before := l.ties[op]
	if before == absent {
		return
	}
	if l.ops[before].Call == l.ops[op].Call {
		t.claim[op], t.put[op], t.take[op], t.empty[op] = t.claim[before], t.put[before], t.take[before], t.empty[before]
	}
	switch n := l.itemOf[before]; {
	case l.ops[before].Result == model.Empty:
		t.claim[op], t.put[op], t.take[op], t.empty[op] = before, absent, absent, before
	case n == absent:
	case l.items[n].Put == before:
		t.claim[op], t.put[op] = before, before
	default:
		t.claim[op], t.take[op] = before, before
	}
}
