package linearize

import (
	"cmp"
	"time"

	"stealproof/linearize/internal/explain"
	"stealproof/linearize/internal/minimise"
	"stealproof/model"
)

// windowTime is how long the search for few operations may take that show a
// violation, unless somebody has more patience.
const windowTime = 2 * time.Second

// explained makes the operations that show a violation few, and puts it into
// words. What contradicts itself is both already.
func (c *checking) explained(o *object, r result) result {
	if r.Verdict != model.Violation || r.checker == direct || o.Params.Model != nil {
		return r
	}
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
