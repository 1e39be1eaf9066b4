package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
)

type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		ColumnKind  string            `json:"columnKind"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string    `json:"id"`
		Short   sarifText `json:"shortDescription"`
		Default struct {
			Level Level `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		Successful bool     `json:"executionSuccessful"`
		ExitCode   int      `json:"exitCode"`
		Arguments  []string `json:"arguments"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        Level             `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Properties   map[string]string `json:"properties,omitempty"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
	}
)

// sarif is the report for code scanning: a rule for each kind of finding, a result for
// each finding.
func (r *Report) sarif() (string, error) {
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: r.Tool, Version: r.Version, Rules: []sarifRule{}}
	run.Invocations = []sarifInvocation{{r.ExitCode != 2 && r.ExitCode < 128, r.ExitCode, append([]string{}, r.Args...)}}
	rules := map[string]int{}
	prints := r.fingerprints()
	for _, found := range r.all() {
		f := found.Finding
		at, known := rules[f.Kind]
		if !known {
			at = len(run.Tool.Driver.Rules)
			rules[f.Kind] = at
			rule := sarifRule{ID: f.Kind, Short: sarifText{meaning(f.Kind)}}
			rule.Default.Level = f.Level
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
		}
		result := sarifResult{RuleID: f.Kind, RuleIndex: at, Level: f.Level, Message: sarifText{f.Message},
			Locations: []sarifLocation{r.sarifLocation(&found)}, Fingerprints: map[string]string{"stealproof/v1": prints(&found)}}
		for name, value := range map[string]string{"case": f.Case, "trace": f.Trace} {
			if value != "" {
				if result.Properties == nil {
					result.Properties = map[string]string{}
				}
				result.Properties[name] = value
			}
		}
		run.Results = append(run.Results, result)
	}
	log := sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
	b, err := json.MarshalIndent(&log, "", "  ")
	return string(b) + "\n", err
}

func (r *Report) sarifLocation(f *located) sarifLocation {
	var l sarifLocation
	if file := f.file(); file != "" {
		l.Physical = &sarifPhysical{}
		l.Physical.Artifact.URI = uri(file)
		if f.Line > 0 {
			l.Physical.Region = &sarifRegion{f.Line}
		}
	}
	name := f.about
	if f.Site != "" {
		name += ": " + f.Site
	}
	l.Logical = []sarifLogical{{name}}
	return l
}

// uri is a path as SARIF has it: relative ones stay so, for they are found in the
// repository.
func uri(file string) string {
	path := filepath.ToSlash(file)
	if filepath.IsAbs(file) {
		return (&url.URL{Scheme: "file", Path: path}).String()
	}
	return (&url.URL{Path: path}).String()
}

// located is a finding with what it is about.
type located struct {
	Finding
	about string // the structure, or the item
	item  Item
}

// file is where somebody would look for it.
func (l *located) file() string {
	for _, file := range []string{l.File, l.CaseFile, l.item.File} {
		if file != "" {
			return file
		}
	}
	return ""
}

// all are the findings, and those items that have not passed without one.
func (r *Report) all() []located {
	var all []located
	for _, result := range r.results() {
		about := result.Name
		if len(r.Items) == 0 && r.Question.Structure != "" {
			about = r.Question.Structure
		}
		findings := result.findings
		if len(findings) == 0 && !result.passed() {
			findings = []Finding{result.why()}
		}
		for _, f := range findings {
			l := located{Finding: f, about: about, item: result.Item}
			if f.Subject != "" {
				l.about = f.Subject
			}
			all = append(all, l)
		}
	}
	return all
}

// lineNumber is that of the name of an access of a module, as in "queue.cu:31: read".
var lineNumber = regexp.MustCompile(`:[0-9]+`)

// fingerprints tell findings apart, and are the same for the same finding in another
// run: stamps, lines and schedules are left out. Several of one print are counted.
func (r *Report) fingerprints() func(*located) string {
	seen := map[string]int{}
	return func(l *located) string {
		object := ""
		if l.Object != nil {
			object = fmt.Sprint(*l.Object)
		}
		key := strings.Join([]string{r.Command, l.about, r.Question.Memory, l.item.Memory, l.file(), l.Kind, lineNumber.ReplaceAllString(l.Site, ""), object}, "\x00")
		seen[key]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))
		return hex.EncodeToString(sum[:16])
	}
}
