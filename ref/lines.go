package ref

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
