package main

import (
	"fmt"
	"io"
	"strings"

	"stealproof/linearize"
	"stealproof/model"
)

// Annotations are lines that GitHub's runners turn into remarks beside the
// file: ::error file=run.jsonl,line=4,title=...::what happened.

// annotateReport writes one for everything that keeps a file from passing. The
// places of violations are named where they are lines.
func annotateReport(w io.Writer, file string, lines bool, r *linearize.Report) {
	for _, v := range r.Violations {
		line := 0
		if lines && len(v.Lines) > 0 {
			line = v.Lines[0]
		}
		annotate(w, "error", file, line, fmt.Sprintf("violation (%s) on object %d", v.Kind, v.Object), v.Explanation)
	}
	for _, u := range r.Undecided {
		annotate(w, "warning", file, 0, "undecided"+onObject(r, u), u.Msg)
	}
	for _, u := range r.Uncertified {
		annotate(w, "warning", file, 0, "not certified"+onObject(r, u), u.Msg)
	}
	if r.Verdict == model.NotRun {
		annotate(w, "warning", file, 0, "not run", strings.Join(r.Notes, "; "))
	}
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
