package report

import (
	"encoding/json"
	"path/filepath"
)

type gitlabIssue struct {
	Description string `json:"description"`
	Check       string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

// gitlab is the report for GitLab's code quality, which wants a file and a line of
// everything: what has no file stands under the name of what it is about.
func (r *Report) gitlab() (string, error) {
	issues := []gitlabIssue{}
	prints := r.fingerprints()
	for _, f := range r.all() {
		i := gitlabIssue{Description: f.Message, Check: f.Kind, Fingerprint: prints(&f), Severity: "critical"}
		if f.Level == Warning {
			i.Severity = "major"
		}
		i.Location.Path = filepath.ToSlash(f.file())
		if i.Location.Path == "" {
			i.Location.Path = f.about
		}
		i.Location.Lines.Begin = max(1, f.Line)
		issues = append(issues, i)
	}
	b, err := json.MarshalIndent(issues, "", "  ")
	return string(b) + "\n", err
}
