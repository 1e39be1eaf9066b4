package buffering

import (
	"slices"

	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/axioms"
)

// Choices are those of a schedule that makes the execution. Its accesses are in an order
// in which few reads read what comes later: the process that goes on does so as long as
// what it reads is there, and who begins is whoever leaves the fewest such reads.
func (c *Complete) Choices() model.Choices {
	var best model.Choices
	fewest := -1
	for first := range c.course {
		w := &writer{Complete: c, step: map[id]int{}, at: make([]int, len(c.course)), first: first}
		w.sequence()
		var choices model.Choices
		later := 0
		for n, i := range w.steps {
			choice := w.choice(n, i)
			if choice.Later > 0 {
				later++
			}
			choices.Add(choice)
		}
		if fewest < 0 || later < fewest {
			best, fewest = choices, later
		}
	}
	return best
}

type writer struct {
	*Complete
	steps []id
	step  map[id]int // places in steps
	at    []int      // of each process, how many accesses are in steps, or need not be
	first int        // the process that goes on if all could
}

// silent says whether an access is a fence that is no step of a schedule.
func silent(a *ref.Made) bool {
	return a.Kind == ref.Fence && a.Access.Order != ref.Weak && a.Access.Order != ref.SC
}

// sequence puts the accesses into an order.
func (w *writer) sequence() {
	for p := w.first; p >= 0; p = w.following() {
		for w.ready(p) {
			w.take(p)
		}
	}
}

// take puts the next access of a process behind those that are in order.
func (w *writer) take(p int) {
	i := id{int16(p), int16(w.at[p])}
	if !silent(w.made.at(i)) {
		w.step[i] = len(w.steps)
		w.steps = append(w.steps, i)
	}
	w.at[p]++
}

// ready says whether a process has an access that reads nothing that comes later.
func (w *writer) ready(p int) bool {
	if w.at[p] == w.course[p].count {
		return false
	}
	e := w.given.of(id{int16(p), int16(w.at[p])})
	if e == nil || e.source == initially {
		return true
	}
	_, there := w.step[e.source]
	return there
}

// following is who goes on: somebody who is ready, or else the first who makes an access
// that reads what comes later; -1 if all is in order.
func (w *writer) following() int {
	for i := range w.at {
		if p := (w.first + i) % len(w.at); w.ready(p) {
			return p
		}
	}
	for i := range w.at {
		if p := (w.first + i) % len(w.at); w.at[p] < w.course[p].count {
			w.take(p)
			return p
		}
	}
	return -1
}

// choice is that of the access that makes step n.
func (w *writer) choice(n int, i id) model.Choice {
	a, events := w.made.at(i), w.events[i.process][i.number]
	c := model.Choice{Process: uint16(i.process)}
	if a.Kind == ref.Fence {
		if a.Access.Order == ref.SC {
			c.Pick = uint16(w.above(n, events.fence, func(j id) int { return w.events[j.process][j.number].fence }, w.fences()))
		}
		return c
	}
	writes := func(j id) int {
		if w.made.at(j).Location != a.Location {
			return -1
		}
		return w.events[j.process][j.number].write
	}
	if !a.Reads {
		c.Pick = uint16(w.above(n, events.write, writes, w.coherence(a.Location)))
		return c
	}
	e := w.given.of(i)
	behind := 0 // where the write of an atomic comes if nothing is said
	source := -1
	if e.source != initially {
		source = w.events[e.source.process][e.source.number].write
	}
	if at, there := w.step[e.source]; e.source != initially && (!there || at > n) {
		c.Later, c.Value = uint32(at)+1, e.value
	} else {
		behind = w.above(n, source, writes, w.coherence(a.Location))
		c.Pick = uint16(behind)
	}
	if a.Writes {
		if place := w.above(n, events.write, writes, w.coherence(a.Location)); place != behind {
			c.Pick += uint16(ref.AtomicPlace * (1 + place))
		}
	}
	return c
}

// above counts the events of the first n steps that come behind one, -1 for that which
// was there before all, in an order.
func (w *writer) above(n, event int, of func(id) int, order []int) int {
	from := slices.Index(order, event)
	count := 0
	for _, j := range w.steps[:n] {
		if e := of(j); e >= 0 && slices.Index(order, e) > from {
			count++
		}
	}
	return count
}

// coherence is an order of the writes of a location that coherence allows.
func (w *writer) coherence(l ref.Location) []int {
	return w.sorted(func(e *axioms.Event) bool {
		return e.Kind == axioms.Write && e.Thread != axioms.Initial && e.Location == int(l)
	}, w.x.CO().Has)
}

// fences is an order of the sc fences that is allowed.
func (w *writer) fences() []int {
	happened := w.x.Happened()
	return w.sorted(func(e *axioms.Event) bool { return e.Kind == axioms.Fence && e.Order == axioms.SC }, func(i, j int) bool {
		return happened.Has(i, j) || slices.Contains(w.graph.FenceOrder, axioms.Pair{From: i, To: j})
	})
}

// sorted puts events into an order that keeps to a relation, as they are made where that
// leaves it open.
func (w *writer) sorted(are func(*axioms.Event) bool, before func(i, j int) bool) []int {
	var list []int
	for _, i := range w.steps {
		e := w.events[i.process][i.number]
		for _, event := range []int{e.write, e.fence} {
			if event >= 0 && are(&w.graph.Events[event]) {
				list = append(list, event)
			}
		}
	}
	var order []int
	for len(list) > 0 {
		k := slices.IndexFunc(list, func(e int) bool {
			return !slices.ContainsFunc(list, func(o int) bool { return o != e && before(o, e) })
		})
		order = append(order, list[k])
		list = slices.Delete(list, k, k+1)
	}
	return order
}
