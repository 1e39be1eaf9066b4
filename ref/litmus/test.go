package litmus

import (
	"stealproof/ref/axioms"
)

// Test is a litmus test.
type Test struct {
	Name      string
	Threads   []Thread
	Locations []string // all that are named, in order of appearance
	Initial   []int64  // of each location
	Observed  []Variable
	Filter    *Condition // nil if there is none
	Statement Quantifier
	Condition *Condition
}

// Thread is one column of a test.
type Thread struct {
	ID        int // as written: P0 is 0
	Place     axioms.Place
	Registers []string
	Initial   []int64 // of each register
	declared  []bool  // registers that were given their initial value
	Code      []Instruction
}

// Name is how the test names the thread.
func (th *Thread) Name() string { return threadName(th.ID) }

// Position is a place in a file.
type Position struct{ Line, Column int }

// Op is what an instruction does.
type Op uint8

// The instructions. Arithmetic has a Math, atomics have one too.
const (
	Load       Op = iota // Register <- Location
	Store                // Location <- A
	Move                 // Register <- A
	Compute              // Register <- A Math B
	Fence                // orders what is before against what is after
	ProxyFence           // of Proxy
	AliasFence           // of all virtual addresses
	Sync                 // waits at a barrier
	Arrive               // comes by a barrier
	Atomic               // Register <- Location <- Location Math A
	Exchange             // Register <- Location <- A
	Compare              // Register <- Location; Location <- B if that was A
	Branch               // goes to Target if A Comparison B
	Goto                 // goes to Target
)

// Math is an operation on two numbers.
type Math uint8

// The operations of arithmetic and of atomics.
const (
	Add Math = iota
	Sub
	Mul
	Div
	And
	Or
	Xor
	Inc
	Min
	Max
)

var mathNames = []string{"add", "sub", "mul", "div", "and", "or", "xor", "inc", "min", "max"}

func (m Math) String() string { return mathNames[m] }

// Comparison is a relation of two numbers.
type Comparison uint8

// The comparisons of branches and conditions.
const (
	Equal Comparison = iota
	NotEqual
	GreaterEqual
	LessEqual
	Greater
	Less
)

var (
	branchNames     = []string{"beq", "bne", "bge", "ble", "bgt", "blt"}
	comparisonSigns = []string{"==", "!=", ">=", "<=", ">", "<"}
)

func (c Comparison) holds(a, b int64) bool {
	switch c {
	case Equal:
		return a == b
	case NotEqual:
		return a != b
	case GreaterEqual:
		return a >= b
	case LessEqual:
		return a <= b
	case Greater:
		return a > b
	}
	return a < b
}

// negated is what holds when c does not.
func (c Comparison) negated() Comparison {
	return [...]Comparison{NotEqual, Equal, Less, Greater, LessEqual, GreaterEqual}[c]
}

// Operand is a register or a constant.
type Operand struct {
	IsRegister bool
	Register   int
	Constant   int64
}

// Instruction is one instruction of a thread.
type Instruction struct {
	Op         Op
	Order      axioms.Order
	Scope      axioms.Scope
	Register   int // that takes the result, or NoRegister
	Location   int
	Proxy      axioms.Proxy // that an access takes
	Alias      int          // which of the virtual addresses of the location is accessed
	Name       string       // of the location, as it is written
	Math       Math
	Comparison Comparison
	A, B       Operand
	Target     int // index of the instruction to go to; the end if beyond the last
	// Barrier is the number that names a barrier instruction, ID its logical
	// number and Quorum its number of participants, where they are given.
	Barrier          int64
	ID, Quorum       Operand
	HasID, HasQuorum bool
	// counted marks those of a barrier that waits for a number of participants:
	// a sync says so itself, an arrival need not give the number.
	counted bool
	label   string
	At      Position
}

// NoRegister is the register of an instruction whose result nobody wants.
const NoRegister = -1

// Variable is a register of a thread, or the final value of a location.
type Variable struct {
	Thread int // index, or OfMemory
	Index  int // of a register of the thread, or of a location
}

// OfMemory is the thread of a variable that is a location.
const OfMemory = -1

// VariableName is how a test names a variable.
func (t *Test) VariableName(v Variable) string {
	if v.Thread == OfMemory {
		return t.Locations[v.Index]
	}
	th := &t.Threads[v.Thread]
	return th.Name() + ":" + th.Registers[v.Index]
}

// Quantifier says of which executions the condition of a test is stated.
type Quantifier uint8

// The statements: some execution, none, all.
const (
	Exists Quantifier = iota
	NotExists
	Forall
)

var quantifierNames = []string{"exists", "~exists", "forall"}

func (q Quantifier) String() string { return quantifierNames[q] }

// allVariables lists every register of every thread and every location.
func (t *Test) allVariables() []Variable {
	var all []Variable
	for thread := range t.Threads {
		for r := range t.Threads[thread].Registers {
			all = append(all, Variable{thread, r})
		}
	}
	for location := range t.Locations {
		all = append(all, Variable{OfMemory, location})
	}
	return all
}
