package monitor

import (
	"fmt"
	"slices"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/general"
	"stealproof/model"
)

// MaxProof is up to how many operations a proof is confirmed, and made
// minimal, by the general checker.
const MaxProof = 24

// proofSteps is how many steps that may take: few operations have very many
// orders if they overlap. It is counted, not timed, so that verdicts do not
// depend on the machine. To leave out what is needless asks again and again,
// and may take more in all.
const (
	proofSteps = 1 << 15
	mostSteps  = 1 << 18
)

// violation puts the operations on some values together with further ones. As
// a legal history stays legal without all operations on a value, nothing else
// of the history matters but removals that never came back: these might have
// taken any value that is missing. See withRivals.
func (l *ledger) violation(kind string, certain bool, text string, values []uint32, further ...uint32) finding.Finding {
	values, set := l.withRivals(values)
	set = append(set, further...)
	for _, n := range values {
		it := &l.items[n]
		if it.Put != absent {
			set = append(set, it.Put)
		}
		if it.Take != absent && l.ops[it.Take].Result == model.OK {
			set = append(set, it.Take)
		}
	}
	certain = certain && (l.ties == nil || len(l.lost) == 0) // assign knows no ties
	return confirm(l.history, kind, text, set, certain)
}

// withRivals adds to values what assign preferred to any of them, with the
// removals in question: on all of these together assign decides as it did.
func (l *ledger) withRivals(values []uint32) (all, removals []uint32) {
	all = slices.Clone(values)
	if len(l.lost) > 0 {
		taken, rank := l.assigned()
		most := 0
		for _, n := range values {
			if k, is := rank[n]; is {
				most = max(most, k+1)
			} else if l.items[n].Take == absent {
				most = len(taken)
			}
		}
		all = append(all, taken[:most]...)
		for k, word := range l.lost {
			if k < most || most > 0 && l.ties != nil {
				removals = append(removals, l.Index(word))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), removals
}

// assigned lists the values that assign gave to removals, in its order.
func (l *ledger) assigned() (taken []uint32, rank map[uint32]int) {
	rank = map[uint32]int{}
	for _, word := range l.puts {
		n := l.Index(word)
		if t := l.items[n].Take; t != absent && l.ops[t].Result == model.Unknown {
			rank[n] = len(taken)
			taken = append(taken, n)
		}
	}
	return taken, rank
}

// confirm makes a violation of operations that are closed under values. A
// small one must be refuted by the general checker; a large one, or one that
// it does not soon decide, must be certain by itself.
func confirm(h *model.History, kind, text string, set []uint32, certain bool) finding.Finding {
	slices.Sort(set)
	set = slices.Compact(set)
	ops := make([]int, len(set))
	for i, op := range set {
		ops[i] = int(op)
	}
	switch verdict, _ := proof(h, ops); verdict {
	case model.Undecided:
		if !certain {
			return finding.Undecided(unresolved(h))
		}
		return *found(kind, text, ops...)
	case model.Linearizable:
		if certain {
			return finding.Undecided(unconfirmed)
		}
		return finding.Undecided(unresolved(h))
	}
	if kind == finding.FalseFull {
		return *found(kind, text, ops...) // every value counts
	}
	smaller := withoutNeedless(h, ops)
	if len(smaller) < len(ops) && kind == finding.FalseEmpty {
		text = fmt.Sprintf("%s, as these operations alone show", text)
	}
	return *found(kind, text, smaller...)
}

// proof asks the general checker about some operations, if they are few, and
// says how many steps it took.
func proof(h *model.History, ops []int) (verdict model.Verdict, steps int64) {
	if len(ops) > MaxProof {
		return model.Undecided, 0
	}
	return decidedSoon(h.Part(ops))
}

// decidedSoon asks the general checker, which may give up.
func decidedSoon(h *model.History) (verdict model.Verdict, steps int64) {
	stop := &general.Stopper{Most: proofSteps}
	verdict = general.Search(general.Excerpt{History: h}, stop)
	return verdict, stop.Done.Load()
}

func unresolved(h *model.History) string {
	if h.Kind == model.Range && h.HasLost() {
		return "removals that never came back may have taken what is missing, in many ways"
	}
	return "operations of one process tie in a way that the monitor cannot resolve"
}

// found is a violation that its few operations prove by themselves.
func found(kind, explanation string, ops ...int) *finding.Finding {
	return &finding.Finding{Verdict: model.Violation, Violation: finding.Violation{Kind: kind, Explanation: explanation, Ops: ops}}
}

// ofOneValue is what the operations on one value say of themselves.
func ofOneValue(h *model.History, kind string, value uint64, what string) *finding.Finding {
	var ops []int
	for i := range h.Ops {
		if o := &h.Ops[i]; o.Value == value && (o.PutsIn() || o.TakesOut()) {
			ops = append(ops, i)
		}
	}
	return found(kind, fmt.Sprintf("%d %s", value, what), ops...)
}

// unconfirmed would be an error of a monitor. The tests look for it.
const unconfirmed = "the monitor's proof of a violation was not confirmed"

// withoutNeedless leaves out values, and operations without one, as long as
// what remains has no legal order, and that is soon known.
func withoutNeedless(h *model.History, ops []int) []int {
	left := int64(mostSteps)
	for i := 0; i < len(ops) && left > 0; {
		fewer := without(h, ops, ops[i])
		if len(fewer) < len(ops) && len(fewer) > 0 {
			verdict, steps := proof(h, fewer)
			left -= steps
			if verdict == model.Violation {
				ops, i = fewer, 0
				continue
			}
		}
		i++
	}
	return ops
}

// without leaves out an operation and all on the same value. Removals that
// never came back stay, unless there are more than values that they might
// have taken.
func without(h *model.History, ops []int, one int) []int {
	o := &h.Ops[one]
	if o.Result == model.Unknown && o.Op.Removes() {
		return withoutLost(h, ops, one)
	}
	named := o.PutsIn() || o.TakesOut()
	if named && h.Kind == model.Range {
		groups := clusters(h.Ops, ops)
		gone := groups[slices.IndexFunc(groups, func(g []int) bool { return slices.Contains(g, one) })]
		return slices.DeleteFunc(slices.Clone(ops), func(i int) bool { return slices.Contains(gone, i) })
	}
	return slices.DeleteFunc(slices.Clone(ops), func(i int) bool {
		p := &h.Ops[i]
		return i == one || named && (p.PutsIn() || p.TakesOut()) && p.Value == o.Value
	})
}

// withoutLost leaves out the removal if it is the last that was called of
// more than there are values for. Where some removal of the kind also waits for
// an operation of its process, by a tie, they are not to be compared by calls.
func withoutLost(h *model.History, ops []int, one int) []int {
	missing := 0
	for _, i := range ops {
		switch o := &h.Ops[i]; {
		case o.PutsIn():
			missing++
		case o.TakesOut():
			missing--
		case o.Result == model.Unknown && o.Op == h.Ops[one].Op:
			missing--
			if o.Call > h.Ops[one].Call || hasTie(h, ops, i) {
				return ops
			}
		}
	}
	if missing >= 0 {
		return ops
	}
	return slices.DeleteFunc(slices.Clone(ops), func(i int) bool { return i == one })
}

func hasTie(h *model.History, ops []int, one int) bool {
	o := &h.Ops[one]
	return slices.ContainsFunc(ops, func(i int) bool {
		return i != one && h.Ops[i].Process == o.Process && h.Ops[i].Return == o.Call
	})
}
