package format

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"stealproof/model"
)

// Write writes a history as JSON Lines. What [Read] accepted comes back equal,
// but for the line numbers.
func Write(w io.Writer, h *model.History) error {
	head, err := headerLine(h)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, 1<<16)
	b.Write(head)
	var line []byte
	for i := range h.Ops {
		line = appendOperation(line[:0], h.Kind, &h.Ops[i])
		b.Write(line)
	}
	return b.Flush() // which reports the first error of any write
}

// canSay refuses a history that no file can hold.
func canSay(h *model.History) error {
	if h.Params.Model != nil {
		return fmt.Errorf("a history of the model %s cannot be written: files know no models but those of the format", h.Params.Model)
	}
	return nil
}

func headerLine(h *model.History) ([]byte, error) {
	if err := canSay(h); err != nil {
		return nil, err
	}
	params := map[string]any{}
	if h.Params.Capacity > 0 {
		params["capacity"] = h.Params.Capacity
	}
	if h.Params.Shared {
		params["shared"] = true
	}
	head := struct {
		Format  string          `json:"format"`
		Version int             `json:"version"`
		Model   string          `json:"model"`
		Params  map[string]any  `json:"params,omitempty"`
		Clock   *model.Clock    `json:"clock,omitempty"`
		Meta    json.RawMessage `json:"-"`
	}{Format: formatName, Version: formatVersion, Model: h.Kind.String(), Params: params}
	if h.Clock != (model.Clock{}) {
		head.Clock = &h.Clock
	}
	line, err := json.Marshal(head)
	if err != nil || len(h.Meta) == 0 {
		return append(line, '\n'), err
	}
	// Meta goes in byte by byte as it came: a JSON encoder would rewrite it.
	if !json.Valid(h.Meta) || bytes.ContainsAny(h.Meta, "\n") {
		return nil, &InputError{File: "meta", Msg: "expected JSON on one line"}
	}
	line = append(line[:len(line)-1], `,"meta":`...)
	return append(append(line, h.Meta...), "}\n"...), nil
}

func appendOperation(b []byte, k model.Kind, o *model.Operation) []byte {
	b = appendNumber(append(b, '{'), `"object":`, uint64(o.Object))
	b = appendNumber(b, `,"process":`, uint64(o.Process))
	b = append(append(b, `,"op":"`...), o.Op.String()...)
	b = append(b, '"')
	if o.Result != model.Unknown {
		b = append(append(b, `,"result":"`...), o.Result.String()...)
		b = append(b, '"')
	}
	switch {
	case o.Value == model.NoValue:
	case k == model.Range:
		b = appendNumber(b, `,"range":[`, o.Value)
		b = append(appendNumber(b, `,`, o.To), ']')
	default:
		b = appendNumber(b, `,"value":`, o.Value)
	}
	if o.Size > 0 {
		b = appendNumber(b, `,"size":`, o.Size)
	}
	b = appendNumber(b, `,"call":`, o.Call)
	if !o.Pending() {
		b = appendNumber(b, `,"return":`, o.Return)
	}
	return append(b, '}', '\n')
}

func appendNumber(b []byte, name string, v uint64) []byte {
	return strconv.AppendUint(append(b, name...), v, 10)
}
