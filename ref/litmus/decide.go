package litmus

import (
	"cmp"
	"context"
	"slices"

	"stealproof/ref/axioms"
)

// DefaultUnroll is how often a jump back is taken if nothing else is said.
const DefaultUnroll = 3

// Options say under which model a test is looked at, and how far.
type Options struct {
	Model axioms.Model
	// Unroll bounds how often a path takes each jump back, where that depends
	// on what was read. Spinning without effect does not count, for it is cut
	// without loss. 0 is DefaultUnroll.
	Unroll int
	// Variables are shown in states beside the test's own.
	Variables []Variable
	// AllStates goes on after the verdict is known, and counts executions.
	AllStates bool

	deciding     bool // only what may decide the statement
	oncePerReads bool // one order of writes and fences for each choice of reads
	followSpins  bool // up to the bound, like other loops; to test that cutting is sound
}

func (o Options) unroll() int {
	if o.Unroll > 0 {
		return o.Unroll
	}
	return DefaultUnroll
}

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
	Values     []int64 // of the variables, in order
	Executions int     // that reach it
	Satisfies  bool    // the condition of the test
	Filtered   bool    // the filter leaves it out
}

// Result is what was found out about a test.
type Result struct {
	Verdict Verdict
	// Why says what leaves the verdict open; and of an exists that fails, if it
	// does so because there is no execution at all.
	Why       string
	Variables []Variable
	// States are those found, in the order of their values: all that are
	// reachable, if Options.AllStates asks for them.
	States []State
	// Witness decides the statement: an execution in which the condition is
	// true (false, for forall). Nil if there is none.
	Witness *Execution
}

// Each calls yield with every execution that the model allows until it returns
// false. It returns whether bounds on loops left some out; an error if the
// context ended before all were seen.
func Each(ctx context.Context, t *Test, o Options, yield func(*Execution) bool) (bounded bool, err error) {
	cut, err := t.each(ctx, o, false, yield)
	return cut != "", err
}

// each says which bound left executions out, if one did.
func (t *Test) each(ctx context.Context, o Options, anything bool, yield func(*Execution) bool) (cut string, err error) {
	o.Variables = t.observed(o.Variables)
	paths := make([][]*path, len(t.Threads))
	for thread := range t.Threads {
		var why string
		if paths[thread], why = t.paths(ctx, thread, &o); cut == "" || why == cutLength {
			cut = why
		}
	}
	chosen := make([]*path, len(paths))
	var choose func(thread int) bool
	choose = func(thread int) bool {
		if ctx.Err() != nil {
			return false
		}
		if thread == len(paths) {
			s := build(t, o.Model, chosen).search(ctx, &o, yield)
			s.anything = anything
			return s.run()
		}
		for _, p := range paths[thread] {
			chosen[thread] = p
			if !choose(thread + 1) {
				return false
			}
		}
		return true
	}
	choose(0)
	return cut, ctx.Err()
}

// Decide answers the question of a test. A context that ends leaves it
// undecided.
func Decide(ctx context.Context, t *Test, o Options) *Result {
	o.Variables = t.observed(o.Variables)
	// The order of writes matters only to what locations hold in the end.
	o.oncePerReads = !o.AllStates && !slices.ContainsFunc(o.Variables, func(v Variable) bool { return v.Thread == OfMemory })
	o.deciding = !o.AllStates
	d := decision{test: t, options: o, result: &Result{Variables: o.Variables}, states: map[string]*State{}}
	cut, err := t.each(ctx, o, false, d.execution)
	d.finish(cut, err)
	if d.result.Verdict != Undecided && d.result.Witness == nil {
		d.doubtNothing(ctx)
	}
	return d.result
}

// observed lists the variables of the test, and then others.
func (t *Test) observed(others []Variable) []Variable {
	all := t.Variables()
	for _, v := range others {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
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
	return e.states(d.options.Variables, func(values []int64) bool {
		s := d.state(values)
		s.Executions++
		if d.decides(s) && d.result.Witness == nil {
			d.result.Witness = e.Keep()
			return d.options.AllStates
		}
		return true
	})
}

func (d *decision) decides(s *State) bool {
	return !s.Filtered && s.Satisfies == (d.test.Statement != Forall)
}

func (d *decision) state(values []int64) *State {
	d.key = d.key[:0]
	for _, v := range values {
		for shift := 0; shift < 64; shift += 8 {
			d.key = append(d.key, byte(v>>shift))
		}
	}
	s := d.states[string(d.key)]
	if s == nil {
		s = &State{Values: slices.Clone(values)}
		s.Satisfies, s.Filtered = d.test.judge(d.options.Variables, values)
		d.states[string(d.key)] = s
	}
	return s
}

// judge evaluates the condition and the filter.
func (t *Test) judge(variables []Variable, values []int64) (satisfies, filtered bool) {
	value := func(v Variable) int64 { return values[slices.Index(variables, v)] }
	return t.Condition.Holds(value), t.Filter != nil && !t.Filter.Holds(value)
}

func (d *decision) finish(cut string, err error) {
	r := d.result
	for _, s := range d.states {
		r.States = append(r.States, *s)
	}
	slices.SortFunc(r.States, func(a, b State) int { return slices.CompareFunc(a.Values, b.Values, cmp.Compare) })
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
