package syntax

import "strings"

// tokenKind is what a token is.
type tokenKind uint8

const (
	end tokenKind = iota
	word
	directive // begins with a dot
	number
	quoted // without its quotes
	sign   // one character
)

// token is a piece of the text.
type token struct {
	kind tokenKind
	text string
	at   int // where it begins
	line int
}

// is says whether a token is this sign.
func (t *token) is(c byte) bool { return t.kind == sign && t.text[0] == c }

// scanner cuts a text into tokens.
type scanner struct {
	file string
	src  string
	at   int
	line int
	// site is told the name behind "// site" and the line where it stands; or that
	// in "/* site NAME */", which only the last instruction has.
	site func(name string, line int, own bool)
}

// bad is thrown as a panic by everything that reads a module, and caught by Parse.
type bad struct{ *Error }

func (s *scanner) fail(line int, msg string) { panic(bad{&Error{s.file, line, msg}}) }

const (
	sitePrefix    = "// site "
	ownSitePrefix = "/* site "
)

// skipSpace goes to the next token.
func (s *scanner) skipSpace() {
	for s.at < len(s.src) {
		switch c := s.src[s.at]; {
		case c == '\n':
			s.line++
			s.at++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			s.at++
		case c == '/' && strings.HasPrefix(s.src[s.at:], "//"):
			s.skipLine()
		case c == '/' && strings.HasPrefix(s.src[s.at:], "/*"):
			n := strings.Index(s.src[s.at+2:], "*/")
			if n < 0 {
				s.fail(s.line, "a comment that begins here does not end")
			}
			comment := s.src[s.at : s.at+n+4]
			s.line += strings.Count(comment, "\n")
			s.at += n + 4
			if name, found := strings.CutPrefix(comment, ownSitePrefix); found {
				s.site(strings.TrimSpace(strings.TrimSuffix(name, "*/")), s.line, true)
			}
		default:
			return
		}
	}
}

// skipLine goes behind a comment, and notes the name of an access in it.
func (s *scanner) skipLine() {
	comment := s.src[s.at:]
	if n := strings.IndexByte(comment, '\n'); n >= 0 {
		comment = comment[:n]
	}
	s.at += len(comment)
	if name, found := strings.CutPrefix(comment, sitePrefix); found {
		s.site(strings.TrimSpace(name), s.line, false)
	}
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// next cuts off a token.
func (s *scanner) next() token {
	s.skipSpace()
	t := token{at: s.at, line: s.line}
	if s.at == len(s.src) {
		return t
	}
	switch c := s.src[s.at]; {
	case isLetter(c) || c == '%':
		t.kind = word
		s.at++
		s.letters()
	case c == '.' && s.at+1 < len(s.src) && isLetter(s.src[s.at+1]):
		t.kind = directive
		s.at++
		s.letters()
	case isDigit(c):
		t.kind = number
		s.number()
	case c == '"':
		return s.quoted(t)
	case c < 0x20 || c >= 0x7f:
		s.fail(s.line, "this is no PTX: a byte that its text never has")
	default:
		t.kind = sign
		s.at++
	}
	t.text = s.src[t.at:s.at]
	return t
}

// letters goes behind the letters and digits that come now.
func (s *scanner) letters() {
	for s.at < len(s.src) && (isLetter(s.src[s.at]) || isDigit(s.src[s.at])) {
		s.at++
	}
}

// number goes behind the number that comes now: digits, letters, a dot, and the
// sign of an exponent.
func (s *scanner) number() {
	hex := strings.HasPrefix(s.src[s.at:], "0x") || strings.HasPrefix(s.src[s.at:], "0X")
	for s.at < len(s.src) {
		c := s.src[s.at]
		exponent := !hex && (c == '+' || c == '-') && (s.src[s.at-1] == 'e' || s.src[s.at-1] == 'E')
		if !isLetter(c) && !isDigit(c) && c != '.' && !exponent {
			return
		}
		s.at++
	}
}

func (s *scanner) quoted(t token) token {
	n := strings.IndexAny(s.src[s.at+1:], "\"\n")
	if n < 0 || s.src[s.at+1+n] != '"' {
		s.fail(s.line, "a string that begins here does not end on its line")
	}
	t.kind, t.text = quoted, s.src[s.at+1:s.at+1+n]
	s.at += n + 2
	return t
}

// whole extends a word to an operation with all that is behind its dots, as in
// "ld.global.L2::128B.b32".
func (s *scanner) whole(t token) token {
	for s.at < len(s.src) {
		rest := s.src[s.at:]
		switch {
		case rest[0] == '.':
			s.at++
		case strings.HasPrefix(rest, "::"):
			s.at += 2
		case isLetter(rest[0]) || isDigit(rest[0]):
			s.letters()
		default:
			t.text = s.src[t.at:s.at]
			return t
		}
	}
	t.text = s.src[t.at:s.at]
	return t
}
