package fuzz

import (
	"fmt"
	"strings"

	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

func explainFault(e *ref.Execution) string {
	return fmt.Sprintf("process %d: %s", e.FaultProcess, e.Fault)
}

// JudgeSuspended judges an execution with a suspended process: that the others go
// on is all that is asked.
func JudgeSuspended(s *schedule.Suspended, e *ref.Execution) (Finding, error) {
	if err := s.Diverged(); err != nil {
		return Finding{}, err
	}
	if e.Ending != ref.Cut {
		return Judge(e), nil
	}
	f := Finding{Verdict: model.Linearizable}
	explanation, none := s.Blocks()
	switch {
	case none:
		f = Finding{Verdict: model.Undecided, Explanation: explanation}
	case explanation != "":
		f = Finding{Verdict: model.Violation, Kind: KindStuck, Explanation: explanation}
	}
	return f, nil
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
