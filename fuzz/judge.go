package fuzz

import (
	"context"
	"slices"
	"time"

	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

// Finding is what was decided about an execution.
type Finding struct {
	Verdict model.Verdict
	// Kind is a word for what is wrong: that of the violation, "fault" or
	// "stuck".
	Kind        string
	Explanation string
	// Violation is the part of the history that is wrong, if it is the
	// history.
	Violation *linearize.Violation
}

// The kinds of finding that are not in the history.
const (
	KindFault = "fault"
	KindStuck = "stuck"
	// KindMisuse: the text of a structure asks the memory for what no memory has,
	// as a load that releases. That says nothing of the algorithm.
	KindMisuse = "misuse"
)

// smallHistory is the size up to which a history is judged without limits.
const smallHistory = 64

// Holds says whether there is nothing wrong with an execution, faster than Judge.
func Holds(e *ref.Execution) bool {
	if e.Ending != ref.Complete {
		return false
	}
	if before := e.Precedence(); before != nil {
		return linearize.CheckCausal(e.History, before)
	}
	if len(e.History.Ops) <= smallHistory {
		return linearize.CheckSmall(e.History)
	}
	return Judge(e).Verdict == model.Linearizable
}

// Failure is a run that violates what its structure promises.
type Failure struct {
	// Run counts from 1.
	Run     int
	Case    model.Case
	Finding Finding
	// History is that of the run.
	History *model.History
}

// NewFailure keeps an execution that was found wrong, with the choices that
// replay it.
func NewFailure(e *ref.Execution, f Finding, note string) *Failure {
	chosen := model.Schedule{Strategy: model.ByChoices, Choices: e.Choices()}
	timed := e.Timed()
	return &Failure{Case: NewCase(e.Setup.Subject, e.Setup.Program, chosen, f, note), Finding: f, History: timed.With(slices.Clone(timed.Ops))}
}

// NewCase is a program on a structure, under a schedule, and what was found.
func NewCase(s ref.Subject, p model.Program, schedule model.Schedule, f Finding, note string) model.Case {
	return model.Case{
		Note: note, Kind: s.Design().Kind, Spec: s.Spec(), Memory: s.Memory(),
		Program: p, Schedule: schedule, Verdict: f.Verdict, Found: f.Kind,
	}
}

// Judge decides about an execution and explains what is wrong with it.
func Judge(e *ref.Execution) Finding {
	switch e.Ending {
	case ref.Faulted:
		if e.Misuse {
			return Finding{Verdict: model.Violation, Kind: KindMisuse, Explanation: e.Fault}
		}
		return Finding{Verdict: model.Violation, Kind: KindFault, Explanation: explainFault(e)}
	case ref.Stuck:
		return Finding{Verdict: model.Violation, Kind: KindStuck, Explanation: explainStuck(e)}
	case ref.Cut:
		return Finding{Verdict: model.Undecided, Explanation: "the execution was cut before all operations had returned"}
	}
	if before := e.Precedence(); before != nil {
		return judgeCausal(e.History, before)
	}
	r := linearize.Check(context.Background(), e.History, linearize.Options{Timeout: 10 * time.Second})
	f := Finding{Verdict: r.Verdict}
	if len(r.Violations) > 0 {
		f.Violation = &r.Violations[0]
		f.Kind, f.Explanation = f.Violation.Kind, f.Violation.Explanation
	}
	if len(r.Undecided) > 0 && f.Explanation == "" {
		f.Explanation = r.Undecided[0].Msg
	}
	return f
}

// judgeCausal decides a history of a weak memory.
func judgeCausal(h *model.History, before model.Precedence) Finding {
	if linearize.CheckCausal(h, before) {
		return Finding{Verdict: model.Linearizable}
	}
	v := linearize.ExplainCausal(h, before)
	return Finding{Verdict: model.Violation, Kind: v.Kind, Explanation: v.Explanation, Violation: v}
}
