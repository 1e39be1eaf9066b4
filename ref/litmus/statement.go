package litmus

import (
	"slices"
	"strconv"
	"strings"
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
	condition, err := p.implication(0)
	if err != nil {
		return err
	}
	p.test.Condition = condition
	if _, err := p.accept(";"); err != nil {
		return err
	}
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
	condition, err := p.implication(0)
	if err != nil {
		return err
	}
	p.test.Filter = condition
	_, err = p.accept(";")
	return err
}

// acceptNot moves over a negation: "~", or "not" as others write it.
func (p *parser) acceptNot() (bool, error) {
	if p.is("not") {
		return p.accept("not")
	}
	return p.accept("~")
}

func (p *parser) quantifier() error {
	negated, err := p.acceptNot()
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
		if done, err := p.accept("]"); err != nil {
			return err
		} else if done {
			_, err = p.accept(";")
			return err
		}
		if empty, err := p.accept(";"); err != nil {
			return err
		} else if empty {
			continue
		}
		if p.now.kind != word && p.now.kind != number && !p.is("[") {
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

// implication is "a => b", which is "~a \/ b"; of several the last binds first.
func (p *parser) implication(depth int) (*Condition, error) {
	if depth > deepest {
		return nil, p.tooDeep()
	}
	left, err := p.disjunction(depth)
	if err != nil || !p.is("=>") {
		return left, err
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	right, err := p.implication(depth + 1)
	return &Condition{connective: either, left: &Condition{connective: negates, left: left}, right: right}, err
}

func (p *parser) tooDeep() error {
	return p.errorf(p.now.at, "the condition nests deeper than %d", deepest)
}

func (p *parser) disjunction(depth int) (*Condition, error) {
	return p.connected(depth, `\/`, either, p.conjunction)
}

func (p *parser) conjunction(depth int) (*Condition, error) {
	return p.connected(depth, `/\`, both, p.negation)
}

func (p *parser) connected(depth int, sign string, of connective, part func(int) (*Condition, error)) (*Condition, error) {
	left, err := part(depth)
	for err == nil && p.is(sign) {
		if err = p.advance(); err != nil {
			break
		}
		var right *Condition
		right, err = part(depth)
		left = &Condition{connective: of, left: left, right: right}
	}
	return left, err
}

func (p *parser) negation(depth int) (*Condition, error) {
	if depth > deepest {
		return nil, p.tooDeep()
	}
	if not, err := p.acceptNot(); err != nil {
		return nil, err
	} else if not {
		c, err := p.negation(depth + 1)
		return &Condition{connective: negates, left: c}, err
	}
	if open, err := p.accept("("); err != nil {
		return nil, err
	} else if open {
		c, err := p.implication(depth + 1)
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

var comparisons = map[string]Comparison{"=": Equal, "==": Equal, "!=": NotEqual, ">=": GreaterEqual, "<=": LessEqual, ">": Greater, "<": Less}

func (p *parser) comparison() (*Condition, error) {
	c := &Condition{}
	var err error
	if c.a, err = p.term(); err != nil {
		return nil, err
	}
	known := false
	if c.comparison, known = comparisons[p.now.text]; !known {
		return nil, p.expected(`"==", "!=", "<", "<=", ">" or ">="`)
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	c.b, err = p.term()
	return c, err
}

// term is a variable or a number; a number before a colon is that of a thread.
func (p *parser) term() (term, error) {
	if p.now.kind == number && !strings.HasPrefix(strings.TrimLeft(p.rest, " \t\r\n"), ":") {
		n, err := p.number("a number")
		return term{constant: n}, err
	}
	if p.now.kind != word && p.now.kind != number && !p.is("[") {
		return term{}, p.expected("a register of a thread, as in P0:r0, a location or a number")
	}
	v, err := p.variable()
	return term{isVariable: true, variable: v}, err
}

// variable is a location, which may stand in brackets, or a register of a thread.
func (p *parser) variable() (Variable, error) {
	if p.is("[") {
		return p.bracketed()
	}
	name := p.now
	if err := p.advance(); err != nil {
		return Variable{}, err
	}
	colon, err := p.accept(":")
	switch {
	case err != nil:
		return Variable{}, err
	case !colon && name.kind == number:
		return Variable{}, p.errorf(name.at, "expected a location or a register of a thread, found %s", name)
	case !colon && isRegister(name.text):
		return Variable{}, p.errorf(name.at, "expected the thread of register %s, as in P0:%s", name.text, name.text)
	case !colon && !isLocation(name.text):
		return Variable{}, p.errorf(name.at, "expected a location or a register of a thread, found %s", name)
	case !colon:
		return p.knownLocation(name)
	}
	id, isThread := threadNumber(name)
	column, exists := p.columns[id]
	if !isThread || !exists {
		return Variable{}, p.errorf(name.at, "there is no thread %s: expected one of %s", strconv.Quote(name.text), p.threadList())
	}
	if p.now.kind != word || !isRegister(p.now.text) {
		return Variable{}, p.expected("a register, as in r0")
	}
	v, err := p.knownRegister(column, p.now)
	if err != nil {
		return v, err
	}
	return v, p.advance()
}

func (p *parser) bracketed() (Variable, error) {
	if err := p.advance(); err != nil {
		return Variable{}, err
	}
	name := p.now
	if name.kind != word || !isLocation(name.text) {
		return Variable{}, p.expected("a location")
	}
	if err := p.advance(); err != nil {
		return Variable{}, err
	}
	if err := p.need("]"); err != nil {
		return Variable{}, err
	}
	return p.knownLocation(name)
}

// A statement about what the test does not have would be about 0, whatever the
// threads do: it is a slip of the pen.

// knownLocation finds a location that is declared, or that an instruction names.
func (p *parser) knownLocation(name token) (Variable, error) {
	a, known := p.places[name.text]
	if !known {
		return Variable{}, p.errorf(name.at, "location %s is neither declared nor named by an instruction: %s", name.text, expectedName("the test", "location", p.test.Locations))
	}
	return Variable{OfMemory, a.location}, nil
}

// knownRegister finds a register of a thread, declared or named there by an
// instruction.
func (p *parser) knownRegister(column int, register token) (Variable, error) {
	thread, registers := threadName(p.test.Threads[column].ID), p.test.Threads[column].Registers
	i := slices.Index(registers, register.text)
	if i < 0 {
		return Variable{}, p.errorf(register.at, "register %s is neither declared for %s nor named by an instruction of it: %s", register.text, thread, expectedName(thread, "register", registers))
	}
	return Variable{column, i}, nil
}
