package litmus

import (
	"fmt"
	"slices"
	"strconv"
)

// Condition is a formula about a final state.
type Condition struct {
	connective  connective
	left, right *Condition // of both and either; negates has left alone
	comparison  Comparison // of compares
	a, b        term
}

// connective says how a condition is made.
type connective uint8

// The connectives.
const (
	compares connective = iota
	negates
	both
	either
)

// term is a variable or a constant.
type term struct {
	isVariable bool
	variable   Variable
	constant   int64
}

func (c *Condition) visit(v func(Variable)) {
	if c == nil {
		return
	}
	for _, t := range []term{c.a, c.b} {
		if c.connective == compares && t.isVariable {
			v(t.variable)
		}
	}
	c.left.visit(v)
	c.right.visit(v)
}

// constants lists the numbers that the condition names.
func (c *Condition) constants() []int64 {
	if c == nil {
		return nil
	}
	all := append(c.left.constants(), c.right.constants()...)
	for _, t := range []term{c.a, c.b} {
		if c.connective == compares && !t.isVariable && !slices.Contains(all, t.constant) {
			all = append(all, t.constant)
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
	switch c.connective {
	case negates:
		canFail, canHold = c.left.judge(value)
		return canHold, canFail
	case both, either:
		h1, f1 := c.left.judge(value)
		h2, f2 := c.right.judge(value)
		if c.connective == both {
			return h1 && h2, f1 || f2
		}
		return h1 || h2, f1 && f2
	}
	a, ofA := c.a.value(value)
	b, ofB := c.b.value(value)
	switch {
	case ofA == unset || ofB == unset:
		return false, false
	case ofA == unknown || ofB == unknown:
		return true, true
	}
	holds := c.comparison.holds(a, b)
	return holds, !holds
}

func (t term) value(value func(Variable) (int64, knowledge)) (int64, knowledge) {
	if t.isVariable {
		return value(t.variable)
	}
	return t.constant, known
}

func (t *Test) conditionText(c *Condition) string {
	switch c.connective {
	case negates:
		return "~(" + t.conditionText(c.left) + ")"
	case both:
		return t.grouped(c.left, both) + ` /\ ` + t.grouped(c.right, compares)
	case either:
		return t.grouped(c.left, either) + ` \/ ` + t.grouped(c.right, compares)
	}
	return fmt.Sprintf("%s %s %s", t.termText(c.a), comparisonSigns[c.comparison], t.termText(c.b))
}

// grouped puts a part in parentheses, unless it goes on as what is around it.
func (t *Test) grouped(c *Condition, around connective) string {
	if c.connective != around && (c.connective == both || c.connective == either) {
		return "(" + t.conditionText(c) + ")"
	}
	return t.conditionText(c)
}

func (t *Test) termText(x term) string {
	if x.isVariable {
		return t.VariableName(x.variable)
	}
	return strconv.FormatInt(x.constant, 10)
}

// DecisiveText is what an execution must reach to decide the statement.
func (t *Test) DecisiveText() string {
	text := t.conditionText(t.Condition)
	if t.Statement == Forall {
		text = "not (" + text + ")"
	}
	return text
}

// statementText is the statement as a test has it.
func (t *Test) statementText() string {
	return t.Statement.String() + " (" + t.conditionText(t.Condition) + ")"
}

// judge evaluates the condition, which may be neither true nor false, and the
// filter, which leaves out what it is not true of.
func (t *Test) judge(variables []Variable, values []Value) (satisfies, refutes, filtered bool) {
	value := func(of Variable) (int64, knowledge) {
		v := values[slices.Index(variables, of)]
		if v.Unset {
			return 0, unset
		}
		return v.Number, known
	}
	satisfies, refutes = t.Condition.judge(value)
	if t.Filter != nil {
		passes, _ := t.Filter.judge(value)
		filtered = !passes
	}
	return satisfies, refutes, filtered
}

// mayDecide says whether an execution could decide the statement, as far as
// variables are known.
func (t *Test) mayDecide(value func(Variable) (int64, knowledge)) bool {
	if t.Filter != nil {
		if passes, _ := t.Filter.judge(value); !passes {
			return false
		}
	}
	return t.decides(t.Condition.judge(value))
}

// decides says whether an execution settles the statement, in which the condition
// is true, or in which it is false.
func (t *Test) decides(holds, fails bool) bool {
	if t.Statement == Forall {
		return fails
	}
	return holds
}

// Variables lists what the states of a test are made of: what its condition,
// its filter and its list of locations name, in that order, each once.
func (t *Test) Variables() []Variable {
	seen := map[Variable]bool{}
	var all []Variable
	add := func(v Variable) {
		if !seen[v] {
			seen[v] = true
			all = append(all, v)
		}
	}
	t.Condition.visit(add)
	t.Filter.visit(add)
	for _, v := range t.Observed {
		add(v)
	}
	return all
}
