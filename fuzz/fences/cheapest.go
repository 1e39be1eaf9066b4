package fences

import (
	"slices"

	"stealproof/ref"
)

// cheapest is the cheapest choice that no wrong one is above; nil if there is
// none. Of every wrong choice that is above, some site must be stronger than
// there: branch on the one that leaves the fewest ways, and give up where even
// the cheapest way out of those that share no site costs too much.
func (s *search) cheapest() (best []ref.Order, cost int) {
	c := &cheapestOrders{search: s, cost: 1 << 30, seen: map[string]bool{}}
	c.orders = make([]ref.Order, len(s.sites))
	spent := 0
	for i, site := range s.sites {
		c.orders[i] = site.Levels[0]
		spent += orderCost(site.Kind, c.orders[i])
	}
	c.descend(spent)
	return c.best, c.cost
}

type cheapestOrders struct {
	*search
	orders []ref.Order
	seen   map[string]bool
	best   []ref.Order
	cost   int
}

// escape is an order of a site that is not below that of a wrong choice.
type escape struct {
	site  int
	order ref.Order
	price int
}

func (c *cheapestOrders) descend(spent int) {
	if spent >= c.cost || c.known() {
		return
	}
	ways, least := c.ways()
	if spent+least >= c.cost {
		return
	}
	if ways == nil {
		best := slices.Clone(c.orders)
		c.best, c.cost = best, spent
		return
	}
	slices.SortStableFunc(ways, func(a, b escape) int { return a.price - b.price })
	for _, w := range ways {
		was := c.orders[w.site]
		c.orders[w.site] = w.order
		c.descend(spent + w.price)
		c.orders[w.site] = was
	}
}

func (c *cheapestOrders) known() bool {
	key := make([]byte, len(c.orders))
	for i, o := range c.orders {
		key[i] = byte(o)
	}
	if c.seen[string(key)] {
		return true
	}
	c.seen[string(key)] = true
	return false
}

// ways are the fewest ways out of a wrong choice that is above, nil if there is
// no such choice, and least what escaping all of them costs at least.
func (c *cheapestOrders) ways() (fewest []escape, least int) {
	taken := make([]bool, len(c.orders))
	for k := range c.wrong {
		if !c.below(&c.wrong[k]) {
			continue
		}
		ways := c.escapes(&c.wrong[k])
		if fewest == nil || len(ways) < len(fewest) {
			fewest = ways
		}
		if slices.ContainsFunc(ways, func(w escape) bool { return taken[w.site] }) {
			continue
		}
		price := 1 << 30
		for _, w := range ways {
			taken[w.site] = true
			price = min(price, w.price)
		}
		if least += price; price == 1<<30 {
			return []escape{}, price
		}
	}
	return fewest, least
}

func (c *cheapestOrders) below(w *wrongOrders) bool {
	for i, o := range c.orders {
		if !atMost(o, w.orders[i]) {
			return false
		}
	}
	return true
}

// escapes are the weakest orders of single sites that a wrong choice does not
// rule out.
func (c *cheapestOrders) escapes(w *wrongOrders) []escape {
	ways := []escape{}
	for i, site := range c.sites {
		was := c.orders[i]
		weakest := func(o ref.Order) bool {
			return o != was && atMost(was, o) && !atMost(o, w.orders[i])
		}
		for _, o := range site.Levels {
			if !weakest(o) || slices.ContainsFunc(site.Levels, func(p ref.Order) bool { return p != o && weakest(p) && atMost(p, o) }) {
				continue
			}
			ways = append(ways, escape{i, o, orderCost(site.Kind, o) - orderCost(site.Kind, was)})
		}
	}
	return ways
}

// ruledOutBy is a wrong choice that is above one.
func (s *search) ruledOutBy(orders []ref.Order) *wrongOrders {
	c := cheapestOrders{search: s, orders: orders}
	for k := range s.wrong {
		if c.below(&s.wrong[k]) {
			return &s.wrong[k]
		}
	}
	return nil
}
