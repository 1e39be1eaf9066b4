package linearize

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"stealproof/model"
)

// JSON is the report as one object, for scripts. The file names where the
// history came from; operations are given by their lines in it. What was not
// run is undecided there: it is no success. Why something is undecided, and
// what was or was not certified, stand behind what the contract lists, and
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
	return visualize(w, excerpt{History: pick(h, v.Ops)}, htmlTimeLimit)
}
