package litmus

import (
	"strconv"
	"strings"
)

// What every part of the parser asks of the next token.

func (p *parser) advance() (err error) {
	p.now, err = p.next()
	return err
}

func (p *parser) expected(what string) error {
	return p.errorf(p.now.at, "expected %s, found %s", what, p.now)
}

func (p *parser) is(text string) bool {
	return p.now.kind != endOfFile && p.now.text == text
}

// accept moves over the text if it is next.
func (p *parser) accept(text string) (bool, error) {
	if !p.is(text) {
		return false, nil
	}
	return true, p.advance()
}

func (p *parser) need(text string) error {
	if !p.is(text) {
		return p.expected(strconv.Quote(text))
	}
	return p.advance()
}

func (p *parser) number(what string) (int64, error) {
	if p.now.kind != number {
		return 0, p.expected(what)
	}
	n, err := numberValue(p.now.text)
	if err != nil {
		return 0, p.expected("a number of at most 64 bits")
	}
	return n, p.advance()
}

// numberValue reads a number in decimal digits, or in hexadecimal ones behind 0x.
func numberValue(s string) (int64, error) {
	if digits, isHex := strings.CutPrefix(s, "0x"); isHex {
		n, err := strconv.ParseUint(digits, 16, 64)
		return int64(n), err
	}
	return strconv.ParseInt(s, 10, 64)
}

const largestIndex = 1 << 20

// index is a small number, for threads, blocks and so on.
func (p *parser) index(what string) (int, error) {
	at := p.now.at
	n, err := p.number(what)
	if err == nil && (n < 0 || n > largestIndex) {
		err = p.errorf(at, "expected %s from 0 to %d, found %d", what, largestIndex, n)
	}
	return int(n), err
}
