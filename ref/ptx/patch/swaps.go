package patch

import (
	"fmt"
	"slices"
	"strings"
)

// half is the name of the load or store that a swap is made of: with its half of the
// order, its scope and its space.
func (e *edit) half(load bool) []string {
	order, scope := "relaxed", "gpu"
	name, strong := "st", "release"
	if load {
		name, strong = "ld", "acquire"
	}
	var space []string
	for _, p := range e.insn.parts[1:] {
		switch p {
		case "acq_rel", strong:
			order = strong
		case "cta", "cluster", "gpu", "sys":
			scope = p
		case "global", "shared", "shared::cta", "shared::cluster":
			space = []string{p}
		}
	}
	return append(append([]string{name, order, scope}, space...), fmt.Sprintf("b%d", e.insn.bits))
}

func (e *edit) blind() error {
	i := &e.insn
	if i.kind != swap && i.kind != exchange {
		return e.noFit("swaps")
	}
	stores := instruction{guard: i.guard, parts: e.half(false), operands: []string{i.operands[i.addressAt()], i.operands[i.valueAt()]}}
	seen := "0"
	if i.kind == swap {
		seen = i.operands[i.addressAt()+1]
	}
	e.replace(e.place, joined(stores.String(), e.move(seen)))
	return nil
}

func (e *edit) never() error {
	i := &e.insn
	if i.kind != swap {
		return e.noFit("compare-and-swaps")
	}
	if i.result() == "_" {
		e.replace(e.place, "")
		return nil
	}
	expected := i.operands[i.addressAt()+1]
	e.replace(e.place, block(declared(i.bits), fmt.Sprintf("mov.b%d %s, %s;", i.bits, temporary, expected),
		fmt.Sprintf("%snot.b%d %s, %s;", i.guard, i.bits, i.operands[0], temporary)))
	return nil
}

// split makes two accesses of one. Between them somebody else may come.
func (e *edit) split() error {
	i := &e.insn
	if i.kind != swap && i.kind != exchange && i.kind != update || i.class == 'f' {
		return e.noFit("swaps and additions of integers")
	}
	address, at := i.operands[i.addressAt()], i.addressAt()+1
	x := i.operands[at]
	loads := instruction{guard: i.guard, parts: e.half(true), operands: []string{temporary, address}}
	stores := instruction{guard: i.guard, parts: e.half(false), operands: []string{address, temporary + "s"}}
	registers := fmt.Sprintf(".reg .b%d %s, %ss; .reg .pred %sp;", i.bits, temporary, temporary, temporary)
	var computed string
	switch operation := e.operation(); operation {
	case "exch":
		computed = fmt.Sprintf("mov.b%d %ss, %s;", i.bits, temporary, x)
	case "cas":
		computed = fmt.Sprintf("mov.b%d %ss, %s;", i.bits, temporary, i.operands[at+1])
		if i.guard == "" {
			computed += fmt.Sprintf(" setp.eq.b%d %sp, %s, %s;", i.bits, temporary, temporary, x)
		} else {
			condition := strings.TrimSpace(strings.TrimPrefix(i.guard, "@"))
			computed += fmt.Sprintf(" setp.eq.and.b%d %sp, %s, %s, %s;", i.bits, temporary, temporary, x, condition)
		}
		stores.guard = "@" + temporary + "p "
	case "add", "min", "max":
		computed = fmt.Sprintf("%s.%s %ss, %s, %s;", operation, i.parts[len(i.parts)-1], temporary, temporary, x)
	case "and", "or", "xor":
		computed = fmt.Sprintf("%s.b%d %ss, %s, %s;", operation, i.bits, temporary, temporary, x)
	default:
		return e.noFit("swaps, additions, and, or, xor, min and max")
	}
	e.replace(e.place, block(registers, loads.String(), computed, stores.String(), e.move(temporary)))
	return nil
}

// operation is what an atomic does.
func (e *edit) operation() string {
	for _, o := range []string{"exch", "cas", "add", "min", "max", "and", "or", "xor"} {
		if slices.Contains(e.insn.parts, o) {
			return o
		}
	}
	return ""
}
