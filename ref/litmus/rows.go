package litmus

import (
	"strings"

	"stealproof/ref/axioms"
)

// rows are the instructions: a cell for each thread in each row.
func (p *parser) rows() error {
	labels := make([]map[string]int, len(p.test.Threads))
	for i := range labels {
		labels[i] = map[string]int{}
	}
	for !p.startsStatement() {
		if err := p.row(labels); err != nil {
			return err
		}
	}
	if err := p.resolve(labels); err != nil {
		return err
	}
	return p.countBarriers()
}

// countBarriers marks the barriers that wait for a number of participants. If
// one sync of a barrier does, all must.
func (p *parser) countBarriers() error {
	type barrier struct {
		place  axioms.Place
		number int64
	}
	counted := map[barrier]Position{}
	each := func(visit func(b barrier, i *Instruction) error) error {
		for t := range p.test.Threads {
			th := &p.test.Threads[t]
			for k := range th.Code {
				if i := &th.Code[k]; (i.Op == Sync || i.Op == Arrive) && i.HasID {
					if err := visit(barrier{th.Place, i.Barrier}, i); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}
	_ = each(func(b barrier, i *Instruction) error {
		if _, known := counted[b]; !known && i.Op == Sync && i.HasQuorum {
			counted[b] = i.At
		}
		return nil
	})
	return each(func(b barrier, i *Instruction) error {
		var at Position
		if at, i.counted = counted[b]; i.counted && i.Op == Sync && !i.HasQuorum {
			return p.errorf(i.At, "expected a number of participants, as line %d has it for barrier %d", at.Line, i.Barrier)
		}
		return nil
	})
}

func (p *parser) startsStatement() bool {
	switch p.now.text {
	case "exists", "~", "not", "forall", "locations", "filter":
		return p.now.kind != endOfFile
	}
	return false
}

func (p *parser) row(labels []map[string]int) error {
	for column := 0; ; column++ {
		if column == len(p.test.Threads) {
			return p.errorf(p.now.at, "there is no thread for this cell: expected %d in a row", len(p.test.Threads))
		}
		if err := p.cell(column, labels[column]); err != nil {
			return err
		}
		switch {
		case p.is("|"):
			if err := p.advance(); err != nil {
				return err
			}
		case p.is(";"):
			if column != len(p.test.Threads)-1 {
				return p.errorf(p.now.at, "the row ends after %d of %d cells: expected \"|\"", column+1, len(p.test.Threads))
			}
			return p.advance()
		default:
			return p.expected(`"|" or ";"`)
		}
	}
}

// cell is empty, an instruction, or labels before one.
func (p *parser) cell(column int, labels map[string]int) error {
	for p.now.kind == word && isLabel(p.now.text) {
		label := p.now
		if err := p.advance(); err != nil {
			return err
		}
		if err := p.need(":"); err != nil {
			return err
		}
		if _, twice := labels[label.text]; twice {
			return p.errorf(label.at, "label %s stands in this thread twice", label.text)
		}
		labels[label.text] = len(p.test.Threads[column].Code)
	}
	if p.is("|") || p.is(";") {
		return nil
	}
	i, err := p.instruction(column)
	if err != nil {
		return err
	}
	p.test.Threads[column].Code = append(p.test.Threads[column].Code, i)
	return nil
}

// resolve finds the labels that instructions name.
func (p *parser) resolve(labels []map[string]int) error {
	for column := range p.test.Threads {
		code := p.test.Threads[column].Code
		for i := range code {
			if code[i].label == "" {
				continue
			}
			target, exists := labels[column][code[i].label]
			if !exists {
				return p.errorf(code[i].At, "there is no label %s in %s", code[i].label, threadName(p.test.Threads[column].ID))
			}
			code[i].Target = target
		}
	}
	return nil
}

const instructionNames = "st, ld, add, sub, mul, div, fence, bar, atom, red, tld, cold, suld, sust, suatom, sured, beq, bne, bge, ble, bgt, blt, goto, or a label"

func (p *parser) instruction(column int) (i Instruction, err error) {
	if p.now.kind != word {
		what := "an instruction: one of " + instructionNames
		if column == 0 {
			what += "; or a statement: exists, ~exists or forall"
		}
		return i, p.expected(what)
	}
	m := mnemonic{p.now, strings.Split(p.now.text, ".")}
	if p.startsStatement() {
		return i, p.expected(`"|" or ";" and the rest of the row`)
	}
	if m.parts[0] == "membar" {
		return i, p.refuseMembar(m)
	}
	read := p.reader(m)
	if read == nil {
		return i, p.errorf(m.at, "unknown instruction %q: expected one of %s", m.text, instructionNames)
	}
	if err := p.advance(); err != nil {
		return i, err
	}
	i.At, i.Register = m.at, NoRegister
	return i, read(m, column, &i)
}
