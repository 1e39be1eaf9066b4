package format

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// EDN is the notation of Clojure programs. Of it this file knows what
// histories are made of: maps, vectors, keywords, integers, nil; the rest is
// passed over as text.

type ednKind uint8

const (
	ednNil ednKind = iota
	ednNumber
	ednKeyword
	ednOther  // strings, symbols, fractions
	ednVector // or a list
	ednSet
	ednMap // items are keys and values in turn
)

type ednValue struct {
	kind   ednKind
	number uint64
	text   string // of a keyword without its colon
	items  []ednValue
	line   int
}

func (v ednValue) String() string {
	switch v.kind {
	case ednNil:
		return "nil"
	case ednKeyword:
		return ":" + v.text
	case ednVector:
		return "a vector"
	case ednSet:
		return "a set"
	case ednMap:
		return "a map"
	}
	return fmt.Sprintf("%.40s", v.text)
}

const (
	ednMaxDepth = 64
	ednMaxForm  = maxLine // bytes
)

// ednReader reads values one after the other.
type ednReader struct {
	r     *bufio.Reader
	line  int
	depth int
	left  int // bytes that the form may still have
}

func newEDNReader(r io.Reader) *ednReader {
	buffered := bufio.NewReaderSize(r, 1<<16)
	if mark, err := buffered.Peek(3); err == nil && string(mark) == byteOrderMark {
		buffered.Discard(len(mark))
	}
	return &ednReader{r: buffered, line: 1, left: ednMaxForm}
}

// ednError says what is wrong with the notation, at the reader's line.
type ednError struct{ msg string }

func (e *ednError) Error() string { return e.msg }

func ednFail(format string, args ...any) error { return &ednError{fmt.Sprintf(format, args...)} }

func (e *ednReader) byte() (byte, error) {
	c, err := e.r.ReadByte()
	if err != nil {
		return 0, err
	}
	if c == '\n' {
		e.line++
	}
	if e.left--; e.left < 0 {
		return 0, ednFail("a value is longer than %d bytes", ednMaxForm)
	}
	return c, nil
}

func (e *ednReader) unread(c byte) {
	if c == '\n' {
		e.line--
	}
	e.left++
	e.r.UnreadByte()
}

// value reads the value that begins with c.
func (e *ednReader) value(c byte) (ednValue, error) {
	line := e.line
	v, err := e.anyValue(c)
	if errors.Is(err, io.EOF) {
		err = ednFail("the file ends within a value that begins on line %d", line)
	}
	v.line = line
	return v, err
}

func (e *ednReader) anyValue(c byte) (ednValue, error) {
	switch c {
	case '{':
		items, err := e.items('}')
		if err == nil && len(items)%2 != 0 {
			err = ednFail("a map with a key that has no value")
		}
		return ednValue{kind: ednMap, items: items}, err
	case '[':
		items, err := e.items(']')
		return ednValue{kind: ednVector, items: items}, err
	case '(':
		items, err := e.items(')')
		return ednValue{kind: ednVector, items: items}, err
	case '"':
		text, err := e.quoted()
		return ednValue{kind: ednOther, text: text}, err
	case '#':
		return e.tagged()
	case '\\':
		return e.character()
	case '}', ']', ')':
		return ednValue{}, ednFail("unexpected %q", string(c))
	}
	return e.atom(c)
}

func (e *ednReader) items(end byte) ([]ednValue, error) {
	if e.depth++; e.depth > ednMaxDepth {
		return nil, ednFail("nested deeper than %d", ednMaxDepth)
	}
	defer func() { e.depth-- }()
	var items []ednValue
	for {
		c, err := e.skip()
		if err != nil {
			return nil, err
		}
		if c == end {
			return items, nil
		}
		v, err := e.value(c)
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
}

func (e *ednReader) quoted() (string, error) {
	var b strings.Builder
	b.WriteByte('"')
	for escaped := false; ; {
		c, err := e.byte()
		if err != nil {
			return "", err
		}
		b.WriteByte(c)
		if c == '"' && !escaped {
			return b.String(), nil
		}
		escaped = c == '\\' && !escaped
	}
}

// character reads \a, \space, and \{, which opens nothing.
func (e *ednReader) character() (ednValue, error) {
	c, err := e.byte()
	if err != nil {
		return ednValue{}, err
	}
	v, err := e.atom(c)
	return ednValue{kind: ednOther, text: "\\" + v.text}, err
}

// tagged reads #{a set}, ##NaN, or #some.record{...}; the tag says nothing to us.
func (e *ednReader) tagged() (ednValue, error) {
	if e.depth++; e.depth > ednMaxDepth {
		return ednValue{}, ednFail("nested deeper than %d", ednMaxDepth)
	}
	defer func() { e.depth-- }()
	c, err := e.byte()
	if err != nil {
		return ednValue{}, err
	}
	if c == '{' {
		items, err := e.items('}')
		return ednValue{kind: ednSet, items: items}, err
	}
	if c == '#' { // ##NaN, ##Inf, ##-Inf
		v, err := e.atom(c)
		return ednValue{kind: ednOther, text: "#" + v.text}, err
	}
	if _, err := e.atom(c); err != nil {
		return ednValue{}, err
	}
	if c, err = e.skip(); err != nil {
		return ednValue{}, err
	}
	return e.value(c)
}

// atom reads a number, a keyword or a symbol.
func (e *ednReader) atom(c byte) (ednValue, error) {
	text := []byte{c}
	for {
		c, err := e.byte()
		if err == io.EOF {
			break
		}
		if err != nil {
			return ednValue{}, err
		}
		if isSpace(c) || strings.IndexByte(",;{}[]()\"", c) >= 0 {
			e.unread(c)
			break
		}
		text = append(text, c)
	}
	return ednAtom(string(text)), nil
}

func ednAtom(text string) ednValue {
	if text == "nil" {
		return ednValue{kind: ednNil}
	}
	if word, found := strings.CutPrefix(text, ":"); found {
		return ednValue{kind: ednKeyword, text: word}
	}
	digits := strings.TrimSuffix(text, "N")
	if n, err := strconv.ParseUint(digits, 10, 64); err == nil && (digits == "0" || digits[0] != '0' && digits[0] != '+') {
		return ednValue{kind: ednNumber, number: n, text: text}
	}
	return ednValue{kind: ednOther, text: text}
}
