package patch

import (
	"fmt"
	"slices"
	"strings"
)

// ordering is what the name of an access says about order and scope.
type ordering struct{ order, scope string }

var scopes = []string{"cta", "cluster", "gpu", "sys"}

// orderNames are those that stand in the name of an access.
var orderNames = []string{"weak", "relaxed", "acquire", "release", "acq_rel", "sc"}

// ordering reads the name. An order that is not known to the memory model gives none.
func (i *instruction) ordering() (o ordering, known bool) {
	for _, p := range i.parts[1:] {
		switch {
		case slices.Contains(orderNames, p):
			o.order = p
		case slices.Contains(scopes, p):
			o.scope = p
		case p == "gl":
			o.scope = "gpu"
		case p == "volatile":
			o = ordering{"relaxed", "sys"}
		case i.kind == fence: // another kind of fence, as for proxies
			return o, false
		}
	}
	switch {
	case i.kind == fence && i.parts[0] == "membar":
		o.order = "sc"
	case i.kind == fence && o.order == "":
		o.order = "acq_rel"
	case i.kind == fence:
		return o, o.order == "acq_rel" || o.order == "sc"
	case i.atomic():
		if o.order == "" {
			o.order = "relaxed"
		}
		if o.scope == "" {
			o.scope = "gpu"
		}
	case o.order == "":
		o.order = "weak"
	}
	return o, i.kind != other
}

func (i *instruction) atomic() bool { return i.parts[0] == "atom" || i.parts[0] == "red" }

// as is the instruction with another order and scope.
func (i instruction) as(o ordering) instruction {
	name, rest := i.parts[0], []string{}
	if i.kind == fence {
		i.parts = []string{"fence", o.order, o.scope}
		return i
	}
	for _, p := range i.parts[1:] {
		if !slices.Contains(orderNames, p) && !slices.Contains(scopes, p) && p != "volatile" {
			rest = append(rest, p)
		}
	}
	if o.order == "weak" {
		o.scope = ""
	} else {
		rest = slices.DeleteFunc(rest, func(p string) bool { return slices.Contains(cacheHints, p) })
	}
	i.parts = append([]string{name}, o.order)
	if o.scope != "" {
		i.parts = append(i.parts, o.scope)
	}
	i.parts = append(i.parts, rest...)
	return i
}

// cacheHints stand only at accesses that are weak.
var cacheHints = []string{"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"}

// weakerOrder is one step down, "" for no fence at all.
func (i *instruction) weakerOrder(order string) string {
	switch {
	case i.kind == fence && order == "acq_rel":
		return ""
	case order == "sc":
		return "acq_rel"
	case order == "relaxed" && !i.atomic():
		return "weak"
	case order == "relaxed" || order == "weak":
		return order
	}
	return "relaxed"
}

func (e *edit) weaker() error { return e.weaken(1) }

func (e *edit) weakest() error { return e.weaken(len(orderNames)) }

func (e *edit) weaken(steps int) error {
	o, known := e.insn.ordering()
	to := o.order
	for range steps {
		if known && to != "" {
			to = e.insn.weakerOrder(to)
		}
	}
	switch {
	case !known || to == o.order:
		return e.noFit("accesses with an order, and fences")
	case to == "":
		e.replace(e.place, "")
	default:
		e.replace(e.place, e.insn.as(ordering{to, o.scope}).String())
	}
	return nil
}

func (e *edit) narrower() error {
	o, known := e.insn.ordering()
	if !known || o.order == "weak" || o.scope == "cta" {
		return e.noFit("accesses and fences with a wider scope than a block")
	}
	e.replace(e.place, e.insn.as(ordering{o.order, "cta"}).String())
	return nil
}

// ordered gives an access a certain order.
func (e *edit) ordered(order string) error {
	o, known := e.insn.ordering()
	allowed := map[string][]string{
		"weak": {"ld", "st"}, "relaxed": {"ld", "st", "atom", "red"}, "acquire": {"ld", "atom"}, "release": {"st", "atom", "red"},
		"acq_rel": {"atom", "red", "fence", "membar"}, "sc": {"fence", "membar"},
	}[order]
	if !known || !slices.Contains(allowed, e.insn.parts[0]) {
		return e.noFit(strings.Join(allowed, ", "))
	}
	if o.order == order {
		return fmt.Errorf("its order is %s already", order)
	}
	if o.scope == "" {
		o.scope = "gpu"
	}
	e.replace(e.place, e.insn.as(ordering{order, o.scope}).String())
	return nil
}
