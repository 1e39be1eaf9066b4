package litmus

import (
	"fmt"
	"maps"
	"slices"

	"stealproof/ref/axioms"
)

// machine runs a test step by step: sequentially consistent, or with a buffer
// of stores for each thread, as x86 has.
type machine struct {
	at        []int
	registers [][]int64
	memory    []int64
	buffers   [][]buffered
	assigned  [][]bool         // registers
	waiting   []bool           // at a barrier
	open      map[string][]int // threads that have come to a barrier whose round is not over
}

type buffered struct {
	location int
	value    int64
}

func machineOutcomes(t *Test, buffering bool) map[string]bool {
	m := machine{memory: slices.Clone(t.Initial), open: map[string][]int{}}
	for i := range t.Threads {
		m.at = append(m.at, 0)
		m.registers = append(m.registers, slices.Clone(t.Threads[i].Initial))
		m.buffers = append(m.buffers, nil)
		m.assigned = append(m.assigned, slices.Clone(t.Threads[i].declared))
		m.waiting = append(m.waiting, false)
	}
	found, seen := map[string]bool{}, map[string]bool{}
	var explore func(m machine)
	explore = func(m machine) {
		if key := m.key(); seen[key] {
			return
		} else {
			seen[key] = true
		}
		finished := true
		for th := range m.at {
			if len(m.buffers[th]) > 0 {
				finished = false
				n := m.clone()
				n.drain(th)
				explore(n)
			}
			if m.at[th] < len(t.Threads[th].Code) && !m.waiting[th] {
				finished = false
				n := m.clone()
				if n.step(t, th, buffering) {
					explore(n)
				}
			}
		}
		if finished {
			found[m.outcome(t)] = true
		}
	}
	explore(m)
	return found
}

func (m machine) clone() machine {
	n := machine{at: slices.Clone(m.at), memory: slices.Clone(m.memory), waiting: slices.Clone(m.waiting), open: maps.Clone(m.open)}
	for i := range m.registers {
		n.registers = append(n.registers, slices.Clone(m.registers[i]))
		n.buffers = append(n.buffers, slices.Clone(m.buffers[i]))
		n.assigned = append(n.assigned, slices.Clone(m.assigned[i]))
	}
	return n
}

// key tells states of the machine apart; all numbers in them are small.
func (m machine) key() string {
	var k []byte
	for th := range m.at {
		k = append(k, byte(m.at[th]), byte(len(m.buffers[th])))
		for _, r := range m.registers[th] {
			k = append(k, byte(r))
		}
		for _, b := range m.buffers[th] {
			k = append(k, byte(b.location), byte(b.value))
		}
		for _, yes := range append(m.assigned[th], m.waiting[th]) {
			k = append(k, map[bool]byte{true: 1}[yes])
		}
	}
	for _, v := range m.memory {
		k = append(k, byte(v))
	}
	if len(m.open) > 0 {
		k = fmt.Append(k, m.open)
	}
	return string(k)
}

func (m machine) outcome(t *Test) string {
	var all []Value
	var waiting []int
	for th, registers := range m.registers {
		for r, n := range registers {
			all = append(all, Value{Number: n})
			if m.waiting[th] && !m.assigned[th][r] && t.Threads[th].sets(r, m.at[th]-1) {
				all[len(all)-1] = Value{Unset: true}
			}
		}
		if m.waiting[th] {
			waiting = append(waiting, th)
		}
	}
	for _, n := range m.memory {
		all = append(all, Value{Number: n})
	}
	return stateText(all, waiting)
}

// sync comes to a barrier, and goes on if its round is over with that.
func (m machine) sync(t *Test, th int, i Instruction, id, quorum int64) {
	key := fmt.Sprint(t.Threads[th].Place, i.Barrier, id)
	if come := append(slices.Clone(m.open[key]), th); int64(len(come)) < quorum {
		m.open[key], m.waiting[th] = come, true
		return
	}
	for _, other := range m.open[key] {
		m.waiting[other] = false
	}
	delete(m.open, key)
}

func (m machine) drain(th int) {
	b := m.buffers[th][0]
	m.buffers[th] = m.buffers[th][1:]
	m.memory[b.location] = b.value
}

func (m machine) load(th, location int) int64 {
	for i := len(m.buffers[th]) - 1; i >= 0; i-- {
		if b := m.buffers[th][i]; b.location == location {
			return b.value
		}
	}
	return m.memory[location]
}

// step executes an instruction, if the thread need not empty its buffer first.
func (m machine) step(t *Test, th int, buffering bool) bool {
	i := t.Threads[th].Code[m.at[th]]
	drains := i.Op == Fence && i.Order == axioms.SC || i.Op == Atomic || i.Op == Exchange || i.Op == Compare || i.Op == Sync
	if drains && len(m.buffers[th]) > 0 {
		return false
	}
	value := func(o Operand) int64 {
		if o.IsRegister {
			return m.registers[th][o.Register]
		}
		return o.Constant
	}
	m.at[th]++
	if i.setsRegister() && i.Register != NoRegister {
		m.assigned[th][i.Register] = true
	}
	switch i.Op {
	case Sync:
		m.sync(t, th, i, value(i.ID), value(i.Quorum))
	case Load:
		m.registers[th][i.Register] = m.load(th, i.Location)
	case Store:
		if buffering {
			m.buffers[th] = append(m.buffers[th], buffered{i.Location, value(i.A)})
		} else {
			m.memory[i.Location] = value(i.A)
		}
	case Move:
		m.registers[th][i.Register] = value(i.A)
	case Branch:
		if i.Comparison.holds(value(i.A), value(i.B)) {
			m.at[th] = i.Target
		}
	case Atomic, Exchange, Compare:
		old := m.memory[i.Location]
		switch {
		case i.Op == Exchange:
			m.memory[i.Location] = value(i.A)
		case i.Op == Atomic:
			m.memory[i.Location] = i.Math.apply(old, value(i.A))
		case old == value(i.A):
			m.memory[i.Location] = value(i.B)
		}
		if i.Register != NoRegister {
			m.registers[th][i.Register] = old
		}
	}
	return true
}
