package machine

import (
	"strings"

	"stealproof/ref/ptx/syntax"
)

// decoder decodes the instructions of one function.
type decoder struct {
	*loader
	f    *function
	text *syntax.Function
	in   *syntax.Instruction // the one that is being decoded
	op   operation

	reached   []bool
	arguments syntax.Arguments
	at        []int32 // where instructions begin in the program
	jumps     []jump
}

// operation is an instruction's name, cut at its dots.
type operation struct {
	name  string
	parts []string // without those that change nothing
	type_ syntax.Type
}

// jump is a branch that is to be led to its target at the end.
type jump struct {
	place  int // in the program, or in the table
	target int // in the text
	table  []int32
}

// reach marks the instructions that can be executed, and returns those that call.
func (d *decoder) reach() (calls []*syntax.Instruction) {
	code := d.text.Code
	d.reached = make([]bool, len(code))
	todo := []int{0}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for i < len(code) && !d.reached[i] {
			d.reached[i] = true
			in := &code[i]
			goesOn := true
			switch name, _, _ := strings.Cut(in.Op, "."); name {
			case "bra", "brx":
				todo = append(todo, d.targets(in)...)
				goesOn = false
			case "ret", "exit", "trap":
				goesOn = false
			case "call":
				calls = append(calls, in)
			}
			if !goesOn && in.Guard < 0 {
				break
			}
			i++
		}
	}
	return calls
}

// targets are where a branch may lead.
func (d *decoder) targets(in *syntax.Instruction) []int {
	if len(in.Operands) == 0 {
		d.refuse(in.Line, "%s: expected where to", in.Text)
	}
	switch o := in.Operands[len(in.Operands)-1]; {
	case o.Kind == syntax.IsLabel:
		return []int{int(o.Value)}
	case o.Kind == syntax.IsTable && strings.HasPrefix(in.Op, "brx"):
		return d.text.Tables[o.Value]
	case o.Kind == syntax.IsSymbol:
		d.refuse(in.Line, "%s: unknown label %s", in.Text, o.Name)
	}
	d.refuse(in.Line, "%s: expected a label", in.Text)
	return nil
}

func (d *decoder) decode() {
	d.arguments = d.text.Arguments()
	code := d.text.Code
	d.f.start = len(d.code)
	d.at = make([]int32, len(code)+1)
	d.in = &syntax.Instruction{Line: d.text.Line}
	d.emit(instr{op: opEnter, a: int32(d.f.first), b: int32(d.f.last)})
	for _, p := range d.f.params {
		if p.space == syntax.InRegister {
			d.emit(instr{op: opMove, d: p.register, a: p.passed})
		}
	}
	for i := range code {
		d.at[i] = int32(len(d.code))
		if d.reached[i] {
			d.in = &code[i]
			d.instruction()
		}
	}
	d.at[len(code)] = int32(len(d.code))
	d.emit(instr{op: opReturn}) // a function may end without ret
	for _, j := range d.jumps {
		if j.table != nil {
			j.table[j.place] = d.at[j.target]
		} else {
			d.code[j.place].imm = uint64(d.at[j.target])
		}
	}
}

func (d *decoder) emit(i instr) int {
	d.code = append(d.code, i)
	d.lines = append(d.lines, int32(d.in.Line))
	return len(d.code) - 1
}

// bad refuses the instruction.
func (d *decoder) bad(why string) {
	text := strings.Join(strings.Fields(d.in.Text), " ")
	if len(text) > 120 {
		text = text[:120] + "…"
	}
	d.refuse(d.in.Line, "%s: %s", text, why)
}

func (d *decoder) unknown() { d.bad("this instruction is not supported") }

// decoders are the instructions that there are.
var decoders map[string]func(*decoder)

func init() {
	decoders = map[string]func(*decoder){
		"mov": (*decoder).move, "cvt": (*decoder).convert, "cvta": (*decoder).convertAddress, "isspacep": (*decoder).isSpace,
		"add": (*decoder).addOrSub, "sub": (*decoder).addOrSub, "addc": (*decoder).addOrSub, "subc": (*decoder).addOrSub,
		"mul": (*decoder).multiply, "mad": (*decoder).multiply, "madc": (*decoder).multiply, "mul24": (*decoder).multiply24, "mad24": (*decoder).multiply24,
		"min": (*decoder).binary, "max": (*decoder).binary, "div": (*decoder).binary, "rem": (*decoder).binary,
		"and": (*decoder).binary, "or": (*decoder).binary, "xor": (*decoder).binary, "shl": (*decoder).shift, "shr": (*decoder).shift,
		"neg": (*decoder).unary, "abs": (*decoder).unary, "not": (*decoder).unary, "cnot": (*decoder).unary,
		"popc": (*decoder).unary, "clz": (*decoder).unary, "brev": (*decoder).unary, "bfind": (*decoder).find,
		"sad": (*decoder).difference, "shf": (*decoder).funnel, "lop3": (*decoder).lookUp, "prmt": (*decoder).permute,
		"bfe": (*decoder).extract, "bfi": (*decoder).insert, "bmsk": (*decoder).bitMask,
		"set": (*decoder).compare, "setp": (*decoder).compare, "selp": (*decoder).choose, "slct": (*decoder).choose,
		"ld": (*decoder).load, "ldu": (*decoder).load, "st": (*decoder).store, "atom": (*decoder).atomic, "red": (*decoder).atomic,
		"fence": (*decoder).fence, "membar": (*decoder).fence,
		"bra": (*decoder).branch, "brx": (*decoder).branch, "call": (*decoder).call, "ret": (*decoder).end, "exit": (*decoder).end, "trap": (*decoder).end,
		"nanosleep": (*decoder).sleep, "activemask": (*decoder).activeMask,
		"bar": (*decoder).barrier, "barrier": (*decoder).barrier, "shfl": (*decoder).shuffle, "vote": (*decoder).vote, "match": (*decoder).match, "redux": (*decoder).reduce, "elect": (*decoder).elect,
		"pmevent": (*decoder).nothing, "prefetch": (*decoder).nothing, "prefetchu": (*decoder).nothing, "applypriority": (*decoder).nothing,
	}
}

// instruction decodes an instruction, with its guard.
func (d *decoder) instruction() {
	parts := strings.Split(d.in.Op, ".")
	d.op = operation{name: parts[0], parts: parts[1:]}
	decode := decoders[parts[0]]
	if decode == nil {
		d.unknown()
	}
	if len(d.op.parts) > 0 {
		d.op.type_, _ = syntax.TypeOf(d.op.parts[len(d.op.parts)-1])
	}
	skip := -1
	if d.in.Guard >= 0 && d.op.name != "bra" {
		op := opBranchIfNot
		if d.in.GuardNot {
			op = opBranchIf
		}
		skip = d.emit(instr{op: op, x: xGuard, a: d.guard()})
	}
	decode(d)
	if skip >= 0 {
		d.code[skip].imm = uint64(len(d.code))
	}
}

func (d *decoder) guard() int32 {
	if d.text.Registers[d.in.Guard].Type.Class != syntax.Predicate {
		d.bad("its guard is no predicate")
	}
	return int32(d.f.first + d.in.Guard)
}

// has takes a part out of the name, if it is there.
func (o *operation) has(part string) bool {
	for i, p := range o.parts {
		if p == part {
			o.parts = append(o.parts[:i:i], o.parts[i+1:]...)
			return true
		}
	}
	return false
}

// typed takes the last part of the name, which is the type.
func (d *decoder) typed(classes ...syntax.Class) syntax.Type {
	n := len(d.op.parts)
	if n == 0 {
		d.unknown()
	}
	t, known := syntax.TypeOf(d.op.parts[n-1])
	if !known || t.Bits > 64 {
		d.unknown()
	}
	for _, c := range classes {
		if t.Class == c {
			d.op.parts = d.op.parts[:n-1]
			return t
		}
	}
	if t.Class == syntax.Float {
		d.bad("floating point is not supported")
	}
	d.unknown()
	return t
}

// plain refuses parts of the name that nobody has taken.
func (d *decoder) plain() {
	if len(d.op.parts) > 0 {
		d.bad("." + d.op.parts[0] + " is not supported here")
	}
}

func (d *decoder) operands(n int) {
	if len(d.in.Operands) != n {
		d.bad("it has another number of operands than is supported")
	}
}

func (d *decoder) operand(i int) *syntax.Operand {
	if i >= len(d.in.Operands) {
		d.operands(i + 1)
	}
	return &d.in.Operands[i]
}

// typeOf is the type of a register.
func (d *decoder) typeOf(o *syntax.Operand) syntax.Type { return d.text.Registers[o.Register].Type }

func (d *decoder) register(o *syntax.Operand) int32 { return int32(d.f.first) + o.Register }

// result is the slot of a register that an operand of so many bits is written to.
func (d *decoder) result(i int, bits uint16) int32 { return d.resultOf(d.operand(i), bits) }

func (d *decoder) resultOf(o *syntax.Operand, bits uint16) int32 {
	if o.Kind == syntax.IsSink {
		return d.discard
	}
	if o.Kind != syntax.IsRegister || o.Not {
		d.bad("its result goes to no register")
	}
	d.sized(o, bits)
	return d.register(o)
}

// sized refuses a register of another size than the instruction's.
func (d *decoder) sized(o *syntax.Operand, bits uint16) {
	if t := d.typeOf(o); t.Bits != bits {
		d.bad("register " + o.Name + " has another size than the instruction")
	}
}

// value is the slot of an operand of so many bits.
func (d *decoder) value(i int, bits uint16) int32 { return d.valueOf(d.operand(i), bits) }

func (d *decoder) valueOf(o *syntax.Operand, bits uint16) int32 {
	switch o.Kind {
	case syntax.IsRegister:
		if o.Not {
			d.bad("'!' is not supported here")
		}
		d.sized(o, bits)
		return d.register(o)
	case syntax.IsInteger:
		return d.constantSlot(o.Value & maskOf(uint(bits)))
	case syntax.IsFloat:
		if uint16(o.Bits) != bits {
			d.bad("a number of another size than the instruction")
		}
		return d.constantSlot(o.Value)
	case syntax.IsSpecial:
		return d.special(o, bits)
	case syntax.IsSymbol:
		if o.Variable != nil && (bits == 64 || bits == 32 && o.Variable.Space == syntax.InShared) {
			return d.constantSlot(d.place(o.Variable, d.in.Line).address + o.Value)
		}
	}
	d.bad("an operand of this kind is not supported here")
	return 0
}

// immediate is an operand that must be a number.
func (d *decoder) immediate(i int) uint64 {
	if o := d.operand(i); o.Kind == syntax.IsInteger {
		return o.Value
	}
	d.bad("a number is expected that does not depend on a register")
	return 0
}

// shiftOf is what an instruction needs to know to extend a sign.
func shiftOf(bits uint16) uint8 { return uint8(64 - bits) }
