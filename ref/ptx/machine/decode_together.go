package machine

import "stealproof/ref/ptx/syntax"

// The instructions that lanes of a warp or threads of a block do together.

// addTogether adds one that is decoded.
func (d *decoder) addTogether(t together) {
	if d.Together == nil {
		d.Together = d.in
	}
	t.at = d.module.SiteOf(d.in)
	t.name = d.in.Op
	d.emit(instr{op: opTogether, imm: uint64(len(d.together))})
	d.together = append(d.together, t)
}

// newTogether is one that brings and gets nothing yet.
func (d *decoder) newTogether(k kindOf) together {
	zero := d.constantSlot(0)
	return together{meeting: meeting{kind: k}, value: zero, operand: zero, third: -1, mask: -1, barrier: zero, expects: zero, result: d.discard, second: d.discard}
}

// synced takes .sync out of the name.
func (d *decoder) synced() {
	if !d.op.has("sync") {
		d.bad("without .sync this instruction is not supported")
	}
}

// results are those of an instruction that also says a predicate, as in d|p.
func (d *decoder) results(t *together, bits uint16) {
	first := d.operand(0)
	if first.Kind == syntax.IsPair {
		t.second = d.resultOf(&first.Elements[1], 1)
		first = &first.Elements[0]
	}
	t.result = d.resultOf(first, bits)
}

// barrier decodes bar, barrier and bar.warp.
func (d *decoder) barrier() {
	if d.op.has("warp") {
		d.synced()
		d.plain()
		d.operands(1)
		t := d.newTogether(syncWarp)
		t.mask = d.value(0, 32)
		d.addTogether(t)
		return
	}
	d.op.has("cta")
	d.op.has("aligned")
	t := d.newTogether(syncBlock)
	at := 0 // the operand with its number
	value := -1
	switch {
	case d.op.has("sync"):
	case d.op.has("red"):
		at = 1
		value = len(d.in.Operands) - 1
		switch {
		case d.op.has("and"):
			t.kind = reduceAnd
		case d.op.has("or"):
			t.kind = reduceOr
		case d.op.has("popc"):
			t.kind = reduceCount
		default:
			d.unknown()
		}
		bits := uint16(1)
		if t.kind == reduceCount {
			bits = 32
			d.op.has("u32")
		} else {
			d.op.has("pred")
		}
		t.result = d.result(0, bits)
	default:
		d.bad("only .sync and .red are supported")
	}
	d.plain()
	t.barrier = d.value(at, 32)
	end := len(d.in.Operands)
	if value >= 0 {
		end = value
	}
	switch end - at {
	case 1:
	case 2:
		t.expects = d.value(at+1, 32)
	default:
		d.operands(at + 1)
	}
	if value >= 0 {
		t.value = d.condition(value)
	}
	d.addTogether(t)
}

func (d *decoder) shuffle() {
	d.synced()
	d.typed(syntax.Bits)
	d.operands(5)
	t := d.newTogether(d.among([]string{"up", "down", "bfly", "idx"}, shuffleUp))
	d.plain()
	d.results(&t, 32)
	t.value, t.operand, t.third, t.mask = d.value(1, 32), d.value(2, 32), d.value(3, 32), d.value(4, 32)
	d.addTogether(t)
}

// among is the kind of the one of these parts that the name has.
func (d *decoder) among(names []string, first kindOf) kindOf {
	for i, name := range names {
		if d.op.has(name) {
			return first + kindOf(i)
		}
	}
	d.unknown()
	return 0
}

func (d *decoder) vote() {
	d.synced()
	t := d.newTogether(d.among([]string{"all", "any", "uni", "ballot"}, voteAll))
	bits := uint16(1)
	if t.kind == voteBallot {
		bits = 32
	}
	if !d.op.has("pred") && !d.op.has("b32") {
		d.unknown()
	}
	d.plain()
	d.operands(3)
	t.result, t.value, t.mask = d.result(0, bits), d.condition(1), d.value(2, 32)
	d.addTogether(t)
}

func (d *decoder) match() {
	d.synced()
	bits := d.typed(syntax.Bits).Bits
	t := d.newTogether(d.among([]string{"any", "all"}, matchAny))
	d.plain()
	d.operands(3)
	d.results(&t, 32)
	t.bits, t.value, t.mask = bits, d.value(1, bits), d.value(2, 32)
	d.addTogether(t)
}

func (d *decoder) reduce() {
	d.synced()
	typ := d.typed(syntax.Bits, syntax.Unsigned, syntax.Signed)
	d.ofSize(typ, 32)
	k := d.among([]string{"add", "min", "max", "and", "or", "xor"}, 0)
	t := d.newTogether([]kindOf{combineAdd, combineMin, combineMax, combineAnd, combineOr, combineXor}[k])
	if (typ.Class == syntax.Bits) != (k > 2) {
		d.unknown()
	}
	if d.isSigned(typ) && k > 0 {
		t.kind += combineMinSigned - combineMin
	}
	d.plain()
	d.operands(3)
	t.result, t.value, t.mask = d.result(0, 32), d.value(1, 32), d.value(2, 32)
	d.addTogether(t)
}

// activeMask: which lanes do this at once.
func (d *decoder) activeMask() {
	d.typed(syntax.Bits)
	d.operands(1)
	t := d.newTogether(whoIsActive)
	t.result = d.result(0, 32)
	d.emit(instr{op: opActive, d: t.result, imm: uint64(len(d.together))})
	t.at, t.name = d.module.SiteOf(d.in), d.in.Op
	d.together = append(d.together, t)
}

// elect: one of the lanes. Which one PTX does not say; here it is the first.
func (d *decoder) elect() {
	d.synced()
	d.plain()
	d.operands(2)
	t := d.newTogether(electOne)
	d.results(&t, 32)
	t.mask = d.value(1, 32)
	d.addTogether(t)
}
