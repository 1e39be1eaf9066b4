// Package report writes what was found for the programs of others that read it.
package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"stealproof/linearize"
	"stealproof/linearize/format"
	"stealproof/model"
)

// JUnit is the report that CI systems read: a test case per history file.
type JUnit struct{ cases []junitCase }

// Decided adds a file that was decided, or was to be.
func (j *JUnit) Decided(file string, r *linearize.Report) {
	j.cases = append(j.cases, junitOf(file, r))
}

// Wrong adds a file that could not be read: type "input" if there is something
// wrong with it, or "undecided".
func (j *JUnit) Wrong(file, kind, message string) {
	j.cases = append(j.cases, junitCase{Name: file, Error: &junitMessage{Message: message, Type: kind}})
}

type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitMessage `xml:"failure,omitempty"`
		Error   *junitMessage `xml:"error,omitempty"`
		seconds float64
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// junitOf makes a test case of a report. What is undecided, or was to be certified and could
// not be, is an error: it must not look like success.
func junitOf(file string, r *linearize.Report) junitCase {
	c := junitCase{Name: file, Time: fmt.Sprintf("%.3f", r.Elapsed.Seconds()), seconds: r.Elapsed.Seconds()}
	switch r.Verdict {
	case model.Linearizable:
		if len(r.Uncertified) > 0 {
			c.Error = &junitMessage{Message: "linearizable, not certified: " + r.Uncertified[0].Msg, Type: "undecided"}
		}
	case model.Violation:
		var all []string
		for _, v := range r.Violations {
			all = append(all, fmt.Sprintf("object %d: %s", v.Object, v.Explanation))
		}
		c.Failure = &junitMessage{Message: r.Violations[0].Explanation, Type: r.Violations[0].Kind, Text: strings.Join(all, "\n")}
	default:
		c.Error = &junitMessage{Message: r.Verdict.String(), Type: r.Verdict.String()}
		if len(r.Undecided) > 0 {
			c.Error.Message += ": " + r.Undecided[0].Msg
		}
	}
	return c
}

// Write writes the report to a file.
func (j *JUnit) Write(path string) error {
	cases := slices.Clone(j.cases)
	s := junitSuite{Name: "stealproof check", Tests: len(cases), Cases: cases}
	total := 0.0
	for i := range cases {
		total += cases[i].seconds
		cases[i].Class = "stealproof"
		if cases[i].Time == "" {
			cases[i].Time = "0"
		}
		if cases[i].Failure != nil {
			s.Failures++
		}
		if cases[i].Error != nil {
			s.Errors++
		}
	}
	s.Time = fmt.Sprintf("%.3f", total)
	text, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return format.Replace(path, func(w io.Writer) error {
		_, err := w.Write(append([]byte(xml.Header), append(text, '\n')...))
		return err
	})
}
