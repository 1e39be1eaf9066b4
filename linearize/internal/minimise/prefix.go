package minimise

import (
	"cmp"
	"slices"

	"stealproof/linearize/internal/general"
	"stealproof/model"
)

// prefixes are the histories of one object as they looked after each return.
// What had been called but had not returned may or may not have taken effect;
// with that, a history that has an order has one after each of its returns,
// so the first return after which it has none is found by bisection.
type prefixes struct {
	history *model.History
	returns []int // places, in the order in which they returned
	rank    []int // the other way round; -1 for what never came back
}

func newPrefixes(h *model.History) *prefixes {
	p := &prefixes{history: h, rank: slices.Repeat([]int{-1}, len(h.Ops))}
	for _, i := range h.ByProcess() {
		if h.Ops[i].Result != model.Unknown {
			p.returns = append(p.returns, i)
		}
	}
	// Stable, so that operations of a process stay in its order.
	slices.SortStableFunc(p.returns, func(i, j int) int { return cmp.Compare(h.Ops[i].Return, h.Ops[j].Return) })
	for k, i := range p.returns {
		p.rank[i] = k
	}
	return p
}

// view is part of an object's history: which operations are present, and
// which of these had not returned.
type view struct {
	present, optional []bool
}

// everything is the view that shows all operations as they are.
func everything(n int) view {
	return view{present: slices.Repeat([]bool{true}, n), optional: make([]bool, n)}
}

// after is the history after the first n returns.
func (p *prefixes) after(n int) view {
	v := view{make([]bool, len(p.rank)), make([]bool, len(p.rank))}
	if n == 0 {
		return v
	}
	now := p.history.Ops[p.returns[n-1]].Return
	for i := range p.history.Ops {
		// Calls at the stamp of a return are concurrent to it, so they come first.
		v.present[i] = p.history.Ops[i].Call <= now
		v.optional[i] = v.present[i] && (p.rank[i] < 0 || p.rank[i] >= n)
	}
	return v
}

// pick is the excerpt that a view shows, and the places of its operations.
// What had not returned and claims something other than a value, such as that
// the object was empty, claims nothing yet.
func (v view) pick(h *model.History) (general.Excerpt, []int) {
	e := general.Excerpt{History: h.With(nil)}
	var places []int
	for i := range h.Ops {
		o := &h.Ops[i]
		claims := o.PutsIn() || o.TakesOut() || o.Result == model.Unknown
		if !v.present[i] || v.optional[i] && !claims {
			continue
		}
		e.Ops = append(e.Ops, *o)
		e.Optional = append(e.Optional, v.optional[i])
		places = append(places, i)
	}
	return e, places
}

// shortest finds the least n such that the history after n returns has no
// order; rejected says so of an excerpt. The whole history must have none.
func (p *prefixes) shortest(rejected func(general.Excerpt) bool) int {
	accepted, refused := 0, len(p.returns)
	for refused-accepted > 1 {
		middle := (accepted + refused) / 2
		if e, _ := p.after(middle).pick(p.history); rejected(e) {
			refused = middle
		} else {
			accepted = middle
		}
	}
	return refused
}

// FirstImpossible finds the operation whose return made the history of one object
// impossible, by the general search without limits; false if it has an order.
func FirstImpossible(h *model.History) (place int, found bool) {
	rejected := func(e general.Excerpt) bool { return general.Search(e, &general.Stopper{}) == model.Violation }
	if !rejected(general.Excerpt{History: h}) {
		return 0, false
	}
	p := newPrefixes(h)
	return p.returns[p.shortest(rejected)-1], true
}
