// Package compare finds out whether two structures do the same: whether they have the
// same histories in all executions of small programs. A kernel and the text that stands
// beside it are two such.
package compare

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"stealproof/fuzz/exhaust"
	"stealproof/model"
	"stealproof/ref"
)

// Comparison is what is to be compared: two structures of the same kind, on the same
// memory.
type Comparison struct {
	Subjects [2]ref.Subject
	// Programs are executed in every way on both, one after the other.
	Programs []model.Program
	// Progress is told which program it is.
	Progress func(program int)
}

// Result is what came of it.
type Result struct {
	// Programs were compared, with so many executions of each of the two, and so many
	// histories that both have.
	Programs   int
	Executions [2]int
	Histories  int
	// Unfinished is the first program of which not every execution was made.
	Unfinished *model.Program
	// Difference is what was found in the first program, the shortest, in which they
	// are not the same; nil if there is none.
	Difference *Difference
}

// Same says whether nothing differs, in all executions of all programs.
func (r *Result) Same() bool { return r.Difference == nil && r.Unfinished == nil }

// Difference is a program in which two structures are not the same.
type Difference struct {
	Program model.Program
	Sides   [2]Side
}

// Side is what one of them does.
type Side struct {
	Subject ref.Subject
	// Histories is how many it has; Fails says how an execution ends that is none: it
	// faults, or gets stuck.
	Histories int
	Fails     string
	// Results are those of the operations in all executions, in words; Only those that
	// the other one does not have.
	Results, Only []string
	// Choices are an execution whose history, or whose end, the other does not have;
	// nil if there is none.
	Choices model.Choices
}

// found is what all executions of a program are.
type found struct {
	keys       map[exhaust.HistoryKey]bool
	executions int
	fails      string // the kind of violation
	explained  string
	choices    model.Choices // of what fails
	complete   bool
}

// Run compares.
func (c *Comparison) Run(ctx context.Context) (*Result, error) {
	if a, b := c.Subjects[0].Design(), c.Subjects[1].Design(); a.Kind != b.Kind || a.Shared != b.Shared {
		return nil, fmt.Errorf("%s is a %s and %s a %s: expected two of the same kind", a.Name, a.Kind, b.Name, b.Kind)
	}
	r := &Result{}
	for i := range c.Programs {
		if c.Progress != nil {
			c.Progress(i)
		}
		p := c.Programs[i]
		var both [2]found
		for k, s := range c.Subjects {
			var err error
			if both[k], err = executions(ctx, s, p); err != nil {
				return nil, err
			}
			r.Executions[k] += both[k].executions
		}
		if ctx.Err() != nil {
			return r, nil
		}
		if both[0].fails != both[1].fails || both[0].complete && both[1].complete && !maps.Equal(both[0].keys, both[1].keys) {
			var err error
			r.Difference, err = c.difference(ctx, p, both)
			return r, err
		}
		if both[0].fails == "" && !(both[0].complete && both[1].complete) {
			r.Unfinished = &p
			return r, nil
		}
		r.Programs++
		r.Histories += len(both[0].keys)
	}
	return r, nil
}

// executions makes every execution of a program, until one faults or gets stuck.
func executions(ctx context.Context, s ref.Subject, p model.Program) (found, error) {
	f := found{keys: map[exhaust.HistoryKey]bool{}}
	x := exhaust.Search{Subject: s, Programs: []model.Program{p}, AllHistories: true, Unjudged: true, Jobs: 1}
	x.EachHistory = func(k exhaust.HistoryKey) { f.keys[k] = true }
	r, err := x.Run(ctx)
	if err != nil {
		return f, err
	}
	f.executions, f.complete = r.Executions, r.Complete
	if r.Failure != nil {
		f.fails, f.explained, f.choices, f.complete = r.Failure.Finding.Kind, r.Failure.Finding.Explanation, r.Failure.Case.Schedule.Choices, false
	}
	return f, nil
}

// difference says what differs.
func (c *Comparison) difference(ctx context.Context, p model.Program, both [2]found) (*Difference, error) {
	d := &Difference{Program: p}
	for k, s := range c.Subjects {
		other := both[1-k].keys
		side := Side{Subject: s, Histories: len(both[k].keys)}
		if both[k].fails != "" {
			side.Fails = both[k].fails + ": " + both[k].explained
		}
		results := map[string]bool{}
		x := exhaust.Search{Subject: s, Programs: []model.Program{p}, Unjudged: true, Jobs: 1}
		x.Each = func(e *ref.Execution) {
			if e.Ending != ref.Complete {
				return
			}
			results[words(e.History)] = true
			if side.Choices == nil && !other[exhaust.KeyOf(e)] {
				side.Choices = made(e.Choices())
			}
		}
		if _, err := x.Run(ctx); err != nil {
			return nil, err
		}
		if both[k].fails != "" && both[k].fails != both[1-k].fails {
			side.Choices = made(both[k].choices)
		}
		side.Results = slices.Sorted(maps.Keys(results))
		d.Sides[k] = side
	}
	for k := range d.Sides {
		d.Sides[k].Only = slices.DeleteFunc(slices.Clone(d.Sides[k].Results), func(r string) bool {
			return slices.Contains(d.Sides[1-k].Results, r)
		})
	}
	return d, nil
}

// made are the choices of an execution: none at all, if it gets stuck at once, are not nil.
func made(c model.Choices) model.Choices { return append(model.Choices{}, c...) }

// words are the operations of a history with their results, process after process.
func words(h *model.History) string {
	rows := map[uint32][]string{}
	for i := range h.Ops {
		o := &h.Ops[i]
		text := fmt.Sprintf("%s %s", o.Op, o.Result)
		switch {
		case h.Kind == model.Range && o.Result == model.OK:
			text += fmt.Sprintf(" [%d,%d)", o.Value, o.To)
		case o.Result == model.OK:
			text += fmt.Sprintf(" %d", o.Value)
		}
		rows[o.Process] = append(rows[o.Process], text)
	}
	var lines []string
	for _, process := range slices.Sorted(maps.Keys(rows)) {
		lines = append(lines, fmt.Sprintf("%d: %s", process, strings.Join(rows[process], ", ")))
	}
	return strings.Join(lines, "; ")
}
