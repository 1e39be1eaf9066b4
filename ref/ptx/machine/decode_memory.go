package machine

import (
	"slices"
	"strings"

	"stealproof/ref/ptx/syntax"
)

// The instructions that access memory.

// space is the state space that an instruction names.
type space uint8

const (
	generic space = iota
	global
	local
	param
	constant
	shared // by a block
)

// spaceOf takes the space out of an instruction's name.
func (d *decoder) spaceOf() space {
	for i, name := range []string{"global", "local", "param", "const"} {
		if d.op.has(name) {
			return global + space(i)
		}
	}
	if d.op.has("param::func") {
		return param
	}
	if d.op.has("shared") || d.op.has("shared::cta") {
		if d.Together == nil {
			d.Together = d.in
		}
		return shared
	}
	for _, name := range []string{"shared::cluster", "param::entry"} {
		if d.op.has(name) {
			d.bad("." + name + " is not supported")
		}
	}
	return generic
}

// hints are parts of a name that say how an access is cached, and change nothing of
// what the memory model says about it.
var hints = []string{"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"}

// ordering takes order and scope out of the name of a load or store.
func (d *decoder) ordering(a *Access, release Order) {
	d.op.parts = slices.DeleteFunc(d.op.parts, func(p string) bool {
		return slices.Contains(hints, p) || strings.HasPrefix(p, "L1::") || strings.HasPrefix(p, "L2::") && p != "L2::cache_hint"
	})
	switch {
	case d.op.has("volatile"):
		a.Order, a.Scope = Relaxed, System
		return
	case d.op.has("weak"):
		return
	case d.op.has("relaxed"):
		a.Order = Relaxed
	case release == Release && d.op.has("release"):
		a.Order = Release
	case release == Acquire && d.op.has("acquire"):
		a.Order = Acquire
	default:
		return
	}
	a.Scope = d.scope()
}

// scope takes a scope that must be there out of the name.
func (d *decoder) scope() Scope {
	for i, name := range []string{"cta", "cluster", "gpu", "sys"} {
		if d.op.has(name) {
			return Scope(i)
		}
	}
	d.bad("it names no scope")
	return 0
}

// newAccess adds an access to shared memory.
func (d *decoder) newAccess(a Access) *Access {
	a.Site, a.Line = NoSite, d.in.Line
	if !d.arguments.Accesses(d.in) {
		d.accesses = append(d.accesses, sited{&a, d.in})
	}
	return &a
}

// vector takes the number of elements out of the name, and returns them.
func (d *decoder) vector(o *syntax.Operand) []syntax.Operand {
	n := 1
	switch {
	case d.op.has("v2"):
		n = 2
	case d.op.has("v4"):
		n = 4
	case d.op.has("v8"):
		n = 8
	}
	if n == 1 && o.Kind != syntax.IsVector {
		return []syntax.Operand{*o}
	}
	if o.Kind != syntax.IsVector || len(o.Elements) != n {
		d.bad("a vector of another size")
	}
	return o.Elements
}

// address says what an address is made of.
func (d *decoder) address(i int) *syntax.Operand {
	o := d.operand(i)
	if o.Kind != syntax.IsAddress {
		d.bad("an address is expected")
	}
	if o.Base == syntax.IsSymbol && o.Variable == nil {
		d.bad(o.Name + " is no variable")
	}
	return o
}

// located is an access with its address: the slot of a register and a number, or a
// number alone, of which the slot is that of 0.
func (d *decoder) located(i instr, s space, o *syntax.Operand, elements int) instr {
	i.imm = o.Value
	i.a = d.constantSlot(0)
	switch o.Base {
	case syntax.IsRegister:
		if t := d.text.Registers[o.Register].Type; t.Bits != 64 && !(s == shared && t.Bits == 32) {
			d.bad("an address has 64 bits")
		}
		i.a = int32(d.f.first) + o.Register
	case syntax.IsSymbol:
		i.imm += d.place(o.Variable, d.in.Line).address
		if s == generic {
			switch o.Variable.Space {
			case syntax.InLocal, syntax.InConst, syntax.InShared:
				d.bad("the address of " + o.Name + " is no generic one")
			}
		}
		if s == param || s == local {
			d.checkBounds(o, uint64(i.size)*uint64(elements))
		}
	}
	if s == shared {
		i.imm += BlockWindow
	}
	return i
}

// checkBounds refuses what is outside of a variable that stands in the instruction,
// so that it need not be looked at when it is executed.
func (d *decoder) checkBounds(o *syntax.Operand, bytes uint64) {
	p := d.place(o.Variable, d.in.Line)
	if p.space != syntax.InParam && p.space != syntax.InLocal {
		d.bad(o.Name + " is in another space")
	}
	if o.Value > p.size || p.size-o.Value < bytes {
		d.bad("outside of " + o.Name)
	}
}

// elementType takes the type of a load or store out of its name.
func (d *decoder) elementType() syntax.Type {
	t := d.typed(syntax.Bits, syntax.Unsigned, syntax.Signed, syntax.Float)
	if t.Class == syntax.Float && t.Bits < 32 {
		d.unknown()
	}
	return t
}

func (d *decoder) load() {
	t := d.elementType()
	access := Access{Kind: Load, Size: uint8(t.Bits / 8)}
	s := d.spaceOf()
	d.ordering(&access, Acquire)
	if len(d.in.Operands) < 2 {
		d.operands(2)
	}
	elements := d.vector(d.operand(0))
	d.plain()
	d.operands(2)
	o := d.address(1)
	base := d.located(instr{size: access.Size, align: access.Size}, s, o, len(elements))
	switch {
	case s == param || s == local:
		base.op = opLoadAt
		if o.Base == syntax.IsSymbol {
			base.op = opLoadPrivate
		}
	case s == constant:
		base.op = opLoadConst
	default:
		base.op = opLoad
		base.x = flag(s == global || s == shared, xGlobal)
		base.access = d.newAccess(access)
	}
	if len(elements) > 1 { // the address may be among what is loaded
		d.emit(instr{op: opMove, d: d.scratches[1], a: base.a})
		base.a = d.scratches[1]
	}
	for k := range elements {
		i := base
		i.imm += uint64(k) * uint64(i.size)
		if k == 0 {
			i.align = i.size * uint8(len(elements))
		}
		e := &elements[k]
		i.d = d.discard
		if e.Kind != syntax.IsSink {
			if e.Kind != syntax.IsRegister || d.typeOf(e).Bits < t.Bits {
				d.bad("what is loaded goes to no register that is wide enough")
			}
			i.d = d.register(e)
		}
		d.emit(i)
		if d.isSigned(t) && e.Kind == syntax.IsRegister && d.typeOf(e).Bits > t.Bits {
			d.emit(instr{op: opExtend, d: i.d, a: i.d, shift: shiftOf(t.Bits), mask: maskOf(uint(d.typeOf(e).Bits))})
		}
	}
}

func (d *decoder) store() {
	t := d.elementType()
	access := Access{Kind: Store, Size: uint8(t.Bits / 8)}
	s := d.spaceOf()
	d.ordering(&access, Release)
	d.operands(2)
	elements := d.vector(d.operand(1))
	d.plain()
	o := d.address(0)
	base := d.located(instr{size: access.Size, align: access.Size, mask: maskOf(uint(t.Bits))}, s, o, len(elements))
	switch {
	case s == param || s == local:
		base.op = opStoreAt
		if o.Base == syntax.IsSymbol {
			base.op = opStorePrivate
		}
	case s == constant:
		d.bad("constants cannot be stored to")
	default:
		base.op = opStore
		base.x = flag(s == global || s == shared, xGlobal)
		base.access = d.newAccess(access)
	}
	for k := range elements {
		i := base
		i.imm += uint64(k) * uint64(i.size)
		if k == 0 {
			i.align = i.size * uint8(len(elements))
		}
		i.b = d.wide(&elements[k], t.Bits)
		d.emit(i)
	}
}

// atomicOps are the operations of atom and red, without sign.
var atomicOps = map[string]AtomicOp{
	"exch": Exchange, "cas": CompareAndSwap, "add": Add, "and": And, "or": Or, "xor": Xor,
	"inc": Increment, "dec": Decrement, "min": MinUnsigned, "max": MaxUnsigned,
}

func (d *decoder) atomic() {
	t := d.typed(syntax.Bits, syntax.Unsigned, syntax.Signed)
	s := d.spaceOf()
	if s != generic && s != global && s != shared {
		d.unknown()
	}
	n := len(d.op.parts)
	if n == 0 {
		d.unknown()
	}
	op, known := atomicOps[d.op.parts[n-1]]
	d.op.parts = d.op.parts[:n-1]
	if !known || !fitting(op, t) {
		d.unknown()
	}
	if d.isSigned(t) && op == MinUnsigned {
		op = MinSigned
	}
	if d.isSigned(t) && op == MaxUnsigned {
		op = MaxSigned
	}
	access := Access{Kind: Atomic, Order: Relaxed, Scope: GPU, Size: uint8(t.Bits / 8), Atomic: op}
	for _, named := range []struct {
		name  string
		order Order
	}{{"relaxed", Relaxed}, {"acquire", Acquire}, {"release", Release}, {"acq_rel", AcqRel}} {
		if d.op.has(named.name) {
			access.Order = named.order
			break
		}
	}
	for i, name := range []string{"cta", "cluster", "gpu", "sys"} {
		if d.op.has(name) {
			access.Scope = Scope(i)
			break
		}
	}
	d.op.parts = slices.DeleteFunc(d.op.parts, func(p string) bool { return p == "L1::no_allocate" })
	d.plain()
	i := instr{op: opUpdate, d: d.discard, size: access.Size, align: access.Size, x: flag(s == global || s == shared, xGlobal)}
	at := 0
	if d.op.name == "atom" {
		at = 1
	}
	operands := at + 2
	if op == CompareAndSwap {
		operands++
		if d.op.name == "red" {
			d.unknown()
		}
	}
	d.operands(operands)
	if at == 1 {
		i.d = d.result(0, t.Bits)
	}
	i = d.located(i, s, d.address(at), 1)
	i.b = d.value(at+1, t.Bits)
	if op == CompareAndSwap {
		i.c = d.value(at+2, t.Bits)
	}
	i.access = d.newAccess(access)
	d.emit(i)
}

// fitting says whether PTX has an atomic of this type.
func fitting(op AtomicOp, t syntax.Type) bool {
	switch op {
	case CompareAndSwap:
		return t.Class == syntax.Bits && t.Bits >= 16
	case Exchange:
		return t.Class == syntax.Bits && t.Bits >= 32
	case And, Or, Xor:
		return t.Class == syntax.Bits && t.Bits >= 32
	case Increment, Decrement:
		return t.Class == syntax.Unsigned && t.Bits == 32
	}
	return t.Class != syntax.Bits && t.Bits >= 32
}

// fence decodes fence and membar, which is a fence of order sc.
func (d *decoder) fence() {
	access := Access{Kind: Fence, Order: AcqRel}
	if d.op.name == "membar" {
		access.Order = SC
		switch {
		case d.op.has("cta"):
			access.Scope = Block
		case d.op.has("gl"):
			access.Scope = GPU
		case d.op.has("sys"):
			access.Scope = System
		default:
			d.unknown()
		}
	} else {
		switch {
		case d.op.has("sc"):
			access.Order = SC
		case d.op.has("acquire"):
			access.Order = Acquire
		case d.op.has("release"):
			access.Order = Release
		default:
			d.op.has("acq_rel")
		}
		access.Scope = d.scope()
	}
	d.plain()
	d.operands(0)
	d.emit(instr{op: opFence, access: d.newAccess(access)})
}

// convertAddress decodes cvta: from a state space to the generic one, or back.
func (d *decoder) convertAddress() {
	back := d.op.has("to")
	t := d.typed(syntax.Unsigned)
	d.ofSize(t, 64)
	s := d.spaceOf()
	d.plain()
	d.operands(2)
	var base uint64
	switch s {
	case global:
	case local:
		base = localWindow
	case shared:
		base = BlockWindow
	case constant:
		base = constWindow
	default:
		d.unknown()
	}
	if back {
		base = -base
	}
	o := d.operand(1)
	if o.Kind == syntax.IsSymbol && o.Variable == nil {
		d.bad(o.Name + " is no variable")
	}
	d.emit(instr{op: opAdd, d: d.result(0, 64), a: d.value(1, 64), b: d.constantSlot(base), mask: ^uint64(0)})
}

func (d *decoder) isSpace() {
	s := d.spaceOf()
	d.plain()
	d.operands(2)
	if s != global && s != local && s != constant && s != shared {
		d.unknown()
	}
	d.emit(instr{op: opIsSpace, d: d.result(0, 1), a: d.value(1, 64), imm: uint64(s)})
}
