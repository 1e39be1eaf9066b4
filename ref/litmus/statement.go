package litmus

import (
	"slices"
	"strconv"
)

// statement is the end of a test: what to show, which executions to look at,
// and what is said of them.
func (p *parser) statement() error {
	for p.is("locations") || p.is("filter") {
		if err := p.preface(); err != nil {
			return err
		}
	}
	if err := p.quantifier(); err != nil {
		return err
	}
	condition, err := p.disjunction(0)
	if err != nil {
		return err
	}
	p.test.Condition = condition
	if p.now.kind != endOfFile {
		return p.expected(`"/\", "\/" or the end of the file`)
	}
	return nil
}

func (p *parser) preface() error {
	keyword := p.now
	if err := p.advance(); err != nil {
		return err
	}
	if keyword.text == "locations" {
		return p.observed()
	}
	if p.test.Filter != nil {
		return p.errorf(keyword.at, "a second filter: expected exists, ~exists or forall")
	}
	if !p.is("(") {
		return p.expected(`"("`)
	}
	condition, err := p.disjunction(0)
	p.test.Filter = condition
	return err
}

func (p *parser) quantifier() error {
	negated, err := p.accept("~")
	if err != nil {
		return err
	}
	switch {
	case p.is("exists") && negated:
		p.test.Statement = NotExists
	case p.is("exists"):
		p.test.Statement = Exists
	case p.is("forall") && !negated:
		p.test.Statement = Forall
	case negated:
		return p.expected(`"exists" after "~"`)
	default:
		return p.expected("a statement: exists, ~exists or forall")
	}
	return p.advance()
}

// observed is the list after "locations".
func (p *parser) observed() error {
	if err := p.need("["); err != nil {
		return err
	}
	for {
		if done, err := p.accept("]"); done || err != nil {
			return err
		}
		if empty, err := p.accept(";"); err != nil {
			return err
		} else if empty {
			continue
		}
		if p.now.kind != word {
			return p.expected("a location, a register of a thread, as in P0:r0, or \"]\"")
		}
		v, err := p.variable()
		if err != nil {
			return err
		}
		p.test.Observed = append(p.test.Observed, v)
		if !p.is(";") && !p.is("]") {
			return p.expected(`";" or "]"`)
		}
	}
}

// deepest is how deep parentheses may nest.
const deepest = 1000

func (p *parser) disjunction(depth int) (*Condition, error) {
	return p.connected(depth, `\/`, Either, p.conjunction)
}

func (p *parser) conjunction(depth int) (*Condition, error) {
	return p.connected(depth, `/\`, Both, p.negation)
}

func (p *parser) connected(depth int, connective string, c Connective, part func(int) (*Condition, error)) (*Condition, error) {
	left, err := part(depth)
	for err == nil && p.is(connective) {
		if err = p.advance(); err != nil {
			break
		}
		var right *Condition
		right, err = part(depth)
		left = &Condition{Connective: c, Left: left, Right: right}
	}
	return left, err
}

func (p *parser) negation(depth int) (*Condition, error) {
	if depth > deepest {
		return nil, p.errorf(p.now.at, "the condition nests deeper than %d", deepest)
	}
	if not, err := p.accept("~"); err != nil {
		return nil, err
	} else if not {
		c, err := p.negation(depth + 1)
		return &Condition{Connective: Not, Left: c}, err
	}
	if open, err := p.accept("("); err != nil {
		return nil, err
	} else if open {
		c, err := p.disjunction(depth + 1)
		if err != nil {
			return nil, err
		}
		if !p.is(")") {
			return nil, p.expected(`"/\", "\/" or ")"`)
		}
		return c, p.advance()
	}
	return p.comparison()
}

func (p *parser) comparison() (*Condition, error) {
	c := &Condition{}
	var err error
	if c.A, err = p.term(); err != nil {
		return nil, err
	}
	switch {
	case p.is("="), p.is("=="):
	case p.is("!="):
		c.Comparison = NotEqual
	default:
		return nil, p.expected(`"==" or "!="`)
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	c.B, err = p.term()
	return c, err
}

func (p *parser) term() (Term, error) {
	switch p.now.kind {
	case number:
		n, err := p.number("a number")
		return Term{Constant: n}, err
	case word:
		v, err := p.variable()
		return Term{IsVariable: true, Variable: v}, err
	}
	return Term{}, p.expected("a register of a thread, as in P0:r0, a location or a number")
}

func (p *parser) variable() (Variable, error) {
	name := p.now
	if err := p.advance(); err != nil {
		return Variable{}, err
	}
	colon, err := p.accept(":")
	switch {
	case err != nil:
		return Variable{}, err
	case !colon && isRegister(name.text):
		return Variable{}, p.errorf(name.at, "expected the thread of register %s, as in P0:%s", name.text, name.text)
	case !colon && !isLocation(name.text):
		return Variable{}, p.errorf(name.at, "expected a location or a register of a thread, found %s", name)
	case !colon:
		return p.knownLocation(name)
	}
	id, isThread := threadNumber(name.text)
	column, exists := p.columns[id]
	if !isThread || !exists {
		return Variable{}, p.errorf(name.at, "there is no thread %s: expected one of %s", strconv.Quote(name.text), p.threadList())
	}
	if p.now.kind != word || !isRegister(p.now.text) {
		return Variable{}, p.expected("a register, as in r0")
	}
	v, err := p.knownRegister(column, name, p.now)
	if err != nil {
		return v, err
	}
	return v, p.advance()
}

// A statement about what the test does not have would be about 0, whatever the
// threads do: it is a slip of the pen.

// knownLocation finds a location that is declared, or that an instruction names.
func (p *parser) knownLocation(name token) (Variable, error) {
	place, known := p.places[name.text]
	if !known {
		return Variable{}, p.errorf(name.at, "location %s is neither declared nor named by an instruction: %s", name.text, expectedName("the test", "location", p.test.Locations))
	}
	return Variable{OfMemory, place}, nil
}

// knownRegister finds a register of a thread, declared or named there by an
// instruction.
func (p *parser) knownRegister(column int, thread, register token) (Variable, error) {
	registers := p.test.Threads[column].Registers
	i := slices.Index(registers, register.text)
	if i < 0 {
		return Variable{}, p.errorf(register.at, "register %s is neither declared for %s nor named by an instruction of it: %s", register.text, thread.text, expectedName(thread.text, "register", registers))
	}
	return Variable{column, i}, nil
}
