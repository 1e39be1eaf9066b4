package litmus

import (
	"context"

	"stealproof/ref/axioms"
)

// Nearest is the candidate that comes nearest to deciding a statement which no
// allowed execution decides: choices of reads and orders that reach the state
// asked for, and the axiom with the shortest cycle that forbids them.
type Nearest struct {
	Execution *Execution
	Forbidden *axioms.Forbidden
}

// mostCandidates bounds how many candidates are compared.
const mostCandidates = 2000

// FindNearest looks for it. It is nil if the values alone exclude the state.
func FindNearest(ctx context.Context, t *Test, o Options) *Nearest {
	o.Variables = t.observed(o.Variables)
	o.oncePerReads, o.deciding = false, true
	var best *Nearest
	seen := 0
	t.each(ctx, o, true, func(e *Execution) bool {
		decides := false
		e.states(o.Variables, func(values []int64) bool {
			satisfies, filtered := t.judge(o.Variables, values)
			decides = !filtered && satisfies == (t.Statement != Forall)
			return !decides
		})
		if seen++; !decides {
			return seen < 100*mostCandidates
		}
		seen += 99
		f := e.relations.Explain()
		if f != nil && (best == nil || len(f.Cycle) < len(best.Forbidden.Cycle)) {
			best = &Nearest{e.Keep(), f}
		}
		return seen < 100*mostCandidates
	})
	return best
}

// mayDecide says whether an execution could decide the statement, as far as
// variables are known.
func (t *Test) mayDecide(value func(Variable) (int64, bool)) bool {
	if t.Filter != nil {
		if passes, _ := t.Filter.possible(value); !passes {
			return false
		}
	}
	canHold, canFail := t.Condition.possible(value)
	if t.Statement == Forall {
		return canFail
	}
	return canHold
}

// possible says whether a condition can be true, and whether it can be false,
// where not all variables are known.
func (c *Condition) possible(value func(Variable) (int64, bool)) (canHold, canFail bool) {
	switch c.Connective {
	case Not:
		canFail, canHold = c.Left.possible(value)
		return canHold, canFail
	case Both, Either:
		h1, f1 := c.Left.possible(value)
		h2, f2 := c.Right.possible(value)
		if c.Connective == Both {
			return h1 && h2, f1 || f2
		}
		return h1 || h2, f1 && f2
	}
	a, knownA := c.A.known(value)
	b, knownB := c.B.known(value)
	if !knownA || !knownB {
		return true, true
	}
	holds := c.Comparison.holds(a, b)
	return holds, !holds
}

func (t Term) known(value func(Variable) (int64, bool)) (int64, bool) {
	if t.IsVariable {
		return value(t.Variable)
	}
	return t.Constant, true
}
