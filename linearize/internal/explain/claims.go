package explain

import (
	"fmt"
	"time"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// falseEmpty explains a removal that found nothing although something was
// inside at every moment of it.
func falseEmpty(w *model.History) (kind, text string) {
	for i := range w.Ops {
		e := &w.Ops[i]
		if e.Result != model.Empty {
			continue
		}
		found := fmt.Sprintf("process %d found the %s empty %s (%s)", e.Process, nouns[w.Kind], wording.When(e), e.Op)
		cover := coverOf(e, stays(w))
		switch {
		case len(cover) == 1:
			return finding.FalseEmpty, fmt.Sprintf("%s, but %s was inside all that time: %s", found, wording.Value(cover[0].in), cover[0])
		case len(cover) > 1:
			text := fmt.Sprintf("%s, but there was no moment of it without a value inside", found)
			for _, s := range cover {
				text += "; " + s.String()
			}
			return finding.FalseEmpty, text
		}
		return finding.FalseEmpty, fmt.Sprintf("%s, and no order of the others leaves it empty then: %s", found, listing(w))
	}
	return "", ""
}

// coverOf picks stays that together cover every moment of an operation, or
// returns nil. A stay covers what lies strictly between its ends: at the ends
// themselves an operation may come before the put, or after the removal.
func coverOf(e *model.Operation, stays []stay) []stay {
	var cover []stay
	at := e.Call // the first moment not yet covered
	for {
		best := -1
		for k, s := range stays {
			if s.from() < at && s.until() > at && (best < 0 || s.until() > stays[best].until()) {
				best = k
			}
		}
		if best < 0 {
			return nil
		}
		cover = append(cover, stays[best])
		if stays[best].until() > e.Return || stays[best].out == nil {
			return cover
		}
		at = stays[best].until()
	}
}

var nouns = map[model.Kind]string{model.WSDeque: "deque", model.FIFO: "queue", model.Range: "range", model.Bag: "bag"}

// falseFull explains a put that was refused although there was room.
func falseFull(w *model.History) (kind, text string) {
	for i := range w.Ops {
		f := &w.Ops[i]
		if f.Result == model.Full && w.Params.Capacity > 0 {
			return finding.FalseFull, fmt.Sprintf("process %d found the %s full %s (%s), whose capacity is %d, but no order of the others fills it by then: %s",
				f.Process, nouns[w.Kind], wording.When(f), f.Op, w.Params.Capacity, listing(w))
		}
	}
	return "", ""
}

// overfull explains puts that went in beyond the capacity: without that bound
// the window has an order.
func overfull(w *model.History) (kind, text string) {
	if w.Params.Capacity == 0 || len(w.Ops) > wording.MaxListed {
		return "", ""
	}
	unbounded := w.With(w.Ops)
	unbounded.Params.Capacity = 0
	stop := &general.Stopper{Deadline: time.Now().Add(100 * time.Millisecond)}
	if general.Search(general.Excerpt{History: unbounded}, stop) != model.Linearizable {
		return "", ""
	}
	return finding.Overfull, fmt.Sprintf("the capacity of the %s is %d, and more must have been inside at some time: %s", nouns[w.Kind], w.Params.Capacity, listing(w))
}
