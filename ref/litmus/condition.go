package litmus

import (
	"fmt"
	"slices"
	"strconv"
)

// Condition is a formula about a final state.
type Condition struct {
	Connective  Connective
	Left, Right *Condition // of And, Or; Not has Left alone
	Comparison  Comparison // of Compares
	A, B        Term
}

// Connective says how a condition is made.
type Connective uint8

// The connectives.
const (
	Compares Connective = iota
	Not
	Both
	Either
)

// Term is a variable or a constant.
type Term struct {
	IsVariable bool
	Variable   Variable
	Constant   int64
}

func (c *Condition) visit(v func(Variable)) {
	if c == nil {
		return
	}
	for _, t := range []Term{c.A, c.B} {
		if c.Connective == Compares && t.IsVariable {
			v(t.Variable)
		}
	}
	c.Left.visit(v)
	c.Right.visit(v)
}

// constants lists the numbers that the condition names.
func (c *Condition) constants() []int64 {
	if c == nil {
		return nil
	}
	all := append(c.Left.constants(), c.Right.constants()...)
	for _, t := range []Term{c.A, c.B} {
		if c.Connective == Compares && !t.IsVariable && !slices.Contains(all, t.Constant) {
			all = append(all, t.Constant)
		}
	}
	return all
}

// Holds says whether the condition is true where variables have these values.
func (c *Condition) Holds(value func(Variable) int64) bool {
	switch c.Connective {
	case Not:
		return !c.Left.Holds(value)
	case Both:
		return c.Left.Holds(value) && c.Right.Holds(value)
	case Either:
		return c.Left.Holds(value) || c.Right.Holds(value)
	}
	return c.Comparison.holds(c.A.value(value), c.B.value(value))
}

func (t Term) value(value func(Variable) int64) int64 {
	if t.IsVariable {
		return value(t.Variable)
	}
	return t.Constant
}

func (t *Test) conditionText(c *Condition) string {
	switch c.Connective {
	case Not:
		return "~(" + t.conditionText(c.Left) + ")"
	case Both:
		return t.grouped(c.Left, Both) + ` /\ ` + t.grouped(c.Right, Compares)
	case Either:
		return t.grouped(c.Left, Either) + ` \/ ` + t.grouped(c.Right, Compares)
	}
	return fmt.Sprintf("%s %s %s", t.termText(c.A), comparisonSigns[c.Comparison], t.termText(c.B))
}

// grouped puts a part in parentheses, unless it goes on as what is around it.
func (t *Test) grouped(c *Condition, around Connective) string {
	if c.Connective != around && (c.Connective == Both || c.Connective == Either) {
		return "(" + t.conditionText(c) + ")"
	}
	return t.conditionText(c)
}

func (t *Test) termText(x Term) string {
	if x.IsVariable {
		return t.VariableName(x.Variable)
	}
	return strconv.FormatInt(x.Constant, 10)
}

// StatementText is the statement as a test has it.
func (t *Test) StatementText() string {
	return t.Statement.String() + " (" + t.conditionText(t.Condition) + ")"
}
