package monitor

import (
	"cmp"
	"fmt"
	"slices"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/search"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// ledger is a history of puts and removals of distinct values, arranged for
// the monitors of fifo and bag.
type ledger struct {
	timing.Clock
	patience *timing.Patience
	ops      []model.Operation
	history  *model.History
	listing  bool // the order is written down
	items    []search.Item
	// Words of stamp and index:
	puts    []uint64 // return of the put, item; not of items that stay out
	takes   []uint64 // return of the removal, item
	empties []uint64 // call, operation
	free    []uint64 // call, operation
	lost    []uint64 // call, lost removal
	unseen  []uint32 // puts that never came back, of what never came out
	ties    timing.Ties
	itemOf  []uint32 // by operation; only if there are ties
}

// newLedger fails with an outcome if the history contradicts itself, or is
// none for a monitor.
func newLedger(q *question) (*ledger, *finding.Finding) {
	h, look, s := timing.Fitted(q.h, q.look)
	l := &ledger{
		Clock:    s,
		patience: q.patience,
		ops:      h.Ops,
		history:  h,
		items:    make([]search.Item, 0, look.Puts),
		puts:     make([]uint64, 0, look.Puts),
		takes:    make([]uint64, 0, look.Takes),
		empties:  make([]uint64, 0, look.Empties),
		ties:     timing.FindTies(h.Ops, look),
	}
	if l.listing = q.wantOrder || l.ties != nil || h.Params.Capacity > 0 || h.Kind == model.Bag; l.listing {
		l.free = make([]uint64, 0, look.Free)
	}
	if l.ties != nil {
		l.itemOf = make([]uint32, len(h.Ops))
		for i := range l.itemOf {
			l.itemOf[i] = absent
		}
	}
	values := timing.NewNumbering(look.Puts, look.Low, look.High)
	bad := l.enter(values)
	if bad == nil {
		bad = l.leave(values)
	}
	if bad != nil {
		return nil, bad
	}
	l.settle()
	return l, nil
}

// enter makes an item of every put.
func (l *ledger) enter(values *timing.Numbering) *finding.Finding {
	for i := range l.ops {
		o := &l.ops[i]
		if !o.PutsIn() {
			continue
		}
		if values.Add(o.Value, uint32(len(l.items))) != absent {
			o := finding.Undecided(fmt.Sprintf("the monitor needs distinct values, and %d is put in twice", o.Value))
			return &o
		}
		l.note(uint32(i), uint32(len(l.items)))
		l.puts = append(l.puts, l.Pack(l.Of(o.Return), uint32(len(l.items))))
		l.items = append(l.items, search.Item{Call: l.Of(o.Call), Out: l.Far(), Put: uint32(i), Take: absent})
	}
	return nil
}

// leave gives every removal its item, and sorts the rest by what it claims.
func (l *ledger) leave(values *timing.Numbering) *finding.Finding {
	for i := range l.ops {
		o, op := &l.ops[i], uint32(i)
		switch {
		case o.Op.Puts():
			if o.Result == model.Full && l.listing {
				l.free = append(l.free, l.Pack(l.Of(o.Call), op))
			}
		case o.Result == model.OK:
			if bad := l.remove(values.Of(o.Value), op); bad != nil {
				return bad
			}
		case o.Result == model.Empty:
			l.empties = append(l.empties, l.Pack(l.Of(o.Call), op))
		case o.Result == model.Abort:
			if l.listing {
				l.free = append(l.free, l.Pack(l.Of(o.Call), op))
			}
		default:
			l.lost = append(l.lost, l.Pack(l.Of(o.Call), op))
		}
	}
	return nil
}

func (l *ledger) remove(number, op uint32) *finding.Finding {
	o := &l.ops[op]
	if number == absent {
		return ofOneValue(l.history, finding.Invented, o.Value, "came out and was never put in")
	}
	it := &l.items[number]
	if it.Take != absent {
		return ofOneValue(l.history, finding.Duplicate, o.Value, "was put in once and came out more than once")
	}
	ret := l.Of(o.Return)
	it.Take, it.Out = op, l.Of(o.Call)
	l.note(op, number)
	l.takes = append(l.takes, l.Pack(ret, number))
	if ret < it.Call || l.ties != nil && ret == it.Call && l.sameProcess(op, it.Put) && timing.ComesFirst(l.ops, op, it.Put) {
		return ofOneValue(l.history, finding.TooEarly, o.Value, "came out before it was put in")
	}
	return nil
}

func (l *ledger) sameProcess(a, b uint32) bool { return l.ops[a].Process == l.ops[b].Process }

func (l *ledger) note(op, number uint32) {
	if l.itemOf != nil {
		l.itemOf[op] = number
	}
}

// settle decides what the operations that never came back did. A put whose
// value never came out did nothing: without it the rest is no less legal.
// A removal took a value that is missing otherwise; see assign.
func (l *ledger) settle() {
	kept := l.puts[:0]
	for _, word := range l.puts {
		it := &l.items[l.Index(word)]
		if it.Take == absent && l.ops[it.Put].Result == model.Unknown {
			l.note(it.Put, absent)
			l.unseen = append(l.unseen, it.Put)
			it.Put = absent
			continue
		}
		kept = append(kept, word)
	}
	l.puts = kept
	l.Sort(l.puts)
	if l.ties != nil && len(l.lost) > 0 {
		l.sortTiedPuts()
	}
	l.assign()
	l.Sort(l.takes)
}

// sortTiedPuts brings puts that returned at the same stamp into the order of
// their calls, which is that of their process if they have one in common.
func (l *ledger) sortTiedPuts() {
	slices.SortStableFunc(l.puts, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(l.Stamp(a), l.Stamp(b)),
			cmp.Compare(l.items[l.Index(a)].Call, l.items[l.Index(b)].Call))
	})
}

// assign lets the removals that never came back take the values that never
// came out: the one called first takes the value whose put returned first, and
// so on.
//
// Nothing is lost by that. A value covers the time from the return of its put
// to the call of its removal, and constrains whatever was put in after it
// returned. Take any legal choice of values and removals. To swap two removals
// that are matched crosswise shrinks what the two cover together and brings
// the more urgent removal forward; to take a value whose put returned earlier
// instead of a later one frees more; and what is left in at the end harms
// nobody less by being taken at the end.
func (l *ledger) assign() {
	l.Sort(l.lost)
	next := 0
	for _, word := range l.puts {
		if next == len(l.lost) {
			return
		}
		number := l.Index(word)
		it := &l.items[number]
		if it.Take != absent {
			continue
		}
		it.Out, it.Take = l.Stamp(l.lost[next]), l.Index(l.lost[next])
		l.note(it.Take, number)
		l.takes = append(l.takes, l.Pack(l.Ever, number))
		next++
	}
}
