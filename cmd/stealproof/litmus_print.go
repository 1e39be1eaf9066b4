package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"stealproof/linearize/format"
	"stealproof/model"
	"stealproof/ref/litmus"
)

func (a *app) printLitmus(f litmusFlags, answer *litmusAnswer) {
	if answer.err != nil {
		a.broken = true
		message := answer.err.Error()
		if input := (*litmus.InputError)(nil); !errors.As(answer.err, &input) {
			message = strings.Replace(message, "a saved case or a program", "a litmus test", 1)
		}
		fmt.Fprintf(a.err, "stealproof: %s\n", message)
		return
	}
	r := answer.result
	if r.Verdict == litmus.Undecided {
		a.verdict = a.verdict.And(model.Undecided)
	}
	if f.json {
		a.printLitmusJSON(answer)
	} else {
		fmt.Fprintf(a.out, "%s %s %s\n", answer.file, answer.test.Name, r.Verdict)
		if f.verbose {
			a.printLitmusStates(answer)
		}
	}
	if r.Why != "" { // an answer, but not to what was asked, or none
		fmt.Fprintf(a.err, "stealproof: %s: %s: %s\n", answer.file, r.Verdict, r.Why)
	}
	if answer.svg != "" {
		if err := format.Replace(f.svg, writeString(answer.svg)); err != nil {
			a.broken = true
			fmt.Fprintf(a.err, "stealproof: %v\n", err)
		}
	}
}

func (a *app) printLitmusStates(answer *litmusAnswer) {
	for _, s := range answer.result.States {
		mark := " "
		switch {
		case s.Filtered:
			mark = "-"
		case s.Satisfies:
			mark = "*"
		}
		fmt.Fprintf(a.out, "  %s %s  (%s)\n", mark, strings.Join(litmusState(answer, s), " "), plural(s.Executions, "execution"))
	}
}

func litmusState(answer *litmusAnswer, s litmus.State) []string {
	var words []string
	for i, v := range answer.result.Variables {
		words = append(words, fmt.Sprintf("%s=%d", answer.test.VariableName(v), s.Values[i]))
	}
	return words
}

// litmusJSON is the object that --json prints for a file.
type litmusJSON struct {
	File    string            `json:"file"`
	Name    string            `json:"name"`
	Verdict string            `json:"verdict"`
	Why     string            `json:"why,omitempty"`
	States  []litmusJSONState `json:"states"`
}

type litmusJSONState struct {
	Values     map[string]int64 `json:"values"`
	Executions int              `json:"executions"`
	Satisfies  bool             `json:"satisfies"`
	Filtered   bool             `json:"filtered,omitempty"`
}

func (a *app) printLitmusJSON(answer *litmusAnswer) {
	r := answer.result
	o := litmusJSON{File: answer.file, Name: answer.test.Name, Verdict: r.Verdict.String(), Why: r.Why, States: []litmusJSONState{}}
	for _, s := range r.States {
		values := map[string]int64{}
		for i, v := range r.Variables {
			values[answer.test.VariableName(v)] = s.Values[i]
		}
		o.States = append(o.States, litmusJSONState{values, s.Executions, s.Satisfies, s.Filtered})
	}
	text, _ := json.Marshal(o) // strings and numbers: it cannot fail
	fmt.Fprintf(a.out, "%s\n", text)
}
