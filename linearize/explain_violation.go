package linearize

import (
	"fmt"

	"stealproof/model"
)

// firstContradiction is the first contradiction by time, to be told in the place
// of the violation that a monitor came upon; nil if there is none. Of a range with
// an owner only the monitor's proof is looked at, which has all operations on the
// indices in question; of a shared one everything, since its search knows only
// that there is no order.
func firstContradiction(h *model.History, v flaw) *flaw {
	shared := h.Kind == model.Range && h.Params.Shared
	if v.kind != Invented && v.kind != Duplicate && v.kind != TooEarly && !shared {
		return nil
	}
	if h.Kind != model.Range || shared {
		return contradictions(h).violation
	}
	first := contradictions(h.Part(v.ops)).violation
	if first != nil {
		for k, at := range first.ops {
			first.ops[k] = v.ops[at]
		}
	}
	return first
}

// inWords explains a violation by the few operations that show it. A monitor
// says which of its rules was broken; the operations say it with names and times,
// if they are recognised. A put that came too late may have been left out of them:
// who finds it in the file must not read that there is none, so such a violation
// is told as what contradicts itself in the whole history.
func inWords(h *model.History, v flaw) (told flaw, contradicts bool) {
	if len(v.ops) > mostExplained && v.explanation != "" {
		v.explanation += fmt.Sprintf(" (%d operations)", len(v.ops))
		return v, false
	}
	window := h.Part(v.ops)
	kind, text := explain(window)
	if kind == Invented {
		if whole := contradictions(h).violation; whole != nil {
			return *whole, true
		}
	}
	if kind == Other && v.explanation != "" {
		v.explanation += ": " + listing(window)
	} else {
		v.kind, v.explanation = kind, text
	}
	return v, false
}

// mostExplained is up to how many operations are looked at for a reason, which
// takes time that grows with their square, and listed.
const mostExplained = 400
