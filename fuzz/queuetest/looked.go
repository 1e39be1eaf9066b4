package queuetest

import (
	"fmt"
	"strings"

	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
)

// Looked is what stands behind a verdict: what was executed, what the queue said to
// it, and what was not looked at.
type Looked struct {
	Memory string
	// Smallest and Largest are the operations of the programs of which all executions
	// were made.
	Smallest, Largest int
	// Unfinished are small programs that have too many executions, each with the
	// reason; if Fewer, larger ones were not tried for that.
	Unfinished []string
	Fewer      bool
	// Shape is that of the random programs.
	Shape programs.Shape
	// Answers counts what operations said in random programs.
	Answers map[model.Op]map[model.Result]int
	// Room is how many values were inside at once at some time of a random program, and
	// Roomy says of how many fulls fewer were: a queue may refuse for other reasons,
	// unless it has a capacity that it is held to.
	Room, Fulls, Roomy int
	// Idle says why nothing was tested though everything held, empty if that is not so.
	Idle string
	// NotMade is what executions on this memory leave out.
	NotMade string

	kind  model.Kind
	fulls map[int]int // how many found at most so many values inside
}

// enough operations that never succeed are no accident.
const enough = 100

// heard counts what the operations of a history said.
func (l *Looked) heard(h *model.History) {
	if l.Answers == nil {
		l.Answers, l.fulls = map[model.Op]map[model.Result]int{}, map[int]int{}
	}
	for i := range h.Ops {
		o := &h.Ops[i]
		if l.Answers[o.Op] == nil {
			l.Answers[o.Op] = map[model.Result]int{}
		}
		l.Answers[o.Op][o.Result]++
		if h.Kind == model.Range {
			continue // there full means that indices do not adjoin
		}
		switch {
		case o.Result == model.Full:
			l.fulls[inside(h, o, true)]++
		case o.Op.Puts() && o.Result == model.OK:
			l.Room = max(l.Room, inside(h, o, false)+1)
		}
	}
}

// inside is how many values can have been inside at most during an operation, or
// how many were at least.
func inside(h *model.History, o *model.Operation, most bool) int {
	n := 0
	for i := range h.Ops {
		x := &h.Ops[i]
		switch before, overlaps := x.Return < o.Call, x.Call <= o.Return && x.Return >= o.Call; {
		case x == o || x.Object != o.Object:
		case x.PutsIn() && (before || overlaps && most):
			n++
		case x.Op.Removes() && (x.TakesOut() || x.Result == model.Unknown) && (before || overlaps && !most):
			n--
		}
	}
	return max(0, n)
}

// finish adds up what is known when everything was heard.
func (l *Looked) finish(q Queue) {
	if q.Kind == model.WSDeque && q.Capacity > 0 {
		l.Room = max(l.Room, int(q.Capacity))
	}
	l.Fulls, l.Roomy = 0, 0
	for n, times := range l.fulls {
		l.Fulls += times
		if n < l.Room {
			l.Roomy += times
		}
	}
	l.Idle = ""
	for _, side := range []struct {
		is   func(model.Op) bool
		what string
	}{{model.Op.Puts, "puts anything in"}, {model.Op.Removes, "takes anything out"}} {
		asked, ok := 0, 0
		for op, answers := range l.Answers {
			if side.is(op) {
				for r, n := range answers {
					asked += n
					if r == model.OK {
						ok += n
					}
				}
			}
		}
		if asked >= enough && ok == 0 && l.Idle == "" {
			l.Idle = fmt.Sprintf("nothing was tested, since the queue never %s: of %d operations that should, none was ok", side.what, asked)
		}
	}
}

// answers says how often each operation said what, as far as its kind has it.
func (l *Looked) answers() string {
	var all []string
	for _, op := range l.kind.Ops() {
		total := 0
		for _, n := range l.Answers[op] {
			total += n
		}
		if total == 0 {
			continue
		}
		var parts []string
		for _, r := range l.kind.Results(op) {
			parts = append(parts, fmt.Sprintf("%s %s", r, share(l.Answers[op][r], total)))
		}
		all = append(all, fmt.Sprintf("%s: %s", op, strings.Join(parts, ", ")))
	}
	return strings.Join(all, "; ")
}

// share is a part in percent.
func share(n, of int) string {
	switch {
	case n == 0:
		return "never"
	case n == of:
		return "always"
	case 200*n < of:
		return "below 1%"
	}
	return fmt.Sprintf("%d%%", min(99, (200*n+of)/(2*of)))
}

// programs are those of which all executions were made, with their sizes.
func (r *Report) programs() string {
	text := plural(r.Programs, "program")
	switch l := &r.Looked; {
	case r.Programs == 0:
	case l.Smallest == l.Largest:
		text += fmt.Sprintf(" of %d operations", l.Largest)
	default:
		text += fmt.Sprintf(" of %d to %d operations", l.Smallest, l.Largest)
	}
	return text
}

// String has a line for each thing that the line of the verdict does not say.
func (l *Looked) String() string {
	var b strings.Builder
	if len(l.Answers) > 0 {
		fmt.Fprintf(&b, "\nrandom programs (%s operations): %s", l.Shape, l.answers())
	}
	if l.Roomy > 0 {
		fmt.Fprintf(&b, "\nfull though there was room: %s of the fulls (%d); %d values were inside at once elsewhere, or should fit", share(l.Roomy, l.Fulls), l.Roomy, l.Room)
	}
	if len(l.Unfinished) > 0 {
		fmt.Fprintf(&b, "\nnot in all executions: %s", strings.Join(l.Unfinished, "; "))
		if l.Fewer {
			b.WriteString("; larger programs were not tried")
		}
	}
	if l.NotMade != "" {
		fmt.Fprintf(&b, "\nnot looked at: %s", l.NotMade)
	}
	return b.String()
}

// looksAt begins the account of a test.
func (x *queueTest) looksAt() {
	memory := x.subject.Memory().String()
	if x.subject.Memory().Structure == "" {
		memory = ref.MemorySC
	}
	x.change(func(r *Report) {
		r.Looked = Looked{kind: x.queue.Kind, Memory: memory, Shape: x.queue.Shape, NotMade: x.subject.NotMade()}
	})
}
