package histories

import (
	"errors"
	"fmt"
	"strings"

	"stealproof/cmd/stealproof/internal/report"
	"stealproof/linearize"
	"stealproof/linearize/format"
	"stealproof/model"
)

// note puts what was decided about a file into the report of the command, and returns
// the findings. The places of violations are named where they are lines.
func (c *checking) note(file string, r *linearize.Report) (found []report.Finding) {
	to := &c.con.Report
	verdict := r.Verdict.String()
	item := report.Item{Name: file, File: file, Verdict: verdict, Elapsed: r.Elapsed.Milliseconds(), Message: strings.Join(r.Notes, "; "),
		Statistics: map[string]any{"operations": r.Operations, "objects": r.Objects}}
	lines := c.flags.recordWord(file) == "line"
	for _, v := range r.Violations {
		f := report.Finding{Item: file, Kind: v.Kind, Level: report.Error, Message: v.Explanation, File: file, Object: &v.Object, Operations: v.Lines}
		if lines && len(v.Lines) > 0 {
			f.Line = v.Lines[0]
		}
		found = append(found, f)
	}
	open := func(kind string, reasons []linearize.Reason) {
		for _, u := range reasons {
			f := report.Finding{Item: file, Kind: kind, Level: report.Warning, Message: u.Msg, File: file}
			if r.Objects > 0 {
				f.Object = &u.Object
			}
			found = append(found, f)
		}
	}
	open(report.Undecided, r.Undecided)
	open(report.Uncertified, r.Uncertified)
	if r.Verdict == model.NotRun {
		found = append(found, report.Finding{Item: file, Kind: report.NotRun, Level: report.Warning, Message: strings.Join(r.Notes, "; "), File: file})
	}
	to.Add(item)
	for _, f := range found {
		to.Find(f)
	}
	return found
}

// notRead notes a file that nothing is known of.
func (c *checking) notRead(file, why string) {
	c.con.Report.Add(report.Item{Name: file, File: file, Verdict: model.NotRun.String(), Message: why})
	c.con.Report.Find(report.Finding{Item: file, Kind: report.Undecided, Level: report.Warning, Message: why, File: file})
}

// wrong notes a file that is not a history, or not a whole one.
func (c *checking) wrong(file string, err error) {
	c.con.Report.Add(report.Item{Name: file, File: file, Verdict: model.NotRun.String(), Message: err.Error()})
	f := report.Finding{Item: file, Kind: report.Input, Level: report.Error, Message: err.Error(), File: file}
	if input := (*format.InputError)(nil); errors.As(err, &input) && input.Line > 0 {
		f.Line, f.Message = input.Line, input.Msg
	}
	c.con.Report.Find(f)
}

// onObject names the object that a reason is about, if it is about one.
func onObject(r *linearize.Report, reason linearize.Reason) string {
	if r.Objects == 0 {
		return ""
	}
	return fmt.Sprintf(" on object %d", reason.Object)
}
