package ref

import (
	"fmt"
	"slices"
	"strings"
)

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
