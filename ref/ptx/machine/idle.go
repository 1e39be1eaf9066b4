package machine

import "slices"

// Patience is how many instructions a machine executes without an access to shared
// memory before it is said to be in an endless loop. A loop that repeats itself is found
// much sooner.
const Patience = 1 << 20

// idleCheck is how often a machine that makes no access is looked at, in instructions.
// Most small numbers divide it: a loop of so many instructions is then where it was.
const idleCheck = 5040

// idle watches a thread that makes no access: once it is where it was, with everything
// as it was, it will be there for ever.
type idle struct {
	checks    int
	stirred   bool // by a clock, or by other lanes
	at        int  // what was seen last: the place, and all that the thread has
	slots     []uint64
	carry     uint64
	returns   []int32
	private   []byte
	arguments []byte
}

// stall is asked every so many instructions of a thread that makes no access, and says
// why it is given up.
func (m *Machine) stall(pc int) error {
	w := &m.idle
	w.checks++
	switch {
	case m.Spent():
		return m.fault(pc, "%d instructions, and no end", m.Limit)
	case !w.stirred && w.slots != nil && w.checks > 1 && w.same(m, pc):
		return m.fault(pc, "an endless loop: nothing changes in it, and it makes no access to shared memory")
	case w.checks*idleCheck > Patience:
		return m.fault(pc, "an endless loop: more than %d instructions without an access to shared memory", Patience)
	case w.checks&(w.checks-1) == 0: // 1, 2, 4, …: a longer loop is found, too
		w.stirred = false
		w.keep(m, pc)
	}
	return nil
}

func (w *idle) same(m *Machine, pc int) bool {
	return w.at == pc && w.carry == m.carry && slices.Equal(w.slots, m.slots) && slices.Equal(w.returns, m.returns) &&
		slices.Equal(w.private, m.private.bytes) && slices.Equal(w.arguments, m.Arguments)
}

func (w *idle) keep(m *Machine, pc int) {
	w.at, w.carry = pc, m.carry
	w.slots = append(w.slots[:0], m.slots...)
	w.returns = append(w.returns[:0], m.returns...)
	w.private = append(w.private[:0], m.private.bytes...)
	w.arguments = append(w.arguments[:0], m.Arguments...)
}
