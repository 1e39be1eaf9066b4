package patch

import (
	"fmt"
	"strings"

	"stealproof/ref/ptx/syntax"
)

// temporary is the register of a block that a patch adds.
const temporary = "%patch"

func declared(bits int) string { return fmt.Sprintf(".reg .b%d %s;", bits, temporary) }

func (e *edit) drop() error {
	n, err := e.number()
	if err != nil {
		return err
	}
	switch e.insn.kind {
	case store, fence:
		if e.Argument != "" {
			return e.noFit("a load, if it has a number")
		}
		e.replace(e.place, "")
	case load, vector, exchange, update:
		if e.insn.kind == vector && e.insn.parts[0] == "st" {
			e.replace(e.place, "")
			return nil
		}
		e.replace(e.place, e.move(number(n, e.insn.bits)))
	case swap:
		e.replace(e.place, e.move(e.insn.operands[e.insn.addressAt()+1]))
	default:
		if !e.place.barrier || e.Argument != "" {
			return e.noFit("accesses, fences and barriers")
		}
		e.replace(e.place, "")
	}
	return nil
}

func (e *edit) twice() error {
	if e.insn.kind == fence || e.insn.kind == other {
		return e.noFit("accesses")
	}
	if o := &e.place.in.Operands[0]; o.Kind != syntax.IsAddress {
		if writes, reads := registersOf(e.place.in); overlap(writes, reads) {
			return e.noFit("accesses that do not write what they read")
		}
	}
	e.replace(e.place, e.insn.String()+" "+e.insn.String())
	return nil
}

func (e *edit) plusOne() error  { return e.add(1) }
func (e *edit) minusOne() error { return e.add(^uint64(0)) }

func (e *edit) plus() error {
	n, err := e.number()
	if err != nil {
		return err
	}
	return e.add(n)
}

// add adds to what a load gives, to what is stored, swapped in or added, and to a
// number that stands in the text.
func (e *edit) add(n uint64) error {
	i := &e.insn
	switch i.kind {
	case load:
		if i.result() == "_" || i.class == 'f' {
			return e.noFit("loads of integers that somebody looks at")
		}
		bits := e.sizeOf(0)
		sum := fmt.Sprintf("%sadd.u%d %s, %s, %s;", i.guard, bits, i.operands[0], temporary, number(n, bits))
		if i.bits < bits && i.class != 's' {
			sum += fmt.Sprintf(" %sand.b%d %s, %s, %s;", i.guard, bits, i.operands[0], i.operands[0], number(^uint64(0), i.bits))
		}
		e.replace(e.place, block(declared(bits), i.with(0, temporary).String(), sum))
	case store, swap, exchange, update:
		at := i.valueAt()
		if i.class == 'f' {
			return e.noFit("integers")
		}
		bits := e.sizeOf(at)
		e.replace(e.place, block(declared(bits), fmt.Sprintf("add.u%d %s, %s, %s;", bits, temporary, i.operands[at], number(n, bits)), i.with(at, temporary).String()))
	case other:
		return e.addToNumber(n)
	default:
		return e.noFit("accesses of one value, and numbers")
	}
	return nil
}

// addToNumber adds to the number in an instruction that is no access; of one that only
// hands on a value, to that.
func (e *edit) addToNumber(n uint64) error {
	if e.place.barrier {
		return e.noFit("accesses, and numbers that are no barriers'")
	}
	at := -1
	for k := range e.place.in.Operands {
		if e.place.in.Operands[k].Kind == syntax.IsInteger {
			if at >= 0 {
				return e.noFit("instructions with one number")
			}
			at = k
		}
	}
	switch {
	case at >= 0:
		bits := e.insn.bits
		if bits == 0 {
			bits = 64
		}
		e.replace(e.place, e.insn.with(at, number(e.place.in.Operands[at].Value+n, bits)).String())
	case e.named():
		bits := e.sizeOf(0)
		e.replace(e.place, fmt.Sprintf("%sadd.u%d %s, %s, %s;", e.insn.guard, bits, e.insn.operands[0], e.insn.operands[1], number(n, bits)))
	default:
		return e.noFit("accesses, and instructions with one number")
	}
	return nil
}

// named says whether the instruction is a value with a name: a mov that does nothing
// else.
func (e *edit) named() bool {
	o := e.place.in.Operands
	return e.insn.kind == other && e.insn.parts[0] == "mov" && len(o) == 2 && o[0].Kind == syntax.IsRegister &&
		e.place.function.Registers[o[0].Register].Type.Class != syntax.Predicate
}

func (e *edit) value() error {
	n, err := e.number()
	if err != nil {
		return err
	}
	i := &e.insn
	switch {
	case i.kind == load:
		e.replace(e.place, i.String()+" "+e.move(number(n, i.bits)))
	case i.kind == store:
		e.replace(e.place, i.with(1, number(n, i.bits)).String())
	case e.named():
		e.replace(e.place, e.move(number(n, e.sizeOf(0))))
	default:
		return e.noFit("loads, stores and values with a name")
	}
	return nil
}

// reuse hands on what another access has read or stored: that one must have been made
// on every way, and its register must not have been written since.
func (e *edit) reuse() error {
	if e.insn.kind != load && e.insn.kind != store && !e.named() {
		return e.noFit("loads, stores and values with a name")
	}
	site, part, err := e.other()
	if err != nil {
		return err
	}
	places, err := e.text.at(site, part)
	if err != nil {
		return err
	}
	f := e.place.function
	from := ""
	for _, p := range places {
		if p.function != f || p.index == e.place.index || !f.dominates(p.index, e.place.index) {
			continue
		}
		o := edit{Patch: e.Patch, text: e.text, place: p, insn: read(p)}
		text, at := o.handed()
		if text == "" {
			continue
		}
		if from != "" && from != text {
			return fmt.Errorf("%s stands before it several times: say which with #", site)
		}
		if size := o.sizeOf(at); size != e.handedSize() {
			return fmt.Errorf("%s has %d bits", site, size)
		}
		if register := p.in.Operands[at]; register.Kind == syntax.IsRegister && !e.unchanged(register.Register, p.index) {
			return fmt.Errorf("what %s had is no longer there", site)
		}
		from = text
	}
	if from == "" {
		return fmt.Errorf("no %s comes before it on every way, in function %s", site, f.Name)
	}
	switch e.insn.kind {
	case load:
		e.replace(e.place, e.insn.String()+" "+e.move(from))
	case store:
		e.replace(e.place, e.insn.with(1, from).String())
	default:
		e.replace(e.place, e.move(from))
	}
	return nil
}

// handed is the operand that holds what an access has read or stored.
func (e *edit) handed() (operand string, at int) {
	switch {
	case e.insn.kind == load || e.named():
		at = 0
	case e.insn.kind == store:
		at = 1
	case e.insn.kind == swap || e.insn.kind == exchange || e.insn.kind == update:
		if at = 0; e.insn.result() == "_" {
			return "", 0
		}
	default:
		return "", 0
	}
	if o := &e.place.in.Operands[at]; o.Kind != syntax.IsRegister && o.Kind != syntax.IsInteger {
		return "", 0
	}
	return e.insn.operands[at], at
}

func (e *edit) handedSize() int {
	if e.insn.kind == store {
		return e.sizeOf(1)
	}
	return e.sizeOf(0)
}

// unchanged says whether a register has at this place what it had at an earlier one.
func (e *edit) unchanged(register int32, since int) bool {
	f := e.place.function
	for _, i := range f.between(since, e.place.index) {
		for _, w := range f.writes[i] {
			if w == register {
				return false
			}
		}
	}
	return true
}

func overlap(a, b []int32) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

// joined is texts with spaces between those that are not empty.
func joined(texts ...string) string {
	var all []string
	for _, t := range texts {
		if t != "" {
			all = append(all, t)
		}
	}
	return strings.Join(all, " ")
}
