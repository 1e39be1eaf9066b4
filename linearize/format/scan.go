package format

import (
	"encoding/json"
	"fmt"
	"math"
	"unicode/utf8"
)

// scanner reads one line of JSON from left to right. Its methods report
// whether they found what they are named for; the first failure is kept.
type scanner struct {
	line []byte
	pos  int
	msg  string // why it failed
}

// maxDepth bounds the nesting of what is skipped.
const maxDepth = 256

func (s *scanner) reset(line []byte) { s.line, s.pos, s.msg = line, 0, "" }

func (s *scanner) fail(format string, args ...any) bool {
	if s.msg == "" {
		s.msg = fmt.Sprintf(format, args...)
	}
	return false
}

// expected fails, naming what stands there instead.
func (s *scanner) expected(what string) bool {
	return s.fail("column %d: expected %s, found %s", s.pos+1, what, s.found())
}

// found shows a little of what comes next.
func (s *scanner) found() string {
	rest := s.line[min(s.pos, len(s.line)):]
	if len(rest) == 0 {
		return "the end of the line"
	}
	end := 1
	for end < len(rest) && end < 24 && !isDelimiter(rest[end]) {
		end++
	}
	return fmt.Sprintf("%q", rest[:end])
}

func isDelimiter(c byte) bool {
	return c == ',' || c == ':' || c == '}' || c == ']' || isSpace(c)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// peek passes over white space and returns the byte behind it, 0 at the end.
func (s *scanner) peek() byte {
	for s.pos < len(s.line) {
		if c := s.line[s.pos]; !isSpace(c) {
			return c
		}
		s.pos++
	}
	return 0
}

// token passes over the byte c.
func (s *scanner) token(c byte, what string) bool {
	if s.peek() != c || s.pos >= len(s.line) {
		return s.expected(what)
	}
	s.pos++
	return true
}

// end makes sure that nothing follows.
func (s *scanner) end() bool {
	s.peek()
	return s.pos == len(s.line) || s.expected("the end of the line")
}

// object reads {"key":value,...}; value is called with each key, standing
// before the value, and has to read it.
func (s *scanner) object(what string, value func(key []byte) bool) bool {
	if !s.token('{', what) {
		return false
	}
	if s.peek() == '}' {
		s.pos++
		return true
	}
	for {
		key, ok := s.str("a field name in quotes")
		if !ok || !s.token(':', "':'") || !value(key) {
			return false
		}
		switch s.peek() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			return true
		default:
			return s.expected("',' or '}'")
		}
	}
}

// str reads a string. What it returns is good as long as the line is.
func (s *scanner) str(what string) ([]byte, bool) {
	if !s.token('"', what) {
		return nil, false
	}
	start := s.pos
	plain := true
	for ; s.pos < len(s.line); s.pos++ {
		c := s.line[s.pos]
		switch {
		case c == '"':
			s.pos++
			if plain {
				return s.line[start : s.pos-1], true
			}
			return s.unquote(start - 1)
		case c == '\\':
			plain = false
			s.pos++
		case c < ' ':
			return nil, s.fail("column %d: control character in a string", s.pos+1)
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	s.pos = len(s.line)
	return nil, s.expected("the closing '\"' of a string")
}

// unquote takes the slow way for strings with escapes or beyond ASCII.
func (s *scanner) unquote(start int) ([]byte, bool) {
	raw := s.line[start:s.pos]
	var text string
	if !utf8.Valid(raw) {
		return nil, s.fail("column %d: a string that is not UTF-8", start+1)
	}
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, s.fail("column %d: expected a string, found %.30q: %v", start+1, raw, err)
	}
	return []byte(text), true
}

// uint reads a plain unsigned integer of at most limit: no sign, no fraction,
// no exponent, no leading zero.
func (s *scanner) uint(name string, limit uint64) (uint64, bool) {
	s.peek()
	start := s.pos
	var v uint64
	for ; s.pos < len(s.line); s.pos++ {
		d := uint64(s.line[s.pos] - '0')
		if d > 9 {
			break
		}
		if s.pos-start >= 19 && v > (math.MaxUint64-d)/10 { // 19 digits always fit
			return 0, s.badUint(name, limit, start)
		}
		v = v*10 + d
	}
	n := s.pos - start
	if n == 0 || n > 1 && s.line[start] == '0' || v > limit {
		return 0, s.badUint(name, limit, start)
	}
	if s.pos < len(s.line) && !isDelimiter(s.line[s.pos]) {
		return 0, s.badUint(name, limit, start)
	}
	return v, true
}

func (s *scanner) badUint(name string, limit uint64, start int) bool {
	s.pos = start
	return s.fail("%s: expected a plain unsigned integer below %s, found %s", name, bound(limit), s.found())
}

// bound names the number behind limit: "2^63".
func bound(limit uint64) string {
	switch limit {
	case math.MaxUint32:
		return "2^32"
	case math.MaxInt64:
		return "2^63"
	case math.MaxUint64 - 1:
		return "2^64-1"
	}
	return fmt.Sprint(limit + 1)
}

// boolean reads true or false.
func (s *scanner) boolean(name string) (value, ok bool) {
	s.peek()
	for word, v := range map[string]bool{"true": true, "false": false} {
		if s.word(word) {
			return v, true
		}
	}
	return false, s.fail("%s: expected true or false, found %s", name, s.found())
}

func (s *scanner) word(w string) bool {
	end := s.pos + len(w)
	if end > len(s.line) || string(s.line[s.pos:end]) != w {
		return false
	}
	if end < len(s.line) && !isDelimiter(s.line[end]) {
		return false
	}
	s.pos = end
	return true
}

// skip passes over any JSON value and returns its text.
func (s *scanner) skip() ([]byte, bool) {
	s.peek()
	start := s.pos
	if !s.value(maxDepth) {
		return nil, false
	}
	return s.line[start:s.pos], true
}

func (s *scanner) value(depth int) bool {
	if depth == 0 {
		return s.fail("column %d: nested deeper than %d", s.pos+1, maxDepth)
	}
	switch c := s.peek(); {
	case c == '{':
		return s.object("a value", func([]byte) bool { return s.value(depth - 1) })
	case c == '[':
		return s.array(depth)
	case c == '"':
		_, ok := s.str("a string")
		return ok
	case s.word("true"), s.word("false"), s.word("null"):
		return true
	}
	return s.number()
}

func (s *scanner) array(depth int) bool {
	s.pos++
	if s.peek() == ']' {
		s.pos++
		return true
	}
	for {
		if !s.value(depth - 1) {
			return false
		}
		switch s.peek() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			return true
		default:
			return s.expected("',' or ']'")
		}
	}
}

// number passes over any number that JSON allows.
func (s *scanner) number() bool {
	start := s.pos
	for s.pos < len(s.line) && !isDelimiter(s.line[s.pos]) {
		s.pos++
	}
	if raw := s.line[start:s.pos]; len(raw) > 0 && (raw[0] == '-' || raw[0]-'0' <= 9) && json.Valid(raw) {
		return true
	}
	s.pos = start
	return s.expected("a value")
}
