package syntax

// deepestOperand bounds lists in one another; PTX has no more than two.
const deepestOperand = 4

// operand reads an operand of the instruction that comes next in the code. place
// is where it stands, or -1 in a list.
func (b *body) operand(place, depth int) Operand {
	if depth > deepestOperand {
		b.failHere("an operand with more than %d lists in one another", deepestOperand)
	}
	switch {
	case b.accept('{'):
		return Operand{Kind: IsVector, Elements: b.elements('}', depth)}
	case b.accept('('):
		return Operand{Kind: IsList, Elements: b.elements(')', depth)}
	case b.accept('['):
		return b.address()
	case b.accept('!'):
		o := b.operand(-1, depth+1)
		o.Not = !o.Not
		return o
	case b.tok.kind == word:
		return b.named(place, depth)
	case b.tok.kind == number || b.tok.is('-') || b.tok.is('+'):
		return b.literal()
	}
	b.failHere("expected an operand, found %s", b.found())
	return Operand{}
}

func (b *body) elements(closing byte, depth int) []Operand {
	var all []Operand
	for !b.accept(closing) {
		if len(all) > 0 {
			b.expect(',')
		}
		all = append(all, b.operand(-1, depth+1))
	}
	return all
}

// literal reads a number.
func (b *body) literal() Operand {
	o := Operand{Kind: IsInteger}
	_, isInteger := integer(b.tok.text)
	if _, bits, isFloat := floating(b.tok.text); isFloat && !isInteger {
		o.Kind, o.Bits = IsFloat, bits
	}
	o.Value = b.constant()
	return o
}

// named reads an operand that begins with a name.
func (b *body) named(place, depth int) Operand {
	line, name := b.tok.line, b.tok.text
	switch {
	case name == "_":
		b.advance()
		return Operand{Kind: IsSink}
	case name == "WARP_SZ":
		b.advance()
		return Operand{Kind: IsInteger, Value: 32}
	}
	m, known := b.scopes.find(name)
	if !known {
		if name[0] == '%' {
			return b.special()
		}
		b.advance()
		o := Operand{Kind: IsSymbol, Name: name, Variable: b.globals[name]}
		if place >= 0 {
			b.uses = append(b.uses, use{label{b.scopes.block(), name}, len(b.function.Code), place, line})
		}
		if b.tok.is('+') || b.tok.is('-') {
			o.Value = b.added()
		}
		return o
	}
	b.advance()
	if m.register < 0 {
		o := Operand{Kind: IsSymbol, Name: name, Variable: m.variable}
		if b.tok.is('+') || b.tok.is('-') {
			o.Value = b.added()
		}
		return o
	}
	o := Operand{Kind: IsRegister, Register: int32(m.register), Name: name}
	switch {
	case b.tok.kind == directive:
		b.failHere("%s%s: parts of a register are not supported", name, b.tok.text)
	case b.accept('|'):
		second := b.operand(-1, depth+1)
		return Operand{Kind: IsPair, Elements: []Operand{o, second}}
	}
	return o
}

// special reads the name of a special register.
func (b *body) special() Operand {
	name := b.whole(b.tok).text
	b.advance()
	return Operand{Kind: IsSpecial, Name: name}
}

// address reads what stands in brackets: a register, a variable or a number, and
// what is added to it.
func (b *body) address() Operand {
	o := Operand{Kind: IsAddress, Base: IsInteger}
	if b.tok.kind == word {
		name := b.tok.text
		m, known := b.scopes.find(name)
		b.advance()
		switch {
		case known && m.register >= 0:
			o.Base, o.Register, o.Name = IsRegister, int32(m.register), name
		case known:
			o.Base, o.Variable, o.Name = IsSymbol, m.variable, name
		default:
			o.Base, o.Variable, o.Name = IsSymbol, b.globals[name], name
			if o.Variable == nil {
				b.failHere("unknown name %s", name)
			}
		}
		o.Value = b.added()
	} else {
		o.Value = b.constant()
	}
	b.expect(']')
	return o
}
