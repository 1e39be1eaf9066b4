package monitor

import (
	"fmt"
	"slices"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// wsdequeMonitor decides histories of a work-stealing deque with distinct
// values. See chains for the merge of the owner's operations and the steals.
//
// The order of the steals is that of the pushes of what they took: of two
// values that are both stolen, the one pushed first is stolen first, since
// while it is inside the other is not at the top, and it is not pushed later.
//
// The owner's operations alone must be those of a stack that keeps whatever is
// never popped. When v is popped while w is above it in that stack, w is
// popped later, stolen or never removed: in each case it was inside above v,
// as no steal takes w while v is inside. Conversely, if the owner's operations
// are those of that stack and no value is stolen that was pushed above one
// which is never removed, then in any merge each steal finds its value at the
// top, each pop at the bottom: what is below v in the stack when v is popped
// does not matter, and what was below a stolen value was stolen before.
//
// An owner that finds nothing needs the steals of all that is on the stack; if
// anything there is not stolen, that is a violation. A declared capacity needs
// as many steals before a push as there are values too many on the stack. Full
// and abort claim nothing.
//
// Of operations that never came back, a push whose value is not stolen did
// nothing. The steals take what is never removed, the oldest value by the
// steal called first: the steals happen in that order, so if two were matched
// crosswise, swapping them makes the earlier value's steal possible earlier
// and the later one's no less possible. Any more stolen at the end harms
// nothing. The owner's pop, its last operation, can only take what is on top
// in the end, or nothing: both are tried.
func wsdequeMonitor(q *question) finding.Finding {
	d, bad := newDeque(q)
	if bad != nil {
		return *bad
	}
	if q.patience.Over() {
		return finding.Undecided("interrupted")
	}
	if !d.lastIsUnknownPop() {
		return d.decide()
	}
	with := d.withLastPop()
	d.dropLastOwn()
	without := d.decide()
	if without.Verdict == model.Linearizable || with == nil {
		return without
	}
	took := with.decide()
	if took.Verdict != model.Violation || without.Verdict != model.Violation {
		return took
	}
	return d.proveBoth(without, took)
}

// deque is a history of a wsdeque, arranged for chains.
type deque struct {
	*chains
	items  []dequeItem       // in the order of the pushes
	values *timing.Numbering // numbers of the items
	// last is the owner's pop that never came back, or absent; lastItem is what
	// it took, if anything.
	last, lastItem uint32
}

// dequeItem is a value: how many operations of the owner include its push, and
// what removed it.
type dequeItem struct {
	pushed uint32
	out    uint32
}

func newDeque(q *question) (*deque, *finding.Finding) {
	d := &deque{chains: newChains(q, q.wantOrder), last: absent, lastItem: absent}
	bad := d.enter()
	if bad == nil {
		bad = d.leave()
	}
	if bad != nil {
		return nil, bad
	}
	if n := len(d.own); n > 0 {
		o := &d.ops[d.own[n-1]]
		if o.Result == model.Unknown && o.Op == model.Push && d.items[len(d.items)-1].out == absent {
			d.items = d.items[:len(d.items)-1]
			d.dropLastOwn()
		}
	}
	d.assign()
	return d, nil
}

func (d *deque) enter() *finding.Finding {
	d.values = timing.NewNumbering(d.survey.Puts, d.survey.Low, d.survey.High)
	d.items = make([]dequeItem, 0, d.survey.Puts)
	for i, op := range d.own {
		o := &d.ops[op]
		if !o.PutsIn() {
			continue
		}
		if d.values.Add(o.Value, uint32(len(d.items))) != absent {
			bad := finding.Undecided(fmt.Sprintf("the monitor needs distinct values, and %d is put in twice", o.Value))
			return &bad
		}
		d.items = append(d.items, dequeItem{uint32(i) + 1, absent})
	}
	return nil
}

func (d *deque) leave() *finding.Finding {
	for _, op := range d.own {
		if d.ops[op].TakesOut() {
			if bad := d.remove(op); bad != nil {
				return bad
			}
		}
	}
	for _, op := range d.thefts {
		if bad := d.remove(op); bad != nil {
			return bad
		}
	}
	return nil
}

func (d *deque) remove(op uint32) *finding.Finding {
	value := d.ops[op].Value
	n := d.values.Of(value)
	if n == absent {
		return ofOneValue(d.history, finding.Invented, value, "came out and was never put in")
	}
	if d.items[n].out != absent {
		return ofOneValue(d.history, finding.Duplicate, value, "was put in once and came out more than once")
	}
	d.items[n].out = op
	return nil
}

// assign lets the steals that never came back take what is missing.
func (d *deque) assign() {
	next := 0
	for n := range d.items {
		if next == len(d.lost) {
			return
		}
		if d.items[n].out == absent {
			d.items[n].out = d.Index(d.lost[next])
			next++
		}
	}
}

func (d *deque) lastIsUnknownPop() bool {
	if len(d.own) == 0 {
		return false
	}
	o := &d.ops[d.own[len(d.own)-1]]
	return o.Op == model.Pop && o.Result == model.Unknown
}

// withLastPop is the deque if the owner's last pop took what it could: the
// last value that is not popped, unless that one is known to be stolen.
func (d *deque) withLastPop() *deque {
	n := len(d.items) - 1
	for n >= 0 && d.popped(n) {
		n--
	}
	if n < 0 || d.items[n].out != absent && d.ops[d.items[n].out].Result != model.Unknown {
		return nil
	}
	d.last = d.own[len(d.own)-1]
	p, c := *d, *d.chains
	p.chains = &c
	c.empties = slices.Clone(d.empties) // solve overwrites them
	p.items = slices.Clone(d.items)
	p.items[n].out, p.lastItem = d.last, uint32(n)
	return &p
}

// taken is the item that a pop took.
func (d *deque) taken(pop uint32) uint32 {
	if pop == d.last {
		return d.lastItem
	}
	return d.values.Of(d.ops[pop].Value)
}

func (d *deque) popped(n int) bool {
	out := d.items[n].out
	return out != absent && d.ops[out].Op == model.Pop
}
