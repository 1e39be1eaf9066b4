package machine

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// farField is what is said of a field of 64 bits, since PTX and GPUs do not agree.
const farField = "a field that begins behind bit 255, or is longer: PTX says modulo 256, but an H100 does not count so"

// Fault is something that no correct kernel does, and the line where it was done.
type Fault struct {
	File string
	Line int
	Msg  string
}

func (f *Fault) Error() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Msg) }

// Machine runs kernels of a program, as one thread, or one lane of several. It can run any number of them,
// one after the other, and allocates nothing while it does.
type Machine struct {
	// Process is what the kernel takes for its number, of so many.
	Process, Processes int
	// Lane is its number in a crew, nil for a thread that is alone.
	Lane   int
	Crew   *Crew
	Waiter Waiter
	// Shared is the memory that threads share.
	Shared Memory
	// Arguments are bytes of the thread's own, at the address Arguments.
	Arguments []byte
	// Follower is told on what accesses depend, nil for nobody.
	Follower Follower
	// Limit is the number of instructions after which a run is given up, 0 for none.
	Limit int

	dependencies *dependencies

	program  *Program
	slots    []uint64
	private  memory
	returns  []int32
	carry    uint64
	executed uint64
	slept    uint64
	exited   bool
	ended    int // where
	idle     idle
}

// NewMachine makes a machine for a program.
func NewMachine(p *Program) *Machine {
	return &Machine{
		program: p, slots: slices.Clone(p.registers), private: p.private.clone(),
		returns: make([]int32, 0, p.depth),
	}
}

// Run executes a kernel of the program with its parameters, numbers of 64 bits. What
// no correct kernel does is a *Fault.
func (m *Machine) Run(kernel string, parameters ...uint64) error {
	f := m.program.kernels[kernel]
	if f == nil {
		return &Fault{m.program.file, 1, "no kernel " + kernel}
	}
	if len(f.params) != len(parameters) {
		return &Fault{m.program.file, f.text.Line, fmt.Sprintf("kernel %s has %d parameters, expected %d", kernel, len(f.params), len(parameters))}
	}
	clear(m.private.bytes) // what another run has left there is nobody's
	for i, p := range f.params {
		if p.size != 8 {
			return &Fault{m.program.file, f.text.Line, fmt.Sprintf("parameter %d of kernel %s has %d bytes, expected 8", i, kernel, p.size)}
		}
		binary.LittleEndian.PutUint64(m.private.bytes[p.address:], parameters[i])
	}
	m.number()
	m.returns, m.carry, m.executed, m.slept = m.returns[:0], 0, 0, 0
	return m.execute(f.start)
}

// number fills in who the thread is.
func (m *Machine) number() {
	threads, warps, at := uint64(MostLanes), 1, seat{} // a process of one thread has a warp for itself
	if c := m.Crew; c != nil {
		threads, warps, at = c.team.size(), len(c.team), c.seats[m.Lane]
	}
	bit := uint64(1) << at.lane
	m.slots[slotProcess], m.slots[slotProcesses] = uint64(m.Process), uint64(m.Processes)
	m.slots[slotThread], m.slots[slotThreads] = uint64(at.warp*MostLanes+at.lane), threads
	m.slots[slotWarp], m.slots[slotWarps] = uint64(at.warp), uint64(warps)
	m.slots[slotLane], m.slots[slotLaneEqual], m.slots[slotLaneLess], m.slots[slotLaneLessEqual] = uint64(at.lane), bit, bit-1, bit<<1-1
	m.slots[slotLaneGreaterEqual], m.slots[slotLaneGreater] = maskOf(32)&^(bit-1), maskOf(32)&^(bit<<1-1)
}

func (m *Machine) fault(pc int, format string, args ...any) error {
	return &Fault{m.program.file, int(m.program.lines[pc]), fmt.Sprintf(format, args...)}
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// execute runs from a place in the code to the end of the kernel.
func (m *Machine) execute(pc int) error {
	code, r := m.program.code, m.slots
	follow := m.follow()
	patience := idleCheck
	m.idle.checks = 0
	for ; ; pc++ {
		i := &code[pc]
		m.executed++
		if patience--; patience < 0 {
			if err := m.stall(pc); err != nil {
				return err
			}
			patience = idleCheck - 1
		}
		if follow != nil {
			follow.step(m, pc, i)
		}
		switch i.op {
		case opMove:
			r[i.d] = r[i.a]
		case opExtend:
			r[i.d] = uint64(signed(r[i.a], i.shift)) & i.mask
		case opMask:
			r[i.d] = r[i.a] & i.mask
		case opPack:
			r[i.d] = r[i.a] | r[i.b]<<i.imm
		case opUnpack:
			r[i.d] = r[i.a] >> i.imm & i.mask
		case opAdd:
			r[i.d] = (r[i.a] + r[i.b]) & i.mask
		case opSub:
			r[i.d] = (r[i.a] - r[i.b]) & i.mask
		case opMul:
			r[i.d] = r[i.a] * r[i.b] & i.mask
		case opMulAdd:
			r[i.d] = (r[i.a]*r[i.b] + r[i.c]) & i.mask
		case opMulSigned:
			r[i.d] = uint64(signed(r[i.a], i.shift)*signed(r[i.b], i.shift)) & i.mask
		case opMulHigh:
			r[i.d] = mulHigh(r[i.a], r[i.b], i.shift)
		case opMulHighS:
			r[i.d] = mulHighSigned(r[i.a], r[i.b], i.shift, i.mask)
		case opMul24:
			r[i.d] = mul24(r[i.a], r[i.b], i.x&xSigned != 0, i.x&xHigh != 0)
		case opAddCarry:
			r[i.d] = m.addCarry(r[i.a], r[i.b], i)
		case opSubCarry:
			r[i.d] = m.subCarry(r[i.a], r[i.b], i)
		case opAddSat:
			r[i.d] = addSaturated(signed(r[i.a], 32), signed(r[i.b], 32))
		case opSubSat:
			r[i.d] = addSaturated(signed(r[i.a], 32), -signed(r[i.b], 32))
		case opNegate:
			r[i.d] = -r[i.a] & i.mask
		case opAbsolute:
			r[i.d] = uint64(absolute(signed(r[i.a], i.shift))) & i.mask
		case opMin:
			r[i.d] = min(r[i.a], r[i.b])
		case opMax:
			r[i.d] = max(r[i.a], r[i.b])
		case opMinS:
			r[i.d] = uint64(min(signed(r[i.a], i.shift), signed(r[i.b], i.shift))) & i.mask
		case opMaxS:
			r[i.d] = uint64(max(signed(r[i.a], i.shift), signed(r[i.b], i.shift))) & i.mask
		case opDifference:
			a, b := r[i.a], r[i.b]
			r[i.d] = (r[i.c] + max(a, b) - min(a, b)) & i.mask
		case opDifferenceS:
			a, b := signed(r[i.a], i.shift), signed(r[i.b], i.shift)
			r[i.d] = (r[i.c] + uint64(max(a, b)) - uint64(min(a, b))) & i.mask
		case opDivide, opDivideS, opRemainder, opRemainderS:
			if r[i.b] == 0 {
				return m.fault(pc, "a division by zero, whose result PTX does not say")
			}
			r[i.d] = divide(i, r[i.a], r[i.b])
		case opAnd:
			r[i.d] = r[i.a] & r[i.b]
		case opOr:
			r[i.d] = r[i.a] | r[i.b]
		case opXor:
			r[i.d] = r[i.a] ^ r[i.b]
		case opShiftLeft:
			r[i.d] = shiftLeft(r[i.a], r[i.b], i.mask)
		case opShiftRight:
			r[i.d] = shiftRight(r[i.a], r[i.b])
		case opShiftRightS:
			r[i.d] = shiftRightSigned(r[i.a], r[i.b], i.shift, i.mask)
		case opFunnel:
			r[i.d] = funnel(r[i.a], r[i.b], r[i.c], i.x&xLeft != 0, i.x&xWrap != 0)
		case opLookUp:
			r[i.d] = lookUp(r[i.a], r[i.b], r[i.c], uint8(i.imm))
		case opPermute:
			r[i.d] = permute(r[i.a], r[i.b], r[i.c], permuteMode(i.x))
		case opExtract:
			if i.shift == 0 && (r[i.b] > 255 || r[i.c] > 255) {
				return m.fault(pc, farField)
			}
			r[i.d] = extract(r[i.a], r[i.b], r[i.c], i.x&xSigned != 0, 64-uint64(i.shift))
		case opInsert:
			if i.shift == 0 && (r[i.c] > 255 || r[i.imm] > 255) {
				return m.fault(pc, farField)
			}
			r[i.d] = insert(r[i.a], r[i.b], r[i.c], r[i.imm], 64-uint64(i.shift))
		case opFindTop:
			r[i.d] = findTop(r[i.a], i.x&xSigned != 0, i.shift, i.x&xAmount != 0)
		case opBitMask:
			r[i.d] = bitMask(r[i.a], r[i.b], i.x&xWrap != 0)
		case opCount:
			r[i.d] = uint64(bits.OnesCount64(r[i.a]))
		case opLeadingZeros:
			r[i.d] = uint64(bits.LeadingZeros64(r[i.a])) - uint64(i.shift)
		case opReverse:
			r[i.d] = bits.Reverse64(r[i.a]) >> i.shift
		case opEqual:
			r[i.d] = truth(r[i.a] == r[i.b])
		case opNotEqual:
			r[i.d] = truth(r[i.a] != r[i.b])
		case opLess:
			r[i.d] = truth(r[i.a] < r[i.b])
		case opLessEqual:
			r[i.d] = truth(r[i.a] <= r[i.b])
		case opLessS:
			r[i.d] = truth(signed(r[i.a], i.shift) < signed(r[i.b], i.shift))
		case opLessEqualS:
			r[i.d] = truth(signed(r[i.a], i.shift) <= signed(r[i.b], i.shift))
		case opSelect:
			if r[i.c] != 0 {
				r[i.d] = r[i.a]
			} else {
				r[i.d] = r[i.b]
			}
		case opSelectS:
			if signed(r[i.c], 32) >= 0 {
				r[i.d] = r[i.a]
			} else {
				r[i.d] = r[i.b]
			}
		case opSaturate:
			r[i.d] = saturate(r[i.a], i.x&xSigned != 0, i.imm&xSigned != 0, i.shift)
		case opIsSpace:
			r[i.d] = truth(spaceAt(r[i.a]) == space(i.imm))
		case opClock:
			m.idle.stirred = true
			now := m.executed
			if i.x == clockNanoseconds {
				now += m.slept
			}
			r[i.d] = now & i.mask
		case opSleep:
			m.slept += r[i.a]
		case opBranch:
			pc = int(i.imm) - 1
		case opBranchIf:
			if r[i.a] != 0 {
				pc = int(i.imm) - 1
			}
		case opBranchIfNot:
			if r[i.a] == 0 {
				pc = int(i.imm) - 1
			}
		case opBranchTable:
			table := m.program.tables[i.imm]
			if r[i.a] >= uint64(len(table)) {
				return m.fault(pc, "a branch to place %d of a table of %d", r[i.a], len(table))
			}
			pc = int(table[r[i.a]]) - 1
		case opCall:
			m.returns = append(m.returns, int32(pc))
			pc = int(i.imm) - 1
		case opEnter: // what was in the registers is that of another call
			clear(r[i.a:i.b])
		case opReturn:
			n := len(m.returns)
			if n == 0 {
				m.exited, m.ended = false, pc
				follow.end()
				return nil
			}
			pc = int(m.returns[n-1])
			m.returns = m.returns[:n-1]
		case opExit:
			m.exited, m.ended = true, pc
			follow.end()
			return nil
		case opTogether:
			m.idle.stirred = true
			if err := m.meet(pc, &m.program.together[i.imm]); err != nil {
				return err
			}
		case opActive:
			m.idle.stirred = true
			r[i.d] = 1
			if m.Crew != nil {
				r[i.d] = m.active(&m.program.together[i.imm])
			}
		case opTrap:
			return m.fault(pc, "trap")
		case opCopy:
			copy(m.private.bytes[i.d:int(i.d)+int(i.imm)], m.private.bytes[i.a:])
		case opLoadPrivate:
			r[i.d] = read(m.private.bytes[i.imm:], i.size)
		case opStorePrivate:
			write(m.private.bytes[i.imm:], r[i.b], i.size)
		case opLoadAt:
			at := r[i.a] + i.imm
			if at&uint64(i.align-1) != 0 || !m.private.has(at, i.size) {
				return m.fault(pc, "%s", m.outside(at, i))
			}
			r[i.d] = read(m.private.bytes[at:], i.size)
		case opStoreAt:
			at := r[i.a] + i.imm
			if at&uint64(i.align-1) != 0 || !m.private.has(at, i.size) {
				return m.fault(pc, "%s", m.outside(at, i))
			}
			write(m.private.bytes[at:], r[i.b], i.size)
		case opLoadConst:
			at := r[i.a] + i.imm
			if at&uint64(i.align-1) != 0 || !m.program.constants.has(at, i.size) {
				return m.fault(pc, "%s", m.outside(at, i))
			}
			r[i.d] = read(m.program.constants.bytes[at:], i.size)
		case opLoad, opStore, opUpdate:
			at := r[i.a] + i.imm
			if at&uint64(i.align-1) != 0 {
				return m.fault(pc, "%s", m.outside(at, i))
			}
			if at >= globalsBase {
				if m.Spent() {
					return m.fault(pc, "%d instructions, and no end", m.Limit)
				}
				patience, m.idle.checks = idleCheck, 0
				switch i.op {
				case opLoad:
					r[i.d] = m.Shared.Load(at, i.access)
				case opStore:
					m.Shared.Store(at, r[i.b]&i.mask, i.access)
				case opUpdate:
					r[i.d] = m.Shared.Update(at, r[i.b], r[i.c], i.access)
				}
				break
			}
			bytes := m.own(at, i)
			if bytes == nil || i.op != opLoad && spaceAt(at) == constant {
				return m.fault(pc, "%s", m.outside(at, i))
			}
			switch i.op {
			case opLoad:
				r[i.d] = read(bytes, i.size)
			case opStore:
				write(bytes, r[i.b], i.size)
			case opUpdate:
				old := read(bytes, i.size)
				write(bytes, i.access.Atomic.Apply(old, r[i.b], r[i.c], i.size), i.size)
				r[i.d] = old
			}
		case opFence:
			m.Shared.Fence(i.access)
		default:
			return m.fault(pc, "the machine has no instruction %d", i.op)
		}
	}
}

// Spent says whether the run has had all the instructions that it may have.
func (m *Machine) Spent() bool { return m.Limit > 0 && m.executed > uint64(m.Limit) }

func (m *Machine) addCarry(a, b uint64, i *instr) uint64 {
	var carry uint64
	if i.x&xTakes != 0 {
		carry = m.carry
	}
	sum, out := bits.Add64(a, b, carry)
	if i.mask != ^uint64(0) {
		out = sum >> 32
	}
	if i.x&xLeaves != 0 {
		m.carry = out
	}
	return sum & i.mask
}

func (m *Machine) subCarry(a, b uint64, i *instr) uint64 {
	var borrow uint64
	if i.x&xTakes != 0 {
		borrow = m.carry
	}
	difference, out := bits.Sub64(a, b, borrow)
	if i.x&xLeaves != 0 {
		m.carry = out
	}
	return difference & i.mask
}

func divide(i *instr, a, b uint64) uint64 {
	switch i.op {
	case opDivide:
		return a / b
	case opRemainder:
		return a % b
	case opDivideS:
		return uint64(signed(a, i.shift)/signed(b, i.shift)) & i.mask
	}
	return uint64(signed(a, i.shift)%signed(b, i.shift)) & i.mask
}

// spaceAt is the state space of a generic address.
func spaceAt(at uint64) space {
	switch {
	case at >= localWindow && at < constWindow:
		return local
	case at >= constWindow && at < globalsBase:
		return constant
	case at >= BlockWindow:
		return shared
	}
	return global
}

// own finds the bytes of a generic address in memory of the thread's own, nil if
// there are none.
func (m *Machine) own(at uint64, i *instr) []byte {
	switch {
	case at >= constWindow && i.x&xGlobal == 0:
		if at -= constWindow; m.program.constants.has(at, i.size) {
			return m.program.constants.bytes[at:]
		}
	case at >= constWindow:
	case at >= localWindow && i.x&xGlobal == 0:
		if at -= localWindow; m.private.has(at, i.size) {
			return m.private.bytes[at:]
		}
	case at >= localWindow:
	case at >= Arguments:
		if at -= Arguments; at < uint64(len(m.Arguments)) && uint64(len(m.Arguments))-at >= uint64(i.size) {
			return m.Arguments[at:]
		}
	}
	return nil
}

// outside says what is wrong with an address.
func (m *Machine) outside(at uint64, i *instr) string {
	if at&uint64(i.align-1) != 0 {
		return fmt.Sprintf("an access of %d bytes at %#x, which is no multiple of %d", i.size, at, i.align)
	}
	return fmt.Sprintf("an access of %d bytes at %#x, where nothing is", i.size, at)
}

// read reads so many bytes.
func read(bytes []byte, size uint8) uint64 {
	switch size {
	case 1:
		return uint64(bytes[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(bytes))
	case 4:
		return uint64(binary.LittleEndian.Uint32(bytes))
	}
	return binary.LittleEndian.Uint64(bytes)
}

// write writes so many bytes.
func write(bytes []byte, v uint64, size uint8) {
	switch size {
	case 1:
		bytes[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(bytes, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(bytes, uint32(v))
	default:
		binary.LittleEndian.PutUint64(bytes, v)
	}
}
