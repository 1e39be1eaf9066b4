package linearize

import (
	"fmt"

	"stealproof/linearize/internal/certify"
	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// How verdicts are confirmed.
const (
	replayed         = "the order found by the monitor was replayed operation by operation through the sequential model"
	replayedSearched = "the order found by the general search was replayed operation by operation through the sequential model"
	rejectedAgain    = "the operations shown were rejected by the general search, by themselves"
	uncertified      = "not certified: "
)

// confirmedBy and unconfirmed are a result with its certificate, and one whose
// verdict nobody else confirms.
func (r result) confirmedBy(how string) result {
	r.certificate = how
	return r
}

func (r result) unconfirmed(why string) result {
	r.certificate = uncertified + why
	return r
}

// refuted is a result that was decided wrongly: it counts no more.
func (r result) refuted(why string) result {
	r.Finding = finding.Undecided(why)
	return r
}

// certified confirms a verdict by what did not decide it, if that is asked for.
func (c *checking) certified(o *object, r result) result {
	switch {
	case !c.options.Certify:
		return r
	case r.Verdict == model.Violation:
		return c.rejected(o, r)
	case r.Verdict != model.Linearizable:
		return r
	case r.Order == nil:
		return c.ordered(o, r)
	case c.guard.Over() != "":
		return r.unconfirmed(c.guard.Over()) // a replay takes as long as a verdict
	}
	return replayedBy(o, r, r.Order, replayed)
}

func replayedBy(o *object, r result, order []int, how string) result {
	if err := certify.Replay(o.History, order); err != nil {
		return r.refuted("the order that was found did not stand its replay: " + err.Error())
	}
	return r.confirmedBy(how)
}

// ordered has the general search say which order it found.
func (c *checking) ordered(o *object, r result) result {
	order, why := c.searchedOrder(o)
	if order == nil {
		return r.unconfirmed(why)
	}
	return replayedBy(o, r, order, replayedSearched)
}

// searchedOrder is an order that the general search finds, or why there is none to be
// replayed.
func (c *checking) searchedOrder(o *object) (order []int, why string) {
	why = c.guard.Search(func(stop *general.Stopper) bool {
		order = general.Order(general.Excerpt{History: o.History}, stop)
		return order != nil
	})
	if order == nil {
		return nil, "the general search said that there is an order, and then did not say which: " + why
	}
	order, known := certify.Effective(o.History, order)
	if !known {
		return nil, "the general search decided, and what the operations that never came back took is not known"
	}
	return order, ""
}

// rejected has the general search look at the operations shown alone.
func (c *checking) rejected(o *object, r result) result {
	window := o.Part(r.Violation.Ops)
	var verdict model.Verdict
	why := c.guard.Search(func(stop *general.Stopper) bool {
		verdict = general.Search(general.Excerpt{History: window}, stop)
		return verdict != model.Undecided
	})
	switch verdict {
	case model.Violation:
		return r.confirmedBy(rejectedAgain)
	case model.Linearizable:
		return r.refuted("the general search found an order for the operations that were to show a violation")
	}
	return r.unconfirmed(fmt.Sprintf("the general search did not decide on the %s shown: %s", wording.Counted(len(window.Ops), "operation"), why))
}
