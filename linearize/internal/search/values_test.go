package search

import (
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// valuesOf are those of a history of distinct values.
func valuesOf(h *model.History) *Values {
	fitted, look, clock := timing.Fitted(h, timing.NewSurvey(h.Ops))
	v := &Values{Clock: clock, History: fitted, Ties: timing.FindTies(fitted.Ops, look)}
	taken := map[uint64]uint32{}
	for i := range fitted.Ops {
		switch o := &fitted.Ops[i]; {
		case o.TakesOut():
			taken[o.Value] = uint32(i)
		case o.Lost():
			v.Lost++
		}
	}
	for i := range fitted.Ops {
		o := &fitted.Ops[i]
		if !o.PutsIn() {
			continue
		}
		n := uint32(len(v.Items))
		it := Item{Call: clock.Of(o.Call), Out: clock.Far(), Put: uint32(i), Take: absent}
		if take, is := taken[o.Value]; is {
			it.Take, it.Out = take, clock.Of(fitted.Ops[take].Call)
		}
		if it.Take == absent && o.Result == model.Unknown {
			it.Put, v.Unseen = absent, append(v.Unseen, uint32(i))
		} else {
			v.Returns = append(v.Returns, clock.Pack(clock.Of(o.Return), n))
		}
		v.Items = append(v.Items, it)
	}
	clock.Sort(v.Returns)
	return v
}

// distinct says whether each value is put in once, and taken out at most once, and
// nothing else is.
func distinct(h *model.History) bool {
	puts, takes := map[uint64]int{}, map[uint64]int{}
	for i := range h.Ops {
		switch o := &h.Ops[i]; {
		case o.PutsIn():
			puts[o.Value]++
		case o.TakesOut():
			takes[o.Value]++
		}
	}
	for v, n := range puts {
		if n > 1 || takes[v] > 1 {
			return false
		}
	}
	for v := range takes {
		if puts[v] == 0 {
			return false
		}
	}
	return true
}
