package litmus

import (
	"slices"
	"strings"

	"stealproof/ref/axioms"
)

// refuseMembar says what PTX takes the older membar for.
func (p *parser) refuseMembar(m mnemonic) error {
	scope := map[string]string{"cta": "cta", "gl": "gpu", "sys": "sys"}[m.part(1)]
	if scope == "" {
		return p.partError(m, 1, "cta, gl or sys")
	}
	return p.errorf(m.at, "%q: expected \"fence.sc.%s\", which is what PTX takes it for", m.text, scope)
}

// refuseForeign says what to write instead of a volatile access, which the
// dialect does not have, and of one of order sc, which C++ has and PTX does not.
func (p *parser) refuseForeign(m mnemonic, orders []axioms.Order) error {
	if m.part(1) == "volatile" && slices.Contains(orders, axioms.Weak) {
		return p.errorf(m.partAt(1), "%q: expected \"%s.relaxed.sys\", which is what PTX takes a volatile access for", m.text, m.parts[0])
	}
	if m.part(1) != axioms.SC.String() || slices.Contains(orders, axioms.SC) {
		return nil
	}
	scope := m.part(2)
	if !slices.ContainsFunc(scopes, func(s axioms.Scope) bool { return s.String() == scope }) {
		scope = axioms.GPU.String()
	}
	instead := []string{m.parts[0], orders[len(orders)-1].String(), scope}
	if len(m.parts) > 3 {
		instead = append(instead, m.parts[3:]...)
	}
	return p.errorf(m.partAt(1), "%q: PTX has fences of order sc, but no accesses: expected \"fence.sc.%s\" and behind it %q, as a compiler would have it",
		m.text, scope, strings.Join(instead, "."))
}
