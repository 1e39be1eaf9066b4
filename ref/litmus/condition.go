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

// knowledge is what is known of the value of a variable.
type knowledge uint8

const (
	unknown knowledge = iota // as long as not everything is chosen
	known
	// unset is a register that its thread has not come to set, since it waits for
	// ever before: what is compared with it is neither true nor false.
	unset
)

// judge says whether a condition can be true, and whether it can be false, as
// far as the values of variables are known.
func (c *Condition) judge(value func(Variable) (int64, knowledge)) (canHold, canFail bool) {
	switch c.Connective {
	case Not:
		canFail, canHold = c.Left.judge(value)
		return canHold, canFail
	case Both, Either:
		h1, f1 := c.Left.judge(value)
		h2, f2 := c.Right.judge(value)
		if c.Connective == Both {
			return h1 && h2, f1 || f2
		}
		return h1 || h2, f1 && f2
	}
	a, ofA := c.A.value(value)
	b, ofB := c.B.value(value)
	switch {
	case ofA == unset || ofB == unset:
		return false, false
	case ofA == unknown || ofB == unknown:
		return true, true
	}
	holds := c.Comparison.holds(a, b)
	return holds, !holds
}

func (t Term) value(value func(Variable) (int64, knowledge)) (int64, knowledge) {
	if t.IsVariable {
		return value(t.Variable)
	}
	return t.Constant, known
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

// DecisiveText is what an execution must reach to decide the statement.
func (t *Test) DecisiveText() string {
	text := t.conditionText(t.Condition)
	if t.Statement == Forall {
		text = "not (" + text + ")"
	}
	return text
}

// StatementText is the statement as a test has it.
func (t *Test) StatementText() string {
	return t.Statement.String() + " (" + t.conditionText(t.Condition) + ")"
}
