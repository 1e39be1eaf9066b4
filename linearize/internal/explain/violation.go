package explain

import (
	"fmt"

	"stealproof/linearize/internal/finding"
	"stealproof/model"
)

// First is the first contradiction by time, to be told in the place
// of the violation that a monitor came upon; nil if there is none. Of a range with
// an owner only the monitor's proof is looked at, which has all operations on the
// indices in question; of a shared one everything, since its search knows only
// that there is no order.
func First(h *model.History, v finding.Violation) *finding.Violation {
	shared := h.Kind == model.Range && h.Params.Shared
	if v.Kind != finding.Invented && v.Kind != finding.Duplicate && v.Kind != finding.TooEarly && !shared {
		return nil
	}
	if h.Kind != model.Range || shared {
		return Find(h).Violation
	}
	first := Find(h.Part(v.Ops)).Violation
	if first != nil {
		for k, at := range first.Ops {
			first.Ops[k] = v.Ops[at]
		}
	}
	return first
}

// InWords explains a violation by the few operations that show it. A monitor
// says which of its rules was broken; the operations say it with names and times,
// if they are recognised. A put that came too late may have been left out of them:
// who finds it in the file must not read that there is none, so such a violation
// is told as what contradicts itself in the whole history.
func InWords(h *model.History, v finding.Violation) (told finding.Violation, contradicts bool) {
	if len(v.Ops) > mostExplained && v.Explanation != "" {
		v.Explanation += fmt.Sprintf(" (%d operations)", len(v.Ops))
		return v, false
	}
	window := h.Part(v.Ops)
	kind, text := explain(window)
	if kind == finding.Invented {
		if whole := Find(h).Violation; whole != nil {
			return *whole, true
		}
	}
	if kind == finding.Other && v.Explanation != "" {
		v.Explanation += ": " + listingFromFirst(window)
	} else {
		v.Kind, v.Explanation = kind, text
	}
	return v, false
}

// mostExplained is up to how many operations are looked at for a reason, which
// takes time that grows with their square, and listed.
const mostExplained = 400
