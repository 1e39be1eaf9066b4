package draw

import (
	"cmp"
	"iter"
	"slices"

	"stealproof/model"
)

// nearby picks operations of the object that were under way while the marked ones were:
// around every marked one those nearest to it. others is how many there are to pick from,
// and outside how many were over before, or began only after.
func nearby(h *model.History, object uint32, marked []int, first, last uint64) (near []int, others, outside int) {
	if len(marked) == 0 {
		return nil, 0, 0
	}
	isMarked := map[int]bool{}
	room := min(timelineBars-len(marked), 4*len(marked)+12)
	around := make([]nearest, len(marked))
	for k, i := range marked {
		isMarked[i] = true
		around[k] = nearest{call: h.Ops[i].Call, back: h.Ops[i].Return, room: room} // others may have the same neighbours
	}
	for i := range scattered(len(h.Ops)) {
		o := &h.Ops[i]
		if o.Object != object || isMarked[i] {
			continue
		}
		if o.Call > last || o.Return < first {
			outside++
			continue
		}
		others++
		for k := range around {
			around[k].offer(i, o)
		}
	}
	return inTurn(around, room), others, outside
}

// inTurn picks from each of several lists, the nearest of all first, then the second
// nearest, as long as there is room.
func inTurn(around []nearest, room int) []int {
	var picked []int
	is := map[int]bool{}
	for rank := range room {
		for k := range around {
			if len(picked) == room {
				return picked
			}
			if rank < len(around[k].all) && !is[around[k].all[rank].place] {
				is[around[k].all[rank].place] = true
				picked = append(picked, around[k].all[rank].place)
			}
		}
	}
	return picked
}

// neighbour is an operation, how much time lies between it and another one, and how
// much between their calls.
type neighbour struct {
	place        int
	apart, begin uint64
}

// nearest keeps the operations nearest to one from call to back, sorted.
type nearest struct {
	call, back uint64
	room       int
	all        []neighbour
	full       bool
	farthest   neighbour // if it is full
}

// scattered are the places of n operations, far from one another: in the order of their
// times each would be nearer than the one before, up to the one that is looked for, and
// all would be kept for a while.
func scattered(n int) iter.Seq[int] {
	stride := max(1, n*5/8)
	for gcd(stride, n) > 1 {
		stride++
	}
	return func(yield func(int) bool) {
		for i, at := 0, 0; i < n && yield(at); i++ {
			at = (at + stride) % n
		}
	}
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

func (n *nearest) offer(place int, o *model.Operation) {
	if n.room == 0 {
		return
	}
	apart := uint64(0)
	switch {
	case o.Return < n.call:
		apart = n.call - o.Return
	case n.back < o.Call:
		apart = o.Call - n.back
	}
	if n.full && apart > n.farthest.apart {
		return // as nearly all of many
	}
	x := neighbour{place, apart, max(o.Call, n.call) - min(o.Call, n.call)}
	if n.full && compareNeighbours(x, n.farthest) > 0 {
		return
	}
	if n.full {
		n.all = n.all[:n.room-1]
	}
	at, _ := slices.BinarySearchFunc(n.all, x, compareNeighbours)
	n.all = slices.Insert(n.all, at, x)
	n.full = len(n.all) == n.room
	n.farthest = n.all[len(n.all)-1]
}

func compareNeighbours(a, b neighbour) int {
	return cmp.Or(cmp.Compare(a.apart, b.apart), cmp.Compare(a.begin, b.begin), cmp.Compare(a.place, b.place))
}

// busiestOf picks the operations of an object nearest to the moment at which most were
// under way. all is how many it has, and busiest when that is, from the first call on.
func busiestOf(h *model.History, object uint32, room int) (near []int, all int, busiest uint64) {
	var calls, returns []uint64
	for i := range h.Ops {
		if o := &h.Ops[i]; o.Object == object {
			near = append(near, i)
			calls, returns = append(calls, o.Call), append(returns, o.Return)
		}
	}
	if len(near) <= room {
		return near, len(near), 0
	}
	all = len(near)
	slices.Sort(calls)
	slices.Sort(returns)
	most, back, at := -1, 0, calls[0]
	for k, call := range calls {
		for returns[back] < call {
			back++
		}
		if k+1-back > most {
			most, at = k+1-back, call
		}
	}
	n := nearest{call: at, back: at, room: room}
	for k := range scattered(len(near)) {
		n.offer(near[k], &h.Ops[near[k]])
	}
	near = near[:0]
	for _, o := range n.all {
		near = append(near, o.place)
	}
	return near, all, at - calls[0]
}
