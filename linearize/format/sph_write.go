package format

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"stealproof/model"
)

// writeBinary writes a history as .sph, with a checksum.
func writeBinary(w io.Writer, h *model.History) error {
	if len(h.Ops) > sphLargestCount {
		return fmt.Errorf("%d operations: expected at most 2^32-1", len(h.Ops))
	}
	text, err := sphJSON(h)
	if err != nil {
		return err
	}
	head := sphHeader{
		kind: h.Kind, params: h.Params, tick: h.Clock.Resolution,
		count: uint64(len(h.Ops)), recordSize: sphRecordSize(h.Kind),
		jsonSize: uint32(len(text)), sumKind: sphSumsOf,
	}
	text = append(text, make([]byte, head.padded()-len(text))...)
	// The checksum stands in front of what it is about: two passes, so that a
	// pipe will do.
	sum := sphSum{}
	sum.add(text)
	record := make([]byte, head.recordSize)
	for i := range h.Ops {
		putRecord(record, h.Kind, &h.Ops[i])
		sum.add(record)
	}
	sum.add(head.bytes())
	head.sum = sum
	b := bufio.NewWriterSize(w, 1<<16)
	b.Write(head.bytes())
	b.Write(text)
	for i := range h.Ops {
		putRecord(record, h.Kind, &h.Ops[i])
		b.Write(record)
	}
	return b.Flush() // which reports the first error of any write
}

func putRecord(b []byte, k model.Kind, o *model.Operation) {
	le := binary.LittleEndian
	le.PutUint64(b[sphAtValue:], o.Value)
	le.PutUint64(b[sphAtCall:], o.Call)
	le.PutUint64(b[sphAtReturn:], o.Return)
	le.PutUint32(b[sphAtObject:], o.Object)
	le.PutUint32(b[sphAtProcess:], o.Process)
	le.PutUint64(b[sphAtOp:], uint64(o.Op)|uint64(o.Result)<<8)
	if k == model.Range {
		le.PutUint64(b[sphAtTo:], o.To)
		le.PutUint64(b[sphAtSize:], o.Size)
	}
}

// sphJSON holds what has no fixed length, as in the header of JSON Lines; none
// if there is nothing to say.
func sphJSON(h *model.History) ([]byte, error) {
	var text []byte
	if h.Clock.Source != "" || h.Clock.Unit != "" {
		clock, err := json.Marshal(model.Clock{Source: h.Clock.Source, Unit: h.Clock.Unit})
		if err != nil {
			return nil, err
		}
		text = append(append(text, `,"clock":`...), clock...)
	}
	if len(h.Meta) > 0 {
		if !json.Valid(h.Meta) {
			return nil, fmt.Errorf("meta: expected JSON")
		}
		text = append(append(text, `,"meta":`...), h.Meta...)
	}
	if len(text) == 0 {
		return nil, nil
	}
	text[0] = '{'
	if text = append(text, '}'); len(text) > sphMaxJSON {
		return nil, fmt.Errorf("clock and meta take %d bytes: expected at most %d", len(text), sphMaxJSON)
	}
	return text, nil
}
