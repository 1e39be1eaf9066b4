package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"stealproof/linearize"
	"stealproof/linearize/format"
	"stealproof/model"
)

// The JUnit report that CI systems read: a test case per history file.
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

func writeJUnit(path string, cases []junitCase) error {
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
