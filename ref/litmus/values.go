package litmus

import (
	"slices"

	"stealproof/ref/axioms"
)

// values are what is known of the numbers in an execution while it is made.
type values struct {
	*combination
	known []bool // of each event that is a read or a write
}

func newValues(c *combination) values {
	v := values{combination: c, known: make([]bool, len(c.graph.Events))}
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
func (v *values) register(of Variable) (int64, knowledge) {
	if of.Thread == OfMemory {
		return 0, unknown
	}
	p := v.paths[of.Thread]
	if p.waits && p.unset[of.Index] {
		return 0, unset
	}
	if n, isKnown := p.registers[of.Index].eval(v.lookup(of.Thread)); isKnown {
		return n, known
	}
	return 0, unknown
}

func (v *values) registers() [][]Value {
	all := make([][]Value, len(v.paths))
	for thread, p := range v.paths {
		for r := range p.registers {
			n, of := v.register(Variable{thread, r})
			all[thread] = append(all[thread], Value{n, of == unset})
		}
	}
	return all
}

// waiting lists the threads that wait for ever.
func (v *values) waiting() []int {
	var all []int
	for thread, p := range v.paths {
		if p.waits {
			all = append(all, thread)
		}
	}
	return all
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
