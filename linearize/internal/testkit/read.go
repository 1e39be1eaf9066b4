package testkit

import (
	"encoding/json"
	"fmt"
	"strings"

	"stealproof/model"
)

// Read makes a history of operations as the lines of a file have them, and of
// params as in `"capacity":2`. It panics where they say something else, and
// knows nothing of files: what reads these has tests of its own.
func Read(k model.Kind, params string, lines ...string) *model.History {
	h := &model.History{Kind: k}
	var p struct {
		Capacity uint64
		Shared   bool
	}
	decode("{"+params+"}", &p)
	h.Params = model.Params{Capacity: p.Capacity, Shared: p.Shared}
	for n, line := range lines {
		h.Ops = append(h.Ops, readOperation(line, uint32(n+2)))
	}
	if err := h.Validate(); err != nil {
		panic(err)
	}
	return h
}

func readOperation(line string, number uint32) model.Operation {
	var l struct {
		Object, Process uint32
		Op, Result      string
		Value           *uint64
		Range           []uint64
		Size, Call      uint64
		Return          *uint64
	}
	decode(line, &l)
	o := model.Operation{Object: l.Object, Process: l.Process, Value: model.NoValue, Size: l.Size, Call: l.Call, Return: model.Never, Line: number}
	var err error
	if o.Op, err = model.ParseOp(l.Op); err != nil {
		panic(err)
	}
	o.Result = model.Unknown
	if l.Result != "" {
		if o.Result, err = model.ParseResult(l.Result); err != nil {
			panic(err)
		}
	}
	if l.Value != nil {
		o.Value = *l.Value
	}
	if l.Range != nil {
		o.Value, o.To = l.Range[0], l.Range[1]
	}
	if l.Return != nil {
		o.Return = *l.Return
	}
	return o
}

func decode(text string, to any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		panic(fmt.Sprintf("%s: %v", text, err))
	}
}
