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
		e.states(o.Variables, func(values []Value) bool {
			satisfies, refutes, filtered := t.judge(o.Variables, values)
			decides = !filtered && t.decides(satisfies, refutes)
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
