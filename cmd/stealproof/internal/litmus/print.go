package litmus

import (
	"encoding/json"
	"fmt"
	"strings"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/words"
	"stealproof/model"
	"stealproof/ref/litmus"
)

// print says what came out for a file. Whether a statement holds is an answer, and
// no verdict: a file is decided, or it is not. The error is exit.ErrReported.
func (f flags) print(con *console.Console, answer *answer) (model.Verdict, error) {
	if answer.err != nil {
		con.Say("%v", answer.err)
		return model.Linearizable, exit.ErrReported // the others decide
	}
	r := answer.result
	verdict := model.Linearizable
	if r.Verdict == litmus.Undecided {
		verdict = model.Undecided
	}
	if f.json {
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
	con.Print("%s\n", text)
}
