package patch

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"stealproof/ref/ptx/syntax"
)

// instruction is an instruction as text, cut into its parts.
type instruction struct {
	guard    string   // "@%p1 ", or nothing
	parts    []string // of its name, cut at the dots
	operands []string
	kind     kind
	// malformed says why an access is none that can be executed.
	malformed error
	// bits of what it accesses, 0 of a fence; class is the letter of its type.
	bits  int
	class byte
}

// kind is what an instruction is for a patch.
type kind uint8

const (
	other kind = iota
	load
	store
	swap     // compare-and-swap
	exchange // a swap that looks at nothing
	update   // any other atomic
	fence
	vector // a load or store of several elements
)

// read cuts up an instruction.
func read(p place) instruction {
	guard, text := guarded(plain(p.in.Text))
	i := instruction{guard: guard, parts: strings.Split(p.in.Op, "."), operands: operands(strings.TrimPrefix(text, p.in.Op))}
	if t, known := syntax.TypeOf(i.parts[len(i.parts)-1]); known && i.parts[0] != "fence" && i.parts[0] != "membar" {
		i.bits, i.class = int(t.Bits), i.parts[len(i.parts)-1][0]
	}
	if !p.access {
		return i
	}
	i.kind = map[string]kind{"ld": load, "ldu": load, "st": store, "atom": update, "red": update, "fence": fence, "membar": fence}[i.parts[0]]
	several := slices.ContainsFunc(i.parts, func(p string) bool { return p == "v2" || p == "v4" || p == "v8" })
	switch {
	case several && i.kind != fence:
		i.kind = vector
	case i.kind == update && slices.Contains(i.parts, "cas"):
		i.kind = swap
	case i.kind == update && slices.Contains(i.parts, "exch"):
		i.kind = exchange
	}
	if i.malformed = i.shape(p); i.malformed != nil {
		i.kind = other // so that nobody looks for operands that it does not have
	}
	return i
}

// shape says what an access lacks: a text may be one that no assembler takes.
func (i *instruction) shape(p place) error {
	if i.kind == fence {
		if len(p.in.Operands) > 0 {
			return errors.New("a fence has no operands")
		}
		return nil
	}
	needed := map[string][]role{"ld": {aResult, anAddress}, "ldu": {aResult, anAddress}, "st": {anAddress, aValue},
		"atom": {aResult, anAddress, aValue}, "red": {anAddress, aValue}}[i.parts[0]]
	if i.kind == swap {
		needed = append(needed, aValue)
	}
	for n, role := range needed {
		if n >= len(p.in.Operands) || !p.plays(&p.in.Operands[n], role) {
			return fmt.Errorf("operand %d: expected %s", n+1, role)
		}
	}
	if i.bits < 8 {
		return errors.New("its name ends with no type of memory")
	}
	return nil
}

// role is what an operand is to an access.
type role string

const (
	aResult   role = "a register for what is read"
	anAddress role = "an address"
	aValue    role = "a value"
)

func (p *place) plays(o *syntax.Operand, r role) bool {
	flat := func(o *syntax.Operand) bool {
		switch o.Kind {
		case syntax.IsRegister:
			return p.function.Registers[o.Register].Type.Class != syntax.Predicate
		case syntax.IsSink:
			return r == aResult
		case syntax.IsInteger, syntax.IsFloat, syntax.IsSpecial, syntax.IsSymbol:
			return r == aValue
		}
		return false
	}
	switch {
	case r == anAddress:
		return o.Kind == syntax.IsAddress
	case o.Kind == syntax.IsVector:
		return !slices.ContainsFunc(o.Elements, func(element syntax.Operand) bool { return !flat(&element) })
	}
	return flat(o)
}

// plain is a text without its comments, in one line.
func plain(text string) string {
	var b strings.Builder
	for {
		before, comment, found := strings.Cut(text, "/")
		b.WriteString(before)
		switch {
		case !found:
			return strings.Join(strings.Fields(b.String()), " ")
		case strings.HasPrefix(comment, "/"):
			_, text, _ = strings.Cut(comment, "\n")
		case strings.HasPrefix(comment, "*"):
			_, text, _ = strings.Cut(comment[1:], "*/")
		default: // a sign of its own
			b.WriteByte('/')
			text = comment
			continue
		}
		b.WriteByte(' ')
	}
}

var guards = regexp.MustCompile(`^@ ?!? ?[%$A-Za-z_][\w$]* `)

// guarded cuts off the predicate before an instruction, as in "@!%p1 ".
func guarded(text string) (guard, rest string) {
	guard = guards.FindString(text)
	if rest = text[len(guard):]; guard != "" {
		guard = strings.ReplaceAll(guard, " ", "") + " "
	}
	return guard, rest
}

// operands cuts a list at its commas, but not within brackets.
func operands(text string) (all []string) {
	depth, from := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				all = append(all, strings.TrimSpace(text[from:i]))
				from = i + 1
			}
		}
	}
	if last := strings.TrimSpace(text[from:]); last != "" {
		all = append(all, last)
	}
	return all
}

// String is the instruction with its semicolon.
func (i instruction) String() string {
	text := i.guard + strings.Join(i.parts, ".")
	if len(i.operands) > 0 {
		text += " " + strings.Join(i.operands, ", ")
	}
	return text + ";"
}

// with is the instruction with another operand.
func (i instruction) with(n int, operand string) instruction {
	i.operands = slices.Clone(i.operands)
	i.operands[n] = operand
	return i
}

// result is the operand that it writes, "_" for none.
func (i *instruction) result() string {
	if i.parts[0] == "red" || i.kind == store || i.kind == fence {
		return "_"
	}
	return i.operands[0]
}

// addressAt is where its address stands.
func (i *instruction) addressAt() int {
	if i.result() == "_" && i.parts[0] != "atom" {
		return 0
	}
	return 1
}

// valueAt is where the value stands that it stores, adds, or swaps in.
func (i *instruction) valueAt() int {
	if i.kind == swap {
		return i.addressAt() + 2
	}
	return i.addressAt() + 1
}

// sizeOf is the size of an operand: of its register, or of the access for a number.
func (e *edit) sizeOf(n int) int {
	if o := &e.place.in.Operands[n]; o.Kind == syntax.IsRegister {
		return int(e.place.function.Registers[o.Register].Type.Bits)
	}
	return max(16, e.insn.bits)
}

// move is a mov to the operand that the instruction writes, nothing for "_".
func (e *edit) move(value string) string {
	if e.insn.result() == "_" {
		return ""
	}
	if e.place.in.Operands[0].Kind == syntax.IsVector {
		var text string
		for i, element := range operands(strings.Trim(e.insn.operands[0], "{} ")) {
			if o := &e.place.in.Operands[0].Elements[i]; o.Kind == syntax.IsRegister {
				text += fmt.Sprintf("%smov.b%d %s, %s; ", e.insn.guard, e.place.function.Registers[o.Register].Type.Bits, element, value)
			}
		}
		return text
	}
	return fmt.Sprintf("%smov.b%d %s, %s;", e.insn.guard, e.sizeOf(0), e.insn.operands[0], value)
}

// block is a text with registers of its own.
func block(registers string, text ...string) string {
	return "{ " + registers + " " + strings.Join(text, " ") + " }"
}

// number is a number as an operand of so many bits.
func number(n uint64, bits int) string {
	if bits < 64 {
		n &= 1<<bits - 1
	}
	return fmt.Sprint(n)
}
