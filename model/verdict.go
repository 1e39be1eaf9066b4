package model

// Verdict is what was decided about a history. Only Linearizable is success;
// Undecided and NotRun are never shown as one.
type Verdict uint8

const (
	// NotRun: nobody looked.
	NotRun Verdict = iota
	// Undecided: a limit of time, memory or steps was met first.
	Undecided
	// Linearizable: the operations have an order that respects real time and
	// the meaning of the object.
	Linearizable
	// Violation: they have none.
	Violation
)

var verdictNames = [...]string{NotRun: "not run", Undecided: "undecided", Linearizable: "linearizable", Violation: "violation"}

func (v Verdict) String() string { return nameOf(verdictNames[:], v) }

// ParseVerdict reads the name of a verdict.
func ParseVerdict(s string) (Verdict, error) {
	return parseName[Verdict]("verdict", verdictNames[:], s)
}

// And is the verdict on two things together: a violation in one is one in
// both, and nothing that was left open counts as success.
func (v Verdict) And(w Verdict) Verdict {
	switch {
	case v == Violation || w == Violation:
		return Violation
	case v == Linearizable && w == Linearizable:
		return Linearizable
	case v == NotRun && w == NotRun:
		return NotRun
	}
	return Undecided
}
