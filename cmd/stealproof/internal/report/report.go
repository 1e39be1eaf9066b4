// Package report is what a command found, as a value: one form for all commands, and a
// writer for each format in which other programs read it. docs/output.md shows both, and
// report.schema.json says it to machines.
package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"stealproof/model"
	"stealproof/ref"
)

// Schema is the version of the form. It is raised where a field changes its meaning or
// goes; fields may be added to a version.
const Schema = 1

// Report is what came of one command. The zero value is ready to use.
type Report struct {
	Tool     string   `json:"tool"`
	Version  string   `json:"version"` // of the program
	Schema   int      `json:"schema"`
	Command  string   `json:"command"`
	Args     []string `json:"arguments"` // the command line
	Question Question `json:"question"`
	Verdict  string   `json:"verdict"`
	ExitCode int      `json:"exit_code"`
	// Error is why nothing, or not everything, was decided, where the exit code is 2.
	Error      string         `json:"error,omitempty"`
	Elapsed    int64          `json:"elapsed_ms"`
	Items      []Item         `json:"items,omitempty"`
	Findings   []Finding      `json:"findings"`
	Statistics map[string]any `json:"statistics,omitempty"`
	// Limits are those that were met, in words.
	Limits []string `json:"limits,omitempty"`
	Notes  []string `json:"notes,omitempty"`

	output  Output
	perFile bool // objects for each file were printed
	last    bool // and one more follows
	begun   time.Time
}

// Question is what was asked about.
type Question struct {
	Structure string            `json:"structure,omitempty"` // with its settings, as in a spec
	Settings  map[string]string `json:"settings,omitempty"`
	Model     string            `json:"model,omitempty"`
	Memory    string            `json:"memory,omitempty"`
	Module    string            `json:"module,omitempty"`
	Program   string            `json:"program,omitempty"`
	Programs  string            `json:"programs,omitempty"` // which they are, in words
	Schedule  string            `json:"schedule,omitempty"`
	Files     []string          `json:"files,omitempty"`
}

// Item is one of several things that a command decides: a file, a part of a suite, an
// operation, a mutant. Where there are none, the command decided one thing.
type Item struct {
	Name     string `json:"name"`
	Verdict  string `json:"verdict"`
	File     string `json:"file,omitempty"`
	Memory   string `json:"memory,omitempty"`
	Answer   string `json:"answer,omitempty"`   // in the words of the command
	Expected string `json:"expected,omitempty"` // in the same words
	Message  string `json:"message,omitempty"`
	Elapsed  int64  `json:"elapsed_ms,omitempty"`
	// Statistics are numbers, Details what else is known, by its name.
	Statistics map[string]any `json:"statistics,omitempty"`
	Details    map[string]any `json:"details,omitempty"`
}

// Finding is one thing that keeps an answer from being a success, or that somebody
// should look at.
type Finding struct {
	Item    string `json:"item,omitempty"` // the name of the one it is about
	Kind    string `json:"kind"`
	Level   Level  `json:"level"`
	Message string `json:"message"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Site    string `json:"site,omitempty"` // the access
	// Object is that of a history, Operations are lines of the file, or its records.
	Object     *uint32 `json:"object,omitempty"`
	Operations []int   `json:"operations,omitempty"`
	// Subject is the structure with its settings, if it is not that of the question.
	Subject string `json:"subject,omitempty"`
	// Case is the text that replay takes, CaseFile and History where it and its history
	// were saved to.
	Case     string `json:"case,omitempty"`
	CaseFile string `json:"case_file,omitempty"`
	History  string `json:"history_file,omitempty"`
	// Trace is the interleaving as replay shows it; Reordered names what took effect out
	// of order.
	Trace     string   `json:"trace,omitempty"`
	Reordered []string `json:"reordered,omitempty"`
}

// Level is how bad a finding is.
type Level string

// The levels.
const (
	Error   Level = "error"   // what was asked for does not hold, or an input is wrong
	Warning Level = "warning" // it is not known whether it holds
)

// Kinds of findings beside those of violations.
const (
	Undecided   = "undecided"   // a limit was met
	Uncertified = "uncertified" // a verdict could not be confirmed
	NotRun      = "not-run"     // there was nothing to decide
	Input       = "input"       // an input is wrong
	Unexpected  = "unexpected"  // an answer is not the one that was expected
)

// Verdicts beside those of model.Verdict: of questions that are not whether operations
// have an order, and of litmus tests.
const (
	Holds = "holds"
	Fails = "fails"
)

// Begin notes who answers, and which command line.
func (r *Report) Begin(version string, args []string) {
	r.Tool, r.Version, r.Schema, r.Args = "stealproof", version, Schema, append([]string{}, args...)
	r.begun = time.Now()
}

// End notes how the command ended, if it has not said so itself.
func (r *Report) End(verdict model.Verdict, code int, message error) {
	if r.Verdict == "" {
		r.Verdict = verdict.String()
		if verdict == model.Linearizable && !r.aboutOrders() {
			r.Verdict = Holds
		}
	}
	r.ExitCode = code
	switch {
	case message == nil:
	case code > 128: // a signal
		r.Limit("%v", message)
	default:
		r.Error = message.Error()
	}
	r.Elapsed = time.Since(r.begun).Milliseconds()
}

// aboutOrders says whether the command decides whether operations have an order that
// respects the meaning of the object.
func (r *Report) aboutOrders() bool {
	switch r.Command {
	case "check":
		return true
	case "explore", "replay", "gpu run":
		return r.Question.Structure != ""
	}
	return false
}

// About notes the structure, its settings and its memory.
func (r *Report) About(s ref.Subject) {
	q := &r.Question
	q.Structure, q.Settings, q.Model, q.Memory = s.Spec().String(), maps.Clone(s.Spec().Settings), s.Design().Kind.String(), MemoryOf(s)
}

// MemoryOf names the memory, the usual one too.
func MemoryOf(s ref.Subject) string {
	if m := s.Memory(); m.Structure != "" {
		return m.String()
	}
	return ref.MemorySC
}

// Count notes a number.
func (r *Report) Count(name string, n any) {
	if r.Statistics == nil {
		r.Statistics = map[string]any{}
	}
	r.Statistics[name] = n
}

// Add notes an item.
func (r *Report) Add(i Item) { r.Items = append(r.Items, i) }

// Find notes a finding.
func (r *Report) Find(f Finding) {
	if f.Level == "" {
		f.Level = Error
	}
	r.Findings = append(r.Findings, f)
}

// Limit notes a limit that was met.
func (r *Report) Limit(format string, values ...any) {
	r.Limits = append(r.Limits, fmt.Sprintf(format, values...))
}

// Note notes what somebody should know.
func (r *Report) Note(format string, values ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, values...))
}

// Wanted says whether anybody reads the report, so that what is expensive to find out is
// worth it.
func (r *Report) Wanted() bool { return r.output.wanted() }

// title says in a few words what a finding is.
func (f *Finding) title() string {
	title := ""
	switch f.Kind {
	case Undecided:
		title = "undecided"
	case Uncertified:
		title = "not certified"
	case NotRun:
		title = "not run"
	case Input:
		title = "cannot be read"
	case Unexpected:
		title = "not as expected"
	default:
		title = "violation (" + f.Kind + ")"
	}
	if f.Object != nil {
		title += fmt.Sprintf(" on object %d", *f.Object)
	}
	return title
}

// place is the file and the line, as messages have them in front; empty for none.
func (f *Finding) place() string {
	switch {
	case f.File == "" || f.Kind == Input && f.Line == 0: // there the message names it
		return ""
	case f.Line == 0:
		return f.File + ": "
	}
	return fmt.Sprintf("%s:%d: ", f.File, f.Line)
}

// results are the items, or the command itself as one, each with its findings. What is
// about no item stands with the first.
func (r *Report) results() []result {
	items := r.Items
	if len(items) == 0 {
		items = []Item{{Name: r.name(), Verdict: r.Verdict, Elapsed: r.Elapsed, Message: r.Error}}
	}
	all := make([]result, len(items))
	at := map[string]int{}
	for i, item := range items {
		all[i].Item = item
		if _, twice := at[item.Name]; !twice {
			at[item.Name] = i
		}
	}
	for _, f := range r.Findings {
		i := at[f.Item] // the first for what is about none of them
		all[i].findings = append(all[i].findings, f)
	}
	if r.Error != "" {
		all[0].findings = append(all[0].findings, Finding{Kind: Input, Level: Error, Message: r.Error})
	}
	if r.ExitCode != 0 && !slices.ContainsFunc(all, func(f result) bool { return !f.passed() }) {
		all = append(all, r.unfinished())
	}
	return all
}

// unfinished is what keeps a command from being a success of which every item is one: it
// was interrupted, or has not come to the others.
func (r *Report) unfinished() result {
	why := strings.Join(r.Limits, "; ")
	if why == "" {
		why = fmt.Sprintf("exit code %d", r.ExitCode)
	}
	f := Finding{Kind: Undecided, Level: Warning, Message: why}
	return result{Item{Name: r.name() + ", not finished", Verdict: model.Undecided.String()}, []Finding{f}}
}

// result is an item with its findings.
type result struct {
	Item
	findings []Finding
}

// passed says whether a machine may take an item for a success.
func (r *result) passed() bool {
	return len(r.findings) == 0 && (r.Verdict == Holds || r.Verdict == Fails || r.Verdict == model.Linearizable.String())
}

// why is a finding of an item that has not passed, though nobody has said why.
func (r *result) why() Finding {
	kind := Undecided
	if r.Verdict == model.Violation.String() {
		kind = Unexpected
	}
	message := r.Message
	if message == "" {
		message = r.Verdict
	}
	return Finding{Kind: kind, Level: Warning, Message: message}
}

// name is what the one thing that a command decides is called.
func (r *Report) name() string {
	words := []string{r.Command}
	for _, word := range append([]string{r.Question.Structure}, r.Question.Files...) {
		if word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// text writes a string, for writers whose text is ready.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}
