// Package trace prints executions: the interleaving, a column per process, and what
// took effect out of order.
package trace

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"stealproof/model"
	"stealproof/ref"
)

// WriteColumns prints the interleaving of a traced execution: a column per
// process, a row per access, the operations around them, and a mark at the
// fatal access, if there is one. Of a long execution it prints the beginning,
// the end, and what happens around the operations that matter.
func WriteColumns(w io.Writer, e *ref.Execution, matter []model.Operation, fatal int) error {
	t := columnTable{execution: e, fatal: fatal}
	t.shorten(matter)
	t.measure()
	out := bufio.NewWriter(w)
	t.write(out)
	return out.Flush()
}

// columnRow is what one thread does at one moment.
type columnRow struct {
	step   int // 0 for the begin or the end of an operation
	at     int // the step that it belongs to
	thread int
	text   string
	hidden bool
	silent bool // a fence that is no step
}

type columnTable struct {
	execution *ref.Execution
	fatal     int
	rows      []columnRow
	width     []int
}

// shorten builds the table, and hides what is too much.
func (t *columnTable) shorten(matter []model.Operation) {
	t.build()
	t.elide(matter)
	if t.execution.Ending == ref.Stuck {
		t.elideRepeated()
	}
}

func (t *columnTable) build() {
	e := t.execution
	ops := operationsByCall(e.History)
	for i := range e.Trace {
		ev := &e.Trace[i]
		process, _ := e.Setup.ProcessOf(ev.Process)
		o := ops[callKey{process, ev.Step}]
		if o != nil && !ev.Silent {
			t.add(0, ev, describeCall(o))
		}
		if ev.Silent {
			t.add(0, ev, "  "+t.access(ev)).silent = true
			continue
		}
		t.add(ev.Step, ev, "  "+t.access(ev))
		if o := ops[callKey{process, -ev.Step}]; o != nil {
			t.add(0, ev, describeResult(o))
		}
	}
}

func (t *columnTable) add(step int, ev *ref.Event, text string) *columnRow {
	t.rows = append(t.rows, columnRow{step: step, at: ev.Step, thread: ev.Process, text: text})
	return &t.rows[len(t.rows)-1]
}

// callKey finds an operation by its process and its first access, or by its
// last one, negated.
type callKey struct{ process, step int }

func operationsByCall(h *model.History) map[callKey]*model.Operation {
	ops := make(map[callKey]*model.Operation, 2*len(h.Ops))
	for i := range h.Ops {
		o := &h.Ops[i]
		ops[callKey{int(o.Process), int(o.Call)}] = o
		if !o.Pending() {
			ops[callKey{int(o.Process), -int(o.Return)}] = o
		}
	}
	return ops
}

func describeCall(o *model.Operation) string {
	s := o.Op.String()
	switch {
	case o.Op.Puts() && o.To > 0:
		s += fmt.Sprintf("[%d,%d)", o.Value, o.To)
	case o.Op.Puts():
		s += fmt.Sprintf("(%d)", o.Value)
	case o.Size > 0:
		s += fmt.Sprintf("(%d)", o.Size)
	}
	if o.Object > 0 {
		s += fmt.Sprintf("@%d", o.Object)
	}
	return s
}

func describeResult(o *model.Operation) string {
	switch {
	case !o.TakesOut():
		return "= " + o.Result.String()
	case o.To > 0:
		return fmt.Sprintf("= [%d,%d)", o.Value, o.To)
	}
	return fmt.Sprintf("= %d", o.Value)
}

// access is what an access did, and on a weak memory, which write it read and
// which it missed.
func (t *columnTable) access(ev *ref.Event) string {
	if ev.Kind == ref.Fence && ev.Access.Order == ref.Weak {
		return "no access"
	}
	if ev.Kind == ref.Fence {
		return fmt.Sprintf("fence.%s.%s", ev.Access.Order, ev.Access.Scope)
	}
	return t.effect(ev) + t.weakness(ev)
}

// weakness says where a value came from, as the step that wrote it; what was
// newer by then; and before which earlier step a store took effect.
func (t *columnTable) weakness(ev *ref.Event) string {
	if !t.execution.Setup.Weak() {
		return ""
	}
	s := ""
	if ev.Kind != ref.Store {
		s = " <- start"
		if ev.Source > 0 {
			s = fmt.Sprintf(" <- %d", ev.Source)
		}
		if ev.Source > ev.Step {
			s += ", later"
		}
		if ev.Missed > 0 {
			s += fmt.Sprintf(", missed %d", ev.Missed)
		}
	}
	if ev.Overtaken > 0 {
		s += fmt.Sprintf(", before %d", ev.Overtaken)
	}
	return s
}

func (t *columnTable) effect(ev *ref.Event) string {
	setup := t.execution.Setup
	name := setup.Space.Name(ev.Location)
	show := func(v uint64) string { return setup.Config.Show(name, v) }
	switch {
	case ev.Kind == ref.Load:
		return fmt.Sprintf("load %s: %s", name, show(ev.Before))
	case ev.Kind == ref.Store:
		return fmt.Sprintf("store %s: %s -> %s", name, show(ev.Before), show(ev.After))
	case ev.Kind == ref.FetchAdd:
		return fmt.Sprintf("add %s: %s -> %s", name, show(ev.Before), show(ev.After))
	case ev.Kind == ref.Modify:
		return fmt.Sprintf("modify %s: %s -> %s", name, show(ev.Before), show(ev.After))
	case ev.Before != ev.Expected:
		return fmt.Sprintf("swap %s: %s, not %s: failed", name, show(ev.Before), show(ev.Expected))
	}
	return fmt.Sprintf("swap %s: %s -> %s", name, show(ev.Before), show(ev.After))
}

const (
	longTrace  = 160 // rows from which on an interleaving is shortened
	aroundEdge = 14  // rows kept at either end, and around what matters
)

// elide hides rows far from the ends, from the fatal access and from the
// operations that matter.
func (t *columnTable) elide(matter []model.Operation) {
	if len(t.rows) <= longTrace {
		return
	}
	for i := range t.rows {
		t.rows[i].hidden = i >= aroundEdge && i < len(t.rows)-aroundEdge
	}
	for i := range t.rows {
		if r := &t.rows[i]; r.at == t.fatal && r.step > 0 || t.edgeOf(matter, r) {
			t.show(i-aroundEdge/2, i+aroundEdge/2)
		}
	}
	t.showHandovers()
}

// elideRepeated hides of an execution that is stuck what processes repeat for ever:
// of each access that changes nothing any more the first time is enough.
func (t *columnTable) elideRepeated() {
	type said struct {
		thread int
		text   string
	}
	seen := map[said]bool{}
	for i := range t.rows {
		r := &t.rows[i]
		if r.at <= t.execution.LastChange {
			continue
		}
		s := said{r.thread, r.text}
		r.hidden, seen[s] = seen[s], true
	}
}

// edgeOf says whether a row begins or ends an operation that matters.
func (t *columnTable) edgeOf(matter []model.Operation, r *columnRow) bool {
	process, _ := t.execution.Setup.ProcessOf(r.thread)
	for i := range matter {
		o := &matter[i]
		if process == int(o.Process) && (r.at == int(o.Call) || r.at == int(o.Return)) {
			return true
		}
	}
	return false
}

// showHandovers shows the few rows around each change of thread, if changes
// are rare.
func (t *columnTable) showHandovers() {
	var at []int
	for i := 1; i < len(t.rows); i++ {
		if t.rows[i].thread != t.rows[i-1].thread {
			at = append(at, i)
		}
	}
	if len(at) > aroundEdge {
		return
	}
	for _, i := range at {
		t.show(i-aroundEdge/2, i+aroundEdge/2)
	}
}

func (t *columnTable) show(from, to int) {
	for i := max(0, from); i <= min(to, len(t.rows)-1); i++ {
		t.rows[i].hidden = false
	}
}

func (t *columnTable) measure() {
	setup := t.execution.Setup
	t.width = make([]int, setup.Threads())
	if setup.Lanes() == 1 {
		for p := range t.width {
			t.width[p] = len("process 00")
		}
	}
	for _, r := range t.rows {
		if !r.hidden {
			t.width[r.thread] = max(t.width[r.thread], utf8.RuneCountInString(r.text), len(setup.ThreadName(r.thread)))
		}
	}
}

func (t *columnTable) write(w io.Writer) {
	t.line(w, "step", -1, "")
	hidden := 0
	for i := range t.rows {
		r := &t.rows[i]
		if r.hidden {
			hidden++
			continue
		}
		if hidden > 0 {
			fmt.Fprintf(w, "%8s   (%d rows left out)\n", "...", hidden)
			hidden = 0
		}
		number := ""
		if r.step > 0 {
			number = fmt.Sprint(r.step)
		}
		mark := ""
		if r.step > 0 && r.step == t.fatal {
			mark = "  <== fatal"
		}
		t.line(w, number, r.thread, r.text+mark)
	}
	if hidden > 0 {
		fmt.Fprintf(w, "%8s   (%d rows left out: the same for ever)\n", "...", hidden)
	}
}

// line prints a row; thread -1 is the heading. A lane that did nothing has no column.
func (t *columnTable) line(w io.Writer, number string, thread int, text string) {
	var b strings.Builder
	fmt.Fprintf(&b, "%8s", number)
	for p, width := range t.width {
		if width == 0 {
			continue
		}
		cell := ""
		switch thread {
		case p:
			cell = text
		case -1:
			cell = t.execution.Setup.ThreadName(p)
		}
		fmt.Fprintf(&b, " | %-*s", width, cell)
	}
	fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
}
