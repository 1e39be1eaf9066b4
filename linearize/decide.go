package linearize

import (
	"cmp"
	"fmt"
	"time"

	"stealproof/model"
)

// result is what became of one object.
type result struct {
	outcome
	checker     string // that decided
	notes       []string
	certificate string // how the verdict was confirmed, or why it was not; empty if nobody tried
}

// direct is the checker of what contradicts itself.
const direct = "direct"

// decide judges an object. What shows a violation is made small and put into
// words; and every verdict is certified, if that is asked for.
func (c *checking) decide(o *object) result {
	r := c.judge(o)
	if r.verdict == model.Violation && r.checker != direct {
		r = c.explained(o, r)
	}
	if c.options.Certify {
		r = c.certified(o, r)
	}
	r.order = nil // nobody asks for it any more, and it may be long
	return r
}

// judge goes from cheap to dear: the monitor, what contradicts itself, the
// general search.
func (c *checking) judge(o *object) result {
	if why := c.guard.over(); why != "" {
		return result{outcome: undecided(why)}
	}
	var r result
	if c.options.Checker != Porcupine {
		if r = c.byMonitor(o); r.verdict != model.Undecided {
			return r
		}
	}
	if why := c.guard.over(); why != "" {
		r.outcome = undecided(why)
		return r
	}
	found := contradictions(o.History)
	toSearch := found.violation == nil && c.options.Checker != Monitor
	switch {
	case found.violation != nil:
		r = result{outcome: violates(*found.violation), checker: direct}
	case toSearch:
		r = c.bySearch(o, r.reason)
	}
	if found.duplicates != "" {
		note := fmt.Sprintf("object %d: %s", o.id, found.duplicates)
		if toSearch {
			note += ": left to the general search"
		}
		r.notes = []string{note}
	}
	return r
}

// byMonitor asks the monitor. What contradicts itself is told as such: of several
// contradictions the first by time.
func (c *checking) byMonitor(o *object) result {
	r := result{outcome: ask(c.guard.context(), o.History, o.look, c.options.Certify), checker: string(Monitor)}
	switch r.verdict {
	case model.Undecided:
		r.reason = cmp.Or(c.guard.over(), r.reason)
	case model.Violation:
		if first := firstContradiction(o.History, r.violation); first != nil {
			r.outcome, r.checker = violates(*first), direct
		}
	}
	return r
}

// bySearch lets porcupine decide. Of a monitor that gave up before, the reason
// is worth keeping when porcupine gives up as well.
func (c *checking) bySearch(o *object, before string) result {
	r := result{checker: string(Porcupine)}
	if why := c.guard.tooLarge(len(o.Ops)); why != "" {
		r.outcome = undecided(why)
	} else {
		r.reason = c.guard.search(func(stop *stopper) bool {
			r.verdict = search(excerpt{History: o.History}, stop)
			return r.verdict != model.Undecided
		})
	}
	if r.verdict == model.Undecided && before != "" {
		r.reason += " (the monitor before: " + before + ")"
	}
	return r
}

// windowTime is how long the search for few operations may take that show a
// violation, unless somebody has more patience.
const windowTime = 2 * time.Second

// explained makes the operations that show a violation few, and puts it into
// words.
func (c *checking) explained(o *object, r result) result {
	budget := cmp.Or(c.leeway.window, windowTime)
	if left, limited := c.guard.left(); limited {
		budget = min(budget, left)
	}
	small := r.violation
	small.ops = minimise(c.guard, o.History, small.ops, budget)
	told, contradicts := inWords(o.History, small)
	if contradicts {
		r.checker = direct
	}
	r.violation = told
	return r
}
