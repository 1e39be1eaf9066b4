package litmus

import (
	"stealproof/ref/axioms"
)

// Execution is one that the model allows. It is valid only until the search
// goes on; Keep makes a copy.
type Execution struct {
	Test  *Test
	Graph *axioms.Graph
	// Instructions are those that the events belong to; nil for initial writes.
	Instructions []*Instruction
	registers    [][]int64 // of each thread, at the end
	relations    *axioms.Execution
	forbidden    bool // perhaps: it was made without asking the axioms
}

// Register is what a register of a thread holds in the end.
func (e *Execution) Register(thread, register int) int64 { return e.registers[thread][register] }

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
	k := &Execution{Test: e.Test, Graph: &g, Instructions: e.Instructions, forbidden: e.forbidden, relations: axioms.NewExecution(e.relations.Model, &g)}
	k.relations.Update()
	for _, r := range e.registers {
		k.registers = append(k.registers, append([]int64(nil), r...))
	}
	return k
}

// states calls visit with each final state of the execution: what the variables
// are in the end, in order. It stops when visit returns false, and returns
// false then.
func (e *Execution) states(variables []Variable, visit func(values []int64) bool) bool {
	values := make([]int64, len(variables))
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
			values[i] = value
			return choose(i + 1)
		}
		for _, value := range e.Finals(v.Index) {
			values[i], chosen[v.Index] = value, value
			if !choose(i + 1) {
				return false
			}
		}
		delete(chosen, v.Index)
		return true
	}
	return choose(0)
}
