package ref

import (
	"errors"
	"fmt"

	"stealproof/model"
)

// Foreign is a structure that is not of this package: one that somebody else
// wrote against Memory and wants to have tested.
type Foreign struct {
	// Name is what specs and saved cases call it: lower-case letters, digits
	// and dashes.
	Name string
	Kind model.Kind
	// Shared is a range without owner.
	Shared bool
	// Capacity is what its histories declare, 0 for none: then a put may come
	// back with full whenever it likes.
	Capacity uint64
	// Sites names its accesses, by Access.Site; nil for no names.
	Sites []string
	// Show prints what a location holds, where that is more than a number; nil for
	// numbers.
	Show func(location string, v uint64) string
	// Build lays it out in memory for so many processes.
	Build func(s *Space, processes int) Structure
}

// Subject is the structure, on a memory as NewSubject has them. It has no settings
// and no defects.
func (f Foreign) Subject(memory model.Spec) (Subject, error) {
	d, err := f.design()
	if err != nil {
		return Subject{}, err
	}
	return d.subject(model.Spec{Structure: f.Name}, memory)
}

func (f Foreign) design() (*Design, error) {
	if s, err := model.ParseSpec(f.Name); err != nil || len(s.Settings) > 0 || s.Structure != f.Name {
		return nil, fmt.Errorf("name %q: expected lower-case letters, digits and dashes", f.Name)
	}
	if _, err := FindDesign(f.Name); err == nil {
		return nil, fmt.Errorf("name %q: it is that of a structure of package ref, expected another", f.Name)
	}
	if _, err := model.ParseKind(f.Kind.String()); err != nil {
		return nil, fmt.Errorf("structure %s: %w", f.Name, err)
	}
	if f.Build == nil {
		return nil, fmt.Errorf("structure %s: nothing builds it", f.Name)
	}
	if f.Shared && f.Kind != model.Range {
		return nil, fmt.Errorf("structure %s: only a range can be shared", f.Name)
	}
	d := &Design{
		Name: f.Name, Kind: f.Kind, Ops: f.Kind.Ops(), Shared: f.Shared, Sites: f.Sites,
		build: func(c *Config, s *Space) Structure { return f.build(s, c.Processes) },
		bound: func(*Config) uint64 { return f.Capacity },
	}
	if f.Show != nil {
		d.show = func(_ *Config, location string, v uint64) string { return f.Show(location, v) }
	}
	return d, nil
}

func (f Foreign) build(s *Space, processes int) Structure {
	st := f.Build(s, processes)
	if st == nil {
		panic(errors.New("it was built as nil"))
	}
	return st
}
