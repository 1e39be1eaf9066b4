package fuzz

import (
	"fmt"
	"strings"

	"stealproof/ref"
)

func explainFault(e *ref.Execution) string {
	return fmt.Sprintf("process %d: %s", e.FaultProcess, e.Fault)
}

// explainStuck names the operations that never come back.
func explainStuck(e *ref.Execution) string {
	var open []string
	for i := range e.History.Ops {
		if o := &e.History.Ops[i]; o.Pending() {
			open = append(open, fmt.Sprintf("%s of process %d, called at %d", o.Op, o.Process, o.Call))
		}
	}
	return fmt.Sprintf("nothing changes any more after %d accesses, and these never come back: %s", e.Steps, strings.Join(open, "; "))
}
