package gpu

import (
	"fmt"

	"stealproof/cmd/stealproof/internal/report"
	"stealproof/gpu"
	"stealproof/model"
)

// note puts what all launches came to into the report.
func (c *campaign) note(to *report.Report) {
	f := c.flags
	q := &to.Question
	q.Structure, q.Settings, q.Module, q.Model, q.Memory = f.Spec.String(), f.Spec.Settings, f.module, kindOf(f.Options).String(), "GPU"
	if f.module != "" {
		q.Structure, q.Settings = f.module, nil
	}
	noteDevice(to, c.calibration)
	for name, n := range map[string]any{
		"launches": c.launches, "operations": c.operations, "objects": c.objects, "objects_judged": c.judged, "objects_violating": c.violating,
		"objects_undecided": c.undecided, "operations_dropped": c.dropped, "device_ms": c.elapsed.Milliseconds(), "seed": f.seed,
	} {
		to.Count(name, n)
	}
	if c.found != nil {
		to.Find(report.Finding{Kind: c.found.Kind, Message: c.found.Explanation, Object: &c.found.Object, Subject: f.name(), History: f.out})
	}
	for kind, text := range map[string]string{"hang": c.hang, "trap": c.trap} {
		if text != "" {
			to.Find(report.Finding{Kind: kind, Message: text, Subject: f.name(), History: f.out})
		}
	}
	if c.undecided > 0 {
		to.Find(report.Finding{Kind: report.Undecided, Level: report.Warning, Message: fmt.Sprintf("%d objects stayed undecided", c.undecided), Subject: f.name()})
	}
	if c.dropped > 0 {
		to.Limit("%d operations found no room in their logs", c.dropped)
	}
}

// noteDevice puts the device and its clock into the report.
func noteDevice(to *report.Report, c *gpu.Calibration) {
	to.Note("%s", describeDevice(c.Device))
	to.Note("%s", describeClock(c))
}

// note puts the cells of a table into the report, an item for each. What was taken from
// a structure may fail: only of those that are whole a violation is a finding.
func (t *table) note(to *report.Report) {
	to.Question.Memory = "GPU"
	noteDevice(to, t.calibration)
	for s, section := range t.sections {
		for r, row := range section.rows {
			for column, c := range t.cells[s][r] {
				item := report.Item{Name: row.spec + ", " + section.columns[column].name, Memory: "GPU", Verdict: report.Holds, Answer: c.String(),
					Statistics: map[string]any{"launches": c.launches, "operations": c.operations, "objects": c.objects, "objects_violating": c.violating, "objects_undecided": c.undecided, "hangs": c.hangs},
					Details:    map[string]any{"section": section.title, "row": row.name, "flags": section.flags + " " + section.columns[column].flags}}
				if row.whole {
					item.Expected = model.Linearizable.String()
					item.Verdict = c.verdict().String()
				}
				to.Add(item)
				switch {
				case !row.whole:
				case c.verdict() == model.Violation:
					to.Find(report.Finding{Item: item.Name, Kind: report.Unexpected, Message: item.Name + ": " + c.String(), Subject: row.spec})
				case c.verdict() != model.Linearizable:
					to.Find(report.Finding{Item: item.Name, Kind: report.Undecided, Level: report.Warning, Message: item.Name + ": " + c.String(), Subject: row.spec})
				}
			}
		}
	}
	for _, r := range t.resets {
		to.Add(report.Item{Name: "resets, " + r.name, Memory: "GPU", Verdict: report.Holds, Message: r.failed,
			Statistics: map[string]any{"resets_per_second": r.perSecond}, Details: map[string]any{"flags": r.spec + " " + r.flags}})
	}
}

// note puts what recording costs into the report, an item for each way to record.
func noteBench(to *report.Report, f *launchFlags, modes []*benchMode, operations int) {
	to.Question.Structure, to.Question.Module, to.Question.Memory = f.Spec.String(), f.module, "GPU"
	to.Count("operations_of_a_launch", operations)
	to.Count("launches", f.repeat)
	for _, m := range modes {
		to.Add(report.Item{Name: m.name, Verdict: report.Holds, Answer: m.line(modes[0].times, operations),
			Statistics: map[string]any{"median_us": quantile(m.times, 0.5).Microseconds()}})
	}
}
