package syntax

import (
	"fmt"
)

// Largest is the size of the largest text that is read, in bytes.
const Largest = 16 << 20

// The versions of the language that are read: the memory model came with the
// first, and nobody knows what comes behind the last.
const (
	firstMajor = 6
	lastMajor  = 9
)

// parser reads a module.
type parser struct {
	scanner
	tok     token // what comes next
	module  *Module
	sources map[uint64]string // of .file
	places  []*Source         // of .loc; nvcc lists the files at the end
	globals map[string]*Variable
	inside  *Function // whose body is being read, nil outside of functions
}

// Parse reads a module. Its errors are of the type *Error.
func Parse(file, text string) (m *Module, err error) {
	if len(text) > Largest {
		return nil, &Error{file, 1, fmt.Sprintf("a module of %d bytes: at most %d are read", len(text), Largest)}
	}
	p := &parser{
		scanner: scanner{file: file, src: text, line: 1},
		module:  &Module{File: file},
		sources: map[uint64]string{},
		globals: map[string]*Variable{},
	}
	p.site = noSite
	defer func() {
		switch e := recover().(type) {
		case nil:
		case bad:
			m, err = nil, e.Error
		default:
			panic(e)
		}
	}()
	p.advance()
	p.head()
	for p.tok.kind != end {
		p.statement()
	}
	for _, s := range p.places {
		s.File = p.sources[s.file]
	}
	return p.module, nil
}

// noSite is for names that stand outside of functions.
func noSite(string, int, bool) {}

func (p *parser) advance() { p.tok = p.next() }

// failHere reports an error at the next token.
func (p *parser) failHere(format string, args ...any) {
	p.fail(p.tok.line, fmt.Sprintf(format, args...))
}

// found describes the next token for messages.
func (p *parser) found() string {
	switch p.tok.kind {
	case end:
		if f := p.inside; f != nil {
			return fmt.Sprintf("the end of the text, inside of function %s, which begins in line %d", f.Name, f.Line)
		}
		return "the end of the text"
	case quoted:
		return fmt.Sprintf("the string %q", p.tok.text)
	}
	if len(p.tok.text) > 60 {
		return p.tok.text[:60] + "…"
	}
	return p.tok.text
}

// accept takes a sign if it comes next.
func (p *parser) accept(c byte) bool {
	if !p.tok.is(c) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(c byte) {
	if !p.accept(c) {
		p.failHere("expected '%c', found %s", c, p.found())
	}
}

// isDirective says whether a directive comes next.
func (p *parser) isDirective(name string) bool {
	return p.tok.kind == directive && p.tok.text == name
}

func (p *parser) acceptDirective(name string) bool {
	if !p.isDirective(name) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) name() string {
	if p.tok.kind != word {
		p.failHere("expected a name, found %s", p.found())
	}
	name := p.tok.text
	p.advance()
	return name
}

// count reads a number that is no negative one.
func (p *parser) count() uint64 {
	n, ok := integer(p.tok.text)
	if p.tok.kind != number || !ok {
		p.failHere("expected a number, found %s", p.found())
	}
	p.advance()
	return n
}

// head reads the three lines that every module begins with.
func (p *parser) head() {
	if !p.isDirective(".version") {
		p.failHere("expected .version, which every PTX module begins with, found %s", p.found())
	}
	p.advance()
	var rest string
	version := p.tok
	if _, err := fmt.Sscanf(version.text+" .", "%d.%d %s", &p.module.Major, &p.module.Minor, &rest); err != nil || version.kind != number {
		p.failHere("expected a version as in 7.0, found %s", p.found())
	}
	if p.module.Major < firstMajor || p.module.Major > lastMajor {
		p.failHere(".version %s: expected %d.0 to %d.x", version.text, firstMajor, lastMajor)
	}
	p.advance()
	if !p.acceptDirective(".target") {
		p.failHere("expected .target, found %s", p.found())
	}
	p.target()
	if !p.acceptDirective(".address_size") {
		p.failHere("expected .address_size 64, found %s", p.found())
	}
	if p.tok.text != "64" {
		p.failHere(".address_size %s: expected 64", p.tok.text)
	}
	p.advance()
}

// target reads the kind of GPU. Before sm_70 there was no memory model.
func (p *parser) target() {
	var number int
	name := p.tok.text
	if n, err := fmt.Sscanf(name, "sm_%d", &number); n != 1 || err != nil {
		p.failHere("expected a target as in sm_70, found %s", p.found())
	}
	if number < 70 {
		p.failHere(".target %s: PTX has a memory model for sm_70 and above; compile for one of them, as with nvcc -arch=sm_70", name)
	}
	p.module.Target = name
	p.advance()
	for p.accept(',') { // debug, texmode_independent
		p.name()
	}
}

// linkage says how a name is seen by other modules.
type linkage struct{ extern bool }

// statement reads a statement of the module.
func (p *parser) statement() {
	if p.tok.is(';') {
		p.advance()
		return
	}
	if p.tok.kind != directive {
		p.failHere("expected a directive, found %s", p.found())
	}
	switch p.tok.text {
	case ".file":
		p.sourceFile()
	case ".section":
		p.section()
	case ".pragma":
		p.pragma()
	default:
		p.declaration()
	}
}

// sourceFile reads .file NUMBER "NAME" and, where they are, a time and a size.
func (p *parser) sourceFile() {
	p.advance()
	n := p.count()
	if p.tok.kind != quoted {
		p.failHere("expected the name of a file, found %s", p.found())
	}
	p.sources[n] = p.tok.text
	p.advance()
	for p.accept(',') {
		p.count()
	}
}

// section goes behind what is there for debuggers.
func (p *parser) section() {
	line := p.tok.line
	for !p.tok.is('{') {
		if p.tok.kind == end {
			p.fail(line, "a section that begins here does not end")
		}
		p.advance()
	}
	for !p.tok.is('}') {
		if p.tok.kind == end {
			p.fail(line, "a section that begins here does not end")
		}
		p.advance()
	}
	p.advance()
}

// pragma reads advice to the assembler, which changes nothing here.
func (p *parser) pragma() {
	p.advance()
	for p.tok.kind == quoted {
		p.advance()
		p.accept(',')
	}
	p.expect(';')
}

// declaration reads a variable or a function.
func (p *parser) declaration() {
	var l linkage
	for {
		switch p.tok.text {
		case ".extern":
			l.extern = true
		case ".visible", ".weak", ".common":
		default:
			p.declared(l)
			return
		}
		p.advance()
		if p.tok.kind != directive {
			p.failHere("expected a variable or a function, found %s", p.found())
		}
	}
}

var spaces = map[string]Space{".global": InGlobal, ".const": InConst, ".shared": InShared, ".local": InLocal, ".param": InParam}

func (p *parser) declared(l linkage) {
	switch p.tok.text {
	case ".entry", ".func":
		p.function()
		return
	case ".global", ".const", ".shared":
		for _, v := range p.variables(l) {
			p.module.Variables = append(p.module.Variables, v)
			p.globals[v.Name] = v
		}
		p.expect(';')
		return
	case ".alias":
		p.failHere(".alias: a second name for a function is not supported")
	}
	p.failHere("unknown directive %s", p.tok.text)
}

// variables reads the declaration of one or several variables, without the
// semicolon behind it.
func (p *parser) variables(l linkage) []*Variable {
	model := Variable{Space: spaces[p.tok.text], Extern: l.extern, Line: p.tok.line}
	p.advance()
	lanes := p.variableType(&model)
	var all []*Variable
	for {
		v := model
		v.Line, v.Name, v.Count = p.tok.line, p.name(), lanes
		p.extent(&v)
		if p.accept('=') {
			p.initial(&v)
		}
		p.sized(&v)
		all = append(all, &v)
		if !p.accept(',') {
			return all
		}
	}
}

// variableType reads what stands between a space and a name: an alignment, a
// vector's number of elements, a type. Their order is not fixed.
func (p *parser) variableType(v *Variable) (lanes uint64) {
	lanes = 1
	for p.tok.kind == directive {
		name := p.tok.text
		p.advance()
		switch name {
		case ".align":
			v.Align = p.count()
			if v.Align == 0 || v.Align&(v.Align-1) != 0 || v.Align > 1<<16 {
				p.failHere(".align %d: expected a power of two", v.Align)
			}
		case ".v2":
			lanes = 2
		case ".v4":
			lanes = 4
		case ".attribute": // (.managed), (.unified(…)): where the memory is, not what it does
			p.parenthesised()
		case ".ptr", ".global", ".const", ".local", ".shared": // what a parameter points to
		default:
			t, known := TypeOf(name[1:])
			if !known || v.Type.Class != NoClass {
				p.failHere("unknown type %s of a variable", name)
			}
			v.Type = t
		}
	}
	if v.Type.Class == NoClass {
		p.failHere("expected a type, found %s", p.found())
	}
	natural := lanes * uint64(v.Type.Bits+7) / 8
	v.Align = max(v.Align, natural)
	return lanes
}

// parenthesised goes behind a group of parentheses.
func (p *parser) parenthesised() {
	p.expect('(')
	for depth := 1; depth > 0; p.advance() {
		switch {
		case p.tok.kind == end:
			p.failHere("expected ')', found the end of the text")
		case p.tok.is('('):
			depth++
		case p.tok.is(')'):
			depth--
		}
	}
}

// largestVariable bounds what a module may ask for.
const largestVariable = 1 << 40

// extent reads the dimensions of an array.
func (p *parser) extent(v *Variable) {
	for p.accept('[') {
		n := uint64(0)
		if !p.tok.is(']') {
			n = p.count()
		}
		p.expect(']')
		if n > largestVariable || n != 0 && v.Count > largestVariable/n {
			p.failHere("variable %s: it is too large", v.Name)
		}
		v.Count *= n
	}
}

// sized gives an array without a size that of its values.
func (p *parser) sized(v *Variable) {
	if n := uint64(len(v.Init)); n > v.Count {
		if v.Count != 0 {
			p.failHere("variable %s has %d values, but room for %d", v.Name, n, v.Count)
		}
		v.Count = n
	}
}

// initial reads the values of a variable. Braces may be nested, row by row.
func (p *parser) initial(v *Variable) {
	depth := 0
	for {
		switch {
		case p.accept('{'):
			depth++
			continue
		case p.accept('}'):
			depth--
		default:
			v.Init = append(v.Init, p.initialValue())
		}
		for depth > 0 && p.accept('}') {
			depth--
		}
		if depth <= 0 {
			return
		}
		if !p.accept(',') {
			p.failHere("expected ',' or '}', found %s", p.found())
		}
	}
}

func (p *parser) initialValue() Value {
	v := Value{Line: p.tok.line}
	if p.tok.kind != word {
		v.Number = p.constant()
		return v
	}
	name := p.name()
	if name == "generic" && p.accept('(') {
		v.Generic = true
		name = p.name()
		p.expect(')')
	}
	v.Symbol = name
	if p.tok.is('+') || p.tok.is('-') {
		v.Number = p.added()
	}
	return v
}

// constant reads a number with its sign.
func (p *parser) constant() uint64 {
	minus := p.accept('-')
	if !minus {
		p.accept('+')
	}
	bits, size, isFloat := floating(p.tok.text)
	n, isInteger := integer(p.tok.text)
	switch {
	case p.tok.kind != number || !isInteger && !isFloat:
		p.failHere("expected a number, found %s", p.found())
	case isInteger && minus:
		n = -n
	case !isInteger && minus:
		n = bits ^ 1<<(size-1)
	case !isInteger:
		n = bits
	}
	p.advance()
	return n
}

// added reads the numbers added to an address: +8, -8, +-8.
func (p *parser) added() uint64 {
	var sum uint64
	for {
		switch {
		case p.accept('+'):
			if p.accept('-') {
				sum -= p.count()
			} else {
				sum += p.count()
			}
		case p.accept('-'):
			sum -= p.count()
		default:
			return sum
		}
	}
}

// function reads a kernel or a function, or the declaration of one.
func (p *parser) function() {
	f := &Function{Entry: p.tok.text == ".entry", Line: p.tok.line}
	b := &body{parser: p, function: f, scopes: newScopes(), labels: map[label]int{}, located: map[position]*Source{}}
	p.advance()
	if p.tok.is('(') {
		f.Results = p.parameters(b.scopes)
	}
	f.Name = p.name()
	if p.tok.is('(') {
		f.Params = p.parameters(b.scopes)
	}
	p.tuning()
	if !p.accept(';') {
		f.Body = true
		p.site, p.inside = b.nameSite, f
		b.read()
		p.site, p.inside = noSite, nil
	}
	p.module.Functions = append(p.module.Functions, f)
}

// tuning goes behind what stands between parameters and body, for the assembler:
// .maxntid 128, 1, 1 and the like.
func (p *parser) tuning() {
	for p.tok.kind == directive {
		switch name := p.tok.text; name {
		case ".noreturn", ".explicitcluster", ".blocksareclusters":
			p.advance()
		case ".maxntid", ".reqntid", ".minnctapersm", ".maxnctapersm", ".maxnreg", ".reqnctapercluster", ".maxclusterrank", ".abi_preserve", ".abi_preserve_control":
			p.advance()
			p.count()
			for p.accept(',') {
				p.count()
			}
		case ".pragma":
			p.pragma()
		default:
			p.failHere("unknown directive %s", name)
		}
	}
}

func (p *parser) parameters(names *scopes) []*Variable {
	var all []*Variable
	p.expect('(')
	for !p.accept(')') {
		if len(all) > 0 {
			p.expect(',')
		}
		if !p.isDirective(".param") && !p.isDirective(".reg") {
			p.failHere("expected a parameter, found %s", p.found())
		}
		v := &Variable{Line: p.tok.line}
		if p.tok.text == ".param" {
			v.Space = InParam
		}
		p.advance()
		v.Count = p.variableType(v)
		v.Name = p.name()
		p.extent(v)
		if v.Space == InRegister {
			v.Register = names.declareRegister(v.Name, v.Type)
		} else {
			names.declareVariable(v)
		}
		all = append(all, v)
	}
	return all
}
