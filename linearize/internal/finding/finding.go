// Package finding is what a checker says of one object.
package finding

import "stealproof/model"

// Finding is what a checker found out about one object.
type Finding struct {
	Verdict   model.Verdict
	Order     []int // of a linearization, if the checker knows one
	Violation Violation
	Reason    string // why it is undecided
}

// Violation is how an object broke its promise.
type Violation struct {
	Kind, Explanation string
	// Ops are places in the object's history: the few that show it. They have
	// no legal order by themselves.
	Ops []int
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

// Undecided is the outcome of a checker that does not know.
func Undecided(why string) Finding { return Finding{Verdict: model.Undecided, Reason: why} }

// Violates is the outcome of a checker that knows how the object broke its promise.
func Violates(v Violation) Finding { return Finding{Verdict: model.Violation, Violation: v} }
