package report

import (
	"fmt"
	"strings"
)

// tap is the report in the Test Anything Protocol, version 14: a line per item, and of
// those that have not passed, why.
func (r *Report) tap() (string, error) {
	var b strings.Builder
	results := r.results()
	fmt.Fprintf(&b, "TAP version 14\n1..%d\n", len(results))
	for i := range results {
		found := &results[i]
		word := "ok"
		if !found.passed() {
			word = "not ok"
		}
		fmt.Fprintf(&b, "%s %d - %s\n", word, i+1, tapEscaped.Replace(found.Name))
		findings := found.findings
		if len(findings) == 0 && !found.passed() {
			findings = []Finding{found.why()}
		}
		if len(findings) == 0 {
			continue
		}
		b.WriteString("  ---\n  findings:\n")
		for i := range findings {
			f := &findings[i]
			fmt.Fprintf(&b, "    - kind: %s\n      level: %s\n      message: %q\n", f.Kind, f.Level, f.Message)
			if f.File != "" {
				fmt.Fprintf(&b, "      file: %q\n", f.File)
			}
			if f.Line > 0 {
				fmt.Fprintf(&b, "      line: %d\n", f.Line)
			}
		}
		b.WriteString("  ...\n")
	}
	return b.String(), nil
}

// tapEscaped is the description of a test: a number sign would begin a directive.
var tapEscaped = strings.NewReplacer("\\", "\\\\", "#", "\\#", "\n", " ", "\r", " ")
