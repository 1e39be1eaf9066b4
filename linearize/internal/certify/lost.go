package certify

import (
	"sort"

	"stealproof/model"
)

// claims are what completed removals say to have taken.
type claims struct {
	values map[uint64]bool
	lows   []uint64 // of ranges, ascending
	highs  []uint64
	// loose is what is inside a bag and nobody claims, so that nobody has to go through
	// all that is inside. Only where something is lost.
	bag   bool
	loose []uint64
}

// happened notes what an operation brought into a bag.
func (c *claims) happened(o *model.Operation) {
	if c.bag && o.PutsIn() && !c.values[o.Value] {
		c.loose = append(c.loose, o.Value)
	}
}

// takeLoose is a removal from a bag that took what nobody claims.
func (c *claims) takeLoose(o model.Operation) (*model.Operation, bool) {
	if len(c.loose) == 0 {
		return nil, false
	}
	o.Result, o.Value = model.OK, c.loose[0]
	c.loose = c.loose[1:]
	return &o, true
}

func claimed(h *model.History) *claims {
	c := &claims{values: map[uint64]bool{}}
	if !h.HasLost() {
		return c
	}
	c.bag = h.Kind == model.Bag && h.Params.Model == nil
	for i := range h.Ops {
		if o := &h.Ops[i]; o.TakesOut() {
			c.values[o.Value] = true
			c.lows, c.highs = append(c.lows, o.Value), append(c.highs, o.To)
		}
	}
	sort.Slice(c.lows, func(i, j int) bool { return c.lows[i] < c.lows[j] })
	sort.Slice(c.highs, func(i, j int) bool { return c.highs[i] < c.highs[j] })
	return c
}

// completion is what an operation that never came back does here: it takes
// what nobody else claims, of a range as much as it may.
func completion(s model.State, o *model.Operation, c *claims) (*model.Operation, bool) {
	if c.bag && o.Op.Removes() {
		return c.takeLoose(*o)
	}
	one := *o
	one.Size = 1 // of a range, look at one index: Outcomes lists all lengths
	outcomes := s.Outcomes(&one)
	for i := range outcomes {
		r := &outcomes[i]
		r.Size = o.Size
		if !o.Op.Removes() {
			return r, true
		}
		if r.To == 0 && !c.values[r.Value] {
			return r, true
		}
		if r.To > 0 && c.widen(s, r) {
			return r, true
		}
	}
	return nil, false
}

// widen lets a removal of one index take all that it may of what is there and
// unclaimed.
func (c *claims) widen(s model.State, r *model.Operation) bool {
	room := uint64(model.MaxValue)
	if r.Size > 0 {
		room = r.Size
	}
	if r.Op == model.Steal {
		k := sort.Search(len(c.highs), func(i int) bool { return c.highs[i] > r.Value })
		low := r.To - min(room, r.To)
		if k > 0 {
			low = max(low, c.highs[k-1])
		}
		one := model.Operation{Op: model.Pop, Result: model.Unknown, Size: 1}
		r.Value = max(low, s.Outcomes(&one)[0].Value)
	} else {
		k := sort.Search(len(c.lows), func(i int) bool { return c.lows[i] >= r.Value })
		high := r.Value + min(room, model.MaxValue-r.Value)
		if k < len(c.lows) {
			high = min(high, c.lows[k])
		}
		one := model.Operation{Op: model.Steal, Result: model.Unknown, Size: 1}
		r.To = min(high, s.Outcomes(&one)[0].To)
	}
	return r.Value < r.To
}
