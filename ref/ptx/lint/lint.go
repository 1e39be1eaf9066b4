// Package lint finds weak accesses in PTX whose order or repetition the text seems to
// rely on. PTX promises neither, and ptxas makes use of that.
//
// It looks at instructions and at where control goes, and executes nothing: what it
// finds need not go wrong, and what it does not find may.
package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"stealproof/ref/ptx/syntax"
)

// Finding is one or two accesses, and what is the matter with them.
type Finding struct {
	// Kind is wait, order or publish.
	Kind string
	// At is the place of the access, and With that of the other one, empty for none: the
	// line of the text that the PTX was made of where it says so.
	At, With string
	Line     int // of the first in the PTX
	WithLine int // of the other one
	Text     string

	sites string
}

func (f Finding) String() string { return fmt.Sprintf("%s: %s", f.Kind, f.Text) }

// The kinds of finding.
const (
	Wait    = "wait"
	Order   = "order"
	Publish = "publish"
)

const operationPrefix = "stealproof_"

// operations are the kernels of single operations of stealproof.cuh. What the host does
// between two phases is done alone.
var operations = []string{"push", "pop", "steal", "enq", "deq", "put", "take"}

// Check looks at the operations of a module that was compiled with stealproof.cuh, and
// at what they call; of another module at all its kernels.
func Check(m *syntax.Module) []Finding {
	var all []Finding
	seen := map[string]bool{}
	for _, f := range reached(m) {
		c := checker{module: m, flow: newFlow(m, f)}
		for _, found := range c.check() {
			if key := found.Kind + " " + found.sites; !seen[key] { // one line of the source may be several of the PTX
				seen[key] = true
				all = append(all, found)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.WithLine, b.WithLine), strings.Compare(a.Kind, b.Kind))
	})
	return all
}

// reached are the functions that are looked at, in the order of the text.
func reached(m *syntax.Module) []*syntax.Function {
	var todo []*syntax.Function
	for _, op := range operations {
		if f := m.Function(operationPrefix + op); f != nil && f.Entry {
			todo = append(todo, f)
		}
	}
	for _, f := range m.Functions {
		if len(todo) == 0 || !hasOperations(m) {
			if f.Entry {
				todo = append(todo, f)
			}
		}
	}
	wanted := map[*syntax.Function]bool{}
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if f == nil || wanted[f] {
			continue
		}
		wanted[f] = true
		for i := range f.Code {
			if nameOf(&f.Code[i]) == "call" {
				for _, o := range f.Code[i].Operands {
					if o.Kind == syntax.IsSymbol {
						todo = append(todo, m.Function(o.Name))
					}
				}
			}
		}
	}
	var all []*syntax.Function
	for _, f := range m.Functions {
		if wanted[f] {
			all = append(all, f)
		}
	}
	return all
}

func hasOperations(m *syntax.Module) bool {
	return slices.ContainsFunc(operations, func(op string) bool { return m.Function(operationPrefix+op) != nil })
}

type checker struct {
	module *syntax.Module
	*flow
}

func (c *checker) check() (all []Finding) {
	for i := range c.code {
		switch a := &c.access[i]; {
		case a.kind == load && a.acquires:
		case a.kind == load, a.kind == atomic && !a.acquires:
			all = append(all, c.afterRead(i)...)
		case a.kind == store && a.weak:
			all = append(all, c.afterStore(i)...)
		}
	}
	return all
}

// afterRead looks at what a load, or an atomic, decides without ordering what comes
// behind it.
func (c *checker) afterRead(i int) (all []Finding) {
	weak := c.access[i].weak
	unordered := c.after(i)
	depends := c.dependents(i)
	loops := false
	for g := range c.code {
		if !unordered[g] || !c.decides(g, depends) {
			continue
		}
		behind := c.after(g)
		if behind[i] && weak && !loops {
			loops = true
			all = append(all, c.finding(Wait, i, i, "a loop waits for what this weak load sees (%s), and nothing in it orders the load: a compiler may load once, and wait for ever or not at all"))
		}
		if nameOf(&c.code[g]) != "bra" && c.access[g].kind == load && c.access[g].weak && g != i {
			behind[g] = true
		}
		for b := range c.code {
			if x := &c.access[b]; behind[b] && b != i && x.kind == load && x.weak {
				all = append(all, c.finding(Order, i, b, "what is read here (%s) decides whether the weak load at %s is made, and nothing orders the two: it may be made first"))
			}
		}
	}
	return all
}

// afterStore looks for a store that says that a weak one was made, and does not wait
// for it.
func (c *checker) afterStore(i int) (all []Finding) {
	for b := range c.released(i) {
		if x := &c.access[b]; (x.kind == store || x.kind == atomic) && !x.weak && !x.releases {
			all = append(all, c.finding(Publish, i, b, "this weak store (%s) comes before the one at %s, which others look at, and nothing orders the two: it may be seen last"))
		}
	}
	return all
}

func (c *checker) finding(kind string, i, other int, format string) Finding {
	in, with := &c.code[i], &c.code[other]
	f := Finding{Kind: kind, At: c.place(in), Line: in.Line, sites: c.module.SiteOf(in) + " " + c.module.SiteOf(with)}
	args := []any{in.Op}
	if other != i {
		f.With, f.WithLine = c.place(with), with.Line
		args = append(args, f.With+" ("+with.Op+")")
	}
	f.Text = fmt.Sprintf(format, args...)
	return f
}

// place names an access by its line in the PTX, and in the text that this was made of.
func (c *checker) place(in *syntax.Instruction) string {
	site, line := c.module.SiteOf(in), c.module.LineOf(in)
	if site == line {
		return line
	}
	return site + " (" + line + ")"
}
