package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"stealproof/linearize/format"
)

// Output is where a report goes to: flags that all commands have.
type Output struct {
	JSON, GitHub bool
	files        []string // as they were given
	reports      []file
}

// file is one that was asked for.
type file struct {
	flag, path string
	format     *outputFormat
}

// outputFormat is a form in which a report can be written to a file.
type outputFormat struct {
	name, ending, doc string
	write             func(*Report) (string, error)
}

// outputFormats are all of them.
func outputFormats() []outputFormat {
	return []outputFormat{
		{"junit", ".xml", "JUnit, which most CI systems read", (*Report).junit},
		{"sarif", ".sarif", "SARIF 2.1.0, for code scanning", (*Report).sarif},
		{"tap", ".tap", "TAP 14", (*Report).tap},
		{"gitlab", "", "GitLab's code quality", (*Report).gitlab},
		{"json", ".json", "what --json prints, of all files together", func(r *Report) (string, error) { return r.line() }},
	}
}

// Flags adds those of the output to a set.
func (r *Report) Flags(fl *pflag.FlagSet) {
	fl.BoolVar(&r.output.JSON, "json", false, "print one JSON object instead of text, or one per file and line where files are decided (docs/output.md)")
	fl.BoolVar(&r.output.GitHub, "github", false, "print annotations for GitHub's runners as well")
	fl.StringArrayVar(&r.output.files, "report", nil, "write a report to this `FILE`: .xml is JUnit, .sarif SARIF, .tap TAP, .json JSON; or FORMAT=FILE, with junit, sarif, tap, gitlab or json; may be given several times")
}

// JSON says whether standard output is for machines.
func (r *Report) JSON() bool { return r.output.JSON }

func (o *Output) wanted() bool { return o.JSON || o.GitHub || len(o.files)+len(o.reports) > 0 }

// Open reads the flags, and has the files checked by who knows what else is read and
// written. JUnit, which is a flag of its own for check, comes with them.
func (r *Report) Open(junit string, check func([]Asked) error) error {
	var reports []file
	var asked []Asked
	for _, text := range r.output.files {
		f, err := parseFile(text)
		if err != nil {
			return err
		}
		reports = append(reports, f)
	}
	if junit != "" {
		reports = append(reports, file{"--junit", junit, &outputFormats()[0]})
	}
	for _, f := range reports {
		asked = append(asked, Asked{f.flag, f.path})
	}
	r.output.reports = nil // what is refused is not written
	if err := check(asked); err != nil {
		return err
	}
	r.output.reports = reports
	return nil
}

// Asked is a file that a flag has written.
type Asked struct{ Flag, Path string }

// parseFile reads what follows --report.
func parseFile(text string) (file, error) {
	all := outputFormats()
	if name, path, found := strings.Cut(text, "="); found {
		for i := range all {
			if all[i].name == name {
				if path == "" {
					return file{}, fmt.Errorf("--report %s: expected a file behind the format, as in %s=report%s", text, name, all[i].ending)
				}
				return file{"--report", path, &all[i]}, nil
			}
		}
	}
	for i := range all {
		if ending := all[i].ending; ending != "" && strings.EqualFold(filepath.Ext(text), ending) {
			return file{"--report", text, &all[i]}, nil
		}
	}
	return file{}, fmt.Errorf("--report %.60q: expected a file that ends in .xml, .sarif, .tap or .json, or its format, as in junit=report, sarif=, tap=, gitlab= or json=", text)
}

// Write puts the report out in all the forms that were asked for. Annotations do not disturb JSON: runners read both streams.
func (r *Report) Write(out, errs io.Writer) error {
	var wrong error
	if r.output.JSON && (!r.perFile || r.last) {
		whole := *r
		if r.perFile {
			whole.Items = nil
		}
		line, err := whole.line()
		if err == nil {
			_, err = io.WriteString(out, line)
		}
		wrong = errors.Join(wrong, err)
	}
	if r.output.GitHub {
		to := out
		if r.output.JSON {
			to = errs
		}
		r.annotate(to)
	}
	for _, f := range r.output.reports {
		content, err := f.format.write(r)
		if err == nil {
			err = format.Replace(f.path, text(content))
		}
		wrong = errors.Join(wrong, err)
	}
	return wrong
}

// line is the whole report as one object.
func (r *Report) line() (string, error) {
	whole := *r
	if whole.Findings == nil {
		whole.Findings = []Finding{}
	}
	b, err := json.Marshal(&whole)
	return string(b) + "\n", err
}

// PerFile says that the command prints an object for each of its files; at the end one
// follows, without these, only if it says more than they do.
func (r *Report) PerFile(last bool) { r.perFile, r.last = true, last }

// Line is the object that a command prints for one of its files: what it has printed
// since before there was a form for all, then the fields of that. Names that it uses
// already stay what they were.
func (r *Report) Line(own []byte, file string, code int, findings []Finding) ([]byte, error) {
	envelope := struct {
		Tool     string    `json:"tool"`
		Version  string    `json:"version"`
		Schema   int       `json:"schema"`
		Command  string    `json:"command"`
		Question Question  `json:"question"`
		ExitCode int       `json:"exit_code"`
		Findings []Finding `json:"findings"`
	}{r.Tool, r.Version, r.Schema, r.Command, r.Question, code, append([]Finding{}, findings...)}
	envelope.Question.Files = []string{file}
	more, err := json.Marshal(&envelope)
	if err != nil {
		return nil, err
	}
	return append(append(own[:len(own)-1:len(own)-1], ','), more[1:]...), nil
}
