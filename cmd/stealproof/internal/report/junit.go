package report

import (
	"encoding/xml"
	"fmt"
	"strings"
)

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
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// junit is the report that CI systems read: a test case per item. What is undecided,
// cannot be read, or was to be certified and could not be, is an error: it must not look
// like success.
func (r *Report) junit() (string, error) {
	results := r.results()
	s := junitSuite{Name: "stealproof " + r.Command, Tests: len(results)}
	total := int64(0)
	for i := range results {
		c := junitOf(&results[i])
		total += results[i].Elapsed
		if c.Failure != nil {
			s.Failures++
		}
		if c.Error != nil {
			s.Errors++
		}
		s.Cases = append(s.Cases, c)
	}
	s.Time = seconds(total)
	b, err := xml.MarshalIndent(s, "", "  ")
	return xml.Header + string(b) + "\n", err
}

func seconds(ms int64) string { return fmt.Sprintf("%.3f", float64(ms)/1000) }

func junitOf(r *result) junitCase {
	c := junitCase{Name: r.Name, Class: "stealproof", Time: seconds(r.Elapsed)}
	var failures, errors []Finding
	for _, f := range r.findings {
		if f.Level == Error && f.Kind != Input {
			failures = append(failures, f)
		} else {
			errors = append(errors, f)
		}
	}
	switch {
	case len(failures) > 0:
		c.Failure = junitMessageOf(failures)
	case len(errors) > 0:
		c.Error = junitMessageOf(errors)
		switch kind := errors[0].Kind; kind {
		case Undecided:
			c.Error.Message = "undecided: " + c.Error.Message
		case NotRun:
			c.Error.Message = "not run: " + c.Error.Message
		case Uncertified:
			c.Error.Message, c.Error.Type = r.Verdict+", not certified: "+c.Error.Message, Undecided
		case Input:
			c.Error.Message = errors[0].place() + c.Error.Message
		}
	case !r.passed():
		why := r.why()
		c.Error = &junitMessage{Message: why.Message, Type: why.Kind}
	}
	return c
}

// junitMessageOf has the first finding as the message, and all of them as the text.
func junitMessageOf(findings []Finding) *junitMessage {
	var all []string
	for i := range findings {
		f := &findings[i]
		line := f.place() + f.Message
		if f.Object != nil {
			line = fmt.Sprintf("object %d: %s", *f.Object, f.Message)
		}
		for _, more := range []string{f.Trace, f.Case} {
			if more != "" {
				line += "\n\n" + more
			}
		}
		all = append(all, line)
	}
	m := &junitMessage{Message: findings[0].Message, Type: findings[0].Kind}
	if len(all) > 1 || all[0] != m.Message {
		m.Text = strings.Join(all, "\n")
	}
	return m
}
