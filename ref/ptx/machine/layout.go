package machine

import (
	"encoding/binary"
	"slices"
	"sort"

	"stealproof/ref/ptx/syntax"
)

// Where the state spaces are in the generic one. What a run is told stands at
// Arguments, variables of the module from globalsBase on; whoever makes a Memory may
// use everything from Shared on, up to BlockWindow, where the memory of a block is.
const (
	Arguments    uint64 = 0x1000_0000_0000
	localWindow  uint64 = 0x2000_0000_0000
	constWindow  uint64 = 0x3000_0000_0000
	globalsBase  uint64 = 0x4000_0000_0000
	Shared       uint64 = 0x5000_0000_0000
	BlockWindow  uint64 = 0x6000_0000_0000
	largestSpace        = 1 << 24 // bytes of the variables of a space
	// DynamicBytes is the size of memory of a block that is given at the launch.
	DynamicBytes = 1024
)

// gap stands between two variables, so that no access reaches from one into the
// other.
const gap = 64

// memory is a state space that a thread has for itself.
type memory struct {
	bytes []byte
	valid []bool // which of them belong to a variable
}

// place is where a variable is.
type place struct {
	space   syntax.Space
	address uint64
	size    uint64
	// of a parameter that is a register: that, and where its caller puts it
	register, passed int32
}

// lay makes room for a variable.
func (m *memory) lay(size, align uint64) (at uint64, ok bool) {
	at = (uint64(len(m.bytes)) + gap + align - 1) / align * align
	if size > largestSpace || at+size > largestSpace {
		return 0, false
	}
	grown := int(at + size)
	m.bytes = append(m.bytes, make([]byte, grown-len(m.bytes))...)
	m.valid = append(m.valid, make([]bool, grown-len(m.valid))...)
	for i := at; i < at+size; i++ {
		m.valid[i] = true
	}
	return at, true
}

// has says whether an access is inside of a variable; variables stand further apart
// than an access is wide.
func (m *memory) has(at uint64, size uint8) bool {
	n := uint64(len(m.valid))
	return at < n && n-at >= uint64(size) && m.valid[at] && m.valid[at+uint64(size)-1]
}

// place finds a variable, and lays it out when it is first used.
func (l *loader) place(v *syntax.Variable, line int) *place {
	if p := l.places[v]; p != nil {
		return p
	}
	p := &place{space: v.Space, size: v.Size()}
	l.places[v] = p
	if v.Extern && v.Space != syntax.InShared {
		l.refuse(line, "variable %s is in another module, which is not supported", v.Name)
	}
	ok := true
	var data []byte
	switch v.Space {
	case syntax.InLocal, syntax.InParam:
		p.address, ok = l.private.lay(p.size, v.Align)
	case syntax.InConst:
		if p.address, ok = l.constants.lay(p.size, v.Align); ok {
			data = l.constants.bytes[p.address : p.address+p.size]
		}
	case syntax.InGlobal:
		p.address, data, ok = l.layGlobal(v)
	default:
		if v.Extern {
			p.size = DynamicBytes
		}
		p.address, ok = l.layBlock(v, p.size)
	}
	if !ok {
		l.refuse(v.Line, "variable %s has %d bytes: at most %d are supported for all of a space", v.Name, p.size, largestSpace)
	}
	l.initialise(p, data, v)
	return p
}

func (l *loader) layGlobal(v *syntax.Variable) (at uint64, data []byte, ok bool) {
	at = globalsBase
	if n := len(l.Globals); n > 0 {
		last := l.Globals[n-1]
		at = last.Address + uint64(len(last.Data)) + gap
	}
	at = (at + v.Align - 1) / v.Align * v.Align
	if v.Size() > largestSpace || at+v.Size() > globalsBase+largestSpace {
		return 0, nil, false
	}
	data = make([]byte, v.Size())
	l.Globals = append(l.Globals, Global{Name: v.Name, Address: at, Align: v.Align, Data: data})
	return at, data, true
}

// layBlock makes room in the memory of a block, whose addresses count from its window.
func (l *loader) layBlock(v *syntax.Variable, size uint64) (at uint64, ok bool) {
	at = gap
	if n := len(l.Block); n > 0 {
		at = l.Block[n-1].Address - BlockWindow + uint64(len(l.Block[n-1].Data)) + gap
	}
	at = (at + v.Align - 1) / v.Align * v.Align
	if size > largestBlock || at+size > largestBlock {
		return 0, false
	}
	l.Block = append(l.Block, Global{Name: v.Name, Address: BlockWindow + at, Align: v.Align, Data: make([]byte, size)})
	return at, true
}

// largestBlock is the size of the largest memory of a block that there is.
const largestBlock = 228 << 10

// initialise writes the values that the module gives a variable. Its place is known
// by then: a value may be the address of the variable itself.
func (l *loader) initialise(p *place, data []byte, v *syntax.Variable) {
	size := int(v.Type.Bits+7) / 8
	if data == nil && len(v.Init) > 0 {
		l.refuse(v.Line, "variable %s: only .global and .const have values", v.Name)
	}
	if size > 8 && len(v.Init) > 0 {
		l.refuse(v.Line, "variable %s: values of 128 bits are not supported", v.Name)
	}
	for i, value := range v.Init {
		n := value.Number
		if value.Symbol != "" {
			n += l.addressOf(value)
		}
		var bytes [8]byte
		binary.LittleEndian.PutUint64(bytes[:], n)
		if p.space == syntax.InConst { // the values before may have made the space larger
			data = l.constants.bytes[p.address : p.address+p.size]
		}
		copy(data[i*size:(i+1)*size], bytes[:])
	}
}

func (l *loader) addressOf(value syntax.Value) uint64 {
	v := l.module.Variable(value.Symbol)
	if v == nil {
		l.refuse(value.Line, "the address of %s is not supported here: it is no variable", value.Symbol)
	}
	p := l.place(v, value.Line)
	if value.Generic && p.space == syntax.InConst {
		return p.address + constWindow
	}
	return p.address
}

// GlobalAt finds the variable that an address belongs to.
func (p *Program) GlobalAt(at uint64) (Global, bool) {
	i := sort.Search(len(p.Globals), func(i int) bool { return p.Globals[i].Address > at }) - 1
	if i < 0 || at-p.Globals[i].Address >= uint64(len(p.Globals[i].Data)) {
		return Global{}, false
	}
	return p.Globals[i], true
}

// layParameters makes room for the parameters and results of a function.
func (l *loader) layParameters(f *function) {
	f.first = len(l.registers)
	for range f.text.Registers {
		l.slot(0)
	}
	f.last = len(l.registers)
	lay := func(all []*syntax.Variable) []*place {
		var places []*place
		for _, v := range all {
			p := &place{size: v.Size(), register: int32(f.first + v.Register)}
			if v.Space == syntax.InRegister {
				l.places[v] = p
			} else {
				p = l.place(v, v.Line)
			}
			places = append(places, p)
		}
		return places
	}
	f.params, f.results = lay(f.text.Params), lay(f.text.Results)
	for _, p := range f.params { // the call clears the function's own registers
		if p.space == syntax.InRegister {
			p.passed = l.slot(0)
		}
	}
}

// clone is the memory as it is before a run.
func (m *memory) clone() memory { return memory{slices.Clone(m.bytes), m.valid} }
