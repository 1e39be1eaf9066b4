package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// State is an object between two operations, seen by someone who lets them
// happen one at a time.
type State interface {
	// Apply lets a completed operation happen. It reports whether the
	// operation can have its result here; if not, the state is unchanged.
	Apply(o *Operation) bool
	// Outcomes lists the effects that an operation that never came back may
	// have here, those among them that Apply allows; besides them it may have
	// had none.
	Outcomes(o *Operation) []Operation
	Clone() State
	Equal(State) bool
	String() string
}

// NewState returns the state in which every history begins: empty.
func NewState(k Kind, p Params) State {
	if p.Model != nil {
		return p.Model.start()
	}
	switch k {
	case WSDeque:
		return &dequeState{sequence{capacity: p.Capacity}}
	case FIFO:
		return &fifoState{sequence{capacity: p.Capacity}}
	case Range:
		return &rangeState{capacity: p.Capacity}
	case Bag:
		return &bagState{capacity: p.Capacity, count: map[uint64]int{}}
	}
	panic(fmt.Sprintf("model: no state for kind %v", k))
}

// completed returns o as it would be had it come back with v.
func completed(o *Operation, v uint64) Operation {
	c := *o
	c.Result, c.Value = OK, v
	return c
}

// sequence is a row of values, oldest first, with room for at most capacity
// of them (0: any number).
type sequence struct {
	items    []uint64
	capacity uint64
}

func (s *sequence) full() bool { return s.capacity > 0 && uint64(len(s.items)) >= s.capacity }

func (s *sequence) append(v uint64) bool {
	if s.full() {
		return false
	}
	s.items = append(s.items, v)
	return true
}

func (s *sequence) takeFirst(v uint64) bool {
	if len(s.items) == 0 || s.items[0] != v {
		return false
	}
	s.items = s.items[1:]
	return true
}

func (s *sequence) takeLast(v uint64) bool {
	n := len(s.items)
	if n == 0 || s.items[n-1] != v {
		return false
	}
	s.items = s.items[:n-1]
	return true
}

func (s *sequence) clone() sequence { return sequence{slices.Clone(s.items), s.capacity} }

func (s *sequence) String() string { return fmt.Sprint(s.items) }

type fifoState struct{ sequence }

func (s *fifoState) Apply(o *Operation) bool {
	switch {
	case o.Result == Abort:
		return true // an abort claims nothing
	case o.Op == Enq && o.Result == OK:
		return s.append(o.Value)
	case o.Op == Enq:
		return s.capacity == 0 || s.full() // full claims something only against a declared capacity
	case o.Result == Empty:
		return len(s.items) == 0
	}
	return s.takeFirst(o.Value)
}

func (s *fifoState) Outcomes(o *Operation) []Operation {
	if o.Op == Enq {
		return []Operation{completed(o, o.Value)}
	}
	if len(s.items) == 0 {
		return nil
	}
	return []Operation{completed(o, s.items[0])}
}

func (s *fifoState) Clone() State { return &fifoState{s.clone()} }

func (s *fifoState) Equal(t State) bool { return slices.Equal(s.items, t.(*fifoState).items) }

type dequeState struct{ sequence }

func (s *dequeState) Apply(o *Operation) bool {
	switch {
	case o.Result == Abort || o.Result == Full:
		// A full deque claims nothing: an array that is not circular may be
		// used up although the deque is nearly empty.
		return true
	case o.Result == Empty:
		return len(s.items) == 0
	case o.Op == Push:
		return s.append(o.Value)
	case o.Op == Pop:
		return s.takeLast(o.Value)
	}
	return s.takeFirst(o.Value)
}

func (s *dequeState) Outcomes(o *Operation) []Operation {
	if o.Op == Push {
		return []Operation{completed(o, o.Value)}
	}
	if len(s.items) == 0 {
		return nil
	}
	if o.Op == Pop {
		return []Operation{completed(o, s.items[len(s.items)-1])}
	}
	return []Operation{completed(o, s.items[0])}
}

func (s *dequeState) Clone() State { return &dequeState{s.clone()} }

func (s *dequeState) Equal(t State) bool { return slices.Equal(s.items, t.(*dequeState).items) }

// rangeState is the interval [low, high); all empty intervals are the same.
type rangeState struct{ low, high, capacity uint64 }

func (s *rangeState) empty() bool { return s.low == s.high }

func (s *rangeState) Apply(o *Operation) bool {
	switch {
	case o.Result == Abort:
		return true
	case o.Op == Push && o.Result == OK:
		return s.push(o)
	case o.Op == Push:
		return s.mayRefuse(o)
	case o.Result == Empty:
		return s.empty()
	case s.empty() || o.Len() == 0 || o.Len() > s.high-s.low || o.Size > 0 && o.Len() > o.Size:
		return false
	case o.Op == Pop && o.Value == s.low:
		s.low = o.To
		return true
	case o.Op == Steal && o.To == s.high:
		s.high = o.Value
		return true
	}
	return false
}

func (s *rangeState) push(o *Operation) bool {
	if !s.fits(o) {
		return false
	}
	if s.empty() {
		s.high = o.To
	}
	s.low = o.Value
	return true
}

// fits says whether a push has room: it extends the interval downward, or
// sets it when it is empty.
func (s *rangeState) fits(o *Operation) bool {
	if !s.empty() && o.To != s.low {
		return false
	}
	return s.capacity == 0 || s.high-s.low+o.Len() <= s.capacity
}

// mayRefuse says whether a push may find the range full: at any time if no
// capacity is declared, otherwise when what it brings does not fit.
func (s *rangeState) mayRefuse(o *Operation) bool {
	return s.capacity == 0 || o.Value == NoValue || !s.fits(o)
}

func (s *rangeState) Outcomes(o *Operation) []Operation {
	if o.Op == Push {
		return []Operation{completed(o, o.Value)}
	}
	most := s.high - s.low
	if o.Size > 0 {
		most = min(most, o.Size)
	}
	var all []Operation
	for n := uint64(1); n <= most; n++ {
		c := completed(o, s.low)
		c.To = s.low + n
		if o.Op == Steal {
			c.Value, c.To = s.high-n, s.high
		}
		all = append(all, c)
	}
	return all
}

func (s *rangeState) Clone() State { c := *s; return &c }

func (s *rangeState) Equal(t State) bool {
	u := t.(*rangeState)
	return s.low == u.low && s.high == u.high || s.empty() && u.empty()
}

func (s *rangeState) String() string { return fmt.Sprintf("[%d,%d)", s.low, s.high) }

type bagState struct {
	count    map[uint64]int
	size     uint64
	capacity uint64
}

func (s *bagState) full() bool { return s.capacity > 0 && s.size >= s.capacity }

func (s *bagState) Apply(o *Operation) bool {
	switch {
	case o.Result == Abort:
		return true
	case o.Op == Put && o.Result == Full:
		return s.capacity == 0 || s.full()
	case o.Result == Empty:
		return s.size == 0
	case o.Op == Put:
		if s.full() {
			return false
		}
		s.count[o.Value]++
		s.size++
		return true
	}
	switch s.count[o.Value] {
	case 0:
		return false
	case 1:
		delete(s.count, o.Value)
	default:
		s.count[o.Value]--
	}
	s.size--
	return true
}

func (s *bagState) Outcomes(o *Operation) []Operation {
	if o.Op == Put {
		return []Operation{completed(o, o.Value)}
	}
	var all []Operation
	for _, v := range slices.Sorted(maps.Keys(s.count)) {
		all = append(all, completed(o, v))
	}
	return all
}

func (s *bagState) Clone() State { return &bagState{maps.Clone(s.count), s.size, s.capacity} }

func (s *bagState) Equal(t State) bool { return maps.Equal(s.count, t.(*bagState).count) }

func (s *bagState) String() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, v := range slices.Sorted(maps.Keys(s.count)) {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprint(&b, v)
	}
	b.WriteByte('}')
	return b.String()
}
