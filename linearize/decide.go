package linearize

import (
	"cmp"
	"fmt"
	"time"

	"stealproof/linearize/internal/explain"
	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/minimise"
	"stealproof/linearize/internal/monitor"
	"stealproof/model"
)

// result is what became of one object.
type result struct {
	finding.Finding
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
	if r.Verdict == model.Violation && r.checker != direct {
		r = c.explained(o, r)
	}
	if c.options.Certify {
		r = c.certified(o, r)
	}
	r.Order = nil // nobody asks for it any more, and it may be long
	return r
}

// judge goes from cheap to dear: the monitor, what contradicts itself, the
// general search.
func (c *checking) judge(o *object) result {
	if why := c.guard.Over(); why != "" {
		return result{Finding: finding.Undecided(why)}
	}
	var r result
	if c.options.Checker != Porcupine {
		if r = c.byMonitor(o); r.Verdict != model.Undecided {
			return r
		}
	}
	if why := c.guard.Over(); why != "" {
		r.Finding = finding.Undecided(why)
		return r
	}
	found := explain.Find(o.History)
	toSearch := found.Violation == nil && c.options.Checker != Monitor
	switch {
	case found.Violation != nil:
		r = result{Finding: finding.Violates(*found.Violation), checker: direct}
	case toSearch:
		r = c.bySearch(o, r.Reason)
	}
	if found.Duplicates != "" {
		note := fmt.Sprintf("object %d: %s", o.id, found.Duplicates)
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
	r := result{Finding: monitor.Decide(c.guard.Context(), o.History, o.look, c.options.Certify), checker: string(Monitor)}
	switch r.Verdict {
	case model.Undecided:
		r.Reason = cmp.Or(c.guard.Over(), r.Reason)
	case model.Violation:
		if first := explain.First(o.History, r.Violation); first != nil {
			r.Finding, r.checker = finding.Violates(*first), direct
		}
	}
	return r
}

// bySearch lets porcupine decide. Of a monitor that gave up before, the reason
// is worth keeping when porcupine gives up as well.
func (c *checking) bySearch(o *object, before string) result {
	r := result{checker: string(Porcupine)}
	if why := c.guard.TooLarge(len(o.Ops)); why != "" {
		r.Finding = finding.Undecided(why)
	} else {
		r.Reason = c.guard.Search(func(stop *general.Stopper) bool {
			r.Verdict = general.Search(general.Excerpt{History: o.History}, stop)
			return r.Verdict != model.Undecided
		})
	}
	if r.Verdict == model.Undecided && before != "" {
		r.Reason += " (the monitor before: " + before + ")"
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
	if left, limited := c.guard.Left(); limited {
		budget = min(budget, left)
	}
	small := r.Violation
	small.Ops = minimise.Window(c.guard, o.History, small.Ops, budget)
	told, contradicts := explain.InWords(o.History, small)
	if contradicts {
		r.checker = direct
	}
	r.Violation = told
	return r
}
