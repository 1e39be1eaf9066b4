package format

import (
	"cmp"
	"container/heap"
	"io"
	"slices"
	"strings"

	"stealproof/model"
)

// intervalReader reads lines as "push 1 10 20".
type intervalReader struct {
	*importing
	text *textReader
}

func (r *intervalReader) read(line string) error {
	for {
		if err := r.operation(line, r.text.lines.number); err != nil {
			return err
		}
		var err error
		if line, err = r.text.next(); err == io.EOF {
			r.h.Clock.Source = "the file's numbers"
			assignProcesses(r.h)
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (r *intervalReader) operation(line string, number int) error {
	words := strings.Fields(line)
	if len(words) != 4 {
		return r.fail(number, "expected a method, a value, a start and an end, as in \"push 1 10 20\", found %.60q", line)
	}
	op, err := opNamed(r.h.Kind, words[0])
	if err != nil {
		return r.fail(number, "%v", err)
	}
	o := model.Operation{Op: op, Result: model.OK, Value: model.NoValue, Line: uint32(number)}
	var okCall, okReturn bool
	o.Call, okCall = textNumber(words[2], model.Never-1)
	o.Return, okReturn = textNumber(words[3], model.Never-1)
	if !okCall || !okReturn {
		return r.fail(number, "expected a start and an end below 2^64-1, found %.40q and %.40q", words[2], words[3])
	}
	if op.Removes() && nothing(words[1]) {
		o.Result = model.Empty
	} else if expected := textValue(r.h.Kind, words[1], &o); expected != "" {
		return r.fail(number, "expected %s, found %.40q", expected, words[1])
	}
	_, err = r.add(o)
	return err
}

// assignProcesses invents processes for operations of which only the times are
// known: as few as can be, and so that none has two operations of which one
// was not over before the next began; for within a process order holds, and
// the file does not say that. What only an owner may do, process 0 did.
func assignProcesses(h *model.History) {
	order := h.Places()
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(h.Ops[i].Call, h.Ops[j].Call) })
	free := &idleProcesses{}
	next := uint32(0)
	for _, op := range h.Kind.Ops() {
		if h.Kind.OwnerOnly(op, h.Params) {
			next = 1
		}
	}
	for _, i := range order {
		o := &h.Ops[i]
		if h.Kind.OwnerOnly(o.Op, h.Params) {
			continue // process 0
		}
		if len(*free) > 0 && (*free)[0].since < o.Call {
			o.Process = (*free)[0].process
			(*free)[0].since = o.Return
			heap.Fix(free, 0)
			continue
		}
		o.Process = next
		heap.Push(free, idle{o.Return, next})
		next++
	}
}

// idle is a process that has nothing to do since some time.
type idle struct {
	since   uint64
	process uint32
}

type idleProcesses []idle

func (p idleProcesses) Len() int           { return len(p) }
func (p idleProcesses) Less(i, j int) bool { return p[i].since < p[j].since }
func (p idleProcesses) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *idleProcesses) Push(x any)        { *p = append(*p, x.(idle)) }
func (p *idleProcesses) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}
