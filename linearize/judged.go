package linearize

import (
	"cmp"
	"fmt"

	"stealproof/linearize/internal/explain"
	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/general"
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

// judged goes from cheap to dear: the monitor, what contradicts itself, the
// general search.
func (c *checking) judged(o *object) result {
	if why := c.guard.Over(); why != "" {
		return result{Finding: finding.Undecided(why)}
	}
	if o.Params.Model != nil {
		return c.byModel(o)
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

// byModel decides an object with a model of its own, of which nobody but the general
// search knows anything.
func (c *checking) byModel(o *object) result {
	if c.options.Checker == Monitor {
		return result{Finding: finding.Undecided(fmt.Sprintf("there is no monitor for a model of one's own (%s)", o.Params.Model))}
	}
	r := c.bySearch(o, "")
	if r.Verdict == model.Violation {
		r.Violation = explain.ByModel(o.History)
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
