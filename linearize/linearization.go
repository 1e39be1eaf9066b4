package linearize

import (
	"context"
	"slices"
	"time"

	"stealproof/linearize/internal/certify"
	"stealproof/linearize/internal/limits"
	"stealproof/model"
)

// Linearization is an order of the operations on an object, as places in the history,
// that respects real time and the meaning of the object: what a verdict of
// linearizable says to be there, confirmed by replaying it. Operations that never came
// back stand in it if they took effect. It is nil if none was found within the limits.
func Linearization(ctx context.Context, h *model.History, number uint32, o Options) []int {
	if !o.Validated && h.Validate() != nil {
		return nil
	}
	objects := split(h)
	k := slices.IndexFunc(objects, func(o *object) bool { return o.id == number })
	if k < 0 {
		return nil
	}
	o.Certify = true // who decides is to say which order it found
	c := &checking{options: o, guard: limits.New(ctx, time.Now(), o.limits(limits.Own{}))}
	defer c.guard.Close()
	return c.order(objects[k])
}

// order is a linearization of an object that stood its replay, nil if there is none.
func (c *checking) order(o *object) []int {
	r := c.judged(o)
	order := r.Order
	if r.Verdict == model.Linearizable && order == nil {
		order, _ = c.searchedOrder(o)
	}
	if r.Verdict != model.Linearizable || order == nil || certify.Replay(o.History, order) != nil {
		return nil
	}
	return o.global(order)
}
