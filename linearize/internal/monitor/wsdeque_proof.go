package monitor

import (
	"cmp"
	"fmt"
	"slices"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// prove makes a violation of the operations on some values, and further ones.
// As with ledger.violation, steals that never came back might have taken what
// is missing: on all values that were preferred to these together with the
// steals in question, assign decides as it did.
func (d *deque) prove(kind, text string, values []uint32, further ...uint32) *finding.Finding {
	values = d.withRivals(values)
	set := slices.Clone(further)
	for _, n := range values {
		set = append(set, d.own[d.items[n].pushed-1])
		if out := d.items[n].out; out != absent {
			set = append(set, out)
		}
	}
	if d.ties != nil && slices.ContainsFunc(values, func(n uint32) bool { return d.isTakenByLost(n) }) {
		for _, word := range d.lost {
			set = append(set, d.Index(word))
		}
	}
	if d.last != absent { // see proveBoth
		o := found(kind, text)
		for _, op := range set {
			o.Violation.Ops = append(o.Violation.Ops, int(op))
		}
		return o
	}
	out := confirm(d.history, kind, text, set, d.ties == nil || len(d.lost) == 0)
	return &out
}

func (d *deque) withRivals(values []uint32) []uint32 {
	var taken []uint32
	most, concerned := 0, make([]bool, len(d.items))
	for _, n := range values {
		concerned[n] = true
	}
	for n := range d.items {
		lost := d.isTakenByLost(uint32(n))
		if lost {
			taken = append(taken, uint32(n))
		}
		if concerned[n] && (lost || d.items[n].out == absent) {
			most = len(taken)
		}
	}
	values = append(slices.Clone(values), taken[:most]...)
	slices.Sort(values)
	return slices.Compact(values)
}

func (d *deque) isTakenByLost(n uint32) bool {
	out := d.items[n].out
	return out != absent && d.ops[out].Result == model.Unknown && d.ops[out].Op == model.Steal
}

// proveBoth joins what refutes the two things that the owner's last pop, which
// never came back, may have done.
func (d *deque) proveBoth(without, with finding.Finding) finding.Finding {
	set := []uint32{d.last}
	for _, op := range slices.Concat(without.Violation.Ops, with.Violation.Ops) {
		set = append(set, uint32(op))
	}
	n := len(d.items) - 1
	for d.popped(n) {
		n--
	}
	set = append(set, d.own[d.items[n].pushed-1])
	if out := d.items[n].out; out != absent {
		set = append(set, out)
	}
	certain := d.ties == nil || len(d.lost) == 0
	return confirm(d.history, without.Violation.Kind, without.Violation.Explanation, set, certain)
}

// explain puts a clash of the merge into words.
func (d *deque) explain(c *clash) finding.Finding {
	if c.empty != absent {
		return *d.neverVacant(c)
	}
	var values []uint32
	for _, j := range c.steals {
		values = append(values, d.itemOfSteal(j))
	}
	last := values[len(values)-1]
	switch {
	case c.needed != none && d.ops[d.own[c.needed]].Op == model.Push:
		inside := d.stackBefore(c.needed)
		done := 0
		for done < len(d.at) && d.at[done] <= uint32(c.needed) {
			done++
		}
		return *d.crowded(inside[done:done+int(d.history.Params.Capacity)], d.itemPushedBy(c.needed))
	case c.needed != none:
		return *d.prove(finding.FalseEmpty, fmt.Sprintf("pop found nothing, although %d was still inside", d.value(last)), values, d.own[c.needed])
	case c.kind == finding.TooEarly:
		return *d.prove(finding.TooEarly, fmt.Sprintf("%d came out before it was put in", d.value(last)), values[1:])
	}
	return *d.prove(finding.Order, fmt.Sprintf("%d was stolen after %d, although it was pushed before", d.value(values[0]), d.value(last)), values)
}

func (d *deque) crowded(inside []uint32, next uint32) *finding.Finding {
	text := fmt.Sprintf("%d values were inside at once, and there is room for %d", len(inside)+1, d.history.Params.Capacity)
	return d.prove(finding.Overfull, text, append([]uint32{next}, inside...))
}

func (d *deque) itemOfSteal(j int) uint32 {
	return uint32(slices.IndexFunc(d.items, func(it dequeItem) bool { return it.out == d.steals[j] }))
}

func (d *deque) itemPushedBy(i int) uint32 {
	n, _ := slices.BinarySearchFunc(d.items, uint32(i)+1, func(it dequeItem, pushed uint32) int { return cmp.Compare(it.pushed, pushed) })
	return uint32(n)
}

// stackBefore is the owner's stack before one of its operations.
func (d *deque) stackBefore(i int) []uint32 {
	var stack []uint32
	for n := range d.items {
		if d.items[n].pushed > uint32(i) {
			break
		}
		stack = append(stack, uint32(n))
	}
	gone := map[uint32]bool{}
	for _, op := range d.own[:i] {
		if d.ops[op].TakesOut() {
			gone[d.taken(op)] = true
		}
	}
	return slices.DeleteFunc(stack, func(n uint32) bool { return gone[n] })
}

// blocking is what a value says about the places of an empty steal: it cannot
// be at any from 'from' to 'to'.
type blocking struct {
	from, to int
	item     uint32
}

// neverVacant finds the fewest values that together block every place of an
// empty steal. A popped value blocks the places between its push and its pop;
// a stolen one those from its push to its steal's least place by real time,
// and, if the steal precedes or follows the empty one, all before or after.
// The least places that the chain adds are those of an older value, which
// blocks no less.
func (d *deque) neverVacant(c *clash) *finding.Finding {
	all := d.blockings(c.empty)
	slices.SortFunc(all, func(a, b blocking) int { return cmp.Compare(a.from, b.from) })
	var values []uint32
	next, best := 0, blocking{to: -1}
	for at := c.from; at <= c.to; at = best.to + 1 {
		for ; next < len(all) && all[next].from <= at; next++ {
			if all[next].to > best.to {
				best = all[next]
			}
		}
		if best.to < at {
			break // the proof will not be confirmed
		}
		values = append(values, best.item)
	}
	text := fmt.Sprintf("steal found nothing, and all the time at least one of %d values was inside", len(values))
	if len(values) == 1 {
		text = fmt.Sprintf("steal found nothing, and %d was inside all the time", d.value(values[0]))
	}
	return d.prove(finding.FalseEmpty, text, values, c.empty)
}

func (d *deque) blockings(empty uint32) []blocking {
	place := make([]int, len(d.ops)) // of the owner's operations
	for i, op := range d.own {
		place[op] = i
	}
	e := &d.ops[empty]
	var all []blocking
	var w window
	for n := range d.items {
		it := &d.items[n]
		b := blocking{from: int(it.pushed), to: len(d.own), item: uint32(n)}
		if it.out != absent {
			out := &d.ops[it.out]
			if out.Op == model.Pop {
				b.to = place[it.out]
			} else {
				d.look(it.out, d.Of(out.Call), d.Of(out.Return), &w)
				b.to = w.from - 1
				same := out.Process == e.Process
				if out.Precedes(e) || same && timing.ComesFirst(d.ops, it.out, empty) {
					b.from, b.to = 0, max(b.to, int(it.pushed)-1)
				} else if e.Precedes(out) || same {
					b.to = len(d.own)
				}
			}
		}
		if b.from <= b.to {
			all = append(all, b)
		}
	}
	return all
}
