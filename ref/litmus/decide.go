package litmus

import (
	"cmp"
	"context"
	"slices"
)

// Verdict is the answer to a test.
type Verdict uint8

// The verdicts: the statement is true of the executions that the model allows,
// it is not, or a bound or a limit leaves it open.
const (
	Undecided Verdict = iota
	Holds
	Fails
)

const whyTime = "the time limit was met"

var verdictNames = []string{"undecided", "holds", "fails"}

func (v Verdict) String() string { return verdictNames[v] }

// State is a final state that executions reach.
type State struct {
	Values     []Value // of the variables, in order
	Waiting    []int   // threads that wait for ever at a barrier
	Executions int     // that reach it
	Satisfies  bool    // the condition of the test
	Refutes    bool    // the condition is false, which it is not if it hangs upon an unset value
	Filtered   bool    // the filter leaves it out
}

// Result is what was found out about a test.
type Result struct {
	Verdict Verdict
	// Why says what leaves the verdict open; of an exists that fails, if it does so
	// because there is no execution at all; and if the verdict is about executions
	// in which somebody waits for ever.
	Why string
	// Nothing says that there is no execution that the statement is about.
	Nothing   bool
	Variables []Variable
	// States are those found, in the order of their values: all that are
	// reachable, if Options.AllStates asks for them.
	States []State
	// Witness decides the statement: an execution in which the condition is
	// true (false, for forall). Nil if there is none.
	Witness *Execution
}

// Decide answers the question of a test. A context that ends leaves it
// undecided.
func Decide(ctx context.Context, t *Test, o Options) *Result {
	o.variables = t.observed(o.variables)
	// The order of writes matters only to what locations hold in the end.
	o.oncePerReads = !o.AllStates && !slices.ContainsFunc(o.variables, func(v Variable) bool { return v.Thread == OfMemory })
	o.deciding = !o.AllStates
	d := decision{test: t, options: o, result: &Result{Variables: o.variables}, states: map[string]*State{}}
	cut, err := t.each(ctx, o, false, d.execution)
	d.finish(cut, err)
	if d.result.Verdict != Undecided && d.result.Witness == nil {
		d.doubtNothing(ctx)
	}
	if d.result.Verdict != Undecided && d.result.Why == "" {
		d.sayWhoWaits(ctx)
	}
	return d.result
}

// decision is the work of Decide.
type decision struct {
	test    *Test
	options Options
	result  *Result
	states  map[string]*State
	key     []byte
}

// execution notes the states of an execution, and says whether to go on.
func (d *decision) execution(e *Execution) bool {
	return e.states(d.options.variables, func(values []Value) bool {
		s := d.state(values, e.Waiting)
		s.Executions++
		if d.decides(s) && d.result.Witness == nil {
			d.result.Witness = e.Keep()
			return d.options.AllStates
		}
		return true
	})
}

func (d *decision) decides(s *State) bool {
	return !s.Filtered && d.test.decides(s.Satisfies, s.Refutes)
}

func (d *decision) state(values []Value, waiting []int) *State {
	d.key = d.key[:0]
	for _, v := range values {
		for shift := 0; shift < 64; shift += 8 {
			d.key = append(d.key, byte(v.Number>>shift))
		}
		isUnset := byte(0)
		if v.Unset {
			isUnset = 1
		}
		d.key = append(d.key, isUnset)
	}
	for _, thread := range waiting {
		d.key = append(d.key, byte(thread>>8), byte(thread))
	}
	s := d.states[string(d.key)]
	if s == nil {
		s = &State{Values: slices.Clone(values), Waiting: waiting}
		s.Satisfies, s.Refutes, s.Filtered = d.test.judge(d.options.variables, values)
		d.states[string(d.key)] = s
	}
	return s
}

func (d *decision) finish(cut string, err error) {
	r := d.result
	for _, s := range d.states {
		r.States = append(r.States, *s)
	}
	slices.SortFunc(r.States, func(a, b State) int {
		return cmp.Or(slices.CompareFunc(a.Values, b.Values, Value.compare), slices.Compare(a.Waiting, b.Waiting))
	})
	switch {
	case r.Witness != nil && d.test.Statement == Exists:
		r.Verdict = Holds
	case r.Witness != nil:
		r.Verdict = Fails
	case err != nil:
		r.Why = whyTime
	case cut != "":
		r.Why = cut
	case d.test.Statement == Exists:
		r.Verdict = Fails
	default:
		r.Verdict = Holds
	}
}
