package model

import (
	"cmp"
	"math"
	"slices"
)

// Numbers that mean something else than themselves, and the largest that does not.
const (
	// Never is the return time of an operation that did not come back.
	Never = math.MaxUint64
	// NoValue stands where an operation names no value: an empty removal, or a
	// refused put that does not say what it was refused.
	NoValue = math.MaxUint64
	// MaxValue is the largest value that the history format allows.
	MaxValue = 1<<63 - 1
)

// Operation is one call on one object, with what came of it. Its times are
// those of the history's clock.
type Operation struct {
	// Value is what was put in or came out. For a range it is the lower end.
	Value uint64
	// To is the upper end of a range, exclusive. Unused elsewhere.
	To uint64
	// Size is how many indices a removal from a range asked for; 0 if not said.
	Size uint64
	// Call and Return bound the operation in time; Return may be Never.
	Call, Return uint64
	// Object and Process say on what, and by whom.
	Object, Process uint32
	// Line is where the operation stands in its file, 0 if in none.
	Line   uint32
	Op     Op
	Result Result
}

// Pending says whether the operation never came back.
func (o *Operation) Pending() bool { return o.Return == Never }

// PutsIn says whether the operation brought its value into the object, or may
// have: a put that never came back counts.
func (o *Operation) PutsIn() bool { return o.Op.Puts() && (o.Result == OK || o.Result == Unknown) }

// TakesOut says whether the operation came back with a value.
func (o *Operation) TakesOut() bool { return o.Op.Removes() && o.Result == OK }

// Lost says whether the operation is a removal that never came back: what it
// took, if anything, nobody knows.
func (o *Operation) Lost() bool { return o.Result == Unknown && o.Op.Removes() }

// Len is the number of indices of a range operation.
func (o *Operation) Len() uint64 { return o.To - o.Value }

// Precedes is the order of real time across processes: a returned strictly
// before b was called. Within a process the order of its operations holds as
// well; see ByProcess.
func (o *Operation) Precedes(b *Operation) bool { return o.Return < b.Call }

// Params are what a history or a program says of its objects.
type Params struct {
	// Capacity is the bound of a bounded object, 0 if it is not declared.
	Capacity uint64
	// Shared, for a range: there is no owner, any process may push and pop.
	Shared bool
	// Model is what the operations mean, where that is not what the kind says.
	Model *Model
}

// Clock says where a history's times come from.
type Clock struct {
	Source     string `json:"source,omitempty"`
	Unit       string `json:"unit,omitempty"`
	Resolution uint64 `json:"resolution,omitempty"`
}

// History is what happened: operations with their call and return times. How
// it came about no longer matters.
type History struct {
	Kind   Kind
	Params Params
	Clock  Clock
	// Meta is free text about the origin, in JSON, kept as it is.
	Meta []byte
	Ops  []Operation
}

// CompareInProcess orders the operations of one process: by call, then by
// return. Where both tie the order of the lines decides, so sort stably.
func CompareInProcess(a, b *Operation) int {
	return cmp.Or(cmp.Compare(a.Call, b.Call), cmp.Compare(a.Return, b.Return))
}

// ByProcess returns the places of the operations, grouped by object, then by
// process, each process in its own order.
func (h *History) ByProcess() []int {
	order, ends := h.grouped()
	from := 0
	for _, end := range ends {
		h.sortInProcess(order[from:end])
		from = end
	}
	return order
}

// sortInProcess leaves alone what stands in order, which is usual.
func (h *History) sortInProcess(places []int) {
	compare := func(i, j int) int {
		a, b := &h.Ops[i], &h.Ops[j]
		return cmp.Or(
			cmp.Compare(a.Object, b.Object),
			cmp.Compare(a.Process, b.Process),
			CompareInProcess(a, b),
			cmp.Compare(i, j))
	}
	if !slices.IsSortedFunc(places, compare) {
		slices.SortFunc(places, compare)
	}
}

// grouped brings the operations of each process together, by counting, and says
// where each group ends. Of several objects, or of processes with large numbers,
// everything is one group.
func (h *History) grouped() (order, ends []int) {
	order = make([]int, len(h.Ops))
	most := uint32(0)
	for i := range h.Ops {
		o := &h.Ops[i]
		order[i] = i
		most = max(most, o.Process)
		if o.Object != h.Ops[0].Object || uint64(most) > uint64(len(h.Ops)) {
			for ; i < len(order); i++ {
				order[i] = i
			}
			return order, []int{len(order)}
		}
	}
	ends = make([]int, int(most)+1)
	for i := range h.Ops {
		ends[h.Ops[i].Process]++
	}
	before := 0
	for p, n := range ends {
		ends[p], before = before, before+n
	}
	for i := range h.Ops {
		p := h.Ops[i].Process
		order[ends[p]] = i
		ends[p]++
	}
	return order, ends
}

// Objects splits the history into one per object, in the order of the object
// numbers; each keeps the order of its operations.
func (h *History) Objects() []*History {
	ids := map[uint32]int{}
	var parts []*History
	for i := range h.Ops {
		obj := h.Ops[i].Object
		at, seen := ids[obj]
		if !seen {
			at = len(parts)
			ids[obj] = at
			parts = append(parts, h.With(nil))
		}
		parts[at].Ops = append(parts[at].Ops, h.Ops[i])
	}
	slices.SortFunc(parts, func(a, b *History) int { return cmp.Compare(a.Ops[0].Object, b.Ops[0].Object) })
	return parts
}

// With returns a history of the same objects with other operations.
func (h *History) With(ops []Operation) *History {
	c := *h
	c.Ops = ops
	return &c
}

// Part returns a history of the same objects with the operations at some places.
func (h *History) Part(places []int) *History {
	part := h.With(make([]Operation, len(places)))
	for k, i := range places {
		part.Ops[k] = h.Ops[i]
	}
	return part
}

// Places are those of all operations.
func (h *History) Places() []int {
	places := make([]int, len(h.Ops))
	for i := range places {
		places[i] = i
	}
	return places
}

// HasLost says whether some removal never came back; see Operation.Lost.
func (h *History) HasLost() bool {
	for i := range h.Ops {
		if h.Ops[i].Lost() {
			return true
		}
	}
	return false
}
