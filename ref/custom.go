package ref

import "stealproof/model"

// NewDesign is a structure that is not one of the published ones: build lays it
// out in a space. It has no settings and no defects.
func NewDesign(name string, kind model.Kind, ops []model.Op, build func(c *Config, s *Space) Structure) *Design {
	return &Design{Name: name, Source: "a design of its own", Kind: kind, Ops: ops, build: build}
}
