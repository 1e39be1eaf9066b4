package patch

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"stealproof/ref/ptx/syntax"
)

// Apply makes the changes one after the other, each of what the ones before it have
// left. No line of the text moves.
func (t *Text) Apply(patches []Patch) (*Text, error) {
	for _, p := range patches {
		edits, err := t.edits(&p)
		if err != nil {
			return nil, fmt.Errorf("patch %q: %w", p, err)
		}
		if t, err = t.with(edits, p); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Mutants are the patches that change one access of what the kernels reach, made by
// every operator that fits. Two that come to the same text are one.
func (t *Text) Mutants() []Patch {
	var all []Patch
	for _, s := range t.Sites() {
		for part := range s.Parts {
			texts := map[string]bool{}
			for i := range Operators {
				p := Patch{Site: s.Name, Part: part + 1, Operator: &Operators[i]}
				if s.Parts == 1 {
					p.Part = 0
				}
				if p.Operator.byHand || p.Operator.Name == "drop" && t.OnlyOrders(p) { // which is "weakest"
					continue
				}
				edits, err := t.edits(&p)
				if err != nil {
					continue
				}
				text := strings.ReplaceAll(fmt.Sprint(edits), label(&p), "")
				if !texts[text] {
					texts[text] = true
					all = append(all, p)
				}
			}
		}
	}
	return all
}

// replacement takes the place of some bytes of the text.
type replacement struct {
	from, to int
	text     string
}

// edit is a patch at one function, which it may change in several places.
type edit struct {
	*Patch
	text  *Text
	place place
	insn  instruction
	out   []replacement
}

// errNoFit says that an operator is not for such an instruction.
var errNoFit = errors.New("it does not fit")

// edits are what a patch changes: in every function, or in none.
func (t *Text) edits(p *Patch) (all []replacement, err error) {
	places, err := t.at(p.Site, p.Part)
	if err != nil {
		return nil, err
	}
	var why error
	for _, at := range places {
		e := edit{Patch: p, text: t, place: at, insn: read(at)}
		if e.insn.malformed != nil {
			return nil, t.located(at, e.insn.malformed)
		}
		switch err := p.Operator.change(&e); {
		case errors.Is(err, errNoFit) && len(places) > 1: // another of the same name may be meant
			why = err
		case err != nil:
			return nil, t.located(at, err)
		}
		for _, r := range e.out {
			if !slices.Contains(all, r) { // of two copies, one place may be left
				all = append(all, r)
			}
		}
	}
	if len(all) == 0 {
		return nil, t.located(places[0], why)
	}
	return all, nil
}

// located says where something does not fit.
func (t *Text) located(at place, err error) error {
	return fmt.Errorf("%s: %s: %w", t.module.LineOf(at.in), strings.Join(strings.Fields(at.in.Text), " "), err)
}

// noFit says what an operator is for.
func (e *edit) noFit(what string) error {
	return fmt.Errorf("%w: %s is for %s", errNoFit, e.Operator.Name, what)
}

// with is the text with some replacements.
func (t *Text) with(edits []replacement, p Patch) (*Text, error) {
	slices.SortStableFunc(edits, func(a, b replacement) int { return cmp.Compare(a.from, b.from) })
	var b strings.Builder
	at := 0
	first := strings.IndexByte(t.source, '\n')
	if first < 0 {
		first = len(t.source)
	}
	edits = append([]replacement{{first, first, " // patched: " + p.String()}}, edits...)
	for _, r := range edits {
		if r.from < at {
			return nil, fmt.Errorf("patch %q: it changes %q twice", p, t.source[r.from:at])
		}
		b.WriteString(t.source[at:r.from])
		b.WriteString(r.text)
		at = r.to
	}
	b.WriteString(t.source[at:])
	source := b.String()
	m, err := syntax.Parse(t.module.File, source)
	if err != nil {
		return nil, fmt.Errorf("patch %q: what came out is no PTX: %w", p, err)
	}
	n := New(m, source, t.kernels...)
	for name := range t.changed {
		n.changed[name] = true
	}
	for _, r := range edits[1:] {
		n.changed[t.functionAt(r.from)] = true
	}
	return n, nil
}

// functionAt is the function that some byte of the text belongs to.
func (t *Text) functionAt(at int) string {
	name := ""
	for _, f := range t.functions {
		if f.BodyAt <= at {
			name = f.Name
		}
	}
	return name
}

// end is where an instruction ends: behind its semicolon.
func (t *Text) end(in *syntax.Instruction) int {
	n := strings.IndexByte(t.source[in.At+len(in.Text):], ';')
	return in.At + len(in.Text) + n + 1
}

// label is the comment that a change leaves in the text.
func label(p *Patch) string { return "/* " + p.String() + " */ " }

// OnlyOrders says whether a patch changes nothing but orders, scopes and fences, which
// a sequentially consistent memory does not look at.
func (t *Text) OnlyOrders(p Patch) bool {
	if p.Operator.Orders {
		return true
	}
	places, err := t.at(p.Site, p.Part)
	if err != nil || p.Operator.Name == "exchange" {
		return false
	}
	return !slices.ContainsFunc(places, func(p place) bool { return read(p).kind != fence })
}

// replace puts something in the place of an instruction, which may be nothing at all.
// The lines that the instruction went over stay.
func (e *edit) replace(p place, text string) {
	text += strings.Repeat("\n", strings.Count(p.in.Text, "\n"))
	e.out = append(e.out, replacement{p.in.At, e.text.end(p.in), label(e.Patch) + text})
}

// insert puts something before an instruction, or behind it.
func (e *edit) insert(p place, behind bool, text string) {
	at := p.in.At
	if behind {
		at = e.text.end(p.in)
		text = " " + label(e.Patch) + text
	} else {
		text = label(e.Patch) + text + " "
	}
	e.out = append(e.out, replacement{at, at, text})
}
