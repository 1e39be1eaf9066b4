package format

import (
	"fmt"
	"math"

	"stealproof/model"
)

// operationParser reads one operation per line. Its methods for the single
// fields put what they find into op; what the fields mean together is settled
// at the end of the line.
type operationParser struct {
	scanner
	kind    model.Kind
	op      *model.Operation
	seen    fields
	perLine func(key []byte) bool // p.field, bound once: binding it allocates
	ops     []named[model.Op]
	results []named[model.Result]
}

type named[T any] struct {
	name  string
	value T
}

const (
	hasObject = 1 << iota
	hasProcess
	hasOp
	hasResult
	hasValue
	hasRange
	hasSize
	hasCall
	hasReturn
)

func newOperationParser(k model.Kind) *operationParser {
	p := &operationParser{kind: k}
	p.perLine = p.field
	for _, op := range k.Ops() {
		p.ops = append(p.ops, named[model.Op]{op.String(), op})
	}
	for _, r := range []model.Result{model.OK, model.Empty, model.Abort, model.Full} {
		p.results = append(p.results, named[model.Result]{r.String(), r})
	}
	return p
}

func (p *operationParser) parse(line []byte, op *model.Operation) bool {
	p.reset(line)
	p.seen.reset()
	p.op = op
	op.Return = model.Never
	return p.object("an operation in braces", p.perLine) && p.end() && p.complete()
}

func (p *operationParser) field(key []byte) (ok bool) {
	var bit uint
	switch string(key) {
	case "object":
		bit, ok = hasObject, p.number32("object", &p.op.Object)
	case "process":
		bit, ok = hasProcess, p.number32("process", &p.op.Process)
	case "op":
		bit, ok = hasOp, p.opName()
	case "result":
		bit, ok = hasResult, p.resultName()
	case "value":
		bit = hasValue
		p.op.Value, ok = p.uint("value", model.MaxValue)
	case "range":
		bit, ok = hasRange, p.interval()
	case "size":
		bit = hasSize
		p.op.Size, ok = p.uint("size", model.MaxValue)
	case "call":
		bit = hasCall
		p.op.Call, ok = p.uint("call", model.Never-1)
	case "return":
		bit = hasReturn
		p.op.Return, ok = p.uint("return", model.Never-1)
	default:
		return p.ignore(&p.seen, key)
	}
	return ok && (p.seen.first(bit) || p.fail("the field %q is given twice", key))
}

func (p *operationParser) number32(name string, to *uint32) bool {
	v, ok := p.uint(name, math.MaxUint32)
	*to = uint32(v)
	return ok
}

func (p *operationParser) opName() bool {
	text, ok := p.str("the name of an op in quotes")
	if !ok {
		return false
	}
	for _, op := range p.ops {
		if op.name == string(text) {
			p.op.Op = op.value
			return true
		}
	}
	return p.fail("unknown op %.40q: model %s has %s", text, p.kind, names(p.ops))
}

func (p *operationParser) resultName() bool {
	text, ok := p.str("the name of a result in quotes")
	if !ok {
		return false
	}
	for _, r := range p.results {
		if r.name == string(text) {
			p.op.Result = r.value
			return true
		}
	}
	return p.fail("unknown result %.40q: expected one of %s", text, names(p.results))
}

func names[T any](all []named[T]) string {
	text := ""
	for i, n := range all {
		if i > 0 {
			text += ", "
		}
		text += n.name
	}
	return text
}

// interval reads [from,to].
func (p *operationParser) interval() (ok bool) {
	if !p.token('[', "range as [from,to]") {
		return false
	}
	if p.op.Value, ok = p.uint("range: from", model.MaxValue); !ok {
		return false
	}
	if !p.token(',', "',' between from and to") {
		return false
	}
	if p.op.To, ok = p.uint("range: to", model.MaxValue); !ok {
		return false
	}
	return p.token(']', "']' after from and to")
}

// complete settles what the fields mean together. The value of an operation
// that names none by its result (an empty removal, say) is dropped.
func (p *operationParser) complete() bool {
	for _, f := range []struct {
		bit  uint
		name string
	}{{hasProcess, "process"}, {hasOp, "op"}, {hasCall, "call"}} {
		if !p.seen.has(f.bit) {
			return p.fail("the field %q is missing", f.name)
		}
	}
	if !p.seen.has(hasResult) && p.seen.has(hasReturn) {
		return p.fail("the field \"result\" is missing: only an operation that never came back has none")
	}
	needed := p.op.PutsIn() || p.op.TakesOut()
	if p.kind == model.Range {
		return p.completeRange(needed)
	}
	p.op.To, p.op.Size = 0, 0
	switch {
	case p.seen.has(hasRange):
		return p.fail("the field \"range\" is for the model range: model %s has \"value\"", p.kind)
	case needed && !p.seen.has(hasValue):
		return p.fail("the field \"value\" is missing: %s needs it", p.what())
	case !needed && !(p.op.Result == model.Full && p.seen.has(hasValue)):
		p.op.Value = model.NoValue
	}
	return true
}

func (p *operationParser) completeRange(needed bool) bool {
	if p.op.Op.Puts() {
		p.op.Size = 0
	}
	kept := needed || p.op.Result == model.Full && p.seen.has(hasRange)
	switch {
	case p.seen.has(hasValue):
		return p.fail("the field \"value\" is for other models: model range has \"range\"")
	case needed && !p.seen.has(hasRange):
		return p.fail("the field \"range\" is missing: %s needs it", p.what())
	case !kept:
		p.op.Value, p.op.To = model.NoValue, 0
	case p.op.To <= p.op.Value:
		return p.fail("the range [%d,%d] is empty: expected from < to", p.op.Value, p.op.To)
	case p.op.TakesOut() && p.op.Size == 0:
		return p.fail("the field \"size\" is missing or 0: %s needs how much was asked for", p.what())
	}
	return true
}

// what names the operation in messages.
func (p *operationParser) what() string {
	if p.op.Result == model.Unknown {
		return fmt.Sprintf("a %s that never came back", p.op.Op)
	}
	return fmt.Sprintf("%s %s", p.op.Op, p.op.Result)
}
