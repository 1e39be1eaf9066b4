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
	onlyWaiting  bool // only executions in which somebody waits for ever
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
	eachCombination(ctx, paths, !o.onlyWaiting, func(chosen []*path) bool {
		s := build(t, o.Model, chosen).search(ctx, &o, yield)
		s.anything = anything
		return s.run()
	})
	return cut, ctx.Err()
}

// eachCombination visits every choice of one path for each thread until visit
// returns false: first those that come to an end, then those in which threads
// wait for ever; only the latter if ends is false.
func eachCombination(ctx context.Context, paths [][]*path, ends bool, visit func(chosen []*path) bool) {
	chosen := make([]*path, len(paths))
	var choose func(thread int, waiting, some bool) bool
	choose = func(thread int, waiting, some bool) bool {
		if ctx.Err() != nil {
			return false
		}
		if thread == len(paths) {
			return waiting != some || visit(chosen)
		}
		for _, p := range paths[thread] {
			if p.waits && !waiting {
				continue
			}
			chosen[thread] = p
			if !choose(thread+1, waiting, some || p.waits) {
				return false
			}
		}
		return true
	}
	waits := func(p *path) bool { return p.waits }
	if (!ends || choose(0, false, false)) && slices.ContainsFunc(paths, func(of []*path) bool { return slices.ContainsFunc(of, waits) }) {
		choose(0, true, false)
	}
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
	if d.result.Verdict != Undecided && d.result.Why == "" {
		d.sayWhoWaits(ctx)
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
	return e.states(d.options.Variables, func(values []Value) bool {
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
		s.Satisfies, s.Refutes, s.Filtered = d.test.judge(d.options.Variables, values)
		d.states[string(d.key)] = s
	}
	return s
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
