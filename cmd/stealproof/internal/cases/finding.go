package cases

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"stealproof/cmd/stealproof/internal/report"
	"stealproof/fuzz"
	"stealproof/fuzz/trace"
	"stealproof/model"
	"stealproof/ref"
)

// FindingOf is what was found out about an execution, for machines, with the case that
// replays it, and false if there is nothing wrong with it.
func FindingOf(f fuzz.Finding, c model.Case) (report.Finding, bool) {
	found := report.Finding{Kind: f.Kind, Level: report.Error, Message: f.Explanation, Subject: c.Spec.String(), Case: c.String()}
	switch f.Verdict {
	case model.Linearizable:
		return found, false
	case model.Violation:
	default:
		found.Kind, found.Level = report.Undecided, report.Warning
	}
	return found, true
}

// longestTrace bounds the text of an execution in a report.
const longestTrace = 1 << 16

// WithTrace adds what is known of an execution that was made again: the interleaving,
// what took effect out of order, and the access at which it went wrong, with its place
// in the text of a module.
func WithTrace(found report.Finding, r *fuzz.Rerun, module string) report.Finding {
	var text bytes.Buffer
	if err := trace.WriteColumns(&text, r.Execution, r.Matter, r.Fatal); err == nil {
		found.Trace = text.String()
	}
	if more := len(found.Trace) - longestTrace; more > 0 {
		found.Trace = fmt.Sprintf("%s\n... and %d characters more\n", found.Trace[:longestTrace], more)
	}
	found.Reordered = trace.Reordered(r.Execution, r.Matter)
	found.Site = siteOf(r.Execution, r.Fatal)
	if found.File, found.Line = Place(found.Site, module); found.File == "" {
		found.File = module // its accesses have names instead of lines: GitHub shows only what has a file
	}
	return found
}

// siteOf is the name of the access that was made at a step; empty for none.
func siteOf(e *ref.Execution, step int) string {
	i := slices.IndexFunc(e.Trace, func(ev ref.Event) bool { return ev.Step == step && !ev.Silent })
	sites := e.Setup.Config.Design.Sites
	if i < 0 || step == 0 || int(e.Trace[i].Access.Site) >= len(sites) {
		return ""
	}
	return sites[e.Trace[i].Access.Site]
}

var placed = regexp.MustCompile(`^([^ :]+\.[A-Za-z]+):(\d+)(?:[: ]|$)`)

// Place is the file and the line that the name of an access of a module says, as in
// "queue.cu:31: read"; nothing for the names of others. A line of the module itself is
// one of the file that was given.
func Place(site, module string) (file string, line int) {
	m := placed.FindStringSubmatch(site)
	if m == nil {
		return "", 0
	}
	line, _ = strconv.Atoi(m[2])
	if file = m[1]; file == filepath.Base(module) {
		file = module
	}
	return file, line
}
