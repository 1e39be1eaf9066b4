package format

import (
	"io"
	"math"
	"strconv"
	"strings"

	"stealproof/model"
)

// readText reads one of the two plain forms that published monitors read; the
// first line that is no comment tells which:
//
//	push 1 10 20        an operation per line: method, value, start, end
//
//	[3] call add(1)     an event per line; times are the places of the lines
//	[3] return
//
// A removal that found nothing has the value -1 or empty. Lines that begin
// with '#' are comments; "# queue" and "# bag" in the first one name a model.
func readText(r io.Reader, name string, o Options) (*model.History, error) {
	t := &textReader{name: name, lines: newLines(r), kind: o.Kind, options: o}
	first, err := t.next()
	if err == io.EOF {
		return nil, &InputError{name, 0, "the file has no operations: expected lines as in \"push 1 10 20\" or \"[3] call add(1)\""}
	}
	if err != nil {
		return nil, err
	}
	if t.kind == 0 {
		return nil, modelMissing(name)
	}
	p := newImporting(name, t.kind, o)
	if strings.HasPrefix(first, "[") {
		err = (&callReader{importing: p, text: t, open: map[uint32]int{}}).read(first)
	} else {
		err = (&intervalReader{importing: p, text: t}).read(first)
	}
	if err != nil {
		return nil, err
	}
	return p.done()
}

// textReader hands out lines without comments and blanks.
type textReader struct {
	name    string
	lines   *lines
	kind    model.Kind
	options Options
}

var commentModels = map[string]model.Kind{"queue": model.FIFO, "fifo": model.FIFO, "bag": model.Bag, "deque": model.WSDeque, "wsdeque": model.WSDeque, "range": model.Range}

func (t *textReader) next() (string, error) {
	for {
		raw, err := t.lines.next()
		if err != nil {
			return "", t.stopped(err)
		}
		if uint64(t.lines.number) > math.MaxUint32 {
			return "", &InputError{t.name, t.lines.number, "expected at most 2^32-1 lines"}
		}
		line := string(raw)
		if t.lines.number == 1 {
			line = strings.TrimPrefix(line, byteOrderMark)
		}
		line = strings.TrimSpace(line)
		comment, isComment := strings.CutPrefix(line, "#")
		if isComment && t.lines.number == 1 && t.kind == 0 {
			t.kind = commentModels[strings.ToLower(strings.TrimSpace(comment))]
		}
		if !isComment && line != "" {
			return line, nil
		}
	}
}

func (t *textReader) stopped(err error) error {
	switch {
	case err == io.EOF:
		return err
	case t.lines.err == nil: // the line itself was too long
		return &InputError{t.name, t.lines.number, err.Error()}
	}
	return &InputError{t.name, 0, unreadable(err)}
}

// textNumber reads a plain unsigned integer of at most limit.
func textNumber(s string, limit uint64) (uint64, bool) {
	n, err := strconv.ParseUint(s, 10, 64)
	plain := err == nil && s[0] != '+' && (s == "0" || s[0] != '0')
	return n, plain && n <= limit
}

// nothing says whether a value stands for 'found empty'.
func nothing(s string) bool { return s == "-1" || strings.EqualFold(s, "empty") }

// textValue reads a value, or the range from..to of the model range. It says
// what it expected if it cannot.
func textValue(k model.Kind, s string, o *model.Operation) (expected string) {
	var ok bool
	if k != model.Range {
		if o.Value, ok = textNumber(s, model.MaxValue); !ok {
			return "a value: an unsigned integer below 2^63"
		}
		return ""
	}
	from, to, found := strings.Cut(s, "..")
	low, okLow := textNumber(from, model.MaxValue)
	high, okHigh := textNumber(to, model.MaxValue)
	if !found || !okLow || !okHigh {
		return "a range as in 0..8, with ends below 2^63"
	}
	o.Value, o.To = low, high
	if o.Op.Removes() {
		o.Size = high - low
	}
	return ""
}
