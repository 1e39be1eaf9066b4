package search

import (
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// Item is a value with the operations on it.
type Item struct {
	Call uint64 // stamp of the call of its put
	Out  uint64 // stamp of the call of its removal, far if it stays
	// Put and Take are places of operations: Put is absent if it never came back
	// and the value never came out, Take if the value stays.
	Put, Take uint32
}

// Values is a history of puts and removals of distinct values. The search reads
// it, and changes nothing in it.
type Values struct {
	timing.Clock
	History *model.History // with times that fit the clock
	Ties    timing.Ties
	Items   []Item
	// Returns are words of the return of the put and the item, by return; not of
	// items whose put is absent.
	Returns []uint64
	// Unseen are the puts of items whose put is absent, in their order.
	Unseen []uint32
	// Lost is how many removals never came back.
	Lost int
}

// IsMark says whether an operation claims that the object was full or empty. To
// find a range full says something only of what was to be put in.
func IsMark(h *model.History, op uint32) bool {
	switch o := &h.Ops[op]; o.Result {
	case model.Empty:
		return true
	case model.Full:
		return h.Params.Capacity > 0 && (h.Kind != model.Range || o.Value != model.NoValue)
	}
	return false
}
