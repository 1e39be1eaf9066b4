package litmus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stealproof/ref/axioms"
)

// parser reads one test. It stops at the first thing that is wrong.
type parser struct {
	lexer
	now     token
	test    *Test
	places  map[string]int // of locations
	columns map[int]int    // thread numbers to columns
	// Declarations of registers come before the threads that have them.
	declared []declaration
	proxies  bool
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
		places:  map[string]int{},
		columns: map[int]int{},
	}
	for _, part := range []func() error{p.header, p.declarations, p.threads, p.rows, p.statement} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	return p.test, nil
}

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
	n, err := strconv.ParseInt(p.now.text, 10, 64)
	if err != nil {
		return 0, p.expected("a number of at most 64 bits")
	}
	return n, p.advance()
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

// header is "PTX", a name, and any text up to the declarations.
func (p *parser) header() error {
	if err := p.skip(); err != nil {
		return err
	}
	at := p.at
	if n := wordLength(p.rest); n == 0 || p.rest[:n] != "PTX" {
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
	from := p.rest
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
	p.test.Text = strings.TrimSpace(from[:len(from)-len(p.rest)])
	return p.advance()
}

// declarations are initial values of locations and registers.
func (p *parser) declarations() error {
	if err := p.need("{"); err != nil {
		return err
	}
	for {
		if done, err := p.accept("}"); done || err != nil {
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
	if name.kind != word || strings.Contains(name.text, ".") {
		return p.expected(`a declaration, as in "x=0" or "P0:r1=0", or "}"`)
	}
	if err := p.advance(); err != nil {
		return err
	}
	thread, isThread := threadNumber(name.text)
	colon, err := p.accept(":")
	if err != nil {
		return err
	}
	if !colon {
		return p.declareLocation(name)
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
	if err := p.need("="); err != nil {
		return err
	}
	value, err := p.number("a number")
	p.declared = append(p.declared, declaration{thread, register.text, value, name.at})
	return err
}

func (p *parser) declareLocation(name token) error {
	if p.is("@") || p.is("aliases") {
		return p.errorf(p.now.at, "aliases of locations belong to proxies, which are not supported")
	}
	if !isLocation(name.text) {
		return p.errorf(name.at, "expected a location, found %s", name)
	}
	if err := p.need("="); err != nil {
		return err
	}
	value, err := p.number("a number")
	if err != nil {
		return err
	}
	if _, twice := p.places[name.text]; twice {
		return p.errorf(name.at, "location %s is declared twice", name.text)
	}
	p.test.Initial[p.location(name.text)] = value
	return nil
}

// location finds the number of a location, or gives it one.
func (p *parser) location(name string) int {
	i, known := p.places[name]
	if !known {
		i = len(p.test.Locations)
		p.places[name] = i
		p.test.Locations = append(p.test.Locations, name)
		p.test.Initial = append(p.test.Initial, 0)
	}
	return i
}

// threads is the row of threads and where they run.
func (p *parser) threads() error {
	clusters := 0
	for {
		at := p.now.at
		hasCluster, err := p.thread()
		if err != nil {
			return err
		}
		if hasCluster {
			clusters++
		}
		if clusters != 0 && clusters != len(p.test.Threads) {
			return p.errorf(at, "expected a cluster for every thread, or for none")
		}
		if end, err := p.accept(";"); end || err != nil {
			if err != nil {
				return err
			}
			break
		}
		if !p.is("|") {
			return p.expected(`"|" and another thread, or ";"`)
		}
		if err := p.advance(); err != nil {
			return err
		}
	}
	if clusters == 0 {
		p.clusterPerBlock()
	}
	return p.declareRegisters()
}

// clusterPerBlock gives each block its own cluster, as PTX does where a kernel
// is launched without clusters.
func (p *parser) clusterPerBlock() {
	for i := range p.test.Threads {
		place := &p.test.Threads[i].Place
		place.Cluster = place.CTA
	}
}

func (p *parser) thread() (hasCluster bool, err error) {
	id, isThread := threadNumber(p.now.text)
	if p.now.kind != word || !isThread {
		return false, p.expected(`a thread and where it runs, as in "P0@cta 0,gpu 0"`)
	}
	if _, twice := p.columns[id]; twice {
		return false, p.errorf(p.now.at, "thread %s stands here twice", p.now.text)
	}
	p.columns[id] = len(p.test.Threads)
	if err := p.advance(); err != nil {
		return false, err
	}
	th := Thread{ID: id}
	seen := map[string]bool{}
	for first := true; first || p.is(","); first = false {
		if first && !p.is("@") {
			return false, p.expected(`"@" and where the thread runs, as in "P0@cta 0,gpu 0"`)
		}
		if err := p.advance(); err != nil {
			return false, err
		}
		if err := p.place(&th.Place, seen); err != nil {
			return false, err
		}
	}
	if !seen["cta"] {
		return false, p.errorf(p.now.at, `thread %s: expected the block where it runs, as in "cta 0"`, threadName(id))
	}
	p.test.Threads = append(p.test.Threads, th)
	return seen["cluster"], nil
}

func (p *parser) place(place *axioms.Place, seen map[string]bool) (err error) {
	level := p.now
	field := map[string]*int{"cta": &place.CTA, "cluster": &place.Cluster, "gpu": &place.GPU}[level.text]
	if field == nil || level.kind != word {
		return p.expected(`"cta", "cluster" or "gpu"`)
	}
	if seen[level.text] {
		return p.errorf(level.at, "%s stands here twice", level.text)
	}
	seen[level.text] = true
	if err := p.advance(); err != nil {
		return err
	}
	*field, err = p.index("the number of the " + level.text)
	return err
}

func (p *parser) declareRegisters() error {
	for i, d := range p.declared {
		column, exists := p.columns[d.thread]
		if !exists {
			return p.errorf(d.at, "there is no thread %s: expected one of %s", threadName(d.thread), p.threadList())
		}
		same := func(e declaration) bool { return e.thread == d.thread && e.register == d.register }
		if slices.ContainsFunc(p.declared[:i], same) {
			return p.errorf(d.at, "register %s of %s is declared twice", d.register, threadName(d.thread))
		}
		p.test.Threads[column].Initial[p.register(column, d.register)] = d.value
	}
	return nil
}

// register finds the number of a register in its thread, or gives it one.
func (p *parser) register(column int, name string) int {
	th := &p.test.Threads[column]
	if i := slices.Index(th.Registers, name); i >= 0 {
		return i
	}
	th.Registers = append(th.Registers, name)
	th.Initial = append(th.Initial, 0)
	return len(th.Registers) - 1
}

func threadName(id int) string { return fmt.Sprintf("P%d", id) }

func (p *parser) threadList() string {
	var names []string
	for _, th := range p.test.Threads {
		names = append(names, threadName(th.ID))
	}
	return strings.Join(names, ", ")
}

// threadNumber reads names like P0.
func threadNumber(s string) (int, bool) {
	if len(s) < 2 || len(s) > 7 || s[0] != 'P' || !allDigits(s[1:]) {
		return 0, false
	}
	n, err := strconv.Atoi(s[1:])
	return n, err == nil
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

func isRegister(s string) bool { return s[0] == 'r' && allDigits(s[1:]) }

func isLabel(s string) bool { return len(s) > 2 && s[:2] == "LC" && allDigits(s[2:]) }

func isLocation(s string) bool {
	return !strings.Contains(s, ".") && !isRegister(s) && !isLabel(s)
}
