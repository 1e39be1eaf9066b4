package draw

import (
	"cmp"
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
	around := make([]nearest, len(marked))
	room := min(timelineBars-len(marked), 4*len(marked)+12)
	for k, i := range marked {
		isMarked[i] = true
		around[k].room = room // others may have the same neighbours
	}
	for i := range h.Ops {
		o := &h.Ops[i]
		if o.Object != object || isMarked[i] {
			continue
		}
		if o.Call > last || o.Return < first {
			outside++
			continue
		}
		others++
		for k, m := range marked {
			around[k].offer(neighbour{i, apart(o, &h.Ops[m]), beginsApart(o, &h.Ops[m])})
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

// nearest keeps the nearest of many neighbours, sorted.
type nearest struct {
	room int
	all  []neighbour
}

func (n *nearest) offer(o neighbour) {
	if full := len(n.all) == n.room; full && (n.room == 0 || compareNeighbours(o, n.all[n.room-1]) >= 0) {
		return
	} else if full {
		n.all = n.all[:n.room-1]
	}
	at, _ := slices.BinarySearchFunc(n.all, o, compareNeighbours)
	n.all = slices.Insert(n.all, at, o)
}

func compareNeighbours(a, b neighbour) int {
	return cmp.Or(cmp.Compare(a.apart, b.apart), cmp.Compare(a.begin, b.begin), cmp.Compare(a.place, b.place))
}

// apart is how much time lies between two operations; none if they overlap.
func apart(a, b *model.Operation) uint64 {
	switch {
	case a.Return < b.Call:
		return b.Call - a.Return
	case b.Return < a.Call:
		return a.Call - b.Return
	}
	return 0
}

func beginsApart(a, b *model.Operation) uint64 { return max(a.Call, b.Call) - min(a.Call, b.Call) }

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
	moment := &model.Operation{Call: at, Return: at}
	n := nearest{room: room}
	for _, i := range near {
		o := &h.Ops[i]
		n.offer(neighbour{i, apart(o, moment), beginsApart(o, moment)})
	}
	near = near[:0]
	for _, o := range n.all {
		near = append(near, o.place)
	}
	return near, all, at - calls[0]
}
