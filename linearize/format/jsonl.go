package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"stealproof/model"
)

// formatName and formatVersion stand in the header.
const (
	formatName    = "stealproof-history"
	formatVersion = 1
)

// readLines reads JSON Lines: a header, then one operation per line; white space
// after the last operation is no error. Memory is limited here as well: of a
// stream nobody knows the length, and what is compressed may be a thousand times
// as long as it looks.
func readLines(r io.Reader, name string, o Options) (*model.History, error) {
	p := &reader{name: name, lines: newLines(r), h: &model.History{Ops: o.row()}, memory: o.memory(), most: o.mostOperations()}
	if err := p.header(o.Kind); err != nil {
		return nil, err
	}
	if err := p.operations(); err != nil {
		return nil, err
	}
	if err := p.h.Validate(); err != nil {
		var invalid *model.InvalidError
		if errors.As(err, &invalid) {
			return nil, &InputError{name, invalid.Line, invalid.Msg}
		}
		return nil, &InputError{name, 0, err.Error()}
	}
	return p.h, nil
}

type reader struct {
	name  string
	lines *lines
	h     *model.History
	// memory is the limit in bytes, most the operations that fit into it
	memory uint64
	most   int
}

func (p *reader) fail(msg string) error { return &InputError{p.name, p.lines.number, msg} }

// stopped turns the end of the stream into nil and any other reason why no
// line came into the caller's error.
func (p *reader) stopped(err error) error {
	switch {
	case err == io.EOF:
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &InputError{p.name, p.lines.number + 1, unreadable(err)}
	case p.lines.err == nil:
		return p.fail(err.Error())
	}
	return &InputError{p.name, 0, unreadable(err)}
}

func (p *reader) header(k model.Kind) error {
	line, err := p.lines.next()
	if err != nil {
		if err := p.stopped(err); err != nil {
			return err
		}
		return &InputError{p.name, 0, "the file is empty: expected a header line"}
	}
	line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	if other := otherFormat(line); other != "" {
		return p.fail("header: expected JSON Lines, found " + other)
	}
	head := headerParser{h: p.h}
	if !head.parse(line) {
		return p.fail("header: " + head.msg)
	}
	if k != 0 {
		p.h.Kind = k
	}
	if p.h.Params.Shared && p.h.Kind != model.Range {
		return p.fail(fmt.Sprintf("header: params.shared is for the model range, not for %s", p.h.Kind))
	}
	return nil
}

// otherFormat recognises what has the wrong ending, or none in a pipe, and says
// what to do.
func otherFormat(line []byte) string {
	switch {
	case bytes.HasPrefix(line, []byte("\x1f\x8b")):
		return "gzip: --from jsonl.gz reads it"
	case bytes.HasPrefix(line, []byte(sphMagic[:4])):
		return "binary records: --from sph reads them"
	}
	return ""
}

func (p *reader) operations() error {
	parse := newOperationParser(p.h.Kind)
	blank := 0
	for {
		line, err := p.lines.next()
		if err != nil {
			return p.stopped(err)
		}
		if len(line) == 0 || isBlank(line) {
			blank = p.lines.number
			continue
		}
		if blank > 0 {
			return &InputError{p.name, blank, "empty line: expected an operation"}
		}
		if uint64(p.lines.number) > math.MaxUint32 {
			return p.fail("expected at most 2^32-1 lines")
		}
		if len(p.h.Ops) >= p.most {
			return p.fail(tooMuch(p.memory))
		}
		p.h.Ops = append(p.h.Ops, model.Operation{Line: uint32(p.lines.number)})
		if !parse.parse(line, &p.h.Ops[len(p.h.Ops)-1]) {
			return p.fail(parse.msg)
		}
	}
}

func isBlank(line []byte) bool {
	for _, c := range line {
		if !isSpace(c) {
			return false
		}
	}
	return true
}

// fields remembers which fields of a line were seen, to refuse doubles.
type fields struct {
	known   uint // bits
	unknown map[string]bool
}

func (f *fields) reset() {
	f.known = 0
	if len(f.unknown) > 0 {
		clear(f.unknown)
	}
}

func (f *fields) has(bit uint) bool { return f.known&bit != 0 }

// first notes a known field and says whether it is the first of its name.
func (f *fields) first(bit uint) bool {
	first := f.known&bit == 0
	f.known |= bit
	return first
}

func (f *fields) firstUnknown(key []byte) bool {
	if f.unknown == nil {
		f.unknown = map[string]bool{}
	}
	first := !f.unknown[string(key)]
	f.unknown[string(key)] = true
	return first
}
