package litmus

// operands reads, separated by commas, what an instruction has: the register
// that takes the result, the location that the instruction accesses, values.
func (p *parser) operands(column int, register *int, accesses *Instruction, values ...*Operand) error {
	first := true
	separate := func() error {
		if first {
			first = false
			return nil
		}
		return p.need(",")
	}
	if register != nil {
		if err := separate(); err != nil {
			return err
		}
		if p.now.kind != word || !isRegister(p.now.text) {
			return p.expected("a register, as in r0")
		}
		*register = p.register(column, p.now.text)
		if err := p.advance(); err != nil {
			return err
		}
	}
	if accesses != nil {
		if err := separate(); err != nil {
			return err
		}
		if p.now.kind != word || !isLocation(p.now.text) {
			return p.expected("a location")
		}
		a := p.address(p.now.text)
		accesses.Location, accesses.Alias, accesses.Name = a.location, a.alias, p.now.text
		if err := p.advance(); err != nil {
			return err
		}
	}
	for _, v := range values {
		err := separate()
		if err == nil {
			*v, err = p.operand(column)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) operand(column int) (Operand, error) {
	if p.now.kind == word && isRegister(p.now.text) {
		o := Operand{IsRegister: true, Register: p.register(column, p.now.text)}
		return o, p.advance()
	}
	n, err := p.number("a register or a number")
	return Operand{Constant: n}, err
}
