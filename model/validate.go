package model

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// InvalidError says why operations are no history: an error of who recorded
// them, never a violation of who is tested.
type InvalidError struct {
	// Line is where the offending operation stands in its file, 0 if in none.
	Line int
	// Index is its place among the operations.
	Index int
	Msg   string
}

func (e *InvalidError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Msg)
	}
	return fmt.Sprintf("operation %d: %s", e.Index, e.Msg)
}

// maxOperations bounds a history: the checkers number operations by 32 bits.
const maxOperations = math.MaxUint32

// Validate says why the operations cannot be a history of objects of the kind, or
// nil: operations and results are those of the kind, values and times in range,
// operations of a process on an object do not overlap, and an object that has an
// owner has one. Of an operation, an [InvalidError] says which.
//
// Operations may stand in any order. Where those of every process stand in
// their own, as recorders leave them, one pass will do, by all processors.
func (h *History) Validate() error {
	if err := h.validateHeader(); err != nil {
		return err
	}
	if h.isValid(min(runtime.GOMAXPROCS(0), len(h.Ops)/operationsPerPart)) {
		return nil
	}
	return h.whyInvalid()
}

// operationsPerPart are worth a goroutine of their own.
const operationsPerPart = 1 << 15

// isValid is the quick way: parts of the history by themselves, all at a time, and
// then whether each part follows those before it. A no may be wrong.
func (h *History) isValid(parts int) bool {
	if parts < 2 {
		return NewValidator(h.Kind, h.Params).all(h.Ops)
	}
	var (
		all    = make([]*Validator, parts)
		failed atomic.Bool
		wg     sync.WaitGroup
	)
	for k := range all {
		all[k] = NewValidator(h.Kind, h.Params)
		ops := h.Ops[k*len(h.Ops)/parts : (k+1)*len(h.Ops)/parts]
		wg.Go(func() {
			if !all[k].all(ops) {
				failed.Store(true)
			}
		})
	}
	wg.Wait()
	for _, next := range all[1:] {
		if failed.Load() || !all[0].join(next) {
			return false
		}
	}
	return true
}

func (h *History) validateHeader() error {
	switch {
	case h == nil:
		return errors.New("there is no history")
	case h.Kind == 0 || int(h.Kind) >= len(kindNames):
		return errors.New("the history has no model")
	case h.Params.Shared && h.Kind != Range:
		return fmt.Errorf("shared is for the model %s, not for %s", Range, h.Kind)
	case h.Params.Capacity > math.MaxInt64:
		return fmt.Errorf("capacity: expected a number below 2^63, found %d", h.Params.Capacity)
	case uint64(len(h.Ops)) > maxOperations:
		return fmt.Errorf("%d operations: expected at most 2^32-1", len(h.Ops))
	}
	return nil
}

// whyInvalid takes its time: it finds the first operation that is wrong by
// itself, or else those that do not go together. It is nil if none is.
func (h *History) whyInvalid() error {
	for i := range h.Ops {
		if msg := h.whyAlone(&h.Ops[i]); msg != "" {
			return h.invalid(i, "%s", msg)
		}
	}
	if err := h.whyOverlap(); err != nil {
		return err
	}
	return h.whyOwners()
}

func (h *History) invalid(i int, format string, args ...any) error {
	return &InvalidError{Line: int(h.Ops[i].Line), Index: i, Msg: fmt.Sprintf(format, args...)}
}

// whyAlone says what is wrong with an operation by itself.
func (h *History) whyAlone(o *Operation) string {
	switch {
	case !h.Kind.Has(o.Op):
		return fmt.Sprintf("model %s has no operation %q: expected one of %s", h.Kind, o.Op, list(h.Kind.Ops()))
	case o.Result == Unknown && !o.Pending():
		return fmt.Sprintf("%s came back without a result: expected one of %s", o.Op, list(h.Kind.Results(o.Op)))
	case o.Result != Unknown && !h.Kind.Allows(o.Op, o.Result):
		return fmt.Sprintf("%s cannot have the result %q: expected one of %s", o.Op, o.Result, list(h.Kind.Results(o.Op)))
	case o.Return < o.Call:
		return fmt.Sprintf("return %d is before call %d", o.Return, o.Call)
	case o.Call == Never:
		return "call: expected a number below 2^64-1"
	case h.Kind == Range && o.Op.Removes() && o.Size > MaxValue:
		return fmt.Sprintf("size: expected a number below 2^63, found %d", o.Size)
	}
	return h.whyValue(o)
}

// whyValue says what is wrong with what an operation moves, if it moves something,
// or names it: a full may say what found no room.
func (h *History) whyValue(o *Operation) string {
	needed := o.PutsIn() || o.TakesOut()
	switch {
	case !needed && (o.Result != Full || o.Value == NoValue):
		return ""
	case o.Value > MaxValue && needed:
		return fmt.Sprintf("%s %s needs a value below 2^63", o.Op, o.Result)
	case o.Value > MaxValue:
		return fmt.Sprintf("value: expected a number below 2^63, found %d", o.Value)
	case h.Kind != Range:
		return ""
	case o.To > MaxValue:
		return fmt.Sprintf("%s %s needs a range with ends below 2^63", o.Op, o.Result)
	case o.To <= o.Value:
		return fmt.Sprintf("the range [%d,%d) is empty: expected from < to", o.Value, o.To)
	case o.TakesOut() && o.Size == 0:
		return fmt.Sprintf("%s on a range needs the size that was asked for, at least 1", o.Op)
	}
	return ""
}

// whyOverlap finds two operations of a process that were under way at once.
func (h *History) whyOverlap() error {
	order := h.ByProcess()
	for k := 1; k < len(order); k++ {
		a, b := &h.Ops[order[k-1]], &h.Ops[order[k]]
		if a.Object != b.Object || a.Process != b.Process || b.Call >= a.Return {
			continue
		}
		if a.Pending() {
			return h.invalid(order[k], "process %d calls %s at %d, but its %s called at %d never came back", b.Process, b.Op, b.Call, a.Op, a.Call)
		}
		return h.invalid(order[k], "process %d calls %s at %d, before its %s in [%d,%d] returned: operations of a process must not overlap",
			b.Process, b.Op, b.Call, a.Op, a.Call, a.Return)
	}
	return nil
}

// whyOwners finds an object with two owners.
func (h *History) whyOwners() error {
	owner := map[uint32]*Operation{}
	for i := range h.Ops {
		o := &h.Ops[i]
		if !h.Kind.OwnerOnly(o.Op, h.Params) {
			continue
		}
		first := owner[o.Object]
		if first == nil {
			owner[o.Object] = o
		} else if first.Process != o.Process {
			return h.invalid(i, "process %d calls %s on object %d, whose owner is process %d: only the owner may",
				o.Process, o.Op, o.Object, first.Process)
		}
	}
	return nil
}

func list[T fmt.Stringer](vs []T) string {
	s := ""
	for i, v := range vs {
		if i > 0 {
			s += ", "
		}
		s += v.String()
	}
	return s
}
