package format

import (
	"io"
	"math"
	"strings"

	"stealproof/model"
)

// callReader reads lines as "[3] call add(1)" and "[3] return". The number in
// brackets is the process; a removal names its value when it returns.
type callReader struct {
	*importing
	text *textReader
	open map[uint32]int // by process: the operation that has not returned
}

func (r *callReader) read(line string) error {
	for {
		if err := r.event(line, r.text.lines.number); err != nil {
			return err
		}
		var err error
		if line, err = r.text.next(); err == io.EOF {
			r.h.Clock.Source = "order of the lines"
			return nil
		} else if err != nil {
			return err
		}
	}
}

const callExample = "as in \"[3] call add(1)\" or \"[3] return\""

func (r *callReader) event(line string, number int) error {
	id, rest, found := strings.Cut(strings.TrimPrefix(line, "["), "]")
	process, ok := textNumber(id, math.MaxUint32)
	if !strings.HasPrefix(line, "[") || !found || !ok {
		return r.fail(number, "expected a process below 2^32 in brackets, %s, found %.60q", callExample, line)
	}
	rest = strings.TrimSpace(rest)
	verb, what := rest, ""
	if at := strings.IndexAny(rest, " \t"); at >= 0 {
		verb, what = rest[:at], strings.TrimSpace(rest[at:])
	}
	switch verb {
	case "call":
		return r.call(number, uint32(process), what)
	case "return":
		return r.returned(number, uint32(process), what)
	}
	return r.fail(number, "expected call or return behind the brackets, %s, found %.40q", callExample, verb)
}

// call reads "add(1)", "remove()" or "remove".
func (r *callReader) call(number int, process uint32, what string) error {
	if at, busy := r.open[process]; busy {
		return r.fail(number, "process %d calls %.40s, but its %s of line %d has not returned", process, what, r.h.Ops[at].Op, r.h.Ops[at].Line)
	}
	word, rest, hasArgument := strings.Cut(what, "(")
	argument, closed := strings.CutSuffix(rest, ")")
	if hasArgument != closed {
		return r.fail(number, "expected a call %s, found %.60q", callExample, what)
	}
	op, err := opNamed(r.h.Kind, strings.TrimSpace(word))
	if err != nil {
		return r.fail(number, "%v", err)
	}
	o := model.Operation{Process: process, Op: op, Value: model.NoValue, Call: uint64(number), Return: model.Never, Line: uint32(number)}
	argument = strings.TrimSpace(argument)
	if op.Puts() {
		if expected := textValue(r.h.Kind, argument, &o); expected != "" {
			return r.fail(number, "%s: expected %s, found %.40q", word, expected, argument)
		}
	} else if argument != "" {
		return r.fail(number, "%s takes something out: expected its value behind return, found %.40q", word, argument)
	}
	r.open[process], err = r.add(o)
	return err
}

// returned reads what stands behind return: nothing for a put, the value of a
// removal.
func (r *callReader) returned(number int, process uint32, what string) error {
	at, busy := r.open[process]
	if !busy {
		return r.fail(number, "process %d returns, but has called nothing", process)
	}
	delete(r.open, process)
	o := &r.h.Ops[at]
	o.Return, o.Result = uint64(number), model.OK
	switch {
	case o.Op.Puts() && what != "":
		return r.fail(number, "%s brings something in: expected nothing behind return, found %.40q", o.Op, what)
	case o.Op.Puts():
		return nil
	case nothing(what):
		o.Result = model.Empty
		return nil
	}
	if expected := textValue(r.h.Kind, what, o); expected != "" {
		return r.fail(number, "%s returns: expected %s, or empty, found %.40q", o.Op, expected, what)
	}
	return nil
}
