// Package minimise makes the operations that show a violation few.
package minimise

import (
	"context"
	"slices"
	"time"

	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/limits"
	"stealproof/linearize/internal/monitor"
	"stealproof/linearize/internal/search"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// minimiser looks for the smallest part of an object's history that still has
// no order. What it leaves out must not make a difference to a history that
// has one, or the part would prove nothing:
//
//   - An abort, an empty or a full can always be left out: it has no effect.
//   - All operations on a value can be left out together: without the value
//     the others fit as before. On a range the same holds of indices, if
//     those above move down to close the gap (see shrink).
//   - A full, though, counts what is inside: while one stays that a declared
//     capacity gives a meaning, no value may go that may have been inside then.
//   - A removal that never came back stays: it may have taken what is missing.
//     After all else returned it can have done nothing that matters.
type minimiser struct {
	guard    *limits.Guard
	history  *model.History
	deadline time.Time
	view     view
	pieces   []unit // of a range
	ask      func(m *minimiser, e general.Excerpt) (rejected bool)
}

// Window starts from the operations at the given places, which have no
// order (all, if there are none), and returns the places of those that are left. While they are many a
// monitor is asked, which may see less than the general search.
func Window(g *limits.Guard, h *model.History, places []int, budget time.Duration) []int {
	if len(places) == 0 {
		places = h.Places()
	}
	deadline := time.Now().Add(budget)
	if len(places) > monitor.MaxProof {
		m := &minimiser{guard: g, history: h.Part(places), deadline: deadline, ask: byMonitor}
		places = among(places, m.run())
	}
	m := &minimiser{guard: g, history: h.Part(places), deadline: deadline, ask: bySearch}
	return among(places, m.run())
}

func among(places, chosen []int) []int {
	for k, i := range chosen {
		chosen[k] = places[i]
	}
	return chosen
}

// byMonitor says whether a monitor refutes an excerpt. What is optional it
// takes for operations that never came back, which may have done even more.
func byMonitor(m *minimiser, e general.Excerpt) bool {
	if m.late() {
		return false
	}
	ctx, cancel := context.WithDeadline(m.guard.Context(), m.deadline)
	defer cancel()
	if e.Kind == model.Range && e.Params.Shared {
		return search.RefutesRange(timing.NewPatience(ctx), e.History, e.Optional)
	}
	ops := slices.Clone(e.Ops)
	for i := range ops {
		if e.IsOptional(i) {
			ops[i].Result, ops[i].Return = model.Unknown, model.Never
		}
	}
	return monitor.Decide(ctx, e.With(ops), nil, false).Verdict == model.Violation
}

// alreadySmall histories need no cut by time first.
const alreadySmall = 16

func (m *minimiser) run() []int {
	n := len(m.history.Ops)
	m.view = everything(n)
	units := unitsOf(m.history)
	if m.history.Kind == model.Range {
		m.pieces = pieces(m.history)
	}
	cut := m.history.Kind == model.Range && m.history.Params.Shared && n > monitor.MaxProof // by the search
	if n > alreadySmall && !cut {
		whole := m.view
		p := newPrefixes(m.history)
		m.view = p.after(p.shortest(m.rejected))
		units = m.reduce(m.present(units))
		m.view = whole
	}
	_, places := m.build(m.reduce(m.withoutFulls(units)))
	return places
}

// withoutFulls leaves out every full that claims something, if it can: with one
// left hardly anything else may go.
func (m *minimiser) withoutFulls(units []unit) []unit {
	rest := slices.DeleteFunc(slices.Clone(units), func(u unit) bool { return u.full })
	if len(rest) < len(units) && len(units) > alreadySmall && m.stillRejected(rest) {
		return rest
	}
	return units
}

// present drops the units that the view does not show any more.
func (m *minimiser) present(units []unit) []unit {
	_, places := m.view.pick(m.history)
	shown := make(map[int]bool, len(places))
	for _, i := range places {
		shown[i] = true
	}
	return slices.DeleteFunc(units, func(u unit) bool {
		return !slices.ContainsFunc(u.places, func(i int) bool { return shown[i] })
	})
}

// reduce leaves out units, first many at a time, then one by one until none
// can be spared.
func (m *minimiser) reduce(units []unit) []unit {
	for size := max(1, len(units)/2); ; size = max(1, size/2) {
		spared := false
		for from := 0; from < len(units) && !m.late(); {
			to := min(from+size, len(units))
			rest := slices.Concat(units[:from], units[to:])
			if m.droppable(units[from:to], rest) && m.stillRejected(rest) {
				units, spared = rest, true
			} else {
				from = to
			}
		}
		if m.late() || size == 1 && !spared {
			return units
		}
	}
}

func (m *minimiser) late() bool {
	return time.Now().After(m.deadline) || m.guard.Over() != ""
}

func (m *minimiser) stillRejected(units []unit) bool {
	e, _ := m.build(units)
	return m.rejected(e)
}

func (m *minimiser) rejected(e general.Excerpt) bool { return m.ask(m, e) }

// bySearch gives one question at most a quarter of the time that is left.
func bySearch(m *minimiser, e general.Excerpt) bool {
	left := time.Until(m.deadline)
	if left <= 0 {
		return false
	}
	stop := m.guard.Start()
	defer m.guard.Done(stop)
	stop.Deadline = time.Now().Add(max(left/4, 5*time.Millisecond))
	return general.Search(e, stop) == model.Violation
}

// build is the excerpt with the given units alone, and the places of its
// operations.
func (m *minimiser) build(units []unit) (general.Excerpt, []int) {
	keep := view{make([]bool, len(m.history.Ops)), m.view.optional}
	for _, u := range units {
		for _, i := range u.places {
			keep.present[i] = m.view.present[i]
		}
	}
	last := uint64(0)
	for i := range m.history.Ops {
		if o := &m.history.Ops[i]; keep.present[i] && !keep.optional[i] && o.Result != model.Unknown {
			last = max(last, o.Return)
		}
	}
	for i := range m.history.Ops {
		o := &m.history.Ops[i]
		if o.Lost() {
			keep.present[i] = m.view.present[i]
		}
		if o.Result == model.Unknown && o.Call > last {
			keep.present[i] = false
		}
	}
	if m.history.Kind == model.Range {
		return shrink(m.history, m.pieces, units, keep)
	}
	return keep.pick(m.history)
}
