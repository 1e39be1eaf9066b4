package format

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"stealproof/model"
)

// sphReader reads one .sph file.
type sphReader struct {
	name            string
	memory, besides uint64
	head            sphHeader
	h               *model.History
	judge           *model.Validator
	sum             sphSum
	valid           bool // known to be a history already
}

// sphChunk is how many records are read at once: they stay in the cache
// between the checksum and the decoding.
const sphChunk = 4096

// readBinary reads a history in .sph form from a stream. Records are numbered
// from 1, and the number of an operation's record is its Line.
func readBinary(r io.Reader, name string, o Options) (*model.History, error) {
	p := &sphReader{name: name, memory: o.memory(), besides: o.Besides}
	if err := p.header(r, o.Kind); err != nil {
		return nil, err
	}
	if file, size := regularFile(r, p.head.body()); file != nil {
		return p.finish(p.file(file, size))
	}
	return p.finish(p.stream(r))
}

// regularFile is r, if it can be read at any place, and its size. Someone may
// have read from it before: then its offsets are not ours.
func regularFile(r io.Reader, read int64) (*os.File, int64) {
	f, ok := r.(*os.File)
	if !ok {
		return nil, 0
	}
	at, err := f.Seek(0, io.SeekCurrent)
	info, statErr := f.Stat()
	if err != nil || statErr != nil || !info.Mode().IsRegular() || at != read {
		return nil, 0
	}
	return f, info.Size()
}

func (p *sphReader) fail(format string, args ...any) error {
	return &InputError{File: p.name, Msg: fmt.Sprintf(format, args...)}
}

// failAt names a record, counted from 0, and where it is.
func (p *sphReader) failAt(record int, format string, args ...any) error {
	return p.fail("record %d (byte %d): %s", record+1, p.offset(record), fmt.Sprintf(format, args...))
}

func (p *sphReader) offset(record int) int64 {
	return p.head.body() + int64(record)*int64(p.head.recordSize)
}

func (p *sphReader) header(r io.Reader, k model.Kind) error {
	b := make([]byte, sphHeaderSize)
	if n, err := io.ReadFull(r, b); err != nil {
		if n == 0 && err == io.EOF {
			return p.fail("the file is empty: expected a header of %d bytes", sphHeaderSize)
		}
		return p.short(err, "header (byte 0): expected %d bytes, found %d", sphHeaderSize, n)
	}
	if err := p.head.parse(b); err != nil {
		return p.fail("%v", err)
	}
	p.h = &model.History{Kind: p.head.kind, Params: p.head.params}
	p.h.Clock.Resolution = p.head.tick
	if k != 0 {
		if sphRecordSize(k) != p.head.recordSize {
			return p.fail("header: records of the model %s cannot be read as %s: only ranges have two ends", p.head.kind, k)
		}
		p.h.Kind = k
	}
	p.judge = model.NewValidator(p.h.Kind, p.h.Params)
	return p.json(r)
}

// json reads what has no fixed length. It is part of the checksum, as are the
// zeros behind it.
func (p *sphReader) json(r io.Reader) error {
	b := make([]byte, p.head.padded())
	if n, err := io.ReadFull(r, b); err != nil {
		return p.short(err, "JSON (byte %d): expected %d bytes, found %d", sphHeaderSize, len(b), n)
	}
	p.sum.add(b)
	text, zeros := b[:p.head.jsonSize], b[p.head.jsonSize:]
	if slices.ContainsFunc(zeros, func(c byte) bool { return c != 0 }) {
		return p.fail("JSON (byte %d): expected zeros up to a multiple of 8 bytes", sphHeaderSize+len(text))
	}
	if len(text) == 0 {
		return nil
	}
	if slices.Contains(text, '\n') { // it could not be a line of JSON Lines
		return p.fail("JSON (byte %d): expected it on one line", sphHeaderSize)
	}
	parser := headerParser{h: p.h}
	if !parser.parseMembers(text) {
		return p.fail("JSON (byte %d): %s", sphHeaderSize, parser.msg)
	}
	if p.h.Clock.Resolution != p.head.tick {
		return p.fail("JSON (byte %d): clock.resolution is %d, but the header's clock tick is %d", sphHeaderSize, p.h.Clock.Resolution, p.head.tick)
	}
	return nil
}

// parseMembers reads an object of which only clock and meta are known.
func (p *headerParser) parseMembers(text []byte) bool {
	p.reset(text)
	return p.object("an object in braces", func(key []byte) bool {
		switch string(key) {
		case "clock", "meta":
			return p.field(key)
		}
		return p.ignore(&p.seen, key)
	}) && p.end()
}

// short puts an early end into the words given, and other errors into theirs.
func (p *sphReader) short(err error, format string, args ...any) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return p.fail(format+": the file is truncated", args...)
	}
	return p.fail("cannot be read: %s", cause(err))
}

// countIn says how many records a file of the given size has, and holds it
// against what the header says.
func (p *sphReader) countIn(size int64) (int, error) {
	room := size - p.head.body()
	whole, rest := room/int64(p.head.recordSize), room%int64(p.head.recordSize)
	switch count := p.head.count; {
	case count != sphUntilEnd && uint64(whole) < count:
		return 0, p.failAt(int(whole), "the file is truncated: its header counts %d records", count)
	case count != sphUntilEnd && (uint64(whole) > count || rest > 0):
		return 0, p.fail("byte %d: the header counts %d records, and behind them the file goes on", p.offset(int(count)), count)
	case rest > 0:
		return 0, p.failAt(int(whole), "the file is truncated: expected %d bytes, found %d", p.head.recordSize, rest)
	case whole > sphLargestCount:
		return 0, p.fail("%d records: expected at most 2^32-1", whole)
	}
	return int(whole), nil
}

func (p *sphReader) fits(records uint64) error {
	return fits(p.name, records*(operationBytes+p.besides), p.memory)
}

// stream reads record by record what comes from a pipe. Memory grows with what
// arrives, whatever the header says.
func (p *sphReader) stream(r io.Reader) error {
	if p.head.count != sphUntilEnd {
		if err := p.fits(p.head.count); err != nil {
			return err
		}
	}
	raw := make([]byte, sphChunk*p.head.recordSize)
	p.valid = true
	for {
		n, err := io.ReadFull(r, raw)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return p.fail("cannot be read: %s", cause(err))
		}
		first, records := len(p.h.Ops), n/p.head.recordSize
		seen := p.head.body() + int64(first)*int64(p.head.recordSize) + int64(n)
		if err != nil || uint64(first+records) > p.head.count {
			if _, err := p.countIn(seen); err != nil {
				return err
			}
		}
		if err := p.fits(uint64(first + records)); err != nil {
			return err
		}
		p.sum.add(raw[:n])
		p.h.Ops = slices.Grow(p.h.Ops, records)[:first+records]
		if err := p.decode(raw[:n], first, p.h.Ops[first:]); err != nil {
			return err
		}
		p.valid = p.valid && p.judge.Together(p.h.Ops[first:])
		if err != nil {
			return nil
		}
	}
}

// decode turns whole records, the first of which has the given number, into
// operations.
func (p *sphReader) decode(raw []byte, first int, ops []model.Operation) error {
	le := binary.LittleEndian
	size, kind := p.head.recordSize, p.h.Kind
	for i := 0; len(raw) >= size; i, raw = i+1, raw[size:] {
		b := raw[:size:size]
		codes := le.Uint64(b[sphAtOp:])
		o := &ops[i]
		o.Value = le.Uint64(b[sphAtValue:])
		o.Call = le.Uint64(b[sphAtCall:])
		o.Return = le.Uint64(b[sphAtReturn:])
		o.Object = le.Uint32(b[sphAtObject:])
		o.Process = le.Uint32(b[sphAtProcess:])
		o.Op, o.Result = model.Op(codes), model.Result(codes>>8)
		o.Line = uint32(first + i + 1)
		if kind == model.Range {
			o.To, o.Size = le.Uint64(b[sphAtTo:]), le.Uint64(b[sphAtSize:])
		}
		if !p.judge.Alone(o) || codes&sphPadMask != 0 {
			return p.failAt(first+i, "%s", p.whyNot(o, codes))
		}
	}
	return nil
}

// whyNot puts into words what is wrong with a record.
func (p *sphReader) whyNot(o *model.Operation, codes uint64) string {
	switch {
	case codes&sphPadMask != 0:
		return "the 6 bytes behind the result: expected zeros"
	case !p.h.Kind.Has(o.Op):
		return fmt.Sprintf("unknown op %d: model %s has %s", o.Op, p.h.Kind, sphCodes(p.h.Kind.Ops()))
	case o.Result >= sphResultCodes:
		return fmt.Sprintf("unknown result %d: expected one of %s", o.Result, sphCodes(p.h.Kind.Results(o.Op)))
	}
	var invalid *model.InvalidError
	errors.As(p.h.With([]model.Operation{*o}).Validate(), &invalid)
	return invalid.Msg
}

func sphCodes[T interface {
	~uint8
	fmt.Stringer
}](all []T) string {
	text := ""
	for i, c := range all {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%d (%s)", uint8(c), c)
	}
	return text
}

// finish compares the checksum and holds the records against one another.
func (p *sphReader) finish(err error) (*model.History, error) {
	if err != nil {
		return nil, err
	}
	if p.head.sumKind == sphSumsOf {
		head := p.head
		head.sum = sphSum{}
		p.sum.add(head.bytes())
		if p.sum != p.head.sum {
			return nil, p.fail("the checksum is %016x %016x, but the header says %016x %016x: the file is damaged",
				p.sum.sum, p.sum.ofSums, p.head.sum.sum, p.head.sum.ofSums)
		}
	}
	if p.valid {
		return p.h, nil
	}
	var invalid *model.InvalidError
	if err := p.h.Validate(); errors.As(err, &invalid) {
		return nil, p.failAt(invalid.Index, "%s", invalid.Msg)
	} else if err != nil {
		return nil, p.fail("%v", err)
	}
	return p.h, nil
}
