package queuetest

import (
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"stealproof/linearize"
	"stealproof/linearize/draw"
	"stealproof/linearize/format"
	"stealproof/model"
)

// Recorded decides what goroutines did to a queue as it is, written down by package
// linearize/record:
//
//	queuetest.Recorded(t, recorder.History())
//
// The test fails unless the history is linearizable, also if that is not decided before
// the deadline of the test. It logs how much happened at the same time: where nothing
// overlapped, little was tested. With -artifacts it keeps the history and its timeline.
func Recorded(t testing.TB, h *model.History) {
	t.Helper()
	ctx, cancel := deadlineOf(t)
	defer cancel()
	r := linearize.Check(ctx, h, linearize.Options{})
	if r.Invalid == nil && r.Verdict != model.Linearizable {
		keepHistory(t, h, r)
	}
	if text := recordedFailure(r); text != "" {
		t.Fatalf("stealproof: %s", text)
	}
	s := draw.Describe(h)
	t.Logf("stealproof: %s of %d processes: linearizable; %.1f under way on average, at most %d", plural(s.Operations, "operation"), s.Processes, s.MeanConcurrency, s.MaxConcurrency)
	if s.MaxConcurrency < 2 {
		t.Logf("stealproof: no two operations overlapped: what happens when they do was not tested")
	}
}

// recordedFailure says why a report is none that a test passes with; "" if it is.
func recordedFailure(r *linearize.Report) string {
	switch {
	case r.Verdict == model.Linearizable:
		return ""
	case len(r.Violations) > 0:
		v := r.Violations[0]
		text := fmt.Sprintf("violation (%s) on object %d: %s", v.Kind, v.Object, v.Explanation)
		if more := len(r.Violations) - 1; more > 0 {
			text += fmt.Sprintf("\nand %s more", plural(more, "violation"))
		}
		return text + "\nSuch a run cannot be repeated; go test -artifacts keeps the history and its timeline."
	case len(r.Undecided) > 0:
		return fmt.Sprintf("undecided: %s", r.Undecided[0].Msg)
	}
	return fmt.Sprintf("%s: there are no operations", r.Verdict)
}

// keepHistory writes a history and its timeline into the folder of go test -artifacts.
func keepHistory(t testing.TB, h *model.History, r *linearize.Report) {
	t.Helper()
	if !keepsArtifacts() {
		return
	}
	if err := writeHistory(t.ArtifactDir(), h, r); err != nil {
		t.Logf("stealproof: artifacts: %v", err)
	}
}

func writeHistory(folder string, h *model.History, r *linearize.Report) error {
	if h.Params.Model == nil { // otherwise no file says it
		if err := format.WriteFile(filepath.Join(folder, "history.jsonl"), h); err != nil {
			return err
		}
	}
	return writeWith(filepath.Join(folder, "timeline.html"), func(w io.Writer) error {
		var p draw.Page
		p.Add(h, r, draw.Origin{})
		return p.Write(w)
	})
}
