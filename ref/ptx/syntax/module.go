package syntax

import "fmt"

// Module is a PTX module.
type Module struct {
	File         string // its name, for messages
	Major, Minor int    // version of the language
	Target       string // "sm_70"
	Variables    []*Variable
	Functions    []*Function
}

// Function finds a function by its name, nil if there is none that has a body.
func (m *Module) Function(name string) *Function {
	for _, f := range m.Functions {
		if f.Name == name && f.Body {
			return f
		}
	}
	return nil
}

// Variable finds a variable of the module by its name, nil if there is none.
func (m *Module) Variable(name string) *Variable {
	for _, v := range m.Variables {
		if v.Name == name {
			return v
		}
	}
	return nil
}

// Space is where a variable lies.
type Space uint8

// The spaces. A parameter may also be a register.
const (
	InRegister Space = iota
	InGlobal
	InConst
	InShared
	InLocal
	InParam
)

var spaceNames = [...]string{".reg", ".global", ".const", ".shared", ".local", ".param"}

func (s Space) String() string { return spaceNames[s] }

// Variable is memory with a name, or a parameter that is a register.
type Variable struct {
	Name     string
	Space    Space
	Type     Type
	Align    uint64
	Count    uint64 // elements; 0 of an array without a size
	Register int    // of a parameter that is a register
	Init     []Value
	Extern   bool // another module has it
	Line     int
}

// Size is how many bytes it takes.
func (v *Variable) Size() uint64 { return v.Count * (uint64(v.Type.Bits+7) / 8) }

// Value is an initial value: a number, or an address with a number added.
type Value struct {
	Number  uint64
	Symbol  string // empty for a number
	Generic bool   // the address is a generic one
	Line    int
}

// Type is the type of an operand: its class and its size.
type Type struct {
	Class Class
	Bits  uint16
}

// Class says what the bits of a type are.
type Class uint8

// The classes of types.
const (
	NoClass Class = iota
	Bits
	Unsigned
	Signed
	Float
	Predicate
)

var types = map[string]Type{
	"b8": {Bits, 8}, "b16": {Bits, 16}, "b32": {Bits, 32}, "b64": {Bits, 64}, "b128": {Bits, 128},
	"u8": {Unsigned, 8}, "u16": {Unsigned, 16}, "u32": {Unsigned, 32}, "u64": {Unsigned, 64},
	"s8": {Signed, 8}, "s16": {Signed, 16}, "s32": {Signed, 32}, "s64": {Signed, 64},
	"f16": {Float, 16}, "bf16": {Float, 16}, "f16x2": {Float, 32}, "bf16x2": {Float, 32}, "f32": {Float, 32}, "f64": {Float, 64},
	"pred": {Predicate, 1},
}

// TypeOf finds the type of a name without its dot, as in "u32".
func TypeOf(name string) (Type, bool) {
	t, known := types[name]
	return t, known
}

// Function is a kernel (.entry) or a function that it calls (.func).
type Function struct {
	Name            string
	Entry           bool
	Line            int
	Body            bool // false where it is only declared
	BodyAt          int  // where what stands in its braces begins in the PTX, in bytes
	Params, Results []*Variable
	Variables       []*Variable // those declared in its body
	Registers       []Register
	Code            []Instruction
	Tables          [][]int // of .branchtargets: places in Code
}

// Register is a register of a function.
type Register struct {
	Name string
	Type Type
}

// Instruction is one line of a function.
type Instruction struct {
	Line     int     // in the PTX
	At       int     // where it begins in the PTX, in bytes
	Source   *Source // in the text that the PTX was made of, nil where no .loc says it
	Site     string  // the name behind "// site" on its line
	Guard    int     // the register that must be true, -1 for none
	GuardNot bool    // it must be false
	Op       string  // with all that is behind its dots: "ld.relaxed.gpu.global.b32"
	Operands []Operand
	Text     string // as it stands in the module

	moved bool // its name stands in "/* site NAME */" behind it: .loc is that of another
}

// Source is a place in the text that the PTX was made of.
type Source struct {
	File         string
	Line, Column int
	// From is where the function that the place is in was called, if it was inlined;
	// else nil.
	From *Source

	file  uint64 // the number of File
	depth int    // of calls
}

// String is "other.h:7:1 from queue.cu:20:5".
func (s *Source) String() string {
	text := fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Column)
	if s.From != nil {
		text += " from " + s.From.String()
	}
	return text
}

// OperandKind is what an operand is.
type OperandKind uint8

// The kinds of operands.
const (
	IsRegister OperandKind = iota
	IsInteger
	IsFloat
	IsSpecial // "%tid.x"
	IsSymbol  // a variable; where that is nil, a function or something unknown
	IsLabel   // Value is a place in the code
	IsTable   // Value is a place in the tables
	IsAddress // [base + Value]
	IsVector  // {a, b}
	IsList    // (a, b), of a call
	IsPair    // p|q
	IsSink    // _
)

// Operand is an operand of an instruction.
type Operand struct {
	Kind     OperandKind
	Base     OperandKind // of an address: IsRegister, IsSymbol, or IsInteger for none
	Not      bool        // !p
	Bits     uint8       // of a float
	Register int32
	Value    uint64 // of an address: what is added to its base
	Name     string
	Variable *Variable
	Elements []Operand
}

// Error says what is wrong with a module, and where.
type Error struct {
	File string
	Line int
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }
