package monitor

import (
	"cmp"
	"slices"

	"stealproof/linearize/internal/finding"
	"stealproof/model"
)

// rangeClaim is why a history has no order, and the operations in question.
type rangeClaim struct {
	kind, text string
	ops        []uint32
	pushes     []uint32 // of the run in question, if one is
	at         []uint64 // indices in question, if some are
}

// prove makes a violation of a claim: of a few indices if that will do, and
// otherwise of all operations that belong to the same parts of the range; see
// clusters. Removals that never came back might have taken anything, so all of
// them belong to it.
func (r *rangeCase) prove(c rangeClaim) *finding.Finding {
	if w := r.witness(c); w != nil {
		return w
	}
	ops := slices.Concat(c.ops, c.pushes)
	groups := clusters(r.ops, nil)
	of := make([]int, len(r.ops))
	for g, group := range groups {
		for _, i := range group {
			of[i] = g + 1 // 0 has none
		}
	}
	wanted := make([]bool, len(groups)+1)
	for _, op := range ops {
		wanted[of[op]] = true
	}
	r.keepApart(of, wanted)
	set := slices.Concat(ops, r.lostOps)
	for g, group := range groups {
		if wanted[g+1] {
			for _, i := range group {
				set = append(set, uint32(i))
			}
		}
	}
	out := confirm(r.history, c.kind, c.text, set, len(r.lostOps) == 0)
	return &out
}

// keepApart wants more clusters where two runs of the same one would become a
// single run, for lack of a run between them.
func (r *rangeCase) keepApart(of []int, wanted []bool) {
	cluster := func(k int) int { return of[r.own[r.pushes[r.runs[k].first].own-1]] }
	for again := true; again && !r.patience.Step(len(r.runs)); {
		again = false
		last := -1
		for k := range r.runs {
			if !wanted[cluster(k)] {
				continue
			}
			if last >= 0 && last < k-1 && cluster(last) == cluster(k) {
				wanted[cluster(k-1)], again = true, true
			}
			last = k
		}
	}
}

// clusters groups the operations that name indices: pushes that adjoin, and
// removals with what they overlap or adjoin. At any time the range lies within
// one cluster, so without all operations of one a legal history stays legal.
func clusters(ops []model.Operation, among []int) [][]int {
	if among == nil {
		for i := range ops {
			among = append(among, i)
		}
	}
	var named []int
	for _, i := range among {
		if ops[i].PutsIn() || ops[i].TakesOut() {
			named = append(named, i)
		}
	}
	slices.SortFunc(named, func(i, j int) int { return cmp.Compare(ops[i].Value, ops[j].Value) })
	var groups [][]int
	reach := uint64(0)
	for k, i := range named {
		if k == 0 || ops[i].Value > reach {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], i)
		reach = max(reach, ops[i].To)
	}
	return groups
}

// runOps are the pushes of a run.
func (r *rangeCase) runOps(k int) []uint32 {
	if k < 0 {
		return nil
	}
	end := uint32(len(r.pushes))
	if k+1 < len(r.runs) {
		end = r.runs[k+1].first
	}
	var ops []uint32
	for _, p := range r.pushes[r.runs[k].first:end] {
		ops = append(ops, r.own[p.own-1])
	}
	return ops
}

// explain puts a clash of the merge into words.
func (r *rangeCase) explain(c *clash) finding.Finding {
	if c.empty != absent {
		return *r.neverVacant(c)
	}
	var ops []uint32
	for _, j := range c.steals {
		ops = append(ops, r.steals[j])
	}
	text := "the steals cannot have happened in the order of their ends"
	switch {
	case c.needed != none:
		op := r.own[c.needed]
		ops = append(ops, op)
		switch o := &r.ops[op]; {
		case o.Op == model.Pop:
			text = "pop found nothing, although something was inside"
		case r.history.Params.Capacity > 0:
			c.kind, text = finding.Other, "a push exceeds the capacity, or found something else inside"
		default:
			c.kind, text = finding.Order, "a push found something else inside"
		}
	case c.kind == finding.TooEarly:
		text = "a steal returned before its indices were pushed"
	}
	return *r.prove(rangeClaim{kind: c.kind, text: text, ops: ops})
}

// neverVacant is the violation of an empty steal: all runs that there were
// during it.
func (r *rangeCase) neverVacant(c *clash) *finding.Finding {
	var pushes []uint32
	for k := range r.runs {
		from := r.pushes[r.runs[k].first].own
		to := uint32(len(r.own)) + 1
		if k+1 < len(r.runs) {
			to = r.pushes[r.runs[k+1].first].own
		}
		if int(from) <= c.to && int(to) >= c.from {
			pushes = append(pushes, r.runOps(k)...)
		}
	}
	return r.prove(rangeClaim{kind: finding.FalseEmpty, text: "steal found nothing, and all the time something was inside", ops: []uint32{c.empty}, pushes: pushes})
}
