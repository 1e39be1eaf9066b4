package linearize

import (
	"fmt"
	"slices"
	"strings"

	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// How verdicts are confirmed.
const (
	replayed         = "the order found by the monitor was replayed operation by operation through the sequential model"
	replayedSearched = "the order found by porcupine was replayed operation by operation through the sequential model"
	rejectedAgain    = "the operations shown were rejected by porcupine, by themselves"
	uncertified      = "not certified: "
)

// certificate says how a verdict was confirmed, or why it could not be.
type certificate struct {
	how     string
	missing bool
}

// certify confirms the verdict on an object by what did not decide it. A
// verdict that is refuted counts no more.
func (c *checking) certify(o *object) {
	switch {
	case o.verdict == model.Violation:
		c.certifyViolation(o)
	case o.verdict != model.Linearizable:
	case o.order != nil && c.guard.over() != "":
		o.notCertified(c.guard.over()) // a replay takes as long as a verdict
	case o.order != nil:
		c.certifyOrder(o, o.order, replayed)
	default:
		c.certifySearch(o)
	}
}

func (c *checking) certifyOrder(o *object, order []int, how string) {
	if err := certify(o.History, order); err != nil {
		o.outcome = undecided("the order that was found did not stand its replay: " + err.Error())
		return
	}
	o.certified = certificate{how: how}
}

// notCertified keeps the verdict, which nobody else confirms.
func (o *object) notCertified(why string) {
	o.certified = certificate{uncertified + why, true}
}

// certifySearch has the general search say which order it found.
func (c *checking) certifySearch(o *object) {
	var order []int
	why := c.guard.search(func(stop *stopper) bool {
		order = linearization(excerpt{History: o.History}, stop)
		return order != nil
	})
	if order == nil {
		o.notCertified("porcupine said that there is an order, and then did not say which: " + why)
		return
	}
	order = withEffect(o.History, order)
	if hasPendingRemoval(o.History) && certify(o.History, order) != nil {
		order = withoutEffect(o.History, order) // maybe they need not have done anything
	}
	if hasPendingRemoval(o.History) && certify(o.History, order) != nil {
		o.notCertified("porcupine decided, and what the operations that never came back took is not known")
		return
	}
	c.certifyOrder(o, order, replayedSearched)
}

// withEffect leaves out operations that never came back and, where they stand
// in the order, have nothing to do.
func withEffect(h *model.History, order []int) []int {
	var some []int
	state, claims := model.NewState(h.Kind, h.Params), claimed(h)
	for _, i := range order {
		o := &h.Ops[i]
		if o.Result == model.Unknown {
			var can bool
			if o, can = completion(state, o, claims); !can {
				continue
			}
		}
		if state.Apply(o) || h.Ops[i].Result != model.Unknown {
			some = append(some, i)
		}
	}
	return some
}

func withoutEffect(h *model.History, order []int) []int {
	return slices.DeleteFunc(slices.Clone(order), func(i int) bool { return isWild(&h.Ops[i]) })
}

func (c *checking) certifyViolation(o *object) {
	window := o.violation.Ops
	var verdict model.Verdict
	why := c.guard.search(func(stop *stopper) bool {
		verdict = search(excerpt{History: pick(c.history, window)}, stop)
		return verdict != model.Undecided
	})
	switch verdict {
	case model.Violation:
		o.certified = certificate{how: rejectedAgain}
	case model.Linearizable:
		o.outcome = undecided("porcupine found an order for the operations that were to show a violation")
	default:
		o.notCertified(fmt.Sprintf("porcupine did not decide on the %s shown: %s", wording.Counted(len(window), "operation"), why))
	}
}

// certificates are the notes on what was confirmed.
func (c *checking) certificates() []string {
	var notes []string
	objects, operations := map[string]int{}, map[string]int{}
	for _, o := range c.objects {
		how := o.certified.how
		if how == "" {
			continue
		}
		if objects[how] == 0 {
			notes = append(notes, how)
		}
		objects[how]++
		operations[how] += len(o.Ops)
	}
	for k, how := range notes {
		notes[k] = fmt.Sprintf("certificates: of %s (%d operations) %s", wording.Counted(objects[how], "object"), operations[how], how)
	}
	if notes == nil {
		notes = []string{"certificates: none, as nothing was decided"}
	}
	return notes
}

// notCertified lists the objects whose verdicts stand unconfirmed.
func (c *checking) notCertified() []Reason {
	var all []Reason
	for _, o := range c.objects {
		if o.certified.missing {
			all = append(all, Reason{o.id, strings.TrimPrefix(o.certified.how, uncertified)})
		}
	}
	return all
}
