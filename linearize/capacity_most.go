package linearize

import "sort"

// mostInside answers how many values may have been inside at most at any time
// between two stamps.
type mostInside struct {
	l *ledger
	// at are the stamps of calls of puts, count how many values may be inside
	// there, and best[k] the most in rows of 2^k of them.
	at    []uint64
	count []uint64
	best  [][]uint64
	gone  []uint64
}

// newMostInside takes words of the calls of puts and the returns of removals.
func newMostInside(l *ledger, calls, gone []uint64) *mostInside {
	m := &mostInside{l: l, gone: gone}
	left := 0
	for k, word := range calls {
		at := l.stamp(word)
		for left < len(gone) && l.stamp(gone[left]) < at {
			left++
		}
		m.at, m.count = append(m.at, at), append(m.count, uint64(k+1-left))
	}
	m.best = [][]uint64{m.count}
	for size := 1; 2*size <= len(m.count); size *= 2 {
		last := m.best[len(m.best)-1]
		next := make([]uint64, len(m.count)-2*size+1)
		for k := range next {
			next[k] = max(last[k], last[k+size])
		}
		m.best = append(m.best, next)
	}
	return m
}

func (m *mostInside) during(call, ret uint64) uint64 {
	from := sort.Search(len(m.at), func(k int) bool { return m.at[k] > call })
	to := sort.Search(len(m.at), func(k int) bool { return m.at[k] > ret })
	left := sort.Search(len(m.gone), func(k int) bool { return m.l.stamp(m.gone[k]) >= call })
	most := uint64(from - left)
	if from < to {
		k := 0
		for 2<<k <= to-from {
			k++
		}
		most = max(most, m.best[k][from], m.best[k][to-1<<k])
	}
	return most
}
