package histories

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/words"
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

// print puts out what was found, in all the forms that were asked for.
func (c *checking) print(file string, h *model.History, r *linearize.Report) {
	f := c.flags
	r = f.shortened(r)
	found := c.note(file, r)
	if c.con.Report.JSON() {
		line, err := r.JSON(file, f.statistics(h))
		if err == nil {
			line, err = c.con.Report.Line(line, file, exit.CodeOf(answered(r)), found)
		}
		if err != nil {
			line, _ = json.Marshal(map[string]string{"error": err.Error()})
		}
		c.con.PrintLine(line)
		return
	}
	for _, v := range r.Violations {
		c.con.Print("%s: violation (%s) on object %d: %s\n", file, v.Kind, v.Object, v.Explanation)
		if lines := lineNumbers(v, f.recordWord(file)); lines != "" {
			c.con.Print("%s: see %s\n", file, lines)
		}
	}
	if f.quiet && answered(r) == model.Linearizable {
		return
	}
	for _, u := range r.Undecided {
		c.con.Print("%s: undecided%s: %s\n", file, onObject(r, u), u.Msg)
	}
	for _, n := range r.Notes {
		c.con.Print("%s: note: %s\n", file, n)
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
	c.con.Print("%s: %s: %s on %s%s, in %s\n",
		file, verdict, words.Plural(r.Operations, "operation"), words.Plural(r.Objects, "object"), by, r.Elapsed.Round(time.Microsecond))
	if f.stats && h != nil {
		draw.Describe(h).Print(c.con.Out)
	}
}

// shortened is a report without the violations that are too many to read.
func (f checkFlags) shortened(r *linearize.Report) *linearize.Report {
	found := len(r.Violations)
	if f.maxViolations == 0 || found <= f.maxViolations {
		return r
	}
	short := *r
	short.Violations = r.Violations[:f.maxViolations]
	short.Notes = append(slices.Clip(r.Notes), fmt.Sprintf("%d violations were found, of which %d are reported: --max-violations says how many", found, f.maxViolations))
	return &short
}

// statistics are those of a history for its report, if they are wanted.
func (f checkFlags) statistics(h *model.History) any {
	if !f.stats || h == nil {
		return nil
	}
	return draw.Describe(h)
}

// recordWord says what the numbers of operations count in a file.
func (f checkFlags) recordWord(file string) string {
	if f.from == "sph" || f.from == "" && strings.HasSuffix(file, ".sph") {
		return "record"
	}
	return "line"
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
