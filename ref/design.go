package ref

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"stealproof/model"
)

// Structure is an object under test, laid out in shared memory.
type Structure interface {
	// Do carries out the operation that o asks for and fills in its result,
	// and what came out. It keeps nothing outside of shared memory.
	Do(m Memory, o *model.Operation)
}

// Phased is a structure whose phases are separated by its host, which acts
// alone between them.
type Phased interface {
	Structure
	NextPhase(m Memory)
}

// Design is a published structure and what can be varied of it.
type Design struct {
	Name   string
	Source string // where it was published
	Kind   model.Kind
	Shared bool // a range without owner
	Ops    []model.Op
	// Anonymous: an operation does the same whichever process calls it; see Foreign.
	Anonymous bool
	// Settings can be given in a spec, as in "abp:width=2".
	Settings []Setting
	// Defects can be planted, as in "abp:defect=tail-before-task".
	Defects []Defect
	// Sites names the accesses of the algorithm.
	Sites   []string
	version string       // which text of this name it is, empty if there is one
	lanes   int          // that carry out an operation together, 0 for one
	model   *model.Model // of its own, or nil
	build   func(c *Config, s *Space) Structure
	// bound is the capacity that its histories declare, 0 for none.
	bound func(c *Config) uint64
	// indices bounds the indices of a range that fit into its words, the upper
	// end included; nil for no bound.
	indices func(c *Config) (low, high uint64)
	// counter is what counts one in a word that holds an index and a counter, nil
	// for no such words.
	counter func(c *Config) uint64
	// declared are the sites, with a place for how each is made.
	declared func() []site
	// changed is the design as settings say, nil if nobody can change it: of a structure
	// that is no text of ours. base is the design without that.
	changed func(model.Settings) (*Design, error)
	base    *Design
	// onlyOrders: nothing but orders was changed in the text.
	onlyOrders bool
	// mutants lists its mutants, where they are not made here.
	mutants func() []Mutant
	// liberties are patches that a compiler may have made.
	liberties func() []string
	// show prints what a location holds, where that is more than a number.
	show func(c *Config, location string, v uint64) string
}

// Setting is a choice that a design leaves open: one of Values, or a number.
type Setting struct {
	Name, Doc, Default string
	Values             []string
	Min, Max           int // if Values is empty
}

func (s *Setting) check(v string) error {
	if len(s.Values) > 0 {
		if slices.Contains(s.Values, v) {
			return nil
		}
		return fmt.Errorf("%s=%s: expected one of %s", s.Name, v, strings.Join(s.Values, ", "))
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < s.Min || n > s.Max {
		return fmt.Errorf("%s=%s: expected a number from %d to %d", s.Name, v, s.Min, s.Max)
	}
	return nil
}

// Defect is a mistake that can be planted: the text is patched, from outside.
type Defect struct {
	Name, Doc string
	patch     patch
}

// Designs lists the structures, in the order in which they are documented.
func Designs() []*Design {
	return []*Design{abpDesign, tzDesign, theDesign, blockingDesign, staticDesign, listDesign}
}

// FindDesign returns the design of a name.
func FindDesign(name string) (*Design, error) {
	var names []string
	for _, d := range Designs() {
		if d.Name == name {
			return d, nil
		}
		names = append(names, d.Name)
	}
	return nil, fmt.Errorf("unknown structure %q: expected one of %s", name, strings.Join(names, ", "))
}

// Config is a spec resolved against its design: every setting has a value.
type Config struct {
	Design    *Design
	Processes int
	values    model.Settings
	defects   []patch
	orders    []Order // of each site, nil for those of the design
	mutant    *Mutant
}

// resolve checks a spec and fills in what it leaves open.
func (d *Design) resolve(spec model.Spec) (*Config, error) {
	if spec.Structure != d.Name {
		return nil, fmt.Errorf("unknown structure %q: expected %s", spec.Structure, d.Name)
	}
	d, err := d.as(spec.Settings)
	if err != nil {
		return nil, fmt.Errorf("structure %s: %w", spec.Structure, err)
	}
	c := &Config{Design: d, values: model.Settings{}}
	for _, s := range d.Settings {
		c.values[s.Name] = s.Default
	}
	for name, v := range spec.Settings {
		if err := c.set(name, v); err != nil {
			return nil, fmt.Errorf("structure %s: %w", d.Name, err)
		}
	}
	return c, nil
}

// as is the design as the settings of a spec change it: its text, or its lanes.
func (d *Design) as(settings model.Settings) (*Design, error) {
	if d.base != nil {
		d = d.base
	}
	if d.changed == nil {
		return d, nil
	}
	var patches []string
	for _, name := range []string{PatchSetting, "mutant"} {
		if v := settings[name]; v != "" {
			patches = append(patches, v)
		}
	}
	changes := model.Settings{}
	if len(patches) > 0 {
		changes[PatchSetting] = strings.Join(patches, "+")
	}
	if v := settings[LanesSetting]; v != "" {
		changes[LanesSetting] = v
	}
	if len(changes) == 0 {
		return d, nil
	}
	return d.changed(changes)
}

func (c *Config) set(name, v string) error {
	if c.Design.changed != nil && (name == PatchSetting || name == LanesSetting || name == "mutant") {
		return nil // the design has it
	}
	switch name {
	case "defect":
		return c.plant(v)
	case "mutant":
		m, err := c.Design.findMutant(v)
		c.mutant = &m
		return err
	case "orders":
		return c.reorder(v)
	}
	i := slices.IndexFunc(c.Design.Settings, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		names := []string{"defect", "mutant", "orders"}
		if c.Design.changed != nil {
			names = append(names, PatchSetting, LanesSetting)
		}
		for _, s := range c.Design.Settings {
			names = append(names, s.Name)
		}
		return fmt.Errorf("unknown setting %q: expected one of %s", name, strings.Join(names, ", "))
	}
	c.values[name] = v
	return c.Design.Settings[i].check(v)
}

func (c *Config) plant(v string) error {
	for name := range strings.SplitSeq(v, "+") {
		i := slices.IndexFunc(c.Design.Defects, func(d Defect) bool { return d.Name == name })
		if i < 0 {
			var names []string
			for _, d := range c.Design.Defects {
				names = append(names, d.Name)
			}
			return fmt.Errorf("unknown defect %q: expected one of %s", name, strings.Join(names, ", "))
		}
		c.defects = append(c.defects, c.Design.Defects[i].patch)
	}
	return nil
}

// Params are what histories of this structure declare.
func (c *Config) Params() model.Params {
	p := model.Params{Shared: c.Design.Shared, Model: c.Design.model}
	if c.Design.bound != nil {
		p.Capacity = c.Design.bound(c)
	}
	return p
}

// Indices bounds the indices that a program may use on a range.
func (c *Config) Indices() (low, high uint64) {
	if c.Design.indices == nil {
		return 0, model.MaxValue
	}
	return c.Design.indices(c)
}

// Show prints a value that a location holds as the algorithm means it.
func (c *Config) Show(location string, v uint64) string {
	if c.Design.show != nil {
		return c.Design.show(c, location, v)
	}
	return strconv.FormatUint(v, 10)
}

func (c *Config) is(setting, value string) bool { return c.values[setting] == value }

// choice is the place of the setting's value among those that it can have, 0 if
// there is no such setting.
func (c *Config) choice(setting string) int {
	for _, s := range c.Design.Settings {
		if s.Name == setting {
			return slices.Index(s.Values, c.values[setting])
		}
	}
	return 0
}

func (c *Config) number(setting string) int {
	n, err := strconv.Atoi(c.values[setting])
	if err != nil {
		panic(fmt.Sprintf("ref: setting %s of %s is not a number", setting, c.Design.Name))
	}
	return n
}

// site is one access of an algorithm, declared once: its name, where the
// algorithm keeps it, and how each variant makes it, in the order of the values
// of the setting "variant". One way is that of all variants.
type site struct {
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

// names lists the sites as Design.Sites has them.
func names(sites []site) []string {
	all := make([]string, len(sites))
	for i, s := range sites {
		all[i] = s.name
	}
	return all
}

// bind says to the algorithm that has the sites how it makes them.
func (c *Config) bind(sites []site) {
	variant := c.choice("variant")
	for i, s := range sites {
		*s.at = s.by[min(variant, len(s.by)-1)]
		s.at.Site = uint8(i)
	}
}

// accesses are the sites of the design as bind makes them. Of a structure of
// somebody else only their numbers are known.
func (c *Config) accesses() []Access {
	if c.Design.declared == nil {
		all := make([]Access, len(c.Design.Sites))
		for i := range all {
			all[i].Site = uint8(i)
		}
		return all
	}
	sites := c.Design.declared()
	c.bind(sites)
	all := make([]Access, len(sites))
	for i, s := range sites {
		all[i] = *s.at
	}
	return all
}

// keptOrder marks a site whose order a spec does not change.
const keptOrder = SC + 1

// SiteSlug is the name of a site as specs write it: "steal-fence-head-tail", or
// "ring-h-12-read" of a site that is a place in a file. It has none of the characters
// that mean something in a spec.
func (d *Design) SiteSlug(site int) string {
	words := strings.FieldsFunc(d.Sites[site], func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
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
		// of a name that does not say what is done there, as a module's may be, the access says it
		said := strings.Contains(c.Design.Sites[site], ": ")
		if kinds := siteKinds(c.Design.Sites[site]); said && !slices.ContainsFunc(kinds, Order(order).distinct) {
			return fmt.Errorf("orders=%s: %s is a %s: expected one of %s", item, slug, kinds[0], kinds[0].orders(Order.distinct))
		}
		if c.orders[site] != keptOrder {
			return fmt.Errorf("orders=%s: access %q is given twice", v, slug)
		}
		c.orders[site] = Order(order)
	}
	return nil
}

// ordered is an access with the order that the spec gives its site, and with a scope.
func (c *Config) ordered(a Access) Access {
	if a.Scope == unsaid {
		a.Scope = GPU
	}
	if int(a.Site) < len(c.orders) && c.orders[a.Site] != keptOrder {
		a.Order = c.orders[a.Site]
	}
	if a.Part {
		a.Order = Weak
	}
	return a
}
