package litmus

// mnemonic is an instruction's first word, cut at its dots.
type mnemonic struct {
	token
	parts []string
}

func (m mnemonic) part(i int) string {
	if i < len(m.parts) {
		return m.parts[i]
	}
	return ""
}

// at is the position of a part.
func (m mnemonic) partAt(i int) Position {
	at := m.token.at
	for _, part := range m.parts[:min(i, len(m.parts))] {
		at.Column += len(part) + 1
	}
	if i >= len(m.parts) {
		at.Column--
	}
	return at
}

// partError says what was expected as a part of the instruction.
func (p *parser) partError(m mnemonic, i int, expected string) error {
	if i >= len(m.parts) {
		return p.errorf(m.partAt(i), "%q ends too early: expected .%s", m.text, expected)
	}
	return p.errorf(m.partAt(i), "%q: expected %s, found %q", m.text, expected, m.parts[i])
}
