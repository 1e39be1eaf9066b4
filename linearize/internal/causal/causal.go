// Package causal decides small histories in which a precedence takes the place of the
// times.
package causal

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// Check decides a small history in which a precedence takes the place of
// the times: whether there is an order of its operations, all of them completed,
// that keeps to the precedence and explains every result.
//
// Precedence need not be an interval order, which is all that porcupine knows,
// and with that the objects are no longer independent of one another (the proof
// of locality needs intervals). So this is a search of its own, for all objects
// together: depth first, a process's operations in their order, remembering from
// which states it has failed.
func Check(h *model.History, before model.Precedence) bool {
	return newCausal(h, before).decide()
}

type causal struct {
	history *model.History
	before  model.Precedence
	process [][]int // operations of each process, in order
	done    []int32 // of each process
	states  []model.State
	failed  map[string]bool
}

func newCausal(h *model.History, before model.Precedence) *causal {
	c := &causal{history: h, before: before}
	for i := range h.Ops {
		o := &h.Ops[i]
		for int(o.Process) >= len(c.process) {
			c.process = append(c.process, nil)
		}
		c.process[o.Process] = append(c.process[o.Process], i)
		for int(o.Object) >= len(c.states) {
			c.states = append(c.states, model.NewState(h.Kind, h.Params))
		}
	}
	c.done = make([]int32, len(c.process))
	return c
}

func (c *causal) decide() bool { return c.search(len(c.history.Ops)) }

func (c *causal) search(left int) bool {
	if left == 0 {
		return true
	}
	if c.failed != nil && c.failed[c.position()] {
		return false
	}
	for p, ops := range c.process {
		if int(c.done[p]) == len(ops) {
			continue
		}
		i := ops[c.done[p]]
		if !c.mayCome(i) {
			continue
		}
		o := &c.history.Ops[i]
		was := c.states[o.Object]
		next := was.Clone()
		if !next.Apply(o) {
			continue
		}
		c.states[o.Object] = next
		c.done[p]++
		if c.search(left - 1) {
			return true
		}
		c.done[p]--
		c.states[o.Object] = was
	}
	if c.failed == nil {
		c.failed = map[string]bool{}
	}
	c.failed[c.position()] = true
	return false
}

// mayCome says whether all that precedes an operation has happened.
func (c *causal) mayCome(i int) bool {
	for p, n := range c.before[i] {
		if p < len(c.done) && c.done[p] < n {
			return false
		}
	}
	return true
}

// position names what the rest of the search depends on.
func (c *causal) position() string {
	b := make([]byte, 0, 64)
	for _, n := range c.done {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, s := range c.states {
		b = append(b, s.String()...)
		b = append(b, ';')
	}
	return string(b)
}

// Explain makes a violation of a history that Check rejects. Its
// operations are rejected by themselves, and leaving out any value of theirs, or
// any removal that found nothing, mends it.
func Explain(h *model.History, before model.Precedence) finding.Violation {
	kept := make([]bool, len(h.Ops))
	for i := range kept {
		kept[i] = true
	}
	groups := causalGroups(h)
	if h.Params.Model != nil {
		groups = nil // who knows what depends on what
	}
	for _, group := range groups {
		for _, i := range group {
			kept[i] = false
		}
		if part, b := causalPart(h, before, kept); Check(part, b) {
			for _, i := range group {
				kept[i] = true
			}
		}
	}
	v := finding.Violation{}
	for i, k := range kept {
		if k {
			v.Ops = append(v.Ops, i)
		}
	}
	v.Kind, v.Explanation = causalReason(h, v.Ops)
	return v
}

// causalGroups are the operations that leave a history together: those of a
// value, whose absence nothing else depends on, and each one that came back
// empty-handed. Values that came out more often than they went in are last, so
// that they are what remains: what else is wrong then often follows from that.
func causalGroups(h *model.History) [][]int {
	var groups [][]int
	at := map[[2]uint64]int{}
	for i := range h.Ops {
		o := &h.Ops[i]
		if h.Kind == model.Range || o.Result != model.OK {
			if o.Result != model.OK { // of a range, the rest depends on every put
				groups = append(groups, []int{i})
			}
			continue
		}
		key := [2]uint64{uint64(o.Object), o.Value}
		g, known := at[key]
		if !known {
			g = len(groups)
			at[key] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	last := func(group []int) int {
		if outnumbers(h, group) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(groups, func(a, b []int) int { return last(a) - last(b) })
	return groups
}

// outnumbers says whether a value came out more often than it went in.
func outnumbers(h *model.History, group []int) bool {
	out := 0
	for _, i := range group {
		switch o := &h.Ops[i]; {
		case o.Result != model.OK:
		case o.TakesOut():
			out++
		case o.PutsIn():
			out--
		}
	}
	return out > 0
}

// causalPart is the history of the operations that are kept.
func causalPart(h *model.History, before model.Precedence, kept []bool) (*model.History, model.Precedence) {
	processes := 0
	for i := range h.Ops {
		processes = max(processes, int(h.Ops[i].Process)+1)
	}
	// left[p][n] of the first n operations of process p are kept
	left := make([][]int32, processes)
	for i := range h.Ops {
		p := h.Ops[i].Process
		if left[p] == nil {
			left[p] = []int32{0}
		}
		n := left[p][len(left[p])-1]
		if kept[i] {
			n++
		}
		left[p] = append(left[p], n)
	}
	part := *h
	part.Ops = nil
	var order model.Precedence
	for i := range h.Ops {
		if !kept[i] {
			continue
		}
		part.Ops = append(part.Ops, h.Ops[i])
		row := make([]int32, len(before[i]))
		for p, n := range before[i] {
			if p < len(left) && left[p] != nil {
				row[p] = left[p][n]
			}
		}
		order = append(order, row)
	}
	return &part, order
}

// causalReason names the kind of a violation and puts it into words.
func causalReason(h *model.History, ops []int) (kind, text string) {
	out := map[[2]uint64]int{}
	in := map[[2]uint64]int{}
	var phrases []string
	kind = finding.Order
	if h.Params.Model != nil {
		kind = finding.Other
	}
	for _, i := range ops {
		o := &h.Ops[i]
		phrases = append(phrases, fmt.Sprintf("%s by process %d", wording.Phrase(o), o.Process))
		key := [2]uint64{uint64(o.Object), o.Value}
		switch {
		case kind == finding.Other:
		case o.Result == model.Empty:
			kind = finding.FalseEmpty
		case o.Result == model.Full:
			kind = finding.FalseFull
		case o.TakesOut():
			out[key]++
		case o.PutsIn():
			in[key]++
		}
	}
	if h.Kind != model.Range && kind != finding.Other {
		for key, n := range out {
			switch {
			case in[key] == 0:
				kind = finding.Invented
			case n > in[key] && kind != finding.Invented:
				kind = finding.Duplicate
			}
		}
	}
	reason := map[string]string{
		finding.Duplicate:  "a value came out twice",
		finding.Invented:   "a value came out that was never put in",
		finding.FalseEmpty: "the object was found empty though, after all that happened before, it cannot have been",
		finding.FalseFull:  "the object was found full though, after all that happened before, it cannot have been",
		finding.Order:      "the values have no order that fits",
		finding.Other:      fmt.Sprintf("there is no order that the model %s allows", h.Params.Says(h.Kind)),
	}[kind]
	if len(ops) == 1 {
		return kind, fmt.Sprintf("%s: %s", reason, phrases[0])
	}
	return kind, fmt.Sprintf("%s: no order of these %d operations explains all results and keeps to what happened before what: %s", reason, len(ops), strings.Join(phrases, "; "))
}
