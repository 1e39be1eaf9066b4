package litmus

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"stealproof/ref/axioms"
)

// Value is what a variable is in the end: a number, or nothing, for a register
// that its thread would have set behind a barrier where it waits for ever. A
// register that is declared has the value that it was declared with.
type Value struct {
	Number int64
	Unset  bool
}

func (v Value) String() string {
	if v.Unset {
		return "unset"
	}
	return strconv.FormatInt(v.Number, 10)
}

// compare puts what is unset behind all numbers.
func (v Value) compare(w Value) int {
	if v.Unset != w.Unset {
		if v.Unset {
			return 1
		}
		return -1
	}
	return cmp.Compare(v.Number, w.Number)
}

// MarshalJSON writes the number, or null.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.Unset {
		return []byte("null"), nil
	}
	return json.Marshal(v.Number)
}

// Execution is one that the model allows. It is valid only until the search
// goes on; Keep makes a copy.
type Execution struct {
	Test  *Test
	Graph *axioms.Graph
	// Instructions are those that the events belong to; nil for initial writes.
	Instructions []*Instruction
	// Waiting lists the threads that wait for ever at a barrier, which is their
	// last event: the execution counts as far as it runs.
	Waiting   []int
	registers [][]Value // of each thread, at the end
	relations *axioms.Execution
	forbidden bool // perhaps: it was made without asking the axioms
}

// Register is what a register of a thread holds in the end.
func (e *Execution) Register(thread, register int) Value { return e.registers[thread][register] }

// Finals lists the values that a location may have in the end: those of the
// writes that no other write of the location follows in coherence order. There
// may be several, for PTX does not order all writes.
func (e *Execution) Finals(location int) []int64 {
	var values []int64
	co := e.co()
	for i := range e.Graph.Events {
		w := &e.Graph.Events[i]
		if w.Kind != axioms.Write || w.Location != location || e.isOverwritten(co, i) {
			continue
		}
		known := false
		for _, v := range values {
			known = known || v == w.Value
		}
		if !known {
			values = append(values, w.Value)
		}
	}
	return values
}

func (e *Execution) co() axioms.Rel {
	if e.forbidden {
		return e.relations.ChosenCO()
	}
	return e.relations.CO()
}

func (e *Execution) isOverwritten(co axioms.Rel, i int) bool {
	for j := range e.Graph.Events {
		if co.Has(i, j) {
			return true
		}
	}
	return false
}

// Relations are the relations of the execution, for those who draw it.
func (e *Execution) Relations() *axioms.Execution { return e.relations }

// Keep returns a copy that stays valid.
func (e *Execution) Keep() *Execution {
	g := *e.Graph
	g.Events = append([]axioms.Event(nil), g.Events...)
	g.RF = append([]axioms.Pair(nil), g.RF...)
	g.CO = append([]axioms.Pair(nil), g.CO...)
	g.FenceOrder = append([]axioms.Pair(nil), g.FenceOrder...)
	g.Rounds = slices.Clone(g.Rounds)
	k := &Execution{Test: e.Test, Graph: &g, Instructions: e.Instructions, Waiting: e.Waiting, forbidden: e.forbidden, relations: axioms.NewExecution(e.relations.Model, &g)}
	k.relations.Update()
	for _, r := range e.registers {
		k.registers = append(k.registers, append([]Value(nil), r...))
	}
	return k
}

// states calls visit with each final state of the execution: what the variables
// are in the end, in order. It stops when visit returns false, and returns
// false then.
func (e *Execution) states(variables []Variable, visit func(values []Value) bool) bool {
	values := make([]Value, len(variables))
	chosen := map[int]int64{} // a location has one value, however often it is named
	var choose func(i int) bool
	choose = func(i int) bool {
		if i == len(variables) {
			return visit(values)
		}
		v := variables[i]
		if v.Thread != OfMemory {
			values[i] = e.Register(v.Thread, v.Index)
			return choose(i + 1)
		}
		if value, done := chosen[v.Index]; done {
			values[i] = Value{Number: value}
			return choose(i + 1)
		}
		for _, value := range e.Finals(v.Index) {
			values[i], chosen[v.Index] = Value{Number: value}, value
			if !choose(i + 1) {
				return false
			}
		}
		delete(chosen, v.Index)
		return true
	}
	return choose(0)
}
