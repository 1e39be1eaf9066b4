package linearize

import (
	"cmp"
	"slices"

	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// object is one object's part of the history.
type object struct {
	*model.History
	id     uint32
	places []int          // in the whole history; nil if they are one behind the other
	offset int            // of the first
	size   int            // how many operations, when they are counted
	look   *timing.Survey // if there was one
}

// global turns places in the object's history into those in the whole one.
func (o *object) global(places []int) []int {
	global := make([]int, len(places))
	for i, at := range places {
		if o.places == nil {
			global[i] = o.offset + at
		} else {
			global[i] = o.places[at]
		}
	}
	return global
}

// split cuts the history by objects, in the order of their numbers. Nothing is
// copied where the operations of each object stand together.
func split(h *model.History) []*object {
	if len(h.Ops) == 0 {
		return nil
	}
	if look := timing.NewSurvey(h.Ops); !look.Mixed {
		return []*object{{History: h, id: h.Ops[0].Object, look: look}}
	}
	t := &objectTable{history: h}
	if t.count() {
		for _, o := range t.all {
			o.Ops = h.Ops[o.offset : o.offset+o.size]
		}
	} else {
		t.copyApart()
	}
	slices.SortFunc(t.all, func(a, b *object) int { return cmp.Compare(a.id, b.id) })
	return t.all
}
