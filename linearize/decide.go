package linearize

import (
	"cmp"
	"fmt"
	"time"

	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// decide goes from cheap to dear: the monitor, what contradicts itself, the
// general search.
func (c *checking) decide(o *object) {
	if why := c.guard.over(); why != "" {
		o.outcome = undecided(why)
		return
	}
	if !c.byMonitor(o) {
		if why := c.guard.over(); why != "" {
			o.outcome = undecided(why)
		} else if !c.byContradiction(o) {
			c.bySearch(o)
		}
	}
	if o.verdict == model.Violation {
		c.finish(o)
	}
	if c.options.Certify {
		c.certify(o)
	}
	o.order = nil // nobody asks for it here, and it may be long
}

// byContradiction looks for values that no order whatever can explain. A
// monitor that was undecided may stay so: then it alone was to be asked.
func (c *checking) byContradiction(o *object) (decided bool) {
	found := contradictions(o.History)
	decided = found.violation != nil || c.options.Checker == Monitor
	if found.duplicates != "" {
		note := fmt.Sprintf("object %d: %s", o.id, found.duplicates)
		if !decided {
			note += ": left to the general search"
		}
		o.notes = append(o.notes, note)
	}
	if found.violation == nil {
		return decided
	}
	o.used = "direct"
	o.outcome = outcome{verdict: model.Violation, violation: *found.violation}
	return true
}

func undecided(why string) outcome { return outcome{verdict: model.Undecided, reason: why} }

// byMonitor says whether the monitor decided. What contradicts itself is left
// to be found as such: of several contradictions the first by time is told.
func (c *checking) byMonitor(o *object) bool {
	if c.options.Checker == Porcupine {
		return false
	}
	o.used = string(Monitor)
	o.outcome = ask(c.guard.ctx, o.History, o.look, c.options.Certify)
	if o.verdict == model.Undecided && c.guard.over() != "" {
		o.reason = c.guard.over()
	}
	switch {
	case o.verdict == model.Undecided:
		return false
	case o.verdict == model.Violation:
		o.preferContradiction()
	}
	return true
}

// preferContradiction puts the first contradiction by time in the place of the
// one that a monitor came upon. Of a range with an owner only the monitor's
// proof is looked at, which has all operations on the indices in question; of a
// shared one everything, since its search knows only that there is no order.
func (o *object) preferContradiction() {
	h, places := o.History, []int(nil)
	shared := h.Kind == model.Range && h.Params.Shared
	if kind := o.violation.Kind; !shared && kind != Invented && kind != Duplicate && kind != TooEarly {
		return
	}
	if h.Kind == model.Range && !shared {
		places = o.violation.Ops
		h = pick(h, places)
	}
	v := contradictions(h).violation
	if v == nil {
		return
	}
	for k, at := range v.Ops {
		if places != nil {
			v.Ops[k] = places[at]
		}
	}
	o.used, o.violation = "direct", *v
}

// bySearch lets porcupine decide. Of a monitor that gave up before, the reason
// is worth keeping when porcupine gives up as well.
func (c *checking) bySearch(o *object) {
	o.used = string(Porcupine)
	before := o.reason
	if why := c.tooLarge(len(o.Ops)); why != "" {
		o.outcome = undecided(why)
	} else {
		o.reason = c.guard.search(func(stop *stopper) bool {
			o.outcome = outcome{verdict: search(excerpt{History: o.History}, stop)}
			return o.verdict != model.Undecided
		})
	}
	if o.verdict == model.Undecided && before != "" && c.options.Checker != Porcupine {
		o.reason += " (the monitor before: " + before + ")"
	}
}

// tooLarge refuses what porcupine cannot remember within the limit: for each
// operation a set of operations.
func (c *checking) tooLarge(ops int) string {
	need := uint64(ops) * uint64(ops) / 8
	switch own := c.guard.own; {
	case need > c.guard.memory:
		return fmt.Sprintf("%d operations are too many for the general search within %s", ops, wording.Bytes(c.guard.memory))
	case own != nil && own.memory > 0 && need > own.memory:
		return fmt.Sprintf("%d operations: %s", ops, shareText(own.memory))
	}
	return ""
}

// minimiseBudget is how long the search for a small window may take, unless a
// test has more patience.
const minimiseBudget = 2 * time.Second

// finish makes the window small, puts it into words, and says which places of
// the whole history it is.
func (c *checking) finish(o *object) {
	v := &o.violation
	v.Object = o.id
	defer func() {
		v.Ops = o.global(v.Ops)
		for _, i := range v.Ops {
			v.Lines = append(v.Lines, int(c.history.Ops[i].Line))
		}
	}()
	if o.used == "direct" {
		return
	}
	budget := cmp.Or(c.options.patience, minimiseBudget)
	if left, limited := c.guard.left(); limited {
		budget = min(budget, left)
	}
	ops := v.Ops
	if len(ops) == 0 {
		ops = all(len(o.Ops))
	}
	v.Ops = minimise(c.guard, o.History, ops, budget)
	o.putIntoWords()
}

// putIntoWords explains the window. A monitor says which of its rules was
// broken; the window says it with names and times, if it is one that is
// recognised. A put that came too late may have been left out of the window:
// who finds it in the file must not read that there is none.
func (o *object) putIntoWords() {
	v := &o.violation
	if len(v.Ops) > mostExplained && v.Explanation != "" {
		v.Explanation += fmt.Sprintf(" (%d operations)", len(v.Ops))
		return
	}
	window := pick(o.History, v.Ops)
	kind, text := explain(window)
	if kind == Invented {
		if found := contradictions(o.History).violation; found != nil {
			found.Object = v.Object
			o.used, *v = "direct", *found
			return
		}
	}
	switch {
	case kind != Other || v.Explanation == "":
		v.Kind, v.Explanation = kind, text
	default:
		v.Explanation += ": " + listing(window)
	}
}

// mostExplained is up to how many operations a window is looked at for a reason,
// which takes time that grows with their square, and listed.
const mostExplained = 400

func all(n int) []int {
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	return places
}

func pick(h *model.History, places []int) *model.History {
	part := h.With(make([]model.Operation, len(places)))
	for k, i := range places {
		part.Ops[k] = h.Ops[i]
	}
	return part
}
