package machine

import (
	"slices"

	"stealproof/ref/ptx/syntax"
)

func (d *decoder) branch() {
	d.op.has("uni")
	if d.op.name == "brx" {
		if !d.op.has("idx") {
			d.unknown()
		}
		d.plain()
		d.operands(2)
		targets := d.targets(d.in)
		n := len(d.tables)
		d.tables = append(d.tables, make([]int32, len(targets)))
		d.emit(instr{op: opBranchTable, a: d.value(0, 32), imm: uint64(n)})
		for i, target := range targets {
			d.jumps = append(d.jumps, jump{place: i, target: target, table: d.tables[n]})
		}
		return
	}
	d.plain()
	d.operands(1)
	i := instr{op: opBranch}
	if d.in.Guard >= 0 {
		i.op, i.a = opBranchIf, d.guard()
		if d.in.GuardNot {
			i.op = opBranchIfNot
		}
	}
	d.jumps = append(d.jumps, jump{place: d.emit(i), target: d.targets(d.in)[0]})
}

// end decodes ret, exit and trap.
func (d *decoder) end() {
	op := opTrap
	switch d.op.name {
	case "ret":
		d.op.has("uni")
		op = opReturn
	case "exit":
		op = opExit
	}
	d.plain()
	d.operands(0)
	d.emit(instr{op: op})
}

func (d *decoder) nothing() {}

func (d *decoder) sleep() {
	if t := d.typed(syntax.Unsigned); t.Bits != 32 {
		d.unknown()
	}
	d.operands(1)
	d.emit(instr{op: opSleep, a: d.value(0, 32)})
}

// call copies what is given into the parameters, calls, and copies the results. No
// function calls itself, so that each has one place for its registers.
func (d *decoder) call() {
	d.op.has("uni")
	d.plain()
	to := d.callee(d.in)
	var given, taken []syntax.Operand
	named := slices.IndexFunc(d.in.Operands, func(o syntax.Operand) bool { return o.Kind == syntax.IsSymbol })
	for i, o := range d.in.Operands {
		switch {
		case o.Kind == syntax.IsList && i < named:
			taken = o.Elements
		case o.Kind == syntax.IsList && i == named+1:
			given = o.Elements
		case i != named:
			d.bad("a call of this kind is not supported")
		}
	}
	if len(given) != len(to.params) || len(taken) > len(to.results) {
		d.bad("it gives or takes another number of parameters than the function has")
	}
	for i := range given {
		d.pass(to.params[i], &given[i], true)
	}
	d.f.calls = append(d.f.calls, call{d.emit(instr{op: opCall}), to})
	for i := range taken {
		d.pass(to.results[i], &taken[i], false)
	}
}

// pass copies a parameter in, or a result out.
func (d *decoder) pass(p *place, o *syntax.Operand, in bool) {
	isRegister := p.space == syntax.InRegister
	switch {
	case isRegister && in:
		d.emit(instr{op: opMove, d: p.passed, a: d.valueOf(o, uint16(8*p.size))})
	case isRegister:
		d.emit(instr{op: opMove, d: d.resultOf(o, uint16(8*p.size)), a: p.register})
	case o.Kind == syntax.IsSymbol && o.Variable != nil && o.Variable.Space == syntax.InParam:
		local := d.place(o.Variable, d.in.Line)
		if local.size != p.size {
			d.bad("parameter " + o.Name + " has another size than the function's")
		}
		from, to := local.address, p.address
		if !in {
			from, to = to, from
		}
		d.emit(instr{op: opCopy, a: int32(from), d: int32(to), imm: p.size})
	case in && (o.Kind == syntax.IsRegister || o.Kind == syntax.IsInteger) && p.size <= 8:
		d.emit(instr{op: opStorePrivate, b: d.valueOf(o, uint16(8*p.size)), imm: p.address, size: uint8(p.size)})
	default:
		d.bad("a parameter of this kind is not supported")
	}
}

// special is the slot of a special register. A process is a thread that is alone in its
// block, or all that there are in it.
func (d *decoder) special(o *syntax.Operand, bits uint16) int32 {
	clock := func(which uint8) int32 {
		d.emit(instr{op: opClock, x: which, d: d.scratches[2], mask: maskOf(uint(bits))})
		return d.scratches[2]
	}
	switch o.Name {
	case "%tid.y", "%tid.z", "%ctaid.y", "%ctaid.z", "%gridid",
		"%clusterid.x", "%clusterid.y", "%clusterid.z", "%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z", "%cluster_ctarank":
		return d.constantSlot(0)
	case "%ntid.y", "%ntid.z", "%nctaid.y", "%nctaid.z",
		"%nclusterid.y", "%nclusterid.z", "%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z", "%cluster_nctarank":
		return d.constantSlot(1)
	case "%tid.x":
		return slotThread
	case "%laneid":
		return slotLane
	case "%warpid":
		return slotWarp
	case "%nwarpid":
		return slotWarps
	case "%ntid.x":
		return slotThreads
	case "%lanemask_eq":
		return slotLaneEqual
	case "%lanemask_lt":
		return slotLaneLess
	case "%lanemask_le":
		return slotLaneLessEqual
	case "%lanemask_ge":
		return slotLaneGreaterEqual
	case "%lanemask_gt":
		return slotLaneGreater
	case "%ctaid.x", "%smid":
		return slotProcess
	case "%nctaid.x", "%nsmid":
		return slotProcesses
	case "%clock", "%clock64":
		return clock(clockInstructions)
	case "%globaltimer", "%globaltimer_lo":
		return clock(clockNanoseconds)
	case "%clock_hi":
		return d.constantSlot(0)
	}
	d.bad("the register " + o.Name + " is not supported")
	return 0
}
