package ref

import (
	"fmt"
	"slices"
	"strings"
)

// Operator is a mechanical change of an access: what a slip of the pen could
// make of one site of an algorithm.
type Operator struct {
	Name string
	// Kinds are the accesses that it can change.
	Kinds []AccessKind
	Doc   string
	// Orders says that it changes nothing but orders, which a sequentially
	// consistent memory does not look at.
	Orders bool
}

// Operators lists the ways in which an access can be changed.
var Operators = []Operator{
	{Name: "drop", Kinds: []AccessKind{Load, Store, CompareAndSwap, FetchAdd, Modify}, Doc: "the access is left out: a load gives 0, a swap claims to have swapped"},
	{Name: "reuse", Kinds: []AccessKind{Load}, Doc: "the load gives what the operation saw or stored there last, as from a register"},
	{Name: "twice", Kinds: []AccessKind{Load, Store, CompareAndSwap, FetchAdd, Modify}, Doc: "the access is made twice, and the second one counts"},
	{Name: "plus-one", Kinds: []AccessKind{Load, Store, CompareAndSwap, FetchAdd, Modify}, Doc: "the value that is read, stored or added is one more"},
	{Name: "minus-one", Kinds: []AccessKind{Load, Store, CompareAndSwap, FetchAdd, Modify}, Doc: "the value that is read, stored or added is one less: what should count does not"},
	{Name: "uncounted", Kinds: []AccessKind{Store, CompareAndSwap}, Doc: "the counter beside the index is stored one less: a reset does not count"},
	{Name: "late", Kinds: []AccessKind{Store}, Doc: "the store changes places with the next access of its operation"},
	{Name: "blind", Kinds: []AccessKind{CompareAndSwap}, Doc: "the swap is a plain store, which always succeeds"},
	{Name: "never", Kinds: []AccessKind{CompareAndSwap}, Doc: "the swap is left out and claims to have failed"},
	{Name: "split", Kinds: []AccessKind{CompareAndSwap, FetchAdd, Modify}, Doc: "the swap or the addition is a load and then a store"},
	{Name: "weaker", Kinds: []AccessKind{Load, Store, CompareAndSwap, FetchAdd, Modify, Fence}, Doc: "the order is one step weaker; the weakest fence is none", Orders: true},
	{Name: "weakest", Kinds: []AccessKind{Load, Store, CompareAndSwap, FetchAdd, Modify, Fence}, Doc: "there is no order at all, and no fence", Orders: true},
	{Name: "narrower", Kinds: []AccessKind{Load, Store, CompareAndSwap, FetchAdd, Modify, Fence}, Doc: "the scope is that of a block", Orders: true},
}

// Mutant is one access of an algorithm, changed by one operator.
type Mutant struct {
	Site     int
	Operator *Operator
	design   *Design
	text     string // of a structure whose text is changed: how
	copies   []int  // sites of other copies of the access, which are changed as well
}

// PatchMutant is a mutant of a Foreign structure whose text can be changed, by a patch
// of one access, of which there may be copies at several sites.
func PatchMutant(sites []int, operator *Operator, patch string) Mutant {
	return Mutant{Site: sites[0], Operator: operator, text: patch, copies: sites[1:]}
}

// Among says whether the access, or a copy of it, is one of some sites.
func (m Mutant) Among(site func(int) bool) bool {
	return site(m.Site) || slices.ContainsFunc(m.copies, site)
}

// OfText says whether the mutant is a patch of the structure's text: no access can
// tell whether it made a difference.
func (m Mutant) OfText() bool { return m.text != "" }

// String names the mutant as the setting "mutant" of a spec takes it.
func (m Mutant) String() string {
	if m.OfText() {
		return m.text
	}
	return m.design.SiteSlug(m.Site) + "." + m.Operator.Name
}

// SiteName is the access, as the design names it.
func (m Mutant) SiteName() string { return m.design.Sites[m.Site] }

// Mutants lists every change of every access that the design names.
func (d *Design) Mutants() []Mutant {
	if d.mutants != nil {
		return d.mutants()
	}
	var all []Mutant
	for site, name := range d.Sites {
		for i := range Operators {
			if op := &Operators[i]; d.suits(op, name) {
				all = append(all, Mutant{Site: site, Operator: op, design: d})
			}
		}
	}
	return all
}

// suits says whether the operator can change the access. Only words that hold a
// counter beside something else can be stored uncounted.
func (d *Design) suits(op *Operator, site string) bool {
	if op.Name == "uncounted" && (d.counter == nil || !strings.HasSuffix(site, " head")) {
		return false
	}
	return slices.ContainsFunc(siteKinds(site), func(k AccessKind) bool { return slices.Contains(op.Kinds, k) })
}

// findMutant reads the name of a mutant.
func (d *Design) findMutant(name string) (Mutant, error) {
	site, op, _ := strings.Cut(name, ".")
	var operators, sites []string
	for _, m := range d.Mutants() {
		word := d.SiteSlug(m.Site)
		if word == site && m.Operator.Name == op {
			return m, nil
		}
		if word == site {
			operators = append(operators, m.Operator.Name)
		}
		if len(sites) == 0 || sites[len(sites)-1] != word {
			sites = append(sites, word)
		}
	}
	if len(sites) == 0 {
		return Mutant{}, fmt.Errorf("mutant %q: the accesses of %s have no names, so that none can be changed", name, d.Name)
	}
	if len(operators) > 0 {
		return Mutant{}, fmt.Errorf("mutant %q: expected %s. and one of %s", name, site, strings.Join(operators, ", "))
	}
	return Mutant{}, fmt.Errorf("mutant %q: expected an access and what becomes of it, as in %s.drop; the accesses are %s", name, sites[0], strings.Join(sites, ", "))
}

// siteKinds reads off the name of an access what it does.
func siteKinds(name string) []AccessKind {
	if _, behind, found := strings.Cut(name, ": "); found {
		name = behind
	}
	verb, _, _ := strings.Cut(name, " ")
	switch verb {
	case "read", "check":
		return []AccessKind{Load}
	case "swap", "lock":
		return []AccessKind{CompareAndSwap}
	case "add":
		return []AccessKind{FetchAdd}
	case "exchange", "modify", "and", "or", "xor", "min", "max", "increment", "decrement":
		return []AccessKind{Modify}
	case "fence":
		return []AccessKind{Fence}
	case "host":
		return []AccessKind{Load, Store}
	}
	return []AccessKind{Store}
}

// patch is the change of the site.
func (m Mutant) patch() patch {
	c := change{how: how(m.Operator.Name), sites: []string{m.SiteName()}}
	switch m.Operator.Name {
	case "plus-one":
		c = offBy(1, m.SiteName())
	case "minus-one":
		c = offBy(-1, m.SiteName())
	}
	return patch{c}
}

// Mutated says whether the mutant has made a difference to any access so far:
// in what was executed, its site was reached, and there was something to
// change.
func (s *Setup) Mutated() bool { return s.mutated.Load() }
