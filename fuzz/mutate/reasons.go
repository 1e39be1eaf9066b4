package mutate

import "stealproof/ref"

// Reasons says of each mutant that lives on why nothing is wrong with that:
// by structure and mutant, on the sequentially consistent memory. A test fails
// if a survivor has no reason, or a reason no survivor.
var Reasons = map[string]map[string]string{
	"abp": {
		"steal-read-head.drop":  "a thief that takes head for {0,ctr 0} gets a task only while that is true, since it swaps head against it; otherwise it aborts, which claims nothing. Useless, not wrong",
		"steal-swap-head.never": "every steal that sees a task aborts, which claims nothing. Useless, not wrong",
	},
	"the": {
		"push-read-beg.drop":      "a push that takes beg for 0 does not see that its interval adjoins, and says full; no capacity is declared, so that full claims nothing",
		"push-read-end.plus-one":  "a push takes an empty queue for one with an index left, and says full, which claims nothing",
		"steal-read-beg.plus-one": "a thief leaves the last index to the owner and aborts, which claims nothing",
	},
	"tz": {
		"enq-swap-tail.minus-one": "tail moves one position less far than it could. It may lag, enqueues look for the first free slot from there; the longer way has more executions than the search makes",
		"deq-swap-head.minus-one": "head moves one position less far than it could. It may lag, dequeues look for the first value from there; the longer way has more executions than the search makes",
	},
	"static": {
		"take-read-block.minus-one": "process p of n takes the tasks p-1, p-1+n, …: still no two the same, but process 0 finds its first block beyond the end and aborts, which claims nothing",
		"take-read-left.plus-one":   "a take always believes that a phase ended too early, and aborts where it could say empty",
		"put-read-tail.plus-one":    "a take always believes that something was put in this phase, and aborts where it could say empty",
		"host.drop":                 "the host never swaps the arrays and never counts what was put: takes abort for ever, since tail is not 0. Useless, not wrong",
	},
}

// Reason is why a survivor of the score is none to worry about, or nothing.
func (s *Score) Reason(m ref.Mutant) string { return s.reasons[m.String()] }

// Standard says whether the reasons were written for this structure and memory.
func (s *Score) Standard() bool { return s.reasons != nil }

// reasons are those that were given, or those of this package, which are for the
// structures of package ref as they are, on the sequentially consistent memory.
func (x *Measurement) reasons() map[string]string {
	switch {
	case x.Reasons != nil:
		return x.Reasons
	case x.Subject.Foreign() || len(x.Subject.Spec().Settings) > 0 || x.Subject.Weak():
		return nil
	}
	if known := Reasons[x.Subject.Design().Name]; known != nil {
		return known
	}
	return map[string]string{}
}

// Unexplained lists the survivors without a reason.
func (s *Score) Unexplained() []string {
	var names []string
	for _, m := range s.Mutants {
		if m.Outcome == Survivor && s.Reason(m.Mutant) == "" {
			names = append(names, m.Mutant.String())
		}
	}
	return names
}

// Outdated lists the reasons of those mutants that were judged and are no
// survivors.
func (s *Score) Outdated() []string {
	var names []string
	for _, m := range s.Mutants {
		if m.Outcome != Survivor && m.Outcome != NotJudged && s.Reason(m.Mutant) != "" {
			names = append(names, m.Mutant.String())
		}
	}
	return names
}
