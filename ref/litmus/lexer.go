package litmus

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// InputError is what is wrong with a test, and where.
type InputError struct {
	File         string
	Line, Column int
	Msg          string
}

func (e *InputError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
}

// token is a word, a number or a sign. Words are names, or names with dots.
type token struct {
	kind tokenKind
	text string
	at   Position
}

type tokenKind uint8

const (
	endOfFile tokenKind = iota
	word
	number
	sign
)

func (t token) String() string {
	if t.kind == endOfFile {
		return "the end of the file"
	}
	return fmt.Sprintf("%.40q", t.text)
}

// lexer cuts a text into tokens.
type lexer struct {
	file string
	rest string
	at   Position
}

func (l *lexer) errorf(at Position, format string, args ...any) error {
	return &InputError{l.file, at.Line, at.Column, fmt.Sprintf(format, args...)}
}

// take moves over the next n bytes and returns them.
func (l *lexer) take(n int) string {
	s := l.rest[:n]
	l.rest = l.rest[n:]
	for _, c := range s {
		if c == '\n' {
			l.at = Position{l.at.Line + 1, 1}
		} else {
			l.at.Column++
		}
	}
	return s
}

// line takes the rest of the line, without its end.
func (l *lexer) line() string {
	end := strings.IndexByte(l.rest, '\n')
	if end < 0 {
		end = len(l.rest)
	}
	return strings.TrimSpace(l.take(end))
}

// skip moves over white space and comments, which are (* … *) and // ….
func (l *lexer) skip() error {
	for {
		switch {
		case l.rest == "":
			return nil
		case strings.ContainsRune(" \t\r\n", rune(l.rest[0])):
			l.take(1)
		case strings.HasPrefix(l.rest, "//"):
			l.line()
		case strings.HasPrefix(l.rest, "(*"):
			if err := l.comment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// comment moves over a comment, in which there may be others.
func (l *lexer) comment() error {
	at := l.at
	for depth := 0; ; {
		switch {
		case l.rest == "":
			return l.errorf(at, `the comment has no end: expected "*)"`)
		case strings.HasPrefix(l.rest, "(*"):
			l.take(2)
			depth++
		case strings.HasPrefix(l.rest, "*)"):
			l.take(2)
			if depth--; depth == 0 {
				return nil
			}
		default:
			_, size := utf8.DecodeRuneInString(l.rest)
			l.take(size)
		}
	}
}

var signs = []string{"==", "!=", "<=", ">=", "=>", `/\`, `\/`, "<", ">", "=", "&", "~", "(", ")", "[", "]", "{", "}", ";", ":", ",", "|", "@"}

func (l *lexer) next() (token, error) {
	if err := l.skip(); err != nil {
		return token{}, err
	}
	t := token{at: l.at}
	if l.rest == "" {
		return t, nil
	}
	if n := wordLength(l.rest); n > 0 {
		t.kind, t.text = word, l.take(n)
		return t, nil
	}
	if n := numberLength(l.rest); n > 0 {
		t.kind, t.text = number, l.take(n)
		return t, nil
	}
	for _, s := range signs {
		if strings.HasPrefix(l.rest, s) {
			t.kind, t.text = sign, l.take(len(s))
			return t, nil
		}
	}
	c, size := utf8.DecodeRuneInString(l.rest)
	if c == utf8.RuneError && size == 1 {
		return token{}, l.errorf(l.at, "byte 0x%02x is not text: expected UTF-8", l.rest[0])
	}
	return token{}, l.errorf(l.at, "unexpected %q", c)
}

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// wordLength is that of the word that s begins with: letters, digits and _,
// the first no digit; parts of it separated by single dots.
func wordLength(s string) int {
	if s == "" || !isLetter(s[0]) {
		return 0
	}
	n := 1
	for n < len(s) && (isLetter(s[n]) || isDigit(s[n]) || s[n] == '.' && n+1 < len(s) && (isLetter(s[n+1]) || isDigit(s[n+1]))) {
		n++
	}
	return n
}

// numberLength is that of the number that s begins with. Letters that follow
// belong to it, so that 1x is one wrong number and not two right tokens.
func numberLength(s string) int {
	n := 0
	if s[0] == '-' {
		n = 1
	}
	if n >= len(s) || !isDigit(s[n]) {
		return 0
	}
	for n < len(s) && (isLetter(s[n]) || isDigit(s[n])) {
		n++
	}
	return n
}
