package litmus

import (
	"fmt"
	"strconv"
	"strings"

	"stealproof/ref/axioms"
)

// parser reads one test. It stops at the first thing that is wrong.
type parser struct {
	lexer
	now     token
	test    *Test
	places  map[string]address // of the names of locations
	aliases []int              // of each location, how many virtual addresses it has
	columns map[int]int        // thread numbers to columns
	// Declarations of registers come before the threads that have them.
	declared []declaration
}

type declaration struct {
	thread   int
	register string
	value    int64
	at       Position
}

// Parse reads a test. The file names it in errors, which are *InputError.
func Parse(file, text string) (*Test, error) {
	p := &parser{
		lexer:   lexer{file: file, rest: strings.TrimPrefix(text, "\ufeff"), at: Position{1, 1}},
		test:    &Test{},
		places:  map[string]address{},
		columns: map[int]int{},
	}
	for _, part := range []func() error{p.header, p.declarations, p.threads, p.rows, p.statement} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	return p.test, nil
}

// header is "PTX", a name, and any text up to the declarations.
func (p *parser) header() error {
	if err := p.skip(); err != nil {
		return err
	}
	at := p.at
	if n := wordLength(p.rest); n == 0 || p.rest[:n] != "PTX" && p.rest[:n] != "ptx" {
		found := "the end of the file"
		if fields := strings.Fields(p.rest); len(fields) > 0 {
			found = strconv.Quote(fields[0])
		}
		return p.errorf(at, "expected \"PTX\" and a name, found %.60s", found)
	}
	p.take(len("PTX"))
	at = p.at
	p.test.Name = p.line()
	if p.test.Name == "" || strings.ContainsAny(p.test.Name, `{"`) {
		return p.errorf(at, "expected a name after \"PTX\", on the same line")
	}
	return p.text()
}

// text is what stands before the declarations; in quotes it may hold braces.
func (p *parser) text() error {
	quoted, at := false, p.at
	for !strings.HasPrefix(p.rest, "{") || quoted {
		switch {
		case p.rest == "" && quoted:
			return p.errorf(at, "the text has no end: expected '\"'")
		case p.rest == "":
			return p.errorf(p.at, "expected declarations in braces, found the end of the file")
		case p.rest[0] == '"':
			quoted, at = !quoted, p.at
			p.take(1)
		case !quoted && strings.HasPrefix(p.rest, "(*"):
			if err := p.comment(); err != nil {
				return err
			}
		default:
			p.take(1)
		}
	}
	return p.advance()
}

// declarations are initial values of locations and registers.
func (p *parser) declarations() error {
	if err := p.need("{"); err != nil {
		return err
	}
	for {
		if done, err := p.accept("}"); err != nil {
			return err
		} else if done {
			_, err = p.accept(";") // some write one here as well
			return err
		}
		if empty, err := p.accept(";"); err != nil {
			return err
		} else if empty {
			continue
		}
		if err := p.declaration(); err != nil {
			return err
		}
		if !p.is("}") && !p.is(";") {
			return p.expected(`";" or "}"`)
		}
	}
}

func (p *parser) declaration() error {
	name := p.now
	thread, isThread := threadNumber(name)
	if !isThread && (name.kind != word || strings.Contains(name.text, ".")) {
		return p.expected(`a declaration, as in "x=0" or "P0:r1=0", or "}"`)
	}
	if err := p.advance(); err != nil {
		return err
	}
	colon, err := p.accept(":")
	if err != nil {
		return err
	}
	if !colon && name.kind == word {
		return p.declareLocation(name)
	}
	if !colon {
		return p.expected(fmt.Sprintf(`":" and a register of thread %s`, name.text))
	}
	if !isThread {
		return p.errorf(name.at, "expected a thread, as in P0, before ':', found %s", name)
	}
	register := p.now
	if register.kind != word || !isRegister(register.text) {
		return p.expected("a register, as in r0")
	}
	if err := p.advance(); err != nil {
		return err
	}
	value, err := p.initial()
	p.declared = append(p.declared, declaration{thread, register.text, value, name.at})
	return err
}

func (p *parser) declareLocation(name token) error {
	if !isLocation(name.text) {
		return p.errorf(name.at, "expected a location, found %s", name)
	}
	if p.places[name.text].declared {
		return p.errorf(name.at, "location %s is declared twice", name.text)
	}
	if p.is("@") {
		return p.declareAlias(name)
	}
	if p.is("aliases") {
		return p.expected(`"=", or "@" and a proxy`)
	}
	value, err := p.initial()
	if err != nil {
		return err
	}
	a := p.address(name.text)
	p.test.Initial[a.location] = value
	a.declared = true
	p.places[name.text] = a
	return nil
}

// declareAlias reads "@ PROXY aliases LOCATION". A generic alias is a virtual
// address of its own; the other proxies have names for one that there is.
func (p *parser) declareAlias(name token) error {
	if err := p.need("@"); err != nil {
		return err
	}
	proxy, err := p.proxy()
	if err != nil {
		return err
	}
	if err := p.need("aliases"); err != nil {
		return err
	}
	of := p.now
	if of.kind != word || !isLocation(of.text) || of.text == name.text {
		return p.expected("another location")
	}
	if _, known := p.places[name.text]; known {
		return p.errorf(name.at, "%s is named above as a location of its own: expected this before", name.text)
	}
	a := p.address(of.text)
	a.declared = true
	if proxy == axioms.Generic {
		p.aliases[a.location]++
		a.alias = p.aliases[a.location]
	}
	p.places[name.text] = a
	return p.advance()
}

var proxies = []axioms.Proxy{axioms.Generic, axioms.Constant, axioms.Surface, axioms.Texture}

func (p *parser) proxy() (axioms.Proxy, error) {
	for _, proxy := range proxies {
		if p.is(proxy.String()) {
			return proxy, p.advance()
		}
	}
	return 0, p.expected("a proxy: generic, constant, surface or texture")
}

// initial is "=" and the number that a location or a register begins with.
func (p *parser) initial() (int64, error) {
	if err := p.need("="); err != nil {
		return 0, err
	}
	if p.is("&") || p.now.kind == word {
		return 0, p.errorf(p.now.at, "expected a number, found %s: the dialect has no addresses, registers and locations hold numbers", p.now)
	}
	return p.number("a number")
}
