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
	o.oncePerReads = false
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

// mayDecide says whether an execution with these registers could decide the
// statement, whatever memory holds in the end.
func (t *Test) mayDecide(registers [][]int64) bool {
	canHold, canFail := t.Condition.possible(registers)
	filtered := true
	if t.Filter != nil {
		filtered, _ = t.Filter.possible(registers)
	}
	if t.Statement == Forall {
		return canFail && filtered
	}
	return canHold && filtered
}

// possible says whether a condition can be true, and whether it can be false,
// where registers are known and locations are not.
func (c *Condition) possible(registers [][]int64) (canHold, canFail bool) {
	switch c.Connective {
	case Not:
		canFail, canHold = c.Left.possible(registers)
		return canHold, canFail
	case Both, Either:
		h1, f1 := c.Left.possible(registers)
		h2, f2 := c.Right.possible(registers)
		if c.Connective == Both {
			return h1 && h2, f1 || f2
		}
		return h1 || h2, f1 && f2
	}
	for _, term := range []Term{c.A, c.B} {
		if term.IsVariable && term.Variable.Thread == OfMemory {
			return true, true
		}
	}
	holds := c.Holds(func(v Variable) int64 { return registers[v.Thread][v.Index] })
	return holds, !holds
}
