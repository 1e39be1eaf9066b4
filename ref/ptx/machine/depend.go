package machine

// Reads is a set of accesses of a thread, by the numbers that a Follower gives them.
type Reads [4]uint64

func (r Reads) or(s Reads) Reads { return Reads{r[0] | s[0], r[1] | s[1], r[2] | s[2], r[3] | s[3]} }

func (r *Reads) add(n int) { r[n/64] |= 1 << (n % 64) }

// Follower wants to know on which of its reads an access of a thread depends, as PTX has
// it: its instructions say so, whatever the values are. An access depends on what its
// address is computed from, a write on what it stores as well, and both on what decided
// the branches before; r ^ r depends on r, and so does what stands behind a branch of
// which both ways are the same. An instruction with a guard depends on the guard, what
// stands behind it does not.
type Follower interface {
	// Brought is what the thread depends on before it runs a kernel, and what its
	// Arguments hold depends on.
	Brought() (control, arguments Reads)
	// Count is the number of the access that comes next.
	Count(a *Access) int
	// Depends is told, before each access, what decides whether and where it is made, and
	// what it writes; and at the end of a kernel the former for what comes then.
	Depends(control, data Reads)
}

// dependencies are what the registers and the own memory of a thread are made of.
type dependencies struct {
	to        Follower
	slots     []Reads
	own       map[uint64]Reads // of each byte; see ownByte
	arguments Reads
	control   Reads
	carry     Reads
	guard     Reads // of the instructions before guarded
	guarded   int
}

// follow begins to follow a run, for who wants to know.
func (m *Machine) follow() *dependencies {
	if m.Follower == nil {
		return nil
	}
	d := m.dependencies
	if d == nil {
		d = &dependencies{slots: make([]Reads, len(m.slots)), own: map[uint64]Reads{}}
		m.dependencies = d
	}
	clear(d.slots)
	clear(d.own)
	d.to, d.carry, d.guard, d.guarded = m.Follower, Reads{}, Reads{}, 0
	d.control, d.arguments = d.to.Brought()
	return d
}

// end tells what decided that a kernel has come to its end.
func (d *dependencies) end() {
	if d != nil {
		d.to.Depends(d.control, Reads{})
	}
}

// step notes what an instruction that is about to be executed makes of what.
func (d *dependencies) step(m *Machine, pc int, i *instr) {
	if pc >= d.guarded {
		d.guard = Reads{}
	}
	t := d.slots
	switch i.op {
	case opBranch, opCall, opReturn, opExit, opTrap, opSleep, opTogether:
	case opBranchIf, opBranchIfNot:
		d.branch(m, pc, i)
	case opBranchTable:
		d.control = d.control.or(t[i.a])
	case opEnter:
		clear(t[i.a:i.b])
	case opCopy:
		for k := range i.imm {
			d.put(uint64(i.d)+k, d.at(m, uint64(i.a)+k))
		}
	case opLoadPrivate:
		d.set(i.d, d.load(m, i.imm, i.size))
	case opStorePrivate:
		d.store(m, i.imm, i.size, t[i.b])
	case opLoadAt:
		d.set(i.d, d.load(m, m.slots[i.a]+i.imm, i.size).or(t[i.a]))
	case opStoreAt:
		d.store(m, m.slots[i.a]+i.imm, i.size, t[i.a].or(t[i.b]))
	case opFence:
		d.to.Depends(d.control.or(d.guard), Reads{})
	case opLoad, opStore, opUpdate:
		d.access(m, i)
	case opInsert:
		d.set(i.d, t[i.a].or(t[i.b]).or(t[i.c]).or(t[i.imm]))
	case opAddCarry, opSubCarry:
		of := t[i.a].or(t[i.b])
		if i.x&xTakes != 0 {
			of = of.or(d.carry)
		}
		if i.x&xLeaves != 0 {
			d.carry = of.or(d.guard)
		}
		d.set(i.d, of)
	default: // operands that there are not are a slot that depends on nothing
		d.set(i.d, t[i.a].or(t[i.b]).or(t[i.c]))
	}
}

// set says what a register is made of: under a guard, of what it held before as well.
func (d *dependencies) set(slot int32, of Reads) {
	if d.guard != (Reads{}) {
		of = of.or(d.guard).or(d.slots[slot])
	}
	d.slots[slot] = of
}

// branch is a branch, or the guard of the instructions up to where it jumps.
func (d *dependencies) branch(m *Machine, pc int, i *instr) {
	on := d.slots[i.a]
	if i.x&xGuard == 0 || transfers(m.program.code[pc+1:i.imm]) {
		d.control = d.control.or(on)
		return
	}
	if taken := m.slots[i.a] != 0; taken != (i.op == opBranchIf) {
		d.guard, d.guarded = on, int(i.imm)
		return
	}
	for k := range m.program.code[pc+1 : i.imm] { // which might have been executed
		switch left := &m.program.code[pc+1+k]; left.op {
		case opStorePrivate:
			d.store(m, left.imm, left.size, on.or(d.load(m, left.imm, left.size)))
		case opStoreAt:
			at := m.slots[left.a] + left.imm
			d.store(m, at, left.size, on.or(d.load(m, at, left.size)))
		case opStore, opFence, opSleep, opCopy:
		default:
			d.slots[left.d] = d.slots[left.d].or(on)
		}
	}
}

// transfers says whether some of the instructions are more than what a guard leaves out.
func transfers(code []instr) bool {
	for i := range code {
		switch code[i].op {
		case opBranch, opBranchIf, opBranchIfNot, opBranchTable, opCall, opReturn, opExit, opTrap, opTogether:
			return true
		}
	}
	return false
}

// access is one to any memory.
func (d *dependencies) access(m *Machine, i *instr) {
	t := d.slots
	at := m.slots[i.a] + i.imm
	where, data := t[i.a], t[i.b]
	if i.op == opUpdate {
		data = data.or(t[i.c])
	}
	if at >= globalsBase {
		n := d.to.Count(i.access)
		if i.op == opLoad {
			data = Reads{}
		}
		if i.op == opUpdate && i.access.Atomic != Exchange { // what it writes is made of what it reads
			data.add(n)
		}
		d.to.Depends(d.control.or(d.guard).or(where), data)
		if i.op != opStore {
			var read Reads
			read.add(n)
			d.set(i.d, read)
		}
		return
	}
	at = ownByte(at)
	held := d.load(m, at, i.size).or(where)
	switch i.op {
	case opLoad:
		d.set(i.d, held)
	case opStore:
		d.store(m, at, i.size, where.or(data))
	case opUpdate:
		d.store(m, at, i.size, held.or(data))
		d.set(i.d, held)
	}
}

// ownByte is the address of a byte of a thread's own memory, the same whether it is named
// by a generic address or by one of its space.
func ownByte(at uint64) uint64 {
	if at >= localWindow && at < constWindow {
		return at - localWindow
	}
	return at
}

func (d *dependencies) at(m *Machine, at uint64) Reads {
	if of, known := d.own[at]; known || at < Arguments || at-Arguments >= uint64(len(m.Arguments)) {
		return of
	}
	return d.arguments
}

func (d *dependencies) put(at uint64, of Reads) { d.own[at] = of.or(d.guard) }

func (d *dependencies) load(m *Machine, at uint64, size uint8) (of Reads) {
	for k := range uint64(size) {
		of = of.or(d.at(m, at+k))
	}
	return of
}

func (d *dependencies) store(m *Machine, at uint64, size uint8, of Reads) {
	if d.guard != (Reads{}) {
		of = of.or(d.load(m, at, size))
	}
	for k := range uint64(size) {
		d.put(at+k, of)
	}
}
