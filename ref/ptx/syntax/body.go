package syntax

import (
	"fmt"
	"strings"
)

// Limits of what a text may ask for; no compiler comes near.
const (
	mostRegisters = 1 << 20 // of one declaration
	deepest       = 1000    // blocks in one another, and inlined calls
)

// body reads what stands between the braces of a function.
type body struct {
	*parser
	scopes   *scopes
	function *Function
	source   *Source // what .loc said last
	located  map[position]*Source
	// What labels and tables stand for is known at the end.
	labels map[label]int // places in the code, or -1 - a place in the tables
	uses   []use
	tables [][]use
}

// label is the name of a place, and the block that it is declared in.
type label struct {
	block int
	name  string
}

// use is a name that may be a label: the element of an instruction's operand, or
// of a table.
type use struct {
	label
	instruction, operand, line int
}

// read reads the body with its braces.
func (b *body) read() {
	b.function.BodyAt = b.tok.at + 1
	b.expect('{')
	for depth := 1; depth > 0; {
		switch {
		case b.tok.kind == end:
			b.failHere("expected '}', found %s", b.found())
		case b.tok.is('{'):
			if depth++; depth > deepest {
				b.failHere("more than %d blocks in one another", deepest)
			}
			b.scopes.enter()
			b.advance()
		case b.tok.is('}'):
			if depth--; depth > 0 {
				b.scopes.leave()
			}
			b.advance()
		case b.tok.is(';'):
			b.advance()
		case b.tok.kind == directive:
			b.directive()
		default:
			b.labelOrInstruction()
		}
	}
	b.resolve()
}

func (b *body) directive() {
	switch b.tok.text {
	case ".reg":
		b.registers()
	case ".local", ".param", ".shared", ".global", ".const":
		for _, v := range b.variables(linkage{}) {
			b.scopes.declareVariable(v)
			b.function.Variables = append(b.function.Variables, v)
		}
		b.expect(';')
	case ".loc":
		b.location()
	case ".pragma":
		b.pragma()
	case ".file":
		b.sourceFile()
	default:
		b.failHere("unknown directive %s", b.tok.text)
	}
}

// registers reads .reg TYPE NAME, NAME<COUNT>, …
func (b *body) registers() {
	b.advance()
	t, known := TypeOf(strings.TrimPrefix(b.tok.text, "."))
	if b.tok.kind != directive || !known {
		b.failHere("unknown type %s of registers", b.found())
	}
	b.advance()
	for {
		name := b.name()
		if b.accept('<') {
			count := b.count()
			if count > mostRegisters {
				b.failHere("%s<%d>: at most %d registers", name, count, mostRegisters)
			}
			b.expect('>')
			b.scopes.declareRange(name, t, count)
		} else {
			b.scopes.declareRegister(name, t)
		}
		if !b.accept(',') {
			break
		}
	}
	b.expect(';')
}

// location reads .loc FILE LINE COLUMN, and behind that, of a function that was
// inlined, function_name LABEL + OFFSET, inlined_at FILE LINE COLUMN. That place may be
// in a function that was inlined itself: then a .loc before has said so.
func (b *body) location() {
	b.advance()
	line := b.tok.line
	at := b.position()
	here := &Source{file: at[0], Line: int(at[1]), Column: int(at[2])}
	for b.tok.line == line && !b.tok.is('}') && b.tok.kind != end {
		if b.tok.kind == word && b.tok.text == "inlined_at" {
			b.advance()
			here.From = b.caller(b.position())
			continue
		}
		b.advance()
	}
	if here.From != nil {
		here.depth = here.From.depth + 1
	}
	b.source, b.located[at] = here, here
	b.places = append(b.places, here)
}

// position is a file's number, a line and a column.
type position [3]uint64

func (b *body) position() position { return position{b.count(), b.count(), b.count()} }

// caller is what the last .loc said of a place.
func (b *body) caller(at position) *Source {
	if s := b.located[at]; s != nil && s.depth < deepest {
		return s
	}
	s := &Source{file: at[0], Line: int(at[1]), Column: int(at[2])}
	b.places = append(b.places, s)
	return s
}

func (b *body) labelOrInstruction() {
	if b.tok.kind == word && b.followedByColon() {
		l := label{b.scopes.block(), b.tok.text}
		if _, twice := b.labels[l]; twice {
			b.failHere("label %s stands here for the second time", l.name)
		}
		b.advance()
		b.expect(':')
		b.labels[l] = len(b.function.Code)
		b.labelled(l)
		return
	}
	b.instruction()
}

// followedByColon says whether the next word is a label. Two colons are part of a
// name.
func (b *body) followedByColon() bool {
	rest := strings.TrimLeft(b.src[b.at:min(b.at+16, len(b.src))], " \t")
	return strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "::")
}

// labelled reads what a label may be the name of besides a place: the targets of a
// branch, or the shape of a call.
func (b *body) labelled(l label) {
	switch {
	case b.acceptDirective(".branchtargets"):
		var table []use
		for {
			line := b.tok.line
			table = append(table, use{label: label{b.scopes.block(), b.name()}, line: line})
			if !b.accept(',') {
				break
			}
		}
		b.expect(';')
		b.tables = append(b.tables, table)
		b.labels[l] = -len(b.tables)
	case b.isDirective(".callprototype") || b.isDirective(".calltargets"):
		for !b.tok.is(';') {
			if b.tok.kind == end {
				b.failHere("expected ';', found %s", b.found())
			}
			b.advance()
		}
		b.advance()
	}
}

func (b *body) instruction() {
	in := Instruction{Line: b.tok.line, At: b.tok.at, Source: b.source, Guard: -1}
	from := b.tok.at
	if b.accept('@') {
		in.GuardNot = b.accept('!')
		name := b.name()
		m, known := b.scopes.find(name)
		if !known || m.register < 0 {
			b.failHere("unknown predicate %s", name)
		}
		in.Guard = m.register
	}
	if b.tok.kind != word {
		b.failHere("expected an instruction, found %s", b.found())
	}
	in.Op = b.whole(b.tok).text
	b.advance()
	for !b.tok.is(';') {
		if len(in.Operands) > 0 {
			b.expect(',')
		}
		in.Operands = append(in.Operands, b.operand(len(in.Operands), 0))
	}
	in.Text = b.src[from:b.tok.at]
	// a comment behind the semicolon may name the instruction
	b.function.Code = append(b.function.Code, in)
	b.advance()
}

// nameSite gives the instructions of a line the name that stands behind them; or
// the last one alone its own, which has come from elsewhere.
func (b *body) nameSite(name string, line int, own bool) {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
		return
	}
	code := b.function.Code
	for i := len(code) - 1; i >= 0 && code[i].Line == line; i-- {
		switch {
		case own:
			code[i].Site, code[i].moved = name, true
			return
		case !code[i].moved:
			code[i].Site = name
		}
	}
}

// resolve looks up the labels, now that all are known.
func (b *body) resolve() {
	f := b.function
	f.Registers = b.scopes.registers
	for _, table := range b.tables {
		var places []int
		for _, u := range table {
			place, known := b.place(u.label)
			if !known || place < 0 {
				b.fail(u.line, fmt.Sprintf("unknown label %s", u.name))
			}
			places = append(places, place)
		}
		f.Tables = append(f.Tables, places)
	}
	for _, u := range b.uses {
		o := &f.Code[u.instruction].Operands[u.operand]
		switch place, known := b.place(u.label); {
		case !known:
		case place < 0:
			o.Kind, o.Value = IsTable, uint64(-place-1)
		default:
			o.Kind, o.Value = IsLabel, uint64(place)
		}
	}
}

// place finds a label in its block or in those around it.
func (b *body) place(l label) (int, bool) {
	for ; l.block >= 0; l.block = b.scopes.parents[l.block] {
		if place, known := b.labels[l]; known {
			return place, true
		}
	}
	return 0, false
}
