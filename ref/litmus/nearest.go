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
	o.variables = t.observed(o.variables)
	o.oncePerReads, o.deciding = false, true
	var best *Nearest
	seen := 0
	t.each(ctx, o, true, func(e *Execution) bool {
		decides := false
		e.states(o.variables, func(values []Value) bool {
			satisfies, refutes, filtered := t.judge(o.variables, values)
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
