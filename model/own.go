package model

import (
	"fmt"
	"slices"
	"strconv"
)

// Model is a meaning of one's own for the operations of a kind: what an object
// promises when they happen one at a time. It stands in Params, and takes the place
// of what the kind says. Histories of it are decided by the general search, small
// ones soon and large ones not; files cannot say it.
type Model struct {
	name  string
	start func() State
}

// Meaning gives a model. Start is the state in which a history begins, and Step the
// state after an operation that comes back with what it says, or false if it cannot
// come back with that here; it leaves the state alone that it is given. Only what
// comes back with ok changes a state. Abort claims nothing, and Step is not asked.
type Meaning[S any] struct {
	Start S
	Step  func(S, *Operation) (S, bool)
	// Key tells states apart: two with the same key are the same.
	Key func(S) string
	// Inside lists the values that a removal might take, for one that never came
	// back: Step refuses those that it cannot.
	Inside func(S) []uint64
}

// NewModel makes a model of a meaning. Its name stands in explanations. Ranges can
// have none.
func NewModel[S any](name string, m Meaning[S]) *Model {
	if m.Step == nil || m.Key == nil || m.Inside == nil {
		panic(fmt.Sprintf("model: %s needs a step, a key and what is inside", name))
	}
	return &Model{name, func() State { return &ownState[S]{&m, m.Start} }}
}

func (m *Model) String() string { return m.name }

// Says names the meaning of a kind with these parameters.
func (p Params) Says(k Kind) string {
	if p.Model != nil {
		return p.Model.name
	}
	return k.String()
}

// ownState is a state of a model of one's own.
type ownState[S any] struct {
	meaning *Meaning[S]
	now     S
}

func (s *ownState[S]) Apply(o *Operation) bool {
	if o.Result == Abort {
		return true
	}
	next, ok := s.meaning.Step(s.now, o)
	if ok && o.Result == OK {
		s.now = next
	}
	return ok
}

func (s *ownState[S]) Outcomes(o *Operation) []Operation {
	if o.Op.Puts() {
		return []Operation{completed(o, o.Value)}
	}
	var all []Operation
	for _, v := range s.meaning.Inside(s.now) {
		c := completed(o, v)
		if _, ok := s.meaning.Step(s.now, &c); ok {
			all = append(all, c)
		}
	}
	return all
}

func (s *ownState[S]) Clone() State { c := *s; return &c }

func (s *ownState[S]) Equal(t State) bool { return s.String() == t.String() }

func (s *ownState[S]) String() string { return s.meaning.Key(s.now) }

// Values is a row of values as a state, which nobody changes once it is made.
type Values []uint64

// Key tells rows apart.
func (v Values) Key() string {
	var b []byte
	for _, x := range v {
		b = append(strconv.AppendUint(b, x, 10), ' ')
	}
	return string(b)
}

// With is the row with one more value at its end.
func (v Values) With(x uint64) Values { return append(slices.Clip(v), x) }

// Without is the row without the value at a place.
func (v Values) Without(place int) Values {
	return slices.Concat(v[:place], v[place+1:])
}

// inRow makes a model of a row of values, oldest first, of which takes says which
// places an operation may take from.
func inRow(name string, capacity int, takes func(row Values, place int, o *Operation) bool) *Model {
	return NewModel(name, Meaning[Values]{
		Step: func(row Values, o *Operation) (Values, bool) {
			full := capacity > 0 && len(row) >= capacity
			switch {
			case o.Result == Full:
				return row, full || capacity == 0
			case o.Result == Empty:
				return row, len(row) == 0
			case o.Op.Puts():
				return row.With(o.Value), !full
			}
			for place, v := range row {
				if v == o.Value && takes(row, place, o) {
					return row.Without(place), true
				}
			}
			return row, false
		},
		Key:    Values.Key,
		Inside: func(row Values) []uint64 { return row },
	})
}

// Stack is last in, first out, for a Bag or a FIFO. A capacity bounds it, 0 does not.
func Stack(capacity int) *Model {
	return inRow("stack", capacity, func(row Values, place int, _ *Operation) bool { return place == len(row)-1 })
}

// Relaxed is a queue that gives one of its oldest values, so many of which may be
// older than the one that is taken, for a FIFO or a Bag.
func Relaxed(older int) *Model {
	return inRow(fmt.Sprintf("relaxed by %d", older), 0, func(_ Values, place int, _ *Operation) bool { return place <= older })
}

// CircularDeque is a work-stealing deque of whose array no place is ever lost, so that
// full says that so many values were inside; for a WSDeque.
func CircularDeque(capacity int) *Model {
	return inRow("circular deque", capacity, func(row Values, place int, o *Operation) bool {
		if o.Op == Pop {
			return place == len(row)-1
		}
		return place == 0
	})
}

// AtLeastOnce is a bag that gives every value back once or more often, and is empty
// only when each was given back; for a Bag or a FIFO.
func AtLeastOnce() *Model {
	type state struct{ waiting, given Values } // both ascending
	sorted := func(row Values, v uint64) Values {
		at, there := slices.BinarySearch(row, v)
		if there {
			return row
		}
		return slices.Insert(slices.Clone(row), at, v)
	}
	return NewModel("at least once", Meaning[state]{
		Step: func(s state, o *Operation) (state, bool) {
			at, waits := slices.BinarySearch(s.waiting, o.Value)
			_, given := slices.BinarySearch(s.given, o.Value)
			switch {
			case o.Result == Full:
				return s, true
			case o.Result == Empty:
				return s, len(s.waiting) == 0
			case o.Op.Puts():
				return state{sorted(s.waiting, o.Value), s.given}, true
			case waits:
				return state{s.waiting.Without(at), sorted(s.given, o.Value)}, true
			}
			return s, given
		},
		Key:    func(s state) string { return s.waiting.Key() + "; " + s.given.Key() },
		Inside: func(s state) []uint64 { return s.waiting },
	})
}
