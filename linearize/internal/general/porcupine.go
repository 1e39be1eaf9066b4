// Package general is the general search: it decides any history of one object, by
// porcupine, as far as time and memory allow.
package general

import (
	"io"
	"math"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"

	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// This file alone knows porcupine, the general checker. It searches for an
// order of the operations of one object, depth first, and remembers which
// sets of operations led to which state.

// Excerpt is what one search is about: operations of one object.
type Excerpt struct {
	*model.History
	// Optional marks completed operations that, at the moment up to which the
	// excerpt looks, had not returned: they took effect as they say, or not at
	// all. Nil if there are none.
	Optional []bool
}

// IsOptional says whether an operation of the excerpt is optional.
func (e *Excerpt) IsOptional(i int) bool { return e.Optional != nil && e.Optional[i] }

// Search decides by porcupine, and reports undecided if it was stopped first.
func Search(e Excerpt, stop *Stopper) model.Verdict {
	m, ok := newSequential(e, stop)
	if !ok {
		return model.Undecided
	}
	switch m.run() {
	case porcupine.Ok:
		return model.Linearizable
	case porcupine.Illegal:
		if !stop.stopped() {
			return model.Violation
		}
	}
	return model.Undecided
}

func (m *sequential) run() porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(m.porcupine(), m.calls, m.stop.left())
}

// Small decides a small history of any number of objects, without limits.
func Small(h *model.History) bool {
	if len(h.Ops) == 0 {
		return true
	}
	if first := h.Ops[0].Object; slices.ContainsFunc(h.Ops, func(o model.Operation) bool { return o.Object != first }) {
		for _, part := range h.Objects() {
			if !Small(part) {
				return false
			}
		}
		return true
	}
	return Search(Excerpt{History: h}, &Stopper{}) == model.Linearizable
}

// call is what porcupine is told of an operation.
type call struct {
	*model.Operation
	// optional: no effect is possible as well. A lost removal may besides have
	// taken whatever it found.
	optional bool
	// after and mark are bits in position.done, or none: the operation comes after
	// the one with bit 'after', and sets 'mark' for the one after it.
	after, mark int
}

const none = -1

// sequential is the sequential meaning of one object in porcupine's terms.
type sequential struct {
	history *model.History
	all     []call
	calls   []porcupine.Operation
	stop    *Stopper
	marks   int // bits of position.done
	// manyOutcomes: an operation may have several effects, so that a
	// position holds a set of states.
	manyOutcomes bool
	surplus      map[uint64]bool
	// spare is a clone of spareOf that was not used up, since Apply leaves the
	// state as it was when it refuses. Most steps that porcupine tries are
	// refused, and then cost no clone.
	spare, spareOf model.State
}

func newSequential(e Excerpt, stop *Stopper) (*sequential, bool) {
	m := &sequential{history: e.History, stop: stop}
	m.all = make([]call, len(e.Ops))
	m.calls = make([]porcupine.Operation, len(e.Ops))
	late := uint64(0)
	for i := range e.Ops {
		o := &e.Ops[i]
		c := &m.all[i]
		*c = call{Operation: o, optional: o.Result == model.Unknown || e.IsOptional(i), after: none, mark: none}
		m.manyOutcomes = m.manyOutcomes || o.Lost() && (e.Kind == model.Bag || e.Kind == model.Range || e.Params.Model != nil)
		late = max(late, o.Call)
		if !o.Pending() {
			late = max(late, o.Return)
		}
		m.calls[i] = porcupine.Operation{ClientId: int(o.Process), Input: c, Call: int64(o.Call), Return: m.returned(c)}
	}
	if late >= math.MaxInt64 {
		m.compress()
	}
	m.findTies()
	if m.manyOutcomes && !m.boundOutcomes() {
		return nil, false
	}
	return m, true
}

// returned is when porcupine may take the operation for done: one that may
// still take effect is in flight to the end.
func (m *sequential) returned(c *call) int64 {
	if c.optional || c.Pending() {
		return math.MaxInt64
	}
	return int64(c.Return)
}

// compress replaces times, which may not fit porcupine's, by their ranks.
func (m *sequential) compress() {
	var times []uint64
	for i := range m.all {
		times = append(times, m.all[i].Call, m.all[i].Return)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	rank := func(t uint64) int64 {
		r, _ := slices.BinarySearch(times, t)
		return int64(r)
	}
	for i := range m.all {
		c := &m.all[i]
		m.calls[i].Call = rank(c.Call)
		if !c.optional && !c.Pending() {
			m.calls[i].Return = rank(c.Return)
		}
	}
}

// FindTies looks for operations that were called at the very stamp at which
// the one before in their process returned. To porcupine, which knows only
// intervals, the two are concurrent; to us the order of a process always
// holds. So the earlier one gets a mark, which the later one waits for.
//
// Moving the stamps apart would not do: with two such processes at one stamp,
// every return would have to come before a call that is concurrent to it.
func (m *sequential) findTies() {
	if !m.anyTie() {
		return
	}
	ops := m.history.Ops
	order := m.history.ByProcess()
	for k := 1; k < len(order); k++ {
		i, j := order[k-1], order[k]
		if ops[i].Process == ops[j].Process && ops[i].Return == ops[j].Call {
			m.all[i].mark = m.marks
			m.all[j].after = m.marks
			m.marks++
		}
	}
}

// anyTie is the cheap question before the dear one: small histories by pairs.
func (m *sequential) anyTie() bool {
	ops := m.history.Ops
	if len(ops) > 64 {
		return true
	}
	for i := range ops {
		for j := range ops {
			if i != j && ops[i].Return == ops[j].Call && ops[i].Process == ops[j].Process {
				return true
			}
		}
	}
	return false
}

// fewOperations need no fingerprints.
const fewOperations = 12

func (m *sequential) porcupine() porcupine.Model {
	p := porcupine.Model{DescribeOperation: func(in, _ any) string { return wording.Phrase(in.(*call).Operation) }}
	if m.marks == 0 && !m.manyOutcomes && len(m.all) <= fewOperations {
		p.Init = func() any { return model.NewState(m.history.Kind, m.history.Params) }
		p.Step = m.step
		p.Equal = func(a, b any) bool { return a.(model.State).Equal(b.(model.State)) }
		p.DescribeState = func(s any) string { return s.(model.State).String() }
		return p
	}
	p.Init = func() any { return m.start() }
	p.Step = m.stepPosition
	p.Equal = func(a, b any) bool {
		m.stop.work(len(a.(*position).states) - 1) // among many states most of the time goes here
		return a.(*position).equal(b.(*position))
	}
	p.Hash = func(s any) uint64 { return s.(*position).print.sum }
	p.DescribeState = func(s any) string { return s.(*position).String() }
	return p
}

// step is the usual case: one state, and no order but that of the intervals.
func (m *sequential) step(state, input, _ any) (bool, any) {
	if m.stop.stopped() {
		return false, nil
	}
	s := state.(model.State)
	next, _, ok := m.happen(s, input.(*call))
	if !ok {
		return false, nil
	}
	m.stop.count()
	return true, next
}

// happen lets an operation with at most one effect happen, and returns the
// state after it and the effect, nil if there was none. One that need not
// have had any takes effect whenever it can: had it none in some legal order,
// it may as well come last there, where its effect harms nobody.
func (m *sequential) happen(s model.State, c *call) (model.State, *model.Operation, bool) {
	o := c.Operation
	if o.Result == model.Unknown {
		outcomes := s.Outcomes(o)
		if len(outcomes) == 0 {
			return s, nil, true
		}
		o = &outcomes[0]
	}
	if next, ok := m.apply(s, o); ok {
		return next, o, true
	}
	return s, nil, c.optional
}

func (m *sequential) apply(s model.State, o *model.Operation) (model.State, bool) {
	next := m.spare
	if m.spareOf != s || next == nil {
		next = s.Clone()
	}
	if !next.Apply(o) {
		m.spare, m.spareOf = next, s
		return nil, false
	}
	m.spare, m.spareOf = nil, nil
	return next, true
}

// Order is the order that porcupine finds for all operations, or nil.
func Order(e Excerpt, stop *Stopper) []int {
	m, ok := newSequential(e, stop)
	if !ok {
		return nil
	}
	result, info := porcupine.CheckOperationsVerbose(m.porcupine(), m.calls, stop.left())
	if result != porcupine.Ok || stop.stopped() {
		return nil
	}
	for _, order := range info.PartialLinearizations()[0] {
		if len(order) == len(m.calls) {
			return order
		}
	}
	return nil
}

// Visualize writes porcupine's HTML view.
func Visualize(w io.Writer, e Excerpt, limit time.Duration) error {
	m, ok := newSequential(e, &Stopper{})
	if !ok {
		return errTooManyOutcomes
	}
	p := m.porcupine()
	_, info := porcupine.CheckOperationsVerbose(p, m.calls, limit)
	return porcupine.Visualize(p, info, w)
}
