// Package module writes litmus tests as PTX modules, so that what executes the kernels of
// a queue can be held to what the axioms say of the same test.
package module

import (
	"fmt"
	"strings"

	"stealproof/ref/axioms"
	"stealproof/ref/litmus"
)

// Module is a test as a module with the interface of stealproof.cuh: an object is the
// test's memory, and what process p does to put something into it is what the test's
// thread p does.
type Module struct {
	Text string
	// Locations and Registers are where the values are in an object, in bytes:
	// of each location, and of each thread's registers once it has come to its end.
	Locations []int
	Registers [][]int
}

// Write writes a test. What PTX does not have is an error: arithmetic in atomics, proxies
// and barriers, of which modules have those of a block, where all threads come.
func Write(t *litmus.Test) (*Module, error) {
	w := &writer{test: t, narrow: make([]bool, len(t.Locations)), module: &Module{}}
	for p := range t.Threads {
		for i := range t.Threads[p].Code {
			if err := w.suits(&t.Threads[p].Code[i]); err != nil {
				return nil, fmt.Errorf("%s, instruction %d: %w", t.Threads[p].Name(), i+1, err)
			}
		}
	}
	w.layOut()
	w.head()
	w.put()
	w.module.Text = w.b.String()
	return w.module, nil
}

// writer writes a module.
type writer struct {
	test   *litmus.Test
	narrow []bool // locations of 32 bits: those that an atomic counts in a circle
	recent bool   // it takes what older versions of PTX do not have
	module *Module
	bytes  int // of an object
	b      strings.Builder
}

// suits says whether PTX has an instruction.
func (w *writer) suits(i *litmus.Instruction) error {
	switch i.Op {
	case litmus.ProxyFence, litmus.AliasFence:
		return fmt.Errorf("fences of proxies are not written as a module")
	case litmus.Sync, litmus.Arrive:
		return fmt.Errorf("barriers of a block are not written as a module: a process has a block of its own")
	case litmus.Atomic:
		switch i.Math {
		case litmus.Mul, litmus.Div:
			return fmt.Errorf("PTX has no atomic %s", i.Math)
		case litmus.Inc:
			w.narrow[i.Location] = true
		}
	}
	w.recent = w.recent || i.Scope == axioms.Cluster || i.Op == litmus.Fence && (i.Order == axioms.Acquire || i.Order == axioms.Release)
	if i.Proxy != axioms.Generic || i.Alias != 0 {
		return fmt.Errorf("proxies and aliases are not written as a module")
	}
	return nil
}

// apart is how many bytes each value has for itself.
const apart = 8

func (w *writer) layOut() {
	next := func() int { w.bytes += apart; return w.bytes - apart }
	for range w.test.Locations {
		w.module.Locations = append(w.module.Locations, next())
	}
	for p := range w.test.Threads {
		var all []int
		for range w.test.Threads[p].Registers {
			all = append(all, next())
		}
		w.module.Registers = append(w.module.Registers, all)
	}
	w.bytes = max(w.bytes, apart)
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

// head writes what every module of stealproof.cuh has: version 3 of its interface, a bag.
func (w *writer) head() {
	w.line("// Litmus test %s, written as a module.", strings.Join(strings.Fields(w.test.Name), " "))
	version, target := "7.0", "sm_70"
	if w.recent {
		version, target = "8.6", "sm_90"
	}
	w.line(".version %s\n.target %s\n.address_size 64\n", version, target)
	w.line(".visible .global .align 4 .u32 stealproof_abi = 3;\n")
	w.line(".visible .entry stealproof_describe(.param .u64 run, .param .u64 description)\n{")
	w.line(".reg .b64 %%to;\nld.param.u64 %%to, [description];")
	for n, v := range []int{3, 4, 16, 64, 240, 0} {
		w.line("st.global.u32 [%%to+%d], %d;", 4*n, v)
	}
	w.line("st.global.u64 [%%to+24], %d;\nret;\n}\n", w.bytes)
	w.line(".visible .entry stealproof_prepare(.param .u64 run)\n{")
	w.line(".reg .b64 %%at;\nld.param.u64 %%at, [run];\nld.global.u64 %%at, [%%at+56];")
	for l, at := range w.module.Locations {
		w.line("st.global.b%d [%%at+%d], %d;", w.bits(l), at, w.test.Initial[l])
	}
	w.line("ret;\n}\n")
	w.line(".visible .entry stealproof_next_phase(.param .u64 run)\n{\nret;\n}\n")
	w.line(".visible .entry stealproof_take(.param .u64 call)\n{")
	w.line(".reg .b64 %%call;\nld.param.u64 %%call, [call];\nst.global.u32 [%%call+8], 3; // nothing is there\nret;\n}\n")
}

func (w *writer) bits(location int) int {
	if w.narrow[location] {
		return 32
	}
	return 64
}

// put writes the threads, one behind the other.
func (w *writer) put() {
	w.line(".visible .entry stealproof_put(.param .u64 call)\n{")
	w.line(".reg .pred %%p;\n.reg .b32 %%process, %%old, %%new, %%than;\n.reg .b64 %%call, %%at, %%seen, %%left, %%right;")
	w.line("ld.param.u64 %%call, [call];\nld.global.u32 %%process, [%%call];\nld.global.u64 %%at, [%%call+32];")
	for p := range w.test.Threads {
		w.line("setp.eq.u32 %%p, %%process, %d;\n@%%p bra $T%d;", p, p)
	}
	w.line("trap;")
	for p := range w.test.Threads {
		w.thread(p)
	}
	w.line("$BACK: st.global.u32 [%%call+8], 1;\nret;\n}")
}

func (w *writer) thread(p int) {
	t := &w.test.Threads[p]
	w.line("\n$T%d:", p)
	for r := range t.Registers {
		w.line(".reg .b64 %s;\nmov.b64 %s, %d;", register(p, r), register(p, r), t.Initial[r])
	}
	for k := range t.Code {
		w.line("$T%d_%d:", p, k)
		for _, line := range w.instruction(p, &t.Code[k]) {
			w.line("  %s // site %s.%d", line, t.Name(), k+1)
		}
	}
	w.line("$T%d_%d:", p, len(t.Code))
	for r, at := range w.module.Registers[p] {
		w.line("  st.global.b64 [%%at+%d], %s; // site %s.%s", at, register(p, r), t.Name(), t.Registers[r])
	}
	w.line("bra $BACK;")
}

func register(p, r int) string { return fmt.Sprintf("%%t%d_%d", p, r) }

// instruction is the PTX of one instruction.
func (w *writer) instruction(p int, i *litmus.Instruction) []string {
	value := func(o litmus.Operand) string {
		if o.IsRegister {
			return register(p, o.Register)
		}
		return fmt.Sprint(o.Constant)
	}
	result := "%seen"
	if i.Register != litmus.NoRegister {
		result = register(p, i.Register)
	}
	target := fmt.Sprintf("$T%d_%d", p, min(i.Target, len(w.test.Threads[p].Code)))
	switch i.Op {
	case litmus.Load, litmus.Store, litmus.Atomic, litmus.Exchange, litmus.Compare:
		return w.access(i, result, value(i.A), value(i.B))
	case litmus.Move:
		return []string{fmt.Sprintf("mov.b64 %s, %s;", result, value(i.A))}
	case litmus.Compute:
		return computed(i.Math, result, value(i.A), value(i.B))
	case litmus.Fence:
		return []string{fmt.Sprintf("fence.%s.%s;", i.Order, i.Scope)}
	case litmus.Branch:
		comparison := [...]string{"eq", "ne", "ge", "le", "gt", "lt"}[i.Comparison]
		return []string{fmt.Sprintf("setp.%s.s64 %%p, %s, %s;", comparison, value(i.A), value(i.B)), fmt.Sprintf("@%%p bra %s;", target)}
	}
	return []string{fmt.Sprintf("bra %s;", target)}
}

// computed is arithmetic. Division by zero gives -1.
func computed(m litmus.Math, result, a, b string) []string {
	switch m {
	case litmus.Mul:
		return []string{fmt.Sprintf("mul.lo.s64 %s, %s, %s;", result, a, b)}
	case litmus.Div:
		return []string{
			fmt.Sprintf("mov.b64 %%left, %s; mov.b64 %%right, %s;", a, b),
			fmt.Sprintf("mov.b64 %s, -1; setp.ne.s64 %%p, %%right, 0;", result),
			fmt.Sprintf("@%%p div.s64 %s, %%left, %%right;", result),
		}
	}
	return []string{fmt.Sprintf("%s.s64 %s, %s, %s;", m, result, a, b)}
}

// access is an access to memory. One of 32 bits has its value in the lower half of a
// register, and what it gives is extended.
func (w *writer) access(i *litmus.Instruction, result, a, b string) []string {
	bits := w.bits(i.Location)
	at := fmt.Sprintf("[%%at+%d]", w.module.Locations[i.Location])
	order := i.Order.String()
	if i.Order != axioms.Weak {
		order += "." + i.Scope.String()
	}
	if i.Op == litmus.Load {
		return []string{fmt.Sprintf("ld.%s.global.s%d %s, %s;", order, bits, result, at)}
	}
	var lines []string
	if i.Op == litmus.Atomic && i.Math == litmus.Sub {
		lines = append(lines, fmt.Sprintf("neg.s64 %%left, %s;", a))
		a = "%left"
	}
	if bits == 32 {
		lines = append(lines, fmt.Sprintf("mov.b64 %%left, %s; mov.b64 %%right, %s;", a, b), "cvt.u32.u64 %new, %left; cvt.u32.u64 %than, %right;")
		a, b = "%new", "%than"
	}
	if i.Op == litmus.Store {
		return append(lines, fmt.Sprintf("st.%s.global.b%d %s, %s;", order, bits, at, a))
	}
	seen := result
	if bits == 32 {
		seen = "%old"
	}
	name, operands := atomicName(i, bits), a
	if i.Op == litmus.Compare {
		operands += ", " + b
	}
	if i.Register == litmus.NoRegister && i.Op == litmus.Atomic {
		return append(lines, fmt.Sprintf("red.%s.global.%s %s, %s;", order, name, at, operands))
	}
	lines = append(lines, fmt.Sprintf("atom.%s.global.%s %s, %s, %s;", order, name, seen, at, operands))
	if seen == "%old" {
		lines = append(lines, fmt.Sprintf("cvt.s64.s32 %s, %%old;", result))
	}
	return lines
}

// atomicName is the operation of an atomic, with its type.
func atomicName(i *litmus.Instruction, bits int) string {
	switch {
	case i.Op == litmus.Exchange:
		return fmt.Sprintf("exch.b%d", bits)
	case i.Op == litmus.Compare:
		return fmt.Sprintf("cas.b%d", bits)
	}
	switch i.Math {
	case litmus.Add, litmus.Sub:
		return fmt.Sprintf("add.u%d", bits)
	case litmus.Inc:
		return "inc.u32"
	case litmus.Min, litmus.Max:
		return fmt.Sprintf("%s.s%d", i.Math, bits)
	}
	return fmt.Sprintf("%s.b%d", i.Math, bits)
}
