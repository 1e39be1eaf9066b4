package fuzz

import (
	"stealproof/model"
	"stealproof/ref"
)

// resolve and prepareOn find the design by its name unless it is given.

func resolve(d *ref.Design, spec model.Spec) (*ref.Config, error) {
	if d != nil {
		return d.Resolve(spec)
	}
	return ref.Resolve(spec)
}

func prepareOn(d *ref.Design, memory, spec model.Spec, p model.Program) (*ref.Setup, error) {
	if d != nil {
		return d.PrepareOn(memory, spec, p)
	}
	return ref.PrepareOn(memory, spec, p)
}
