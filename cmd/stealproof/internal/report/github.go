package report

import (
	"fmt"
	"io"
	"strings"
)

// annotate writes lines that GitHub's runners turn into remarks, beside the file where
// there is one: ::error file=run.jsonl,line=4,title=...::what happened.
func (r *Report) annotate(w io.Writer) {
	for _, result := range r.results() {
		for i := range result.findings {
			annotation(w, &result.findings[i])
		}
		if len(result.findings) == 0 && !result.passed() {
			why := result.why()
			why.File = result.File
			annotation(w, &why)
		}
	}
}

func annotation(w io.Writer, f *Finding) {
	var properties []string
	if f.File != "" {
		properties = append(properties, "file="+githubProperty.Replace(f.File))
		if f.Line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", f.Line))
		}
	}
	properties = append(properties, "title="+githubProperty.Replace(f.title()))
	fmt.Fprintf(w, "::%s %s::%s\n", f.Level, strings.Join(properties, ","), githubMessage.Replace(f.Message))
}

// What the runner's parser takes for its own has to be escaped.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
