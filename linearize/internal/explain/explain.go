// Package explain finds what contradicts itself, and puts violations into words.
package explain

import (
	"cmp"
	"fmt"
	"slices"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// explain puts into words why a window, which is small, has no order. It asks
// the likely reasons one after the other; what no reason fits is listed.
func explain(w *model.History) (kind, text string) {
	zero := wording.Zero(w.Ops)
	kind, text = explainFrom(w.With(wording.Shifted(w.Ops, zero)))
	return kind, text + wording.From(zero)
}

// explainFrom explains a window whose times are counted from its first.
func explainFrom(w *model.History) (kind, text string) {
	if v := find(w, asTheyAre).Violation; v != nil {
		return v.Kind, v.Explanation
	}
	for _, reason := range []func(*model.History) (kind, text string){tooEarly, falseEmpty, falseFull, overfull, wrongOrder, wrongEnd} {
		if kind, text := reason(w); kind != "" {
			return kind, text
		}
	}
	return finding.Other, fmt.Sprintf("no order of these %d operations fits both their times and the model %s: %s", len(w.Ops), w.Kind, listing(w))
}

// ByModel is the violation of a model of one's own. Which of its operations show it
// is not known, since anything may depend on anything: it names all of them.
func ByModel(h *model.History) finding.Violation {
	text := fmt.Sprintf("no order of these %d operations fits both their times and the model %s", len(h.Ops), h.Params.Model)
	if len(h.Ops) <= wording.MaxListed {
		text += ": " + listingFromFirst(h)
	}
	return finding.Violation{Kind: finding.Other, Explanation: text, Ops: h.Places()}
}

// listingFromFirst lists operations whose stamps may be long.
func listingFromFirst(w *model.History) string {
	zero := wording.Zero(w.Ops)
	return listing(w.With(wording.Shifted(w.Ops, zero))) + wording.From(zero)
}

func listing(w *model.History) string {
	var ops []*model.Operation
	for _, i := range byCall(w) {
		ops = append(ops, &w.Ops[i])
	}
	return wording.ListBy(ops, wording.Full)
}

func byCall(w *model.History) []int {
	places := w.Places()
	slices.SortStableFunc(places, func(i, j int) int { return cmp.Compare(w.Ops[i].Call, w.Ops[j].Call) })
	return places
}

// stay is a value that was inside, certainly after 'in' returned and before
// 'out' was called; out is nil if it never left.
type stay struct{ in, out *model.Operation }

// stays pairs the puts of a window with their removals.
func stays(w *model.History) []stay {
	var all []stay
	for _, i := range byCall(w) {
		in := &w.Ops[i]
		if !in.PutsIn() {
			continue
		}
		s := stay{in: in}
		for j := range w.Ops {
			if out := &w.Ops[j]; out.TakesOut() && overlap(in, out) && (s.out == nil || out.Call < s.out.Call) {
				s.out = out
			}
		}
		all = append(all, s)
	}
	return all
}

// overlap says whether two operations move the same value, or some same index.
func overlap(a, b *model.Operation) bool {
	if a.To == 0 {
		return a.Value == b.Value
	}
	return a.Value < b.To && b.Value < a.To
}

// from is the last moment at which the value may still be outside; until is
// the first at which it may be outside again.
func (s stay) from() uint64 {
	if s.in.Result == model.Unknown {
		return model.Never
	}
	return s.in.Return
}

func (s stay) until() uint64 {
	if s.out == nil {
		return model.Never
	}
	return s.out.Call
}

// left says when the value left: "left only in [50,52]".
func (s stay) left() string {
	if s.out == nil {
		return "never left"
	}
	return fmt.Sprintf("left only %s", wording.When(s.out))
}

func (s stay) String() string {
	return fmt.Sprintf("process %d %s %s, and it %s", s.in.Process, wording.Did(s.in.Op, wording.Thing(s.in)), wording.When(s.in), s.left())
}

// leavesAfter says whether the value certainly leaves after an operation.
func (s stay) leavesAfter(o *model.Operation) bool { return s.out == nil || before(o, s.out) }

// before is the order that a linearization keeps to: also within a process, where
// stamps tie.
func before(a, b *model.Operation) bool {
	if a.Process != b.Process {
		return a.Precedes(b)
	}
	return cmp.Or(model.CompareInProcess(a, b), cmp.Compare(a.Line, b.Line)) < 0
}

// tooEarly explains a value that came out before it was put in, by the order of
// a process whose stamps tie.
func tooEarly(w *model.History) (kind, text string) {
	for i := range w.Ops {
		o := &w.Ops[i]
		if w.Kind == model.Range || !o.TakesOut() {
			continue
		}
		if v := contradictionOn(w, operationsOn(w, o.Value), wording.Value(o), asTheyAre); v != nil {
			return v.Kind, v.Explanation
		}
	}
	return "", ""
}

// wrongOrder explains two values of which the wrong one left first.
func wrongOrder(w *model.History) (kind, text string) {
	inside := stays(w)
	if w.Kind == model.Bag {
		return "", ""
	}
	for _, a := range inside {
		for _, b := range inside {
			if a.in == b.in || !before(a.in, b.in) {
				continue
			}
			if text := overtaken(w.Kind, a, b); text != "" {
				return finding.Order, text
			}
		}
	}
	return "", ""
}

// overtaken explains how the younger value b left from behind the older a, or
// a from under b; nothing if neither is certain.
func overtaken(k model.Kind, a, b stay) string {
	switch {
	case b.out != nil && fromOldEnd(b.out) && a.leavesAfter(b.out):
		if k == model.FIFO {
			return fmt.Sprintf("%s was enqueued before %s (%s, %s), yet %s left %s and %s %s",
				wording.Value(a.in), wording.Value(b.in), returned(a.in), called(b.in), wording.Thing(b.in), wording.When(b.out), wording.Thing(a.in), a.left())
		}
		return fmt.Sprintf("%s, but the older %s was inside: %s", wording.Full(b.out), wording.Thing(a.in), a)
	case a.out != nil && a.out.Op == model.Pop && before(b.in, a.out) && b.leavesAfter(a.out):
		return fmt.Sprintf("%s, but the younger %s was inside: %s", wording.Full(a.out), wording.Thing(b.in), b)
	}
	return ""
}

// fromOldEnd says whether an operation takes what was put in first.
func fromOldEnd(o *model.Operation) bool { return o.Op == model.Deq || o.Op == model.Steal }

func returned(o *model.Operation) string { return fmt.Sprintf("%s returned at %d", o.Op, o.Return) }

func called(o *model.Operation) string { return fmt.Sprintf("%s called at %d", o.Op, o.Call) }

// wrongEnd explains a removal from the midst of a range.
func wrongEnd(w *model.History) (kind, text string) {
	for i := range w.Ops {
		out := &w.Ops[i]
		if w.Kind != model.Range || !out.TakesOut() {
			continue
		}
		beside, side := out.To, "above"
		if out.Op == model.Pop {
			beside, side = out.Value-1, "below" // below 0 there is nothing
		}
		for _, s := range stays(w) {
			if s.in.Value <= beside && beside < s.in.To && s.in.Precedes(out) && !leftBy(w, beside, out.Return) {
				return finding.Order, fmt.Sprintf("%s, but index %d %s it was still inside: %s", wording.Full(out), beside, side, wording.Full(s.in))
			}
		}
	}
	return "", ""
}

// leftBy says whether an index may have left by the given time.
func leftBy(w *model.History, at, by uint64) bool {
	return slices.ContainsFunc(w.Ops, func(o model.Operation) bool {
		return o.Call <= by && (o.Lost() || o.TakesOut() && o.Value <= at && at < o.To)
	})
}
