package general

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"stealproof/model"
)

// position is where a search stands when a state alone does not say it: several
// states are possible, or some operations wait for others of their process.
//
// done is a function of the set of operations that were linearized. As two
// positions are only ever compared for the same set, equal need not look at it.
type position struct {
	states []model.State
	done   []uint64
	print  fingerprint // zero if there are several states
}

const maxStates = 1024

var errTooManyOutcomes = errors.New("an operation that never came back may have had too many different effects")

func (m *sequential) start() *position {
	return &position{
		states: []model.State{model.NewState(m.history.Kind, m.history.Params)},
		done:   make([]uint64, (m.marks+63)/64),
		print:  fingerprint{head: 1, tail: 1},
	}
}

func (m *sequential) stepPosition(state, input, _ any) (bool, any) {
	if m.stop.stopped() {
		return false, nil
	}
	p, c := state.(*position), input.(*call)
	if c.after != none && p.done[c.after/64]>>(c.after%64)&1 == 0 {
		return false, nil
	}
	next, ok := m.effects(p, c)
	if !ok {
		return false, nil
	}
	if c.mark != none {
		next.done = slices.Clone(p.done)
		next.done[c.mark/64] |= 1 << (c.mark % 64)
	}
	m.stop.count()
	return true, next
}

// effects is the position with all states in which the operation may leave the
// object.
func (m *sequential) effects(p *position, c *call) (*position, bool) {
	next := &position{done: p.done}
	if !m.manyOutcomes {
		s, effect, ok := m.happen(p.states[0], c)
		if !ok {
			return nil, false
		}
		next.print = p.print
		if effect != nil {
			next.print = p.print.after(m.history.Kind, effect)
		}
		next.states = []model.State{s}
		return next, true
	}
	for _, s := range p.states {
		if m.stop.stopped() {
			return nil, false
		}
		m.stop.work(1 + len(next.states)) // each new one is compared with all
		next.states = m.addEffects(next.states, s, c)
		if len(next.states) > maxStates {
			m.stop.Stop(errTooManyOutcomes.Error())
			return nil, false
		}
	}
	return next, len(next.states) > 0
}

func (m *sequential) addEffects(all []model.State, s model.State, c *call) []model.State {
	if !c.Lost() {
		if next, _, ok := m.happen(s, c); ok {
			all = addState(all, next)
		}
		return all
	}
	all = addState(all, s)
	for _, o := range s.Outcomes(c.Operation) {
		if m.surplus != nil && !m.surplus[o.Value] {
			continue
		}
		if next, ok := m.apply(s, &o); ok {
			all = addState(all, next)
		}
	}
	return all
}

func addState(all []model.State, s model.State) []model.State {
	if slices.ContainsFunc(all, s.Equal) {
		return all
	}
	return append(all, s)
}

// boundOutcomes keeps the effects of lost removals few, or stops the search.
func (m *sequential) boundOutcomes() bool {
	if m.history.Params.Model != nil {
		return true // who knows what may come out more than once
	}
	if m.history.Kind == model.Bag {
		m.findSurplus()
		return true
	}
	var pushed uint64
	for i := range m.all {
		if m.all[i].PutsIn() {
			pushed += min(m.all[i].Len(), maxStates+1)
			pushed = min(pushed, maxStates+1)
		}
	}
	for i := range m.all {
		c := &m.all[i]
		if c.Lost() && pushed > maxStates && (c.Size == 0 || c.Size > maxStates) {
			m.stop.Stop(errTooManyOutcomes.Error())
			return false
		}
	}
	return true
}

// findSurplus finds the values of a bag that went in more often than they are
// known to have come out. A removal that never came back can only have taken
// one of these: any other is needed by an operation that says so.
func (m *sequential) findSurplus() {
	balance := map[uint64]int{}
	for i := range m.all {
		switch c := &m.all[i]; {
		case c.PutsIn():
			balance[c.Value]++
		case c.TakesOut() && !c.optional:
			balance[c.Value]--
		}
	}
	m.surplus = map[uint64]bool{}
	for v, n := range balance {
		m.surplus[v] = n > 0
	}
}

func (p *position) equal(q *position) bool {
	if len(p.states) != len(q.states) {
		return false
	}
	for _, s := range p.states {
		if !slices.ContainsFunc(q.states, s.Equal) {
			return false
		}
	}
	return true
}

func (p *position) String() string {
	all := make([]string, len(p.states))
	for i, s := range p.states {
		all[i] = fmt.Sprint(s)
	}
	return strings.Join(all, " or ")
}
