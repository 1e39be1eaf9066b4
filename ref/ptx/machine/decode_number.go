package machine

import "stealproof/ref/ptx/syntax"

// The instructions on integers, bits and predicates.

var integers = []syntax.Class{syntax.Unsigned, syntax.Signed}

func (d *decoder) isSigned(t syntax.Type) bool { return t.Class == syntax.Signed }

// ofSize refuses types of other sizes.
func (d *decoder) ofSize(t syntax.Type, sizes ...uint16) {
	for _, s := range sizes {
		if t.Bits == s {
			return
		}
	}
	d.unknown()
}

// addOrSub decodes add, sub and those with a carry.
func (d *decoder) addOrSub() {
	t := d.typed(integers...)
	d.ofSize(t, 16, 32, 64)
	d.operands(3)
	i := instr{d: d.result(0, t.Bits), a: d.value(1, t.Bits), b: d.value(2, t.Bits), mask: maskOf(uint(t.Bits))}
	sub := d.op.name[0] == 's'
	carries := d.carries()
	switch {
	case carries != 0:
		d.ofSize(t, 32, 64)
		i.op, i.x = opAddCarry, carries
		if sub {
			i.op = opSubCarry
		}
	case d.op.has("sat"):
		if t != (syntax.Type{Class: syntax.Signed, Bits: 32}) {
			d.unknown()
		}
		i.op = opAddSat
		if sub {
			i.op = opSubSat
		}
	case sub:
		i.op = opSub
	default:
		i.op = opAdd
	}
	d.plain()
	d.emit(i)
}

// carries says whether an instruction takes a carry, and leaves one.
func (d *decoder) carries() (x uint8) {
	if d.op.name[len(d.op.name)-1] == 'c' {
		x |= xTakes
	}
	if d.op.has("cc") {
		x |= xLeaves
	}
	return x
}

// multiply decodes mul and mad.
func (d *decoder) multiply() {
	t := d.typed(integers...)
	d.ofSize(t, 16, 32, 64)
	carries := d.carries()
	bits := t.Bits
	i := instr{a: d.value(1, t.Bits), b: d.value(2, t.Bits), shift: shiftOf(t.Bits), op: opMul}
	high := false
	switch {
	case d.op.has("lo"):
	case d.op.has("hi"):
		high = true
		i.op = opMulHigh
		if d.isSigned(t) {
			i.op = opMulHighS
		}
	case d.op.has("wide") && bits < 64:
		bits *= 2
		if d.isSigned(t) {
			i.op = opMulSigned
		}
	default:
		d.unknown()
	}
	i.mask = maskOf(uint(bits))
	i.d = d.result(0, bits)
	if d.op.name == "mul" {
		d.plain()
		d.operands(3)
		d.emit(i)
		return
	}
	d.operands(4)
	add := instr{op: opAdd, d: i.d, a: d.scratches[0], b: d.value(3, bits), mask: i.mask}
	if carries != 0 {
		d.ofSize(syntax.Type{Bits: bits}, 32, 64)
		add.op, add.x = opAddCarry, carries
	} else if d.op.has("sat") {
		if !high || t != (syntax.Type{Class: syntax.Signed, Bits: 32}) {
			d.unknown()
		}
		add.op = opAddSat
	}
	d.plain()
	if i.op == opMul && add.op == opAdd {
		i.op, i.c = opMulAdd, add.b
		d.emit(i)
		return
	}
	i.d = d.scratches[0]
	d.emit(i)
	d.emit(add)
}

func (d *decoder) multiply24() {
	t := d.typed(integers...)
	d.ofSize(t, 32)
	i := instr{op: opMul24, d: d.result(0, 32), a: d.value(1, 32), b: d.value(2, 32)}
	if d.isSigned(t) {
		i.x = xSigned
	}
	if d.op.has("hi") {
		i.x |= xHigh
	} else if !d.op.has("lo") {
		d.unknown()
	}
	if d.op.name == "mul24" {
		d.plain()
		d.operands(3)
		d.emit(i)
		return
	}
	d.operands(4)
	add := instr{op: opAdd, d: i.d, a: d.scratches[0], b: d.value(3, 32), mask: maskOf(32)}
	if d.op.has("sat") {
		if i.x != xSigned|xHigh {
			d.unknown()
		}
		add.op = opAddSat
	}
	d.plain()
	i.d = d.scratches[0]
	d.emit(i)
	d.emit(add)
}

// binaries are the instructions with two operands: unsigned, signed.
var binaries = map[string][2]opcode{
	"min": {opMin, opMinS}, "max": {opMax, opMaxS}, "div": {opDivide, opDivideS}, "rem": {opRemainder, opRemainderS},
	"and": {opAnd, opAnd}, "or": {opOr, opOr}, "xor": {opXor, opXor},
}

func (d *decoder) binary() {
	var t syntax.Type
	switch d.op.name {
	case "and", "or", "xor":
		t = d.typed(syntax.Bits, syntax.Predicate)
		d.ofSize(t, 1, 16, 32, 64)
	default:
		t = d.typed(integers...)
		d.ofSize(t, 16, 32, 64)
	}
	d.plain()
	d.operands(3)
	op := binaries[d.op.name][0]
	if d.isSigned(t) {
		op = binaries[d.op.name][1]
	}
	d.emit(instr{op: op, d: d.result(0, t.Bits), a: d.value(1, t.Bits), b: d.value(2, t.Bits), shift: shiftOf(t.Bits), mask: maskOf(uint(t.Bits))})
}

func (d *decoder) shift() {
	t := d.typed(syntax.Bits, syntax.Unsigned, syntax.Signed)
	d.ofSize(t, 16, 32, 64)
	d.plain()
	d.operands(3)
	i := instr{op: opShiftLeft, d: d.result(0, t.Bits), a: d.value(1, t.Bits), b: d.value(2, 32), shift: shiftOf(t.Bits), mask: maskOf(uint(t.Bits))}
	switch {
	case d.op.name == "shl" && t.Class != syntax.Bits:
		d.unknown()
	case d.op.name == "shr" && d.isSigned(t):
		i.op = opShiftRightS
	case d.op.name == "shr":
		i.op = opShiftRight
	}
	d.emit(i)
}

func (d *decoder) unary() {
	var t syntax.Type
	bits := uint16(0) // of the result, if it is another
	i := instr{}
	switch d.op.name {
	case "neg", "abs":
		t = d.typed(syntax.Signed)
		d.ofSize(t, 16, 32, 64)
		i.op = opNegate
		if d.op.name == "abs" {
			i.op = opAbsolute
		}
	case "not":
		t = d.typed(syntax.Bits, syntax.Predicate)
		d.ofSize(t, 1, 16, 32, 64)
		i.op, i.b = opXor, d.constantSlot(maskOf(uint(t.Bits)))
	case "cnot":
		t = d.typed(syntax.Bits)
		d.ofSize(t, 16, 32, 64)
		i.op, i.b = opEqual, d.constantSlot(0)
	default:
		t = d.typed(syntax.Bits)
		d.ofSize(t, 32, 64)
		bits = 32
		i.op = map[string]opcode{"popc": opCount, "clz": opLeadingZeros, "brev": opReverse}[d.op.name]
		if d.op.name == "brev" {
			bits = t.Bits
		}
	}
	if bits == 0 {
		bits = t.Bits
	}
	d.plain()
	d.operands(2)
	i.d, i.a, i.shift, i.mask = d.result(0, bits), d.value(1, t.Bits), shiftOf(t.Bits), maskOf(uint(bits))
	d.emit(i)
}

func (d *decoder) find() {
	t := d.typed(integers...)
	d.ofSize(t, 32, 64)
	i := instr{op: opFindTop, d: d.result(0, 32), a: d.value(1, t.Bits), shift: shiftOf(t.Bits)}
	if d.isSigned(t) {
		i.x = xSigned
	}
	if d.op.has("shiftamt") {
		i.x |= xAmount
	}
	d.plain()
	d.operands(2)
	d.emit(i)
}

func (d *decoder) difference() {
	t := d.typed(integers...)
	d.ofSize(t, 16, 32, 64)
	d.plain()
	d.operands(4)
	i := instr{op: opDifference, d: d.result(0, t.Bits), a: d.value(1, t.Bits), b: d.value(2, t.Bits), c: d.value(3, t.Bits), shift: shiftOf(t.Bits), mask: maskOf(uint(t.Bits))}
	if d.isSigned(t) {
		i.op = opDifferenceS
	}
	d.emit(i)
}

func (d *decoder) funnel() {
	t := d.typed(syntax.Bits)
	d.ofSize(t, 32)
	d.operands(4)
	i := instr{op: opFunnel, d: d.result(0, 32), a: d.value(1, 32), b: d.value(2, 32), c: d.value(3, 32)}
	if d.op.has("l") {
		i.x = xLeft
	} else if !d.op.has("r") {
		d.unknown()
	}
	if d.op.has("wrap") {
		i.x |= xWrap
	} else if !d.op.has("clamp") {
		d.unknown()
	}
	d.plain()
	d.emit(i)
}

func (d *decoder) lookUp() {
	t := d.typed(syntax.Bits)
	d.ofSize(t, 32)
	d.plain()
	d.operands(5)
	table := d.immediate(4)
	if table > 0xff {
		d.bad("its table has 8 bits")
	}
	d.emit(instr{op: opLookUp, d: d.result(0, 32), a: d.value(1, 32), b: d.value(2, 32), c: d.value(3, 32), imm: table})
}

var permuteModes = map[string]permuteMode{
	"f4e": forward4, "b4e": backward4, "rc8": replicate8, "ecl": edgeLeft, "ecr": edgeRight, "rc16": replicate16,
}

func (d *decoder) permute() {
	mode := byIndex
	if n := len(d.op.parts); n > 1 {
		known := false
		if mode, known = permuteModes[d.op.parts[n-1]]; !known {
			d.unknown()
		}
		d.op.parts = d.op.parts[:n-1]
	}
	t := d.typed(syntax.Bits)
	d.ofSize(t, 32)
	d.plain()
	d.operands(4)
	d.emit(instr{op: opPermute, d: d.result(0, 32), a: d.value(1, 32), b: d.value(2, 32), c: d.value(3, 32), x: uint8(mode)})
}

func (d *decoder) extract() {
	t := d.typed(integers...)
	d.ofSize(t, 32, 64)
	d.plain()
	d.operands(4)
	i := instr{op: opExtract, d: d.result(0, t.Bits), a: d.value(1, t.Bits), b: d.value(2, 32), c: d.value(3, 32), shift: shiftOf(t.Bits)}
	if d.isSigned(t) {
		i.x = xSigned
	}
	d.emit(i)
}

func (d *decoder) insert() {
	t := d.typed(syntax.Bits)
	d.ofSize(t, 32, 64)
	d.plain()
	d.operands(5)
	d.emit(instr{op: opInsert, d: d.result(0, t.Bits), a: d.value(1, t.Bits), b: d.value(2, t.Bits), c: d.value(3, 32), imm: uint64(d.value(4, 32)), shift: shiftOf(t.Bits)})
}

func (d *decoder) bitMask() {
	t := d.typed(syntax.Bits)
	d.ofSize(t, 32)
	i := instr{op: opBitMask, d: d.result(0, 32), a: d.value(1, 32), b: d.value(2, 32)}
	if d.op.has("wrap") {
		i.x = xWrap
	} else if !d.op.has("clamp") {
		d.unknown()
	}
	d.plain()
	d.operands(3)
	d.emit(i)
}

// comparison is how a comparison is made: with its operands exchanged, of unsigned
// numbers, of signed ones.
type comparison struct {
	swapped          bool
	unsigned, signed opcode
}

var comparisons = map[string]comparison{
	"eq": {false, opEqual, opEqual}, "ne": {false, opNotEqual, opNotEqual},
	"lt": {false, opLess, opLessS}, "le": {false, opLessEqual, opLessEqualS},
	"gt": {true, opLess, opLessS}, "ge": {true, opLessEqual, opLessEqualS},
	"lo": {false, opLess, opNone}, "ls": {false, opLessEqual, opNone},
	"hi": {true, opLess, opNone}, "hs": {true, opLessEqual, opNone},
}

// compare decodes set and setp: a comparison, and what its outcome is combined with.
func (d *decoder) compare() {
	t := d.typed(syntax.Bits, syntax.Unsigned, syntax.Signed)
	d.ofSize(t, 16, 32, 64)
	predicate := d.op.name == "setp"
	if !predicate {
		if result := d.typed(integers...); result.Bits != 32 {
			d.unknown()
		}
	}
	if len(d.op.parts) == 0 {
		d.unknown()
	}
	c, known := comparisons[d.op.parts[0]]
	op := c.unsigned
	if d.isSigned(t) {
		op = c.signed
	}
	if !known || op == opNone || t.Class == syntax.Bits && op != opEqual && op != opNotEqual {
		d.unknown()
	}
	d.op.parts = d.op.parts[1:]
	i := instr{op: op, d: d.scratches[0], a: d.value(1, t.Bits), b: d.value(2, t.Bits), shift: shiftOf(t.Bits)}
	if c.swapped {
		i.a, i.b = i.b, i.a
	}
	combine := d.combination()
	first, second := d.operand(0), (*syntax.Operand)(nil)
	if predicate && first.Kind == syntax.IsPair {
		first, second = &first.Elements[0], &first.Elements[1]
	}
	bits := uint16(32)
	if predicate {
		bits = 1
	}
	result := d.resultOf(first, bits)
	if predicate && second == nil && combine == opNone {
		i.d = result
		d.emit(i)
		return
	}
	d.emit(i)
	other := int32(0)
	if combine != opNone {
		other = d.condition(3)
	}
	outcome := func(to, from int32) {
		if combine == opNone {
			d.emit(instr{op: opMove, d: to, a: from})
		} else {
			d.emit(instr{op: combine, d: to, a: from, b: other})
		}
	}
	if second != nil {
		negated := d.resultOf(second, 1)
		d.emit(instr{op: opXor, d: d.scratches[2], a: d.scratches[0], b: d.constantSlot(1)})
		outcome(result, d.scratches[0])
		outcome(negated, d.scratches[2])
		return
	}
	outcome(result, d.scratches[0])
	if !predicate { // 1 is written as all ones
		d.emit(instr{op: opNegate, d: result, a: result, mask: maskOf(32)})
	}
}

// combination is what the outcome of a comparison is combined with a predicate by.
func (d *decoder) combination() opcode {
	op := opNone
	switch {
	case d.op.has("and"):
		op = opAnd
	case d.op.has("or"):
		op = opOr
	case d.op.has("xor"):
		op = opXor
	}
	d.plain()
	if op == opNone {
		d.operands(3)
	} else {
		d.operands(4)
	}
	return op
}

// condition is the slot of a predicate, which may be negated. It is read before
// anything is written.
func (d *decoder) condition(i int) int32 {
	o := *d.operand(i)
	negated := o.Not
	o.Not = false
	slot := d.valueOf(&o, 1)
	op, b := opMove, int32(0)
	if negated {
		op, b = opXor, d.constantSlot(1)
	}
	d.emit(instr{op: op, d: d.scratches[1], a: slot, b: b})
	return d.scratches[1]
}

// choose decodes selp and slct.
func (d *decoder) choose() {
	op, bits := opSelect, uint16(1)
	if d.op.name == "slct" {
		if t := d.typed(syntax.Signed); t.Bits != 32 {
			d.unknown()
		}
		op, bits = opSelectS, 32
	}
	t := d.typed(syntax.Bits, syntax.Unsigned, syntax.Signed, syntax.Float)
	d.ofSize(t, 16, 32, 64)
	d.plain()
	d.operands(4)
	d.emit(instr{op: op, d: d.result(0, t.Bits), a: d.value(1, t.Bits), b: d.value(2, t.Bits), c: d.value(3, bits)})
}

// move decodes mov: of a register, a number, an address, or of the parts of one.
func (d *decoder) move() {
	t := d.typed(syntax.Bits, syntax.Unsigned, syntax.Signed, syntax.Float, syntax.Predicate)
	d.plain()
	d.operands(2)
	to, from := d.operand(0), d.operand(1)
	switch {
	case to.Kind == syntax.IsVector:
		d.unpack(t, to, d.value(1, t.Bits))
	case from.Kind == syntax.IsVector:
		d.pack(t, d.result(0, t.Bits), from)
	case from.Kind == syntax.IsSymbol && from.Variable == nil:
		d.bad(from.Name + " is no variable; the address of a function is not supported")
	default:
		a := d.value(1, t.Bits)
		if t.Class == syntax.Predicate && from.Kind == syntax.IsInteger {
			a = d.constantSlot(min(from.Value, 1))
		}
		d.emit(instr{op: opMove, d: d.result(0, t.Bits), a: a})
	}
}

// lanes is how many bits each element of a vector has.
func (d *decoder) lanes(t syntax.Type, v *syntax.Operand) uint16 {
	n := uint16(len(v.Elements))
	if t.Class == syntax.Predicate || n != 2 && n != 4 || t.Bits/n < 8 {
		d.bad("a vector of this size is not supported here")
	}
	return t.Bits / n
}

func (d *decoder) unpack(t syntax.Type, to *syntax.Operand, from int32) {
	bits := d.lanes(t, to)
	for i := range to.Elements {
		d.emit(instr{op: opUnpack, d: d.resultOf(&to.Elements[i], bits), a: from, imm: uint64(i) * uint64(bits), mask: maskOf(uint(bits))})
	}
}

func (d *decoder) pack(t syntax.Type, to int32, from *syntax.Operand) {
	bits := d.lanes(t, from)
	d.emit(instr{op: opMove, d: d.scratches[0], a: d.constantSlot(0)})
	for i := range from.Elements {
		d.emit(instr{op: opPack, d: d.scratches[0], a: d.scratches[0], b: d.valueOf(&from.Elements[i], bits), imm: uint64(i) * uint64(bits)})
	}
	d.emit(instr{op: opMove, d: to, a: d.scratches[0]})
}

// convert decodes cvt between integers. The registers may be wider than the types:
// the result is extended to the register as its type has it.
func (d *decoder) convert() {
	from := d.typed(integers...)
	to := d.typed(integers...)
	d.operands(2)
	source, result := d.operand(1), d.operand(0)
	a := d.wide(source, from.Bits)
	if result.Kind != syntax.IsRegister || d.typeOf(result).Bits < to.Bits {
		d.bad("its result goes to no register that is wide enough")
	}
	whole := maskOf(uint(d.typeOf(result).Bits))
	target := d.register(result)
	saturated := d.op.has("sat")
	d.plain()
	d.emit(d.extended(d.scratches[0], a, from, ^uint64(0)))
	if saturated {
		d.emit(instr{op: opSaturate, d: d.scratches[0], a: d.scratches[0], x: flag(d.isSigned(from), xSigned),
			shift: shiftOf(to.Bits), imm: uint64(flag(d.isSigned(to), xSigned))})
	}
	d.emit(d.extended(target, d.scratches[0], to, whole))
	d.shorten(saturated)
}

// extended reads the low bits of a register as a type has them.
func (d *decoder) extended(to, from int32, t syntax.Type, mask uint64) instr {
	if d.isSigned(t) {
		return instr{op: opExtend, d: to, a: from, shift: shiftOf(t.Bits), mask: mask}
	}
	return instr{op: opMask, d: to, a: from, mask: mask & maskOf(uint(t.Bits))}
}

// shorten makes one instruction of two that mask, or that extend and mask to no
// less.
func (d *decoder) shorten(saturated bool) {
	n := len(d.code)
	first, second := d.code[n-2], d.code[n-1]
	if saturated {
		return
	}
	switch {
	case second.op == opMask && first.op == opMask:
		second.a, second.mask = first.a, first.mask&second.mask
	case second.op == opMask: // extended, then cut
		second.op, second.a, second.shift = opExtend, first.a, first.shift
	case second.op == opExtend && first.op == opExtend:
		second.a, second.shift = first.a, max(first.shift, second.shift)
	case second.op == opExtend && maskOf(63-uint(second.shift))&first.mask == first.mask: // no sign to extend
		second.op, second.a, second.mask = opMask, first.a, first.mask&second.mask
	default:
		return
	}
	d.code[n-2] = second
	d.code, d.lines = d.code[:n-1], d.lines[:n-1]
}

func flag(set bool, x uint8) uint8 {
	if set {
		return x
	}
	return 0
}

// wide is the slot of an operand of which the low bits are read.
func (d *decoder) wide(o *syntax.Operand, bits uint16) int32 {
	if o.Kind == syntax.IsRegister && !o.Not && d.typeOf(o).Bits >= bits {
		return d.register(o)
	}
	return d.valueOf(o, bits)
}
