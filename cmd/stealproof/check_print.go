package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"stealproof/linearize"
	"stealproof/linearize/draw"
	"stealproof/model"
)

// answered is what a report says to what was asked: a verdict that was to be
// certified, and could not be, is less than that.
func answered(r *linearize.Report) model.Verdict {
	if len(r.Uncertified) > 0 {
		return r.Verdict.And(model.Undecided)
	}
	return r.Verdict
}

// onObject names the object that a reason is about, if it is about one.
func onObject(r *linearize.Report, reason linearize.Reason) string {
	if r.Objects == 0 {
		return ""
	}
	return fmt.Sprintf(" on object %d", reason.Object)
}

func (a *app) printReport(f checkFlags, file string, h *model.History, r *linearize.Report) {
	if f.github {
		annotateReport(a.annotations(f), file, f.recordWord(file) == "line", r)
	}
	if f.json {
		text, err := r.JSON(file, f.statistics(h))
		if err != nil {
			text, _ = json.Marshal(map[string]string{"error": err.Error()})
		}
		fmt.Fprintf(a.out, "%s\n", text)
		return
	}
	for _, v := range r.Violations {
		fmt.Fprintf(a.out, "%s: violation (%s) on object %d: %s\n", file, v.Kind, v.Object, v.Explanation)
		if lines := lineNumbers(v, f.recordWord(file)); lines != "" {
			fmt.Fprintf(a.out, "%s: see %s\n", file, lines)
		}
	}
	if f.quiet && answered(r) == model.Linearizable {
		return
	}
	for _, u := range r.Undecided {
		fmt.Fprintf(a.out, "%s: undecided%s: %s\n", file, onObject(r, u), u.Msg)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(a.out, "%s: note: %s\n", file, n)
	}
	if r.Objects == 0 && len(r.Undecided) > 0 {
		return // there is nothing more to say of what was not read
	}
	by := ""
	if r.Checker != "" {
		by = ", by " + r.Checker
	}
	verdict := r.Verdict.String()
	if len(r.Uncertified) > 0 {
		verdict += ", not certified"
	}
	fmt.Fprintf(a.out, "%s: %s: %s on %s%s, in %s\n",
		file, verdict, plural(r.Operations, "operation"), plural(r.Objects, "object"), by, r.Elapsed.Round(time.Microsecond))
	if f.stats && h != nil {
		draw.Describe(h).Print(a.out, h.Clock.Unit)
	}
}

// statistics are those of a history for its report, if they are wanted.
func (f checkFlags) statistics(h *model.History) any {
	if !f.stats || h == nil {
		return nil
	}
	return draw.Describe(h)
}

const mostLines = 12

func lineNumbers(v linearize.Violation, word string) string {
	var b strings.Builder
	for i, line := range v.Lines {
		switch {
		case i == 0 && len(v.Lines) == 1:
			b.WriteString(word + " ")
		case i == 0:
			b.WriteString(word + "s ")
		case i == mostLines:
			fmt.Fprintf(&b, " and %d more", len(v.Lines)-mostLines)
			return b.String()
		default:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, line)
	}
	return b.String()
}
