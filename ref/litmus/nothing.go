package litmus

import (
	"context"
	"slices"
)

// Executions in which somebody spins for ever do not count, since what they read
// has no end; those in which somebody waits for ever at a barrier count as far as
// they run. A verdict that rests upon either says so.

// Why a statement can be about nothing.
const (
	nothingEnds = "no execution comes to an end, since somebody spins for ever: the statement is about none"
	nothingLeft = "the filter leaves out every execution: the statement is about none"
)

// How a verdict can be about executions in which somebody waits.
const (
	onlyWaiting = "only by executions in which somebody waits for ever at a barrier, which count as far as they run"
	someWait    = "executions in which somebody waits for ever at a barrier count as far as they run"
)

// sayWhoWaits says whether the verdict rests upon executions in which somebody
// waits for ever: upon one alone, if no other decides, or upon all, of which some
// are so.
func (d *decision) sayWhoWaits(ctx context.Context) {
	if w := d.result.Witness; w != nil {
		if w.Waiting != nil {
			d.result.Why = onlyWaiting
		}
		return
	}
	o := d.options
	o.onlyWaiting = true
	if some, err := d.test.hasExecution(ctx, o); some && err == nil {
		d.result.Why = someWait
	}
}

// doubtNothing looks for any execution that the statement is about, where none
// decided it. What is said of all executions must not count as true because
// there are none. That one exists with a certain state is false then, as it
// would be otherwise; but it is said why.
func (d *decision) doubtNothing(ctx context.Context) {
	r := d.result
	if slices.ContainsFunc(r.States, func(s State) bool { return !s.Filtered }) {
		return
	}
	some, err := d.test.hasExecution(ctx, d.options)
	switch {
	case err != nil:
		r.Verdict, r.Why = Undecided, whyTime
	case some:
		return
	case d.test.Statement != Exists:
		r.Verdict = Undecided
	}
	r.Nothing = err == nil
	if r.Why != "" {
		return
	}
	r.Why = nothingEnds
	if d.test.Filter != nil {
		unfiltered := *d.test
		unfiltered.Filter = nil
		if some, _ := unfiltered.hasExecution(ctx, d.options); some {
			r.Why = nothingLeft
		}
	}
}

// hasExecution says whether there is any that the filter does not leave out.
func (t *Test) hasExecution(ctx context.Context, o Options) (some bool, err error) {
	exists := *t
	exists.Statement, exists.Condition = Exists, &Condition{comparison: Equal} // 0 == 0
	o.AllStates, o.deciding = false, true
	_, err = exists.each(ctx, o, false, func(e *Execution) bool {
		return e.states(o.variables, func(values []Value) bool {
			_, _, filtered := exists.judge(o.variables, values)
			some = !filtered
			return !some
		})
	})
	if some {
		err = nil
	}
	return some, err
}
