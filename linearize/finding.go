package linearize

import "stealproof/model"

// outcome is what a checker found out about one object.
type outcome struct {
	verdict   model.Verdict
	order     []int // of a linearization, if the checker knows one
	violation flaw
	reason    string // why it is undecided
}

// flaw is how an object broke its promise.
type flaw struct {
	kind, explanation string
	// ops are places in the object's history: the few that show it. They have
	// no legal order by themselves.
	ops []int
}

// The kinds of violations.
const (
	Duplicate  = "duplicate"
	Invented   = "invented"
	TooEarly   = "too-early"
	Order      = "order"
	FalseEmpty = "false-empty"
	FalseFull  = "false-full"
	Overfull   = "overfull"
	Other      = "other"
)

// undecided is the outcome of a checker that does not know.
func undecided(why string) outcome { return outcome{verdict: model.Undecided, reason: why} }

// violates is the outcome of a checker that knows how the object broke its promise.
func violates(v flaw) outcome { return outcome{verdict: model.Violation, violation: v} }
