package litmus

import (
	"slices"
	"strings"

	"stealproof/ref/axioms"
)

// readInstruction reads what follows the first word of an instruction.
type readInstruction func(m mnemonic, column int, i *Instruction) error

func (p *parser) reader(m mnemonic) readInstruction {
	switch name := m.parts[0]; name {
	case "ld", "tld", "suld", "cold":
		return p.load
	case "st", "sust":
		return p.store
	case "add", "sub", "mul", "div":
		return p.compute
	case "fence":
		return p.fence
	case "bar", "barrier":
		return p.barrier
	case "atom", "red", "suatom", "sured":
		return p.atomic
	case "goto":
		return p.jump
	default:
		if slices.Contains(branchNames, name) {
			return p.branch
		}
	}
	return nil
}

// proxyOf is the proxy that an instruction takes, if not the generic one.
var proxyOf = map[string]axioms.Proxy{"tld": axioms.Texture, "suld": axioms.Surface, "cold": axioms.Constant, "sust": axioms.Surface, "suatom": axioms.Surface, "sured": axioms.Surface}

// The orders that an instruction may have.
var (
	loadOrders   = []axioms.Order{axioms.Weak, axioms.Relaxed, axioms.Acquire}
	storeOrders  = []axioms.Order{axioms.Weak, axioms.Relaxed, axioms.Release}
	atomicOrders = []axioms.Order{axioms.Relaxed, axioms.Acquire, axioms.Release, axioms.AcqRel}
	fenceOrders  = []axioms.Order{axioms.Acquire, axioms.Release, axioms.AcqRel, axioms.SC}
	scopes       = []axioms.Scope{axioms.CTA, axioms.Cluster, axioms.GPU, axioms.System}
)

// oneOf finds a part of the instruction among those that may stand there.
func oneOf[T interface{ String() string }](p *parser, m mnemonic, part int, among []T) (T, error) {
	var names []string
	for _, x := range among {
		if x.String() == m.part(part) {
			return x, nil
		}
		names = append(names, x.String())
	}
	var none T
	list := strings.Join(names, ", ")
	if n := len(names) - 1; n > 0 {
		list = strings.Join(names[:n], ", ") + " or " + names[n]
	}
	return none, p.partError(m, part, list)
}

// strength reads the order and the scope, which plain accesses do not have, and
// returns how many parts of the instruction there are up to here.
func (p *parser) strength(m mnemonic, orders []axioms.Order, i *Instruction) (parts int, err error) {
	if err = p.refuseForeign(m, orders); err == nil {
		i.Order, err = oneOf(p, m, 1, orders)
	}
	if err != nil {
		return 0, err
	}
	if i.Order == axioms.Weak {
		return 2, nil
	}
	i.Scope, err = oneOf(p, m, 2, scopes)
	return 3, err
}

// ends refuses parts that the instruction does not have.
func (p *parser) ends(m mnemonic, parts int) error {
	if len(m.parts) <= parts {
		return nil
	}
	if parts == 2 && m.part(1) == "weak" {
		return p.errorf(m.partAt(2), "%q: a weak access has no scope", m.text)
	}
	return p.errorf(m.partAt(parts), "%q: expected nothing after %q, found %q", m.text, strings.Join(m.parts[:parts], "."), m.parts[parts])
}

func (p *parser) load(m mnemonic, column int, i *Instruction) error {
	i.Proxy = proxyOf[m.parts[0]]
	if len(m.parts) == 1 && m.text == "ld" {
		i.Op = Move
		return p.operands(column, &i.Register, nil, &i.A)
	}
	i.Op = Load
	parts, err := p.strength(m, loadOrders, i)
	if err == nil {
		err = p.ends(m, parts)
	}
	if err != nil {
		return err
	}
	return p.operands(column, &i.Register, i)
}

func (p *parser) store(m mnemonic, column int, i *Instruction) error {
	i.Op, i.Proxy = Store, proxyOf[m.parts[0]]
	parts, err := p.strength(m, storeOrders, i)
	if err == nil {
		err = p.ends(m, parts)
	}
	if err != nil {
		return err
	}
	return p.operands(column, nil, i, &i.A)
}

func (p *parser) compute(m mnemonic, column int, i *Instruction) error {
	i.Op, i.Math = Compute, Math(slices.Index(mathNames, m.parts[0]))
	if err := p.ends(m, 1); err != nil {
		return err
	}
	return p.operands(column, &i.Register, nil, &i.A, &i.B)
}

func (p *parser) fence(m mnemonic, _ int, i *Instruction) error {
	if m.part(1) == "proxy" {
		return p.proxyFence(m, i)
	}
	i.Op = Fence
	parts, err := p.strength(m, fenceOrders, i)
	if err != nil {
		return err
	}
	return p.ends(m, parts)
}

// proxyFence reads fence.proxy.alias and those of single proxies.
func (p *parser) proxyFence(m mnemonic, i *Instruction) error {
	i.Op = AliasFence
	if m.part(2) != "alias" {
		i.Op = ProxyFence
		for _, proxy := range proxies {
			if m.part(2) == proxy.String() {
				i.Proxy = proxy
				return p.ends(m, 3)
			}
		}
		return p.partError(m, 2, "alias, generic, constant, surface or texture")
	}
	return p.ends(m, 3)
}

// barrier reads bar.cta.sync and bar.cta.arrive.
func (p *parser) barrier(m mnemonic, column int, i *Instruction) error {
	if m.part(1) != "cta" {
		return p.partError(m, 1, "cta")
	}
	switch m.part(2) {
	case "sync":
		i.Op = Sync
	case "arrive":
		i.Op = Arrive
	default:
		return p.partError(m, 2, "sync or arrive")
	}
	if err := p.ends(m, 3); err != nil {
		return err
	}
	var err error
	if i.Barrier, err = p.number("the number of the barrier"); err != nil {
		return err
	}
	if i.HasID = p.is(","); !i.HasID {
		return nil
	}
	if i.ID, err = p.following(column); err != nil {
		return err
	}
	if i.HasQuorum = p.is(","); i.HasQuorum {
		i.Quorum, err = p.following(column)
	}
	return err
}

func (p *parser) following(column int) (Operand, error) {
	if err := p.need(","); err != nil {
		return Operand{}, err
	}
	return p.operand(column)
}

// atomic reads atom, which keeps the old value, and red, which does not.
func (p *parser) atomic(m mnemonic, column int, i *Instruction) error {
	i.Proxy = proxyOf[m.parts[0]]
	parts, err := p.strength(m, atomicOrders, i)
	if err != nil {
		return err
	}
	register := &i.Register
	expected := strings.Join(mathNames, ", ") + ", exch or cas"
	if m.parts[0] == "red" || m.parts[0] == "sured" {
		register = nil
		expected = strings.Join(mathNames[:len(mathNames)-1], ", ") + " or max"
	}
	values := []*Operand{&i.A}
	switch name := m.part(parts); {
	case slices.Contains(mathNames, name):
		i.Op, i.Math = Atomic, Math(slices.Index(mathNames, name))
	case name == "exch" && register != nil:
		i.Op = Exchange
	case name == "cas" && register != nil:
		i.Op = Compare
		values = append(values, &i.B)
	default:
		return p.partError(m, parts, expected)
	}
	if err := p.ends(m, parts+1); err != nil {
		return err
	}
	return p.operands(column, register, i, values...)
}

func (p *parser) branch(m mnemonic, column int, i *Instruction) error {
	i.Op, i.Comparison = Branch, Comparison(slices.Index(branchNames, m.parts[0]))
	if err := p.ends(m, 1); err != nil {
		return err
	}
	if err := p.operands(column, nil, nil, &i.A, &i.B); err != nil {
		return err
	}
	if err := p.need(","); err != nil {
		return err
	}
	return p.target(i)
}

func (p *parser) jump(m mnemonic, _ int, i *Instruction) error {
	i.Op = Goto
	if err := p.ends(m, 1); err != nil {
		return err
	}
	return p.target(i)
}

func (p *parser) target(i *Instruction) error {
	if p.now.kind != word || !isLabel(p.now.text) {
		return p.expected("a label, as in LC0")
	}
	i.label, i.At = p.now.text, p.now.at
	return p.advance()
}
