package litmus

import (
	"slices"

	"stealproof/ref/axioms"
)

// values are what is known of the numbers in an execution while it is made.
type values struct {
	*combination
	known []bool // of each event that is a read or a write
	met   [][]bool
	next  map[phaseKey]int
}

// phaseKey is one use of one barrier: by the block, the number of the
// instruction, the logical number if there is one, and how often the thread
// has come by it before.
type phaseKey struct {
	place      axioms.Place
	barrier    int64
	hasID      bool
	id         int64
	occurrence int
}

func newValues(c *combination) values {
	v := values{combination: c, known: make([]bool, len(c.graph.Events)), next: map[phaseKey]int{}}
	for _, p := range c.paths {
		v.met = append(v.met, make([]bool, len(p.conds)))
	}
	for i := range c.details {
		v.known[i] = c.details[i] == nil
	}
	return v
}

func (v *values) lookup(thread int) func(int) (int64, bool) {
	return func(read int) (int64, bool) {
		at := v.readOf[thread][read]
		return v.graph.Events[at].Value, v.known[at]
	}
}

func (v *values) save() []bool         { return slices.Clone(v.known) }
func (v *values) restore(known []bool) { copy(v.known, known) }

// compute finds the values that follow from what reads read from, and says
// whether the paths' conditions, as far as they are known, hold.
func (v *values) compute(source []int) bool {
	for changed := true; changed; {
		changed = false
		for i, d := range v.details {
			if v.known[i] || d == nil {
				continue
			}
			e := &v.graph.Events[i]
			switch {
			case e.Kind == axioms.Write:
				e.Value, v.known[i] = d.value.eval(v.lookup(e.Thread))
			case e.Kind == axioms.Read && source[i] != none && v.known[source[i]]:
				e.Value, v.known[i] = v.graph.Events[source[i]].Value, true
			}
			changed = changed || v.known[i]
		}
	}
	for thread, p := range v.paths {
		for _, c := range p.conds {
			a, knownA := c.a.eval(v.lookup(thread))
			b, knownB := c.b.eval(v.lookup(thread))
			if knownA && knownB && !c.comparison.holds(a, b) {
				return false
			}
		}
	}
	return true
}

func (v *values) complete() bool {
	for i := range v.graph.Events {
		if v.graph.Events[i].Accesses() && !v.known[i] {
			return false
		}
	}
	return true
}

// register is what a variable is in the end, if that is known. The final values
// of locations never are, for they are a matter of order.
func (v *values) register(of Variable) (int64, bool) {
	if of.Thread == OfMemory {
		return 0, false
	}
	return v.paths[of.Thread].registers[of.Index].eval(v.lookup(of.Thread))
}

func (v *values) registers() [][]int64 {
	all := make([][]int64, len(v.paths))
	for thread, p := range v.paths {
		all[thread] = make([]int64, len(p.registers))
		for r, e := range p.registers {
			all[thread][r], _ = e.eval(v.lookup(thread))
		}
	}
	return all
}

// phases finds out who meets whom at the barriers.
func (v *values) phases() {
	if len(v.barriers) == 0 {
		return
	}
	clear(v.next)
	numbers := map[phaseKey]int{}
	thread, lost := none, map[int64]bool{}
	for _, at := range v.barriers {
		e, d := &v.graph.Events[at], v.details[at]
		if e.Thread != thread {
			thread, lost = e.Thread, map[int64]bool{}
			clear(v.next)
		}
		k := phaseKey{place: v.graph.Places[e.Thread], barrier: d.instruction.Barrier, hasID: d.id != nil}
		known := true
		if d.id != nil {
			k.id, known = d.id.eval(v.lookup(e.Thread))
		}
		// After a barrier whose logical number is not known yet, nor is it
		// known how often the thread has come by the others.
		lost[k.barrier] = lost[k.barrier] || !known
		if e.Phase = axioms.UnknownPhase; lost[k.barrier] {
			continue
		}
		before := v.next[k]
		v.next[k]++
		k.occurrence = before
		if _, seen := numbers[k]; !seen {
			numbers[k] = len(numbers)
		}
		e.Phase = numbers[k]
	}
}

// everybodyPasses says whether no thread waits for ever: a sync with a number
// of participants waits until so many have come.
func (v *values) everybodyPasses() bool {
	passed := make([]int, len(v.paths)) // barriers of each thread
	of := make([][]int, len(v.paths))
	for _, at := range v.barriers {
		t := v.graph.Events[at].Thread
		of[t] = append(of[t], at)
	}
	come := map[int]int64{} // by phase, with those who wait
	for t := range of {
		if len(of[t]) > 0 {
			come[v.graph.Events[of[t][0]].Phase]++
		}
	}
	for moved := true; moved; {
		moved = false
		for t := range of {
			if passed[t] == len(of[t]) || !v.passes(of[t][passed[t]], come) {
				continue
			}
			moved = true
			if passed[t]++; passed[t] < len(of[t]) {
				come[v.graph.Events[of[t][passed[t]]].Phase]++
			}
		}
	}
	for t := range of {
		if passed[t] < len(of[t]) {
			return false
		}
	}
	return true
}

func (v *values) passes(at int, come map[int]int64) bool {
	e, d := &v.graph.Events[at], v.details[at]
	if e.Kind == axioms.BarrierArrive || d.quorum == nil {
		return true
	}
	quorum, _ := d.quorum.eval(v.lookup(e.Thread))
	return come[e.Phase] >= quorum
}

// circle finds values that justify themselves where reads depend on each other
// in a circle: it tries what the condition asks for. No model allows the
// outcome; it is for showing why.
func (v *values) circle(source []int) bool {
	saved := v.save()
	for _, guess := range v.test.Condition.constants() {
		v.restore(saved)
		for !v.complete() {
			at := slices.IndexFunc(v.reads, func(r int) bool { return !v.known[r] })
			if at < 0 {
				break
			}
			v.graph.Events[v.reads[at]].Value, v.known[v.reads[at]] = guess, true
			if !v.compute(source) {
				break
			}
		}
		if v.complete() && v.consistent(source) {
			return true
		}
	}
	return false
}

// consistent says whether each read has the value of what it reads from.
func (v *values) consistent(source []int) bool {
	return !slices.ContainsFunc(v.reads, func(r int) bool {
		return v.graph.Events[r].Value != v.graph.Events[source[r]].Value
	})
}
