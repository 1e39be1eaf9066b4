package ref

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	// Settings can be given in a spec, as in "abp:width=2".
	Settings []Setting
	// Defects can be planted, as in "abp:defect=tail-before-task".
	Defects []Defect
	// Sites names the accesses of the algorithm.
	Sites []string
	build func(c *Config, s *Space) Structure
	// bound is the capacity that its histories declare, 0 for none.
	bound func(c *Config) uint64
	// indices bounds the indices of a range that fit into its words, the upper
	// end included; nil for no bound.
	indices func(c *Config) (low, high uint64)
	// counter is what counts one in a word that holds an index and a counter, nil
	// for no such words.
	counter func(c *Config) uint64
	// lines are the accesses, with a place for how each is made.
	lines func() []line
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

func (c *Config) set(name, v string) error {
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
	p := model.Params{Shared: c.Design.Shared}
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
