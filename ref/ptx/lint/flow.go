package lint

import (
	"slices"
	"strings"

	"stealproof/ref/ptx/syntax"
)

// flow is a function: where control goes, and what its instructions are.
type flow struct {
	code   []syntax.Instruction
	next   [][]int
	access []access
}

// access is what an instruction does to memory that threads share.
type access struct {
	kind               kind
	weak               bool
	acquires, releases bool // what comes behind it comes later; what came before came earlier
}

type kind uint8

const (
	none kind = iota
	load
	store
	atomic
	fence // and whatever nobody looks into
)

func nameOf(in *syntax.Instruction) string {
	name, _, _ := strings.Cut(in.Op, ".")
	return name
}

func newFlow(m *syntax.Module, f *syntax.Function) *flow {
	w := &flow{code: f.Code, next: make([][]int, len(f.Code)), access: make([]access, len(f.Code))}
	told := f.Arguments()
	for i := range f.Code {
		in := &f.Code[i]
		w.access[i] = accessOf(in, told)
		goesOn := true
		switch nameOf(in) {
		case "bra", "brx":
			if n := len(in.Operands); n > 0 {
				switch o := &in.Operands[n-1]; o.Kind {
				case syntax.IsLabel:
					w.next[i] = append(w.next[i], int(o.Value))
				case syntax.IsTable:
					w.next[i] = append(w.next[i], f.Tables[o.Value]...)
				}
			}
			goesOn = false
		case "ret", "exit", "trap":
			goesOn = false
		}
		if (goesOn || in.Guard >= 0) && i+1 < len(f.Code) {
			w.next[i] = append(w.next[i], i+1)
		}
	}
	return w
}

func accessOf(in *syntax.Instruction, told syntax.Arguments) access {
	parts := strings.Split(in.Op, ".")
	has := func(names ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(names, p) })
	}
	private := has("param", "local", "const", "param::func", "param::entry") || told.Accesses(in)
	acquires, releases := has("acquire", "acq_rel"), has("release", "acq_rel")
	switch parts[0] {
	case "ld", "ldu":
		if private {
			return access{}
		}
		return access{kind: load, weak: !has("volatile", "relaxed", "acquire", "mmio"), acquires: acquires}
	case "st":
		if private {
			return access{}
		}
		return access{kind: store, weak: !has("volatile", "relaxed", "release", "mmio"), releases: releases}
	case "atom", "red":
		return access{kind: atomic, acquires: acquires, releases: releases}
	case "fence", "membar", "bar", "barrier", "call":
		return access{kind: fence, acquires: true, releases: true}
	}
	return access{}
}

// after are the instructions that can come behind one with nothing in between that
// orders what comes behind it. Where one ends such a way it is there itself.
func (w *flow) after(from int) []bool {
	return w.reach(from, func(i int) bool { return w.access[i].acquires })
}

// released are those that can come behind a store with nothing in between that waits
// for it.
func (w *flow) released(from int) func(func(int) bool) {
	seen := w.reach(from, func(i int) bool { return w.access[i].releases })
	return func(yield func(int) bool) {
		for i, is := range seen {
			if is && !yield(i) {
				return
			}
		}
	}
}

func (w *flow) reach(from int, ends func(int) bool) []bool {
	seen := make([]bool, len(w.code))
	todo := slices.Clone(w.next[from])
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[i] {
			continue
		}
		if seen[i] = true; !ends(i) {
			todo = append(todo, w.next[i]...)
		}
	}
	return seen
}

// dependents are the registers whose values may come from the result of an
// instruction.
func (w *flow) dependents(from int) map[int32]bool {
	depends := map[int32]bool{}
	if o := w.code[from].Operands; len(o) > 0 {
		each(&o[0], func(r int32) { depends[r] = true })
	}
	for changed := true; changed; {
		changed = false
		for i := range w.code {
			in := &w.code[i]
			if len(in.Operands) < 2 || in.Operands[0].Kind == syntax.IsAddress || nameOf(in) == "call" {
				continue
			}
			reads := in.Guard >= 0 && depends[int32(in.Guard)]
			for k := 1; k < len(in.Operands); k++ {
				each(&in.Operands[k], func(r int32) { reads = reads || depends[r] })
			}
			if reads {
				each(&in.Operands[0], func(r int32) {
					changed = changed || !depends[r]
					depends[r] = true
				})
			}
		}
	}
	return depends
}

// decides says whether an instruction is executed, or leads elsewhere, by the value of
// one of these registers.
func (w *flow) decides(i int, registers map[int32]bool) bool {
	in := &w.code[i]
	if in.Guard >= 0 && registers[int32(in.Guard)] {
		return true
	}
	if nameOf(in) != "brx" {
		return false
	}
	found := false
	for k := range in.Operands {
		each(&in.Operands[k], func(r int32) { found = found || registers[r] })
	}
	return found
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
