package patch

import (
	"slices"
	"strings"

	"stealproof/ref/ptx/syntax"
)

// flow is where control goes in a function, and what becomes of its registers.
type flow struct {
	next   [][]int // of each instruction
	writes [][]int32
	reads  [][]int32
}

// know works it out, once.
func (f *function) know() {
	if f.next != nil {
		return
	}
	f.next = make([][]int, len(f.Code)+1)
	f.writes = make([][]int32, len(f.Code)+1)
	f.reads = make([][]int32, len(f.Code)+1)
	for i := range f.Code {
		in := &f.Code[i]
		f.writes[i], f.reads[i] = registersOf(in)
		goesOn := true
		switch opOf(in) {
		case "bra", "brx":
			if n := len(in.Operands); n > 0 {
				switch o := &in.Operands[n-1]; o.Kind {
				case syntax.IsLabel:
					f.next[i] = append(f.next[i], int(o.Value))
				case syntax.IsTable:
					f.next[i] = append(f.next[i], f.Tables[o.Value]...)
				}
			}
			goesOn = false
		case "ret", "exit", "trap":
			goesOn = false
		}
		if goesOn || in.Guard >= 0 {
			f.next[i] = append(f.next[i], i+1)
		}
	}
}

func opOf(in *syntax.Instruction) string {
	name, _, _ := strings.Cut(in.Op, ".")
	return name
}

// withoutResult are the instructions whose first operand is none that they write.
var withoutResult = []string{"st", "red", "bra", "brx", "call", "ret", "exit", "trap", "fence", "membar", "bar", "barrier",
	"nanosleep", "pmevent", "prefetch", "prefetchu", "applypriority", "brkpt", "cp"}

// registersOf are the registers that an instruction writes, and those that it reads.
func registersOf(in *syntax.Instruction) (writes, reads []int32) {
	if in.Guard >= 0 {
		reads = append(reads, int32(in.Guard))
	}
	name := opOf(in)
	callee := slices.IndexFunc(in.Operands, func(o syntax.Operand) bool { return o.Kind == syntax.IsSymbol })
	for i := range in.Operands {
		o := &in.Operands[i]
		result := i == 0 && o.Kind != syntax.IsAddress && !slices.Contains(withoutResult, name) || name == "call" && o.Kind == syntax.IsList && i < callee
		each(o, func(r int32) {
			if result {
				writes = append(writes, r)
			} else {
				reads = append(reads, r)
			}
		})
	}
	return writes, reads
}

// each visits the registers of an operand.
func each(o *syntax.Operand, visit func(int32)) {
	if o.Kind == syntax.IsRegister || o.Kind == syntax.IsAddress && o.Base == syntax.IsRegister {
		visit(o.Register)
	}
	for i := range o.Elements {
		each(&o.Elements[i], visit)
	}
}

// after are the instructions that can come behind one, without going through
// another one (-1 for none); the one itself only if it can come again.
func (f *function) after(from, without int) map[int]bool {
	f.know()
	seen := map[int]bool{}
	todo := slices.Clone(f.next[from])
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if i == without || seen[i] {
			continue
		}
		seen[i] = true
		todo = append(todo, f.next[i]...)
	}
	return seen
}

// dominates says whether every way to b goes through a.
func (f *function) dominates(a, b int) bool {
	f.know()
	if a == b || a == 0 {
		return true
	}
	if b == 0 {
		return false
	}
	return !f.after(0, a)[b]
}

// between are the instructions that can be executed after a and before the next b,
// where every way to b goes through a.
func (f *function) between(a, b int) []int {
	behind := f.after(a, b)
	var all []int
	for i := range behind {
		if i != a && f.canReach(i, a, b) {
			all = append(all, i)
		}
	}
	slices.Sort(all)
	return all
}

// canReach says whether a way leads from one instruction to another without going
// through a third one.
func (f *function) canReach(from, without, to int) bool {
	return slices.Contains(f.next[from], to) || f.after(from, without)[to]
}

// definitions are the instructions that write a register.
func (f *function) definitions(r int32) (all []int) {
	f.know()
	for i := range f.Code {
		if slices.Contains(f.writes[i], r) {
			all = append(all, i)
		}
	}
	return all
}

// pure are instructions that do nothing but compute.
var pure = []string{"mov", "add", "sub", "mul", "mad", "mul24", "mad24", "and", "or", "xor", "not", "cnot", "neg", "abs", "shl", "shr", "shf",
	"cvt", "cvta", "selp", "slct", "setp", "set", "min", "max", "bfe", "bfi", "lop3", "prmt", "div", "rem", "popc", "clz", "brev"}

// isPure says whether an instruction may be executed once more elsewhere.
func isPure(in *syntax.Instruction) bool {
	if in.Guard >= 0 || len(in.Operands) == 0 || in.Operands[0].Kind != syntax.IsRegister {
		return false
	}
	if opOf(in) == "ld" {
		return strings.HasPrefix(in.Op, "ld.param")
	}
	special := slices.ContainsFunc(in.Operands, func(o syntax.Operand) bool { return o.Kind == syntax.IsSpecial })
	carry := strings.Contains(in.Op, ".cc")
	return slices.Contains(pure, opOf(in)) && !special && !carry
}
