package machine

import (
	"fmt"

	"stealproof/ref/ptx/syntax"
)

// Program is what some kernels of a module reach, decoded.
type Program struct {
	// Sites names the accesses to shared memory; see sites.go.
	Sites []string
	// Globals are the variables of the module in the space .global.
	Globals []Global

	// Together is the first instruction that takes more than one thread, or memory that
	// a block shares; nil if there is none.
	Together *syntax.Instruction
	// Block are the variables of a block, at addresses of its window.
	Block []Global

	file      string
	code      []instr
	together  []together
	lines     []int32 // of each instruction
	kernels   map[string]*function
	functions []*function
	tables    [][]int32
	registers []uint64 // what they hold before a run: the constants
	depth     int      // of calls in one another
	private   memory
	constants memory
	siteAt    map[int]int // by where the instruction begins in the text
}

// SiteAt is the site of the instruction that begins there in the text, in bytes.
func (p *Program) SiteAt(at int) (site int, known bool) {
	site, known = p.siteAt[at]
	return site, known
}

// Global is a variable that all threads share.
type Global struct {
	Name    string
	Address uint64
	Align   uint64
	Data    []byte // what it holds at the start; zero where the module does not say
}

// function is a function with its place in the code.
type function struct {
	text  *syntax.Function
	start int
	// registers from first to last are its own
	first, last int
	params      []*place // also of its results
	results     []*place
	calls       []call
	depth       int
}

// call is a call that is to be linked when every function has its place.
type call struct {
	at int
	to *function
}

// Decode decodes kernels of a module, and what they call. Errors are of the type
// *syntax.Error.
func Decode(m *syntax.Module, kernels ...string) (p *Program, err error) {
	p = &Program{file: m.File, kernels: map[string]*function{}}
	l := newLoader(m, p)
	defer func() {
		switch e := recover().(type) {
		case nil:
		case refused:
			p, err = nil, e.Error
		default:
			panic(e)
		}
	}()
	for _, name := range kernels {
		f := m.Function(name)
		if f == nil || !f.Entry {
			l.refuse(1, "no kernel %s", name)
		}
		p.kernels[name] = l.function(f)
	}
	l.link()
	p.Sites = nameSites(m, l.accesses)
	p.siteAt = map[int]int{}
	for _, a := range l.accesses {
		p.siteAt[a.in.At] = a.access.Site
	}
	return p, nil
}

// NoSite is the site of accesses that a thread makes to what it is told.
const NoSite = -1

// HasKernel says whether a module has a kernel.
func HasKernel(m *syntax.Module, name string) bool {
	f := m.Function(name)
	return f != nil && f.Entry
}

// Slots that say which process a machine is, of how many, and which of its lanes.
const (
	slotProcess = iota
	slotProcesses
	slotThread // its number in the block, of so many
	slotThreads
	slotWarp // that of its warp, of so many
	slotWarps
	slotLane // and in the warp; below, others in its place of a mask
	slotLaneEqual
	slotLaneLess
	slotLaneLessEqual
	slotLaneGreaterEqual
	slotLaneGreater
	ownSlots
)

// refused is thrown as a panic by what decodes, and caught by Decode.
type refused struct{ *syntax.Error }

// loader decodes.
type loader struct {
	*Program
	module    *syntax.Module
	done      map[*syntax.Function]*function
	constant  map[uint64]int32 // slots
	accesses  []sited
	places    map[*syntax.Variable]*place
	scratches [3]int32
	discard   int32
}

func newLoader(m *syntax.Module, p *Program) *loader {
	l := &loader{
		Program: p, module: m,
		done:     map[*syntax.Function]*function{},
		constant: map[uint64]int32{}, places: map[*syntax.Variable]*place{},
	}
	for range ownSlots { // filled in when a kernel runs
		l.slot(0)
	}
	for i := range l.scratches {
		l.scratches[i] = l.slot(0)
	}
	l.discard = l.slot(0)
	return l
}

func (l *loader) refuse(line int, format string, args ...any) {
	panic(refused{&syntax.Error{File: l.file, Line: line, Msg: fmt.Sprintf(format, args...)}})
}

// slot adds a register.
func (l *loader) slot(initial uint64) int32 {
	l.registers = append(l.registers, initial)
	return int32(len(l.registers) - 1)
}

// constantSlot is a register that holds a number.
func (l *loader) constantSlot(v uint64) int32 {
	s, known := l.constant[v]
	if !known {
		s = l.slot(v)
		l.constant[v] = s
	}
	return s
}

// function decodes a function, unless that was done.
func (l *loader) function(text *syntax.Function) *function {
	if f := l.done[text]; f != nil {
		if f.depth == 0 {
			l.refuse(text.Line, "function %s calls itself, which is not supported", text.Name)
		}
		return f
	}
	f := &function{text: text}
	l.done[text] = f
	l.layParameters(f)
	d := decoder{loader: l, f: f, text: text}
	callees := d.reach()
	deepest := 0
	for _, c := range callees {
		deepest = max(deepest, l.callee(c).depth)
	}
	d.decode()
	f.depth = deepest + 1
	l.functions = append(l.functions, f)
	l.depth = max(l.depth, f.depth)
	return f
}

// callee finds the function that a call names.
func (l *loader) callee(in *syntax.Instruction) *function {
	var name string
	for i := range in.Operands {
		if o := &in.Operands[i]; o.Kind == syntax.IsSymbol {
			name = o.Name
			break
		} else if o.Kind == syntax.IsRegister {
			l.refuse(in.Line, "%s: a call through a register is not supported", in.Op)
		}
	}
	text := l.module.Function(name)
	if text == nil {
		l.refuse(in.Line, "%s: function %s has no body in this module", in.Op, name)
	}
	if text.Entry {
		l.refuse(in.Line, "%s: %s is a kernel, expected a function", in.Op, name)
	}
	return l.function(text)
}

// link leads the calls to their functions.
func (l *loader) link() {
	for _, f := range l.functions {
		for _, c := range f.calls {
			l.code[c.at].imm = uint64(c.to.start)
		}
	}
}
