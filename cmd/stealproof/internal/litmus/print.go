package litmus

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/words"
	"stealproof/model"
	"stealproof/ref/litmus"
)

// print says what came out for a file. Whether a statement holds is an answer, and
// no verdict: a file is decided, or it is not. The error is exit.ErrReported.
func (f flags) print(con *console.Console, answer *answer) (model.Verdict, error) {
	if answer.err != nil {
		con.Say("%v", answer.err)
		noteWrong(&con.Report, answer)
		return model.Linearizable, exit.ErrReported // the others decide
	}
	r := answer.result
	verdict := model.Linearizable
	if r.Verdict == litmus.Undecided {
		verdict = model.Undecided
	}
	note(&con.Report, answer)
	if con.Report.JSON() {
		printJSON(con, answer)
	} else {
		con.Print("%s %s %s\n", answer.file, answer.test.Name, r.Verdict)
		if f.verbose {
			printStates(con, answer)
		}
	}
	if r.Why != "" { // an answer, but not to what was asked, or none
		con.Say("%s: %s: %s", answer.file, r.Verdict, r.Why)
	}
	if answer.svg != "" {
		if err := files.Save(f.svg, answer.svg); err != nil {
			con.Say("%v", err)
			return verdict, exit.ErrReported
		}
	}
	return verdict, nil
}

func printStates(con *console.Console, answer *answer) {
	for _, s := range answer.result.States {
		mark := " "
		switch {
		case s.Filtered:
			mark = "-"
		case s.Satisfies:
			mark = "*"
		}
		count := words.Plural(s.Executions, "execution")
		switch len(s.Waiting) {
		case 0:
		case 1:
			count += ", " + waiting(answer, s)[0] + " waits for ever"
		default:
			count += ", " + strings.Join(waiting(answer, s), " and ") + " wait for ever"
		}
		con.Print("  %s %s  (%s)\n", mark, strings.Join(stateWords(answer, s), " "), count)
	}
}

func stateWords(answer *answer, s litmus.State) []string {
	var words []string
	for i, v := range answer.result.Variables {
		words = append(words, fmt.Sprintf("%s=%s", answer.test.VariableName(v), s.Values[i]))
	}
	return words
}

// waiting names the threads that wait for ever at a barrier.
func waiting(answer *answer, s litmus.State) []string {
	var names []string
	for _, thread := range s.Waiting {
		names = append(names, answer.test.Threads[thread].Name())
	}
	return names
}

// answerJSON is the object that --json prints for a file.
type answerJSON struct {
	File    string      `json:"file"`
	Name    string      `json:"name"`
	Verdict string      `json:"verdict"`
	Why     string      `json:"why,omitempty"`
	States  []stateJSON `json:"states"`
}

type stateJSON struct {
	Values     map[string]litmus.Value `json:"values"` // null for what is never set
	Executions int                     `json:"executions"`
	Satisfies  bool                    `json:"satisfies"`
	Filtered   bool                    `json:"filtered,omitempty"`
	Waiting    []string                `json:"waiting,omitempty"` // threads that wait for ever
}

func printJSON(con *console.Console, answer *answer) {
	r := answer.result
	o := answerJSON{File: answer.file, Name: answer.test.Name, Verdict: r.Verdict.String(), Why: r.Why, States: []stateJSON{}}
	for _, s := range r.States {
		values := map[string]litmus.Value{}
		for i, v := range r.Variables {
			values[answer.test.VariableName(v)] = s.Values[i]
		}
		o.States = append(o.States, stateJSON{values, s.Executions, s.Satisfies, s.Filtered, waiting(answer, s)})
	}
	text, _ := json.Marshal(o) // strings and numbers: it cannot fail
	text, _ = con.Report.Line(text, answer.file, codeOf(r), findings(answer))
	con.PrintLine(text)
}

// codeOf is what the command would exit with for a test alone.
func codeOf(r *litmus.Result) int {
	if r.Verdict == litmus.Undecided {
		return exit.Undecided
	}
	return exit.Holds
}

// findings are those about a test: that a statement fails is an answer like others.
func findings(a *answer) []report.Finding {
	if a.result.Verdict != litmus.Undecided {
		return nil
	}
	return []report.Finding{{Item: a.file, Kind: report.Undecided, Level: report.Warning, Message: a.result.Why, File: a.file}}
}

// note puts what came out for a test into the report.
func note(to *report.Report, a *answer) {
	executions := 0
	for _, s := range a.result.States {
		executions += s.Executions
	}
	to.Add(report.Item{Name: a.file, File: a.file, Verdict: a.result.Verdict.String(), Answer: a.result.Verdict.String(), Message: a.result.Why,
		Statistics: map[string]any{"states": len(a.result.States), "executions": executions}, Details: map[string]any{"test": a.test.Name}})
	for _, f := range findings(a) {
		to.Find(f)
	}
}

// noteWrong puts a file into the report that is no test.
func noteWrong(to *report.Report, a *answer) {
	to.Add(report.Item{Name: a.file, File: a.file, Verdict: model.NotRun.String(), Message: a.err.Error()})
	f := report.Finding{Item: a.file, Kind: report.Input, Message: a.err.Error(), File: a.file}
	if input := (*litmus.InputError)(nil); errors.As(a.err, &input) {
		f.Line, f.Message = input.Line, input.Msg
	}
	to.Find(f)
}
