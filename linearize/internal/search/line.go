package search

import "iter"

// line has the operations of one kind that may come next once they are called: those
// that wait for nothing by call, and behind them those that waited for others, which
// have happened, in no order. What waits is in no line, so nobody has to pass it over
// again and again.
type line struct {
	past       *past
	first, now *ring
}

// newLine takes two rings.
func (p *past) newLine(n *links, words []uint64, waits func(op uint32) bool) *line {
	free := words[:0]
	for _, word := range words {
		if !waits(p.Index(word)) {
			free = append(free, word)
		}
	}
	return &line{p, n.ring(&p.Clock, free), n.ring(&p.Clock, nil)}
}

// called are those that were called by a time.
func (l *line) called(limit uint64) iter.Seq[uint32] {
	return func(yield func(op uint32) bool) {
		for op := l.first.head(); op != absent && l.past.Of(l.past.ops[op].Call) <= limit; op = l.first.after(op) {
			if !yield(op) {
				return
			}
		}
		for op := l.now.head(); op != absent; op = l.now.after(op) {
			if l.past.Of(l.past.ops[op].Call) <= limit && !yield(op) {
				return
			}
		}
	}
}

// next is the first that was called by a time, absent if none was.
func (l *line) next(limit uint64) uint32 {
	for op := range l.called(limit) {
		return op
	}
	return absent
}

// isOpen says of one of its operations that has not happened whether it waits for nothing.
func (l *line) isOpen(op uint32) bool { return l.first.next[op] != absent }

func (l *line) open(op uint32)    { l.now.open(op) }
func (l *line) shut(op uint32)    { l.now.shut(op) }
func (l *line) remove(op uint32)  { l.first.remove(op) }
func (l *line) putBack(op uint32) { l.first.putBack(op) }
