// Package subject reads what a command line says about what is to be looked at: the
// structure, the memory that it runs on, and the programs that run.
package subject

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"stealproof/model"
	"stealproof/ref"
)

// Native is the memory that is none of ours: Go's atomics.
const Native = "native"

// simulatedMemory reads --memory; real atomics are dealt with before.
func simulatedMemory(text string) (model.Spec, error) {
	if strings.HasPrefix(text, Native+":") {
		return model.Spec{}, fmt.Errorf("--memory %s: native has no settings", text)
	}
	return readMemory(text, "sc, native, ptx, rc11, tso")
}

// SearchedMemory is simulatedMemory for commands that make every execution.
func SearchedMemory(text string) (model.Spec, error) {
	if text == Native {
		return model.Spec{}, errors.New("--memory native: expected sc, ptx, rc11 or tso: every execution is made, and there the machine decides who goes next")
	}
	return readMemory(text, "sc, ptx, rc11, tso")
}

// UnbufferedMemory is SearchedMemory for commands that need more of each execution than
// those with load buffering have.
func UnbufferedMemory(text string) (model.Spec, error) {
	m, err := SearchedMemory(text)
	if err == nil && m.Settings["buffering"] == "yes" {
		err = fmt.Errorf("--memory %s: %s", text, bufferingElsewhere)
	}
	return m, err
}

// bufferingElsewhere is why a memory with load buffering is refused by who would make
// none on it: what was not found would be taken for what cannot happen.
const bufferingElsewhere = "load buffering is made by explore --exhaustive, explore --fences and compare alone"

// CheckBuffering refuses load buffering for random runs, and for others that make none.
func CheckBuffering(s ref.Subject) error {
	if s.Buffers() {
		return fmt.Errorf("--memory %s: %s", s.Memory(), bufferingElsewhere)
	}
	return nil
}

// readMemory reads a memory. The sequentially consistent one is none at all, as
// cases have it.
func readMemory(text, known string) (model.Spec, error) {
	m, err := model.ParseSpec(text)
	if err != nil || !slices.Contains(ref.Memories(), m.Structure) {
		return m, fmt.Errorf("--memory %.40q: expected %s, or where the processes run as in ptx:place=block", text, known)
	}
	if err := ref.CheckMemory(m); err != nil {
		return m, fmt.Errorf("--memory: %w", err)
	}
	if m.Structure == ref.MemorySC {
		return model.Spec{}, nil
	}
	return m, nil
}

// CheckIdleOrders refuses a structure of which only orders were changed on a
// memory that knows no orders: what holds there says nothing about them.
func CheckIdleOrders(s ref.Subject, weak bool) error {
	if weak {
		return nil
	}
	spec := s.Spec()
	const why = "all that is not --memory ptx, rc11 or tso is sequentially consistent, whatever the orders"
	if spec.Settings["orders"] != "" {
		return fmt.Errorf("structure %s: orders= changes nothing here: %s", spec, why)
	}
	if s.OnlyOrders() {
		return fmt.Errorf("structure %s: the patch changes nothing here: %s", spec, why)
	}
	name := spec.Settings["mutant"]
	if name == "" {
		return nil
	}
	for _, m := range s.Design().Mutants() {
		if m.String() == name && m.Operator.Orders {
			return fmt.Errorf("structure %s: mutant=%s changes nothing here: %s", spec, name, why)
		}
	}
	return nil
}
