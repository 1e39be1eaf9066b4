package linearize

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// Report is what was decided about a history. A history without operations is
// not run: there was nothing to decide, which is no success.
type Report struct {
	Verdict    model.Verdict
	Operations int
	Objects    int
	// Checker names what decided: direct, monitor, porcupine, or several of
	// them with '+' between.
	Checker    string
	Elapsed    time.Duration
	Violations []Violation
	Undecided  []Reason
	// Invalid says why the operations are no history, if they are none: an error of
	// who recorded them, most often a [model.InvalidError]. Nothing was decided
	// then, so the verdict is undecided.
	Invalid error
	// Uncertified are the objects that were decided, and whose verdicts were to
	// be certified and could not be: within the limits, or at all.
	Uncertified []Reason
	Notes       []string
}

// Violation is how one object broke its promise.
type Violation struct {
	Object uint32
	// Kind is one of Duplicate to Other.
	Kind        string
	Explanation string
	// Ops are places in the history's operations: the few that show it. They
	// have no legal order by themselves.
	Ops []int
	// Lines are the lines of these operations in the file that they came from.
	Lines []int
}

// The kinds of violations. They are stable: scripts may compare them.
const (
	Duplicate  = finding.Duplicate  // "duplicate": a value left more often than it was put in
	Invented   = finding.Invented   // "invented": a value left that was never put in
	TooEarly   = finding.TooEarly   // "too-early": a value left before it was put in
	Order      = finding.Order      // "order": values left in an order that the kind forbids
	FalseEmpty = finding.FalseEmpty // "false-empty": the object was found empty and cannot have been
	FalseFull  = finding.FalseFull  // "false-full": the object was found full and cannot have been
	Overfull   = finding.Overfull   // "overfull": more was inside than the declared capacity
	Other      = finding.Other      // "other": no order exists, for no reason with a name
)

// Reason is why an object stayed undecided, or uncertified.
type Reason struct {
	Object uint32
	Msg    string
}

// invalid is the report on what is no history.
func invalid(h *model.History, err error) *Report {
	r := &Report{Verdict: model.Undecided, Invalid: err, Undecided: []Reason{{Msg: "this is no history: " + err.Error()}}}
	if h != nil {
		r.Operations = len(h.Ops)
	}
	return r
}

// newReport brings the results together, in the order of the objects.
func newReport(h *model.History, objects []*object, results []result, certify bool) *Report {
	r := &Report{Verdict: results[0].Verdict, Operations: len(h.Ops), Objects: len(objects)}
	used := map[string]bool{}
	for k, o := range objects {
		found := &results[k]
		r.Verdict = r.Verdict.And(found.Verdict)
		switch found.Verdict {
		case model.Violation:
			r.Violations = append(r.Violations, newViolation(h, o, found.Violation))
		case model.Undecided:
			r.Undecided = append(r.Undecided, Reason{o.id, found.Reason})
		}
		r.Notes = append(r.Notes, found.notes...)
		used[found.checker] = true
		if why, missing := strings.CutPrefix(found.certificate, uncertified); missing {
			r.Uncertified = append(r.Uncertified, Reason{o.id, why})
		}
	}
	if certify {
		r.Notes = append(r.Notes, certificates(objects, results)...)
	}
	var checkers []string
	for _, name := range []string{direct, string(Monitor), string(Porcupine)} {
		if used[name] {
			checkers = append(checkers, name)
		}
	}
	r.Checker = strings.Join(checkers, "+")
	return r
}

// newViolation says which operations of the whole history it is.
func newViolation(h *model.History, o *object, found finding.Violation) Violation {
	v := Violation{Object: o.id, Kind: found.Kind, Explanation: found.Explanation, Ops: o.global(found.Ops)}
	for _, i := range v.Ops {
		v.Lines = append(v.Lines, int(h.Ops[i].Line))
	}
	return v
}

// certificates are the notes on what was confirmed, and how.
func certificates(objects []*object, results []result) []string {
	var notes []string
	number, operations := map[string]int{}, map[string]int{}
	for k, o := range objects {
		how := results[k].certificate
		if how == "" {
			continue
		}
		if number[how] == 0 {
			notes = append(notes, how)
		}
		number[how]++
		operations[how] += len(o.Ops)
	}
	for k, how := range notes {
		notes[k] = fmt.Sprintf("certificates: of %s (%d operations) %s", wording.Counted(number[how], "object"), operations[how], how)
	}
	if notes == nil {
		notes = []string{"certificates: none, as nothing was decided"}
	}
	return notes
}

// JSON is the report as one object, for scripts. The file names where the
// history came from; operations are given by their lines in it. What was not
// run is undecided there: it is no success. Why something is undecided, and
// what was or was not certified, stand behind these, and
// statistics of the history, unless they are nil, at the end.
func (r *Report) JSON(file string, statistics any) ([]byte, error) {
	type violation struct {
		File        string `json:"file"`
		Object      uint32 `json:"object"`
		Kind        string `json:"kind"`
		Explanation string `json:"explanation"`
		Operations  []int  `json:"operations"`
	}
	type undecided struct {
		Object uint32 `json:"object"`
		Reason string `json:"reason"`
	}
	out := struct {
		Verdict    string      `json:"verdict"`
		Operations int         `json:"operations"`
		Objects    int         `json:"objects"`
		Checker    string      `json:"checker"`
		Elapsed    int64       `json:"elapsed_ms"`
		Violations []violation `json:"violations"`
		File       string      `json:"file"`
		Undecided  []undecided `json:"undecided,omitempty"`
		Uncertain  []undecided `json:"uncertified,omitempty"`
		Notes      []string    `json:"notes,omitempty"`
		Statistics any         `json:"statistics,omitempty"`
	}{
		Verdict: r.Verdict.String(), Operations: r.Operations, Objects: r.Objects,
		Checker: r.Checker, Elapsed: r.Elapsed.Milliseconds(), Violations: []violation{},
		File: file, Notes: r.Notes, Statistics: statistics,
	}
	if r.Verdict == model.NotRun {
		out.Verdict = model.Undecided.String()
	}
	for _, v := range r.Violations {
		out.Violations = append(out.Violations, violation{file, v.Object, v.Kind, v.Explanation, append([]int{}, v.Lines...)})
	}
	for _, u := range r.Undecided {
		out.Undecided = append(out.Undecided, undecided{u.Object, u.Msg})
	}
	for _, u := range r.Uncertified {
		out.Uncertain = append(out.Uncertain, undecided{u.Object, u.Msg})
	}
	return json.Marshal(out)
}

const (
	maxHTML       = 300 // operations
	htmlTimeLimit = 5 * time.Second
)

// WriteHTML writes porcupine's view of the operations that show a violation.
// More than a few hundred are refused: no one can read them.
func WriteHTML(w io.Writer, h *model.History, v Violation) error {
	if len(v.Ops) > maxHTML {
		return fmt.Errorf("the smallest window found has %d operations: at most %d are drawn", len(v.Ops), maxHTML)
	}
	return general.Visualize(w, general.Excerpt{History: h.Part(v.Ops)}, htmlTimeLimit)
}
