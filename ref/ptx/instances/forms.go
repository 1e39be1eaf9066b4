package instances

import (
	"fmt"
	"strings"
)

// Form is an instruction with its types: "add.sat.s32".
type Form struct {
	Op string
	// Operands are the sizes in bits of what it reads; 1 is a predicate.
	Operands []int
	// Results are the sizes of what it writes.
	Results []int
	// Constant is a last operand that is a number, "" for none.
	Constant string
	// Divides: the second operand is not 0, for PTX does not say what comes of it.
	Divides bool
	// Places: where a field begins and how long it is are less than 256. PTX says
	// modulo 256, but of 64 bits GPUs make something else.
	Places bool
	// Text is the instruction where its operands do not simply stand side by side:
	// d0, d1 are its results, a, b, c, e its operands.
	Text string
}

// Name is the form with all that tells it from others.
func (f *Form) Name() string {
	if f.Constant != "" {
		return f.Op + " " + f.Constant
	}
	return f.Op
}

// letters are the names of the operands.
var letters = []string{"a", "b", "c", "e"}

// text is the instruction of the form.
func (f *Form) text() string {
	if f.Text != "" {
		return f.Text
	}
	operands := []string{"d0"}
	operands = append(operands, letters[:len(f.Operands)]...)
	if f.Constant != "" {
		operands = append(operands, f.Constant)
	}
	return f.Op + " " + strings.Join(operands, ", ") + ";"
}

// Forms lists all forms.
func Forms() []Form {
	var l list
	l.arithmetic()
	l.products()
	l.bits()
	l.fields()
	l.comparisons()
	l.conversions()
	l.carries()
	l.moves()
	return l.forms
}

type list struct{ forms []Form }

func (l *list) add(op string, results, operands []int) {
	l.forms = append(l.forms, Form{Op: op, Results: results, Operands: operands})
}

// sizeOf is the size of a type like u32.
func sizeOf(t string) int {
	var n int
	if _, err := fmt.Sscanf(t[1:], "%d", &n); err != nil {
		panic("instances: type " + t)
	}
	return n
}

var (
	numbers = []string{"u16", "s16", "u32", "s32", "u64", "s64"}
	words   = []string{"u32", "s32", "u64", "s64"}
)

func (l *list) arithmetic() {
	for _, t := range numbers {
		n := sizeOf(t)
		for _, op := range []string{"add", "sub", "min", "max"} {
			l.add(op+"."+t, []int{n}, []int{n, n})
		}
		for _, op := range []string{"div", "rem"} {
			l.forms = append(l.forms, Form{Op: op + "." + t, Results: []int{n}, Operands: []int{n, n}, Divides: true})
		}
		l.add("sad."+t, []int{n}, []int{n, n, n})
		if t[0] == 's' {
			l.add("neg."+t, []int{n}, []int{n})
			l.add("abs."+t, []int{n}, []int{n})
		}
	}
	l.add("add.sat.s32", []int{32}, []int{32, 32})
	l.add("sub.sat.s32", []int{32}, []int{32, 32})
}

func (l *list) products() {
	for _, t := range numbers {
		n := sizeOf(t)
		for _, half := range []string{"lo", "hi"} {
			l.add("mul."+half+"."+t, []int{n}, []int{n, n})
			l.add("mad."+half+"."+t, []int{n}, []int{n, n, n})
		}
		if n < 64 {
			l.add("mul.wide."+t, []int{2 * n}, []int{n, n})
			l.add("mad.wide."+t, []int{2 * n}, []int{n, n, 2 * n})
		}
	}
	l.add("mad.hi.sat.s32", []int{32}, []int{32, 32, 32})
	for _, t := range []string{"u32", "s32"} {
		for _, half := range []string{"lo", "hi"} {
			l.add("mul24."+half+"."+t, []int{32}, []int{32, 32})
			l.add("mad24."+half+"."+t, []int{32}, []int{32, 32, 32})
		}
	}
	l.add("mad24.hi.sat.s32", []int{32}, []int{32, 32, 32})
}

func (l *list) bits() {
	for _, n := range []int{1, 16, 32, 64} {
		t := fmt.Sprintf(".b%d", n)
		if n == 1 {
			t = ".pred"
		}
		for _, op := range []string{"and", "or", "xor"} {
			l.add(op+t, []int{n}, []int{n, n})
		}
		l.add("not"+t, []int{n}, []int{n})
		if n == 1 {
			continue
		}
		l.add("cnot"+t, []int{n}, []int{n})
		l.add("shl"+t, []int{n}, []int{n, 32})
		for _, class := range "bus" {
			l.add(fmt.Sprintf("shr.%c%d", class, n), []int{n}, []int{n, 32})
		}
		if n == 16 {
			continue
		}
		l.add("popc"+t, []int{32}, []int{n})
		l.add("clz"+t, []int{32}, []int{n})
		l.add("brev"+t, []int{n}, []int{n})
	}
	for _, direction := range []string{"l", "r"} {
		for _, mode := range []string{"clamp", "wrap"} {
			l.add("shf."+direction+"."+mode+".b32", []int{32}, []int{32, 32, 32})
		}
	}
	for _, table := range []int{0x00, 0x01, 0x1b, 0x2d, 0x80, 0x96, 0xca, 0xe8, 0xfe, 0xff} {
		l.forms = append(l.forms, Form{Op: "lop3.b32", Results: []int{32}, Operands: []int{32, 32, 32}, Constant: fmt.Sprintf("0x%02x", table)})
	}
}

func (l *list) fields() {
	for _, t := range words {
		n := sizeOf(t)
		l.forms = append(l.forms, Form{Op: "bfe." + t, Results: []int{n}, Operands: []int{n, 32, 32}, Places: n == 64})
		l.add("bfind."+t, []int{32}, []int{n})
		l.add("bfind.shiftamt."+t, []int{32}, []int{n})
	}
	for _, n := range []int{32, 64} {
		l.forms = append(l.forms, Form{Op: fmt.Sprintf("bfi.b%d", n), Results: []int{n}, Operands: []int{n, n, 32, 32}, Places: n == 64})
	}
	l.add("bmsk.clamp.b32", []int{32}, []int{32, 32})
	l.add("bmsk.wrap.b32", []int{32}, []int{32, 32})
	for _, mode := range []string{"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"} {
		l.add("prmt.b32"+mode, []int{32}, []int{32, 32, 32})
	}
}

// relations are the comparisons of a class of types.
func relations(class byte) []string {
	switch class {
	case 'b':
		return []string{"eq", "ne"}
	case 's':
		return []string{"eq", "ne", "lt", "le", "gt", "ge"}
	}
	return []string{"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"}
}

func (l *list) comparisons() {
	for _, t := range append([]string{"b16", "b32", "b64"}, numbers...) {
		n := sizeOf(t)
		for _, relation := range relations(t[0]) {
			l.add("setp."+relation+"."+t, []int{1}, []int{n, n})
			l.add("set."+relation+".u32."+t, []int{32}, []int{n, n})
		}
		l.add("selp."+t, []int{n}, []int{n, n, 1})
		l.add("slct."+t+".s32", []int{n}, []int{n, n, 32})
	}
	for _, combine := range []string{"and", "or", "xor"} {
		for _, t := range []string{"s32", "u64"} {
			n := sizeOf(t)
			op := "setp.lt." + combine + "." + t
			l.forms = append(l.forms,
				Form{Op: op, Results: []int{1, 1}, Operands: []int{n, n, 1}, Text: op + " d0|d1, a, b, c;"},
				Form{Op: op, Results: []int{1}, Operands: []int{n, n, 1}, Text: op + " d0, a, b, !c;", Constant: "negated"})
			l.add("set.gt."+combine+".s32."+t, []int{32}, []int{n, n, 1})
		}
	}
}

// conversions are cvt between all integers. Those of 8 bits stand in registers of
// 32, others too in registers that are wider than they.
func (l *list) conversions() {
	all := append([]string{"u8", "s8"}, numbers...)
	for _, to := range all {
		for _, from := range all {
			n, m := max(sizeOf(to), 32), max(sizeOf(from), 32)
			l.add("cvt."+to+"."+from, []int{n}, []int{m})
			if narrows(to, from) {
				l.add("cvt.sat."+to+"."+from, []int{n}, []int{m})
			}
		}
	}
}

// narrows says whether a type lacks numbers that another has: only then PTX has
// cvt.sat.
func narrows(to, from string) bool {
	if to[0] == from[0] {
		return sizeOf(to) < sizeOf(from)
	}
	return to[0] == 'u' || sizeOf(to) <= sizeOf(from)
}

// carries are sums of two words each, and products.
func (l *list) carries() {
	for _, t := range words {
		n := sizeOf(t)
		two, four := []int{n, n}, []int{n, n, n, n}
		pair := func(name, text string) {
			l.forms = append(l.forms, Form{Op: name + "." + t, Results: two, Operands: four, Text: strings.ReplaceAll(text, "T", t)})
		}
		pair("add.cc", "add.cc.T d0, a, b; addc.T d1, c, e;")
		pair("sub.cc", "sub.cc.T d0, a, b; subc.T d1, c, e;")
		pair("addc.cc", "add.cc.T d0, a, b; addc.cc.T d0, c, e; addc.T d1, a, c;")
		pair("subc.cc", "sub.cc.T d0, a, b; subc.cc.T d0, c, e; subc.T d1, a, c;")
		pair("mad.lo.cc", "mad.lo.cc.T d0, a, b, c; madc.hi.T d1, a, b, e;")
		pair("mad.hi.cc", "mad.hi.cc.T d0, a, b, c; addc.T d1, b, e;")
	}
}

// moves are those of parts of a register, and accesses to memory that extend or cut.
func (l *list) moves() {
	l.forms = append(l.forms,
		Form{Op: "mov.b32", Constant: "packed", Results: []int{32}, Operands: []int{16, 16}, Text: "mov.b32 d0, {a, b};"},
		Form{Op: "mov.b64", Constant: "packed", Results: []int{64}, Operands: []int{32, 32}, Text: "mov.b64 d0, {a, b};"},
		Form{Op: "mov.b64", Constant: "packed in four", Results: []int{64}, Operands: []int{16, 16, 16, 16}, Text: "mov.b64 d0, {a, b, c, e};"},
		Form{Op: "mov.b32", Constant: "unpacked", Results: []int{16, 16}, Operands: []int{32}, Text: "mov.b32 {d0, d1}, a;"},
		Form{Op: "mov.b64", Constant: "unpacked", Results: []int{32, 32}, Operands: []int{64}, Text: "mov.b64 {d0, d1}, a;"},
		Form{Op: "ld.v2.u32", Results: []int{32, 32}, Operands: []int{64}, Text: "ld.global.v2.u32 {d0, d1}, [%in];"},
	)
	for _, t := range []string{"u8", "s8", "u16", "s16", "u32", "s32"} {
		for _, n := range []int{32, 64} {
			l.forms = append(l.forms, Form{Op: "ld." + t, Constant: fmt.Sprintf("to %d bits", n), Results: []int{n}, Operands: []int{64}, Text: "ld.global." + t + " d0, [%in];"})
		}
		l.forms = append(l.forms, Form{Op: "st." + t, Results: []int{64}, Operands: []int{64, 64},
			Text: "st.local.b64 [%local], a; st.local." + t + " [%local], b; ld.local.b64 d0, [%local];"})
	}
	l.forms = append(l.forms, Form{Op: "prmt.b32", Constant: "0x7610", Results: []int{32}, Operands: []int{32, 32}})
}
