package ref

import (
	"fmt"
	"slices"
	"strings"
)

// line is one access of an algorithm, declared once: its name, where the
// algorithm keeps it, and how each variant makes it, in the order of the values
// of the setting "variant". One way is that of all variants.
type line struct {
	name string
	at   *Access
	by   variants
}

type variants []Access

// How published texts make their accesses.
var (
	plain    = Access{Order: Weak, Scope: GPU} // an ordinary load or store
	relaxed  = Access{Order: Relaxed, Scope: GPU}
	acquired = Access{Order: Acquire, Scope: GPU}
	released = Access{Order: Release, Scope: GPU}
	volatile = Access{Order: Relaxed, Scope: System} // what CUDA makes of volatile
	acqRel   = Access{Order: AcqRel, Scope: GPU}
	seqCst   = Access{Order: SC, Scope: GPU} // as a fence: __threadfence
	noFence  = Access{Order: Weak, Scope: GPU}
)

// names lists the lines as Design.Sites has them.
func names(lines []line) []string {
	all := make([]string, len(lines))
	for i, l := range lines {
		all[i] = l.name
	}
	return all
}

// bind says to the algorithm that has the lines how it makes them.
func (c *Config) bind(lines []line) {
	variant := c.choice("variant")
	for i, l := range lines {
		*l.at = l.by[min(variant, len(l.by)-1)]
		l.at.Site = uint8(i)
	}
}

// accesses are the lines of the design as bind makes them. Of a structure of
// somebody else only their numbers are known.
func (c *Config) accesses() []Access {
	if c.Design.lines == nil {
		all := make([]Access, len(c.Design.Sites))
		for i := range all {
			all[i].Site = uint8(i)
		}
		return all
	}
	lines := c.Design.lines()
	c.bind(lines)
	all := make([]Access, len(lines))
	for i, l := range lines {
		all[i] = *l.at
	}
	return all
}

// keptOrder marks a site whose order a spec does not change.
const keptOrder = SC + 1

// SiteSlug is the name of a site as specs write it: "steal-fence-head-tail".
func (d *Design) SiteSlug(site int) string {
	words := strings.FieldsFunc(d.Sites[site], func(r rune) bool { return r == ' ' || r == ':' || r == ',' })
	return strings.Join(words, "-")
}

// reorder changes the orders of sites, as in
// "orders=pop-fence-tail-head.weak+steal-swap-head.acq_rel".
func (c *Config) reorder(v string) error {
	if len(c.Design.Sites) == 0 {
		return fmt.Errorf("orders=%s: the accesses of %s have no names, so that none can be given another order", v, c.Design.Name)
	}
	c.orders = slices.Repeat([]Order{keptOrder}, len(c.Design.Sites))
	for item := range strings.SplitSeq(v, "+") {
		slug, name, _ := strings.Cut(item, ".")
		site := slices.IndexFunc(c.Design.Sites, func(s string) bool { return c.Design.SiteSlug(slices.Index(c.Design.Sites, s)) == slug })
		if site < 0 {
			var slugs []string
			for i := range c.Design.Sites {
				slugs = append(slugs, c.Design.SiteSlug(i))
			}
			return fmt.Errorf("orders=%s: no access %q: expected one of %s, each with an order behind a dot", v, slug, strings.Join(slugs, ", "))
		}
		order := slices.Index(orderNames[:], name)
		if order < 0 {
			return fmt.Errorf("orders=%s: unknown order %q: expected one of %s", v, name, strings.Join(orderNames[:], ", "))
		}
		if c.orders[site] != keptOrder {
			return fmt.Errorf("orders=%s: access %q is given twice", v, slug)
		}
		c.orders[site] = Order(order)
	}
	return nil
}

// ordered is an access with the order that the spec gives its site.
func (c *Config) ordered(a Access) Access {
	if int(a.Site) < len(c.orders) && c.orders[a.Site] != keptOrder {
		a.Order = c.orders[a.Site]
	}
	return a
}
