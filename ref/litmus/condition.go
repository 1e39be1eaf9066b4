package litmus

import (
	"fmt"
	"strconv"
)

// Condition is a formula about a final state.
type Condition struct {
	Connective  Connective
	Left, Right *Condition // of And, Or; Not has Left alone
	Comparison  Comparison // of Compares: Equal or NotEqual
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
		return t.grouped(c.Left) + ` /\ ` + t.grouped(c.Right)
	case Either:
		return t.grouped(c.Left) + ` \/ ` + t.grouped(c.Right)
	}
	sign := "=="
	if c.Comparison == NotEqual {
		sign = "!="
	}
	return fmt.Sprintf("%s %s %s", t.termText(c.A), sign, t.termText(c.B))
}

func (t *Test) grouped(c *Condition) string {
	if c.Connective == Both || c.Connective == Either {
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
