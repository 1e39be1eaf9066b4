package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"stealproof/linearize"
	"stealproof/linearize/format"
	"stealproof/model"
)

// OnObject names the object that a reason is about, if it is about one.
func OnObject(r *linearize.Report, reason linearize.Reason) string {
	if r.Objects == 0 {
		return ""
	}
	return fmt.Sprintf(" on object %d", reason.Object)
}

// Annotations are lines that GitHub's runners turn into remarks beside the
// file: ::error file=run.jsonl,line=4,title=...::what happened.

// Annotate writes one for everything that keeps a file from passing. The
// places of violations are named where they are lines.
func Annotate(w io.Writer, file string, lines bool, r *linearize.Report) {
	for _, v := range r.Violations {
		line := 0
		if lines && len(v.Lines) > 0 {
			line = v.Lines[0]
		}
		annotate(w, "error", file, line, fmt.Sprintf("violation (%s) on object %d", v.Kind, v.Object), v.Explanation)
	}
	for _, u := range r.Undecided {
		annotate(w, "warning", file, 0, "undecided"+OnObject(r, u), u.Msg)
	}
	for _, u := range r.Uncertified {
		annotate(w, "warning", file, 0, "not certified"+OnObject(r, u), u.Msg)
	}
	if r.Verdict == model.NotRun {
		annotate(w, "warning", file, 0, "not run", strings.Join(r.Notes, "; "))
	}
}

// AnnotateInput writes one for a file that is not a history, or not a whole one.
func AnnotateInput(w io.Writer, file string, err error) {
	line, message := 0, err.Error()
	if input := (*format.InputError)(nil); errors.As(err, &input) {
		line, message = input.Line, input.Msg
	}
	annotate(w, "error", file, line, "not a history", message)
}

func annotate(w io.Writer, level, file string, line int, title, message string) {
	where := "file=" + githubProperty.Replace(file)
	if line > 0 {
		where += fmt.Sprintf(",line=%d", line)
	}
	fmt.Fprintf(w, "::%s %s,title=%s::%s\n", level, where, githubProperty.Replace(title), githubMessage.Replace(message))
}

// What the runner's parser takes for its own has to be escaped.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
