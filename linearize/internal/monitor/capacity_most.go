package monitor

import (
	"slices"
	"sort"
)

// mostInside answers how many values may have been inside at most at any time
// between two stamps.
type mostInside struct {
	l *ledger
	// calls are words of the calls of puts, and gone of the returns of removals.
	// count has of each call how many values may be inside there, and best[k] the
	// most in rows of 2^k blocks of them.
	calls, gone []uint64
	count       []uint32
	best        [][]uint32
}

// countBlock is how many counts are looked through one by one.
const countBlock = 64

// newMostInside takes the words in their order.
func newMostInside(l *ledger, calls, gone []uint64) *mostInside {
	m := &mostInside{l: l, calls: calls, gone: gone, count: make([]uint32, len(calls))}
	left := 0
	for k, word := range calls {
		for left < len(gone) && l.Stamp(gone[left]) < l.Stamp(word) {
			left++
		}
		m.count[k] = uint32(k + 1 - left)
	}
	var blocks []uint32
	for block := range slices.Chunk(m.count, countBlock) {
		blocks = append(blocks, slices.Max(block))
	}
	m.best = [][]uint32{blocks}
	for size := 1; 2*size <= len(blocks); size *= 2 {
		last := m.best[len(m.best)-1]
		next := make([]uint32, len(blocks)-2*size+1)
		for k := range next {
			next[k] = max(last[k], last[k+size])
		}
		m.best = append(m.best, next)
	}
	return m
}

func (m *mostInside) during(call, ret uint64) uint64 {
	from := sort.Search(len(m.calls), func(k int) bool { return m.l.Stamp(m.calls[k]) > call })
	to := sort.Search(len(m.calls), func(k int) bool { return m.l.Stamp(m.calls[k]) > ret })
	left := sort.Search(len(m.gone), func(k int) bool { return m.l.Stamp(m.gone[k]) >= call })
	return uint64(max(uint32(from-left), m.between(from, to)))
}

// between is the most from one call on and before another one.
func (m *mostInside) between(from, to int) uint32 {
	most := uint32(0)
	for ; from < to && from%countBlock != 0; from++ {
		most = max(most, m.count[from])
	}
	for ; from < to && to%countBlock != 0; to-- {
		most = max(most, m.count[to-1])
	}
	if from == to {
		return most
	}
	from, to = from/countBlock, to/countBlock
	k := 0
	for 2<<k <= to-from {
		k++
	}
	return max(most, m.best[k][from], m.best[k][to-1<<k])
}
