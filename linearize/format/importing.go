package format

import (
	"fmt"

	"stealproof/model"
)

// modelMissing is the error of files that do not say what they are about.
func modelMissing(name string) error {
	return &InputError{File: name, Msg: "the file does not say what the objects are: name the model (--model wsdeque, fifo, range or bag)"}
}

// importing collects operations from a file of another tool.
type importing struct {
	name   string
	memory uint64
	most   int // operations that fit into it
	h      *model.History
	valid  *model.Validator
}

func newImporting(name string, k model.Kind, o Options) *importing {
	h := &model.History{Kind: k, Ops: o.row()}
	return &importing{name: name, memory: o.memory(), most: o.mostOperations(), h: h, valid: model.NewValidator(k, h.Params)}
}

func (p *importing) fail(line int, format string, args ...any) error {
	return &InputError{p.name, line, fmt.Sprintf(format, args...)}
}

// add appends an operation and returns its place. What does not belong to it
// is dropped when it is complete; see done.
func (p *importing) add(o model.Operation) (int, error) {
	if uint64(o.Line) == sphLargestCount || len(p.h.Ops) >= p.most {
		return 0, p.fail(int(o.Line), "%s", tooMuch(p.memory))
	}
	p.h.Ops = append(p.h.Ops, o)
	return len(p.h.Ops) - 1, nil
}

// done looks whether the whole is a history.
func (p *importing) done() (*model.History, error) {
	for i := range p.h.Ops {
		p.valid.Alone(&p.h.Ops[i]) // drops what the operation does not say
	}
	if err := p.h.Validate(); err != nil {
		if invalid, ok := err.(*model.InvalidError); ok {
			return nil, p.fail(invalid.Line, "%s", invalid.Msg)
		}
		return nil, p.fail(0, "%v", err)
	}
	return p.h, nil
}
