package axioms

import (
	"fmt"
	"strings"
)

// Model is a memory model.
type Model uint8

// The models, from the weakest to the strongest. Only PTX knows scopes; only
// PTX and RC11 look at the orders of accesses.
const (
	PTX Model = iota
	// RC11 is C11 without load buffering, plain accesses taken as relaxed ones.
	RC11
	// TSO is that of x86: stores are delayed, and nothing else.
	TSO
	// SequentialConsistency interleaves.
	SequentialConsistency
)

var modelNames = []string{"ptx", "rc11", "tso", "sc"}

func (m Model) String() string { return nameOf(modelNames, int(m)) }

// ParseModel finds a model by name. RC11 was called ra once.
func ParseModel(name string) (Model, error) {
	if name == "ra" {
		return RC11, nil
	}
	for i, n := range modelNames {
		if n == name {
			return Model(i), nil
		}
	}
	return 0, fmt.Errorf("unknown memory model %.40q: expected one of %s", name, strings.Join(modelNames, ", "))
}

// Axiom is a condition that every execution of a model meets.
type Axiom struct {
	Name  string
	holds func(*Execution) bool
	// cycle shows why it does not hold.
	cycle func(*Execution) []Step
	// ordersWrites marks the axiom that co contradicts if it is a cycle.
	ordersWrites bool
}

// Axioms lists those of the model.
func (m Model) Axioms() []Axiom {
	return [...][]Axiom{PTX: ptxAxioms, RC11: rc11Axioms, TSO: tsoAxioms, SequentialConsistency: scAxioms}[m]
}

// counts says whether an access can take part in synchronization: under PTX
// the strong ones, elsewhere all.
func (m Model) counts(e *Event) bool { return e.Thread != Initial && (m != PTX || e.strong()) }

func (m Model) derive(x *Execution) {
	switch m {
	case PTX:
		derivePTX(x)
	case RC11:
		deriveRC11(x)
	default:
		deriveBarriers(x)
	}
}

// MustOrder says whether two writes of one location must be ordered in co, one
// way or the other: under PTX those that are morally strong, elsewhere all.
func (x *Execution) MustOrder(i, j int) bool {
	a, b := &x.Graph.Events[i], &x.Graph.Events[j]
	return i != j && a.Kind == Write && b.Kind == Write && a.Location == b.Location && (x.Model != PTX || x.strong.Has(i, j))
}

// MustOrderFences says whether two events are sc fences of which one must come
// before the other. Those of one thread come in program order.
func (x *Execution) MustOrderFences(i, j int) bool {
	return x.Model == PTX && i != j && x.isSCFence(i) && x.isSCFence(j) && x.strong.Has(i, j) && x.interThread.Has(i, j)
}
